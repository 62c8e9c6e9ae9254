"""Candidates are moved, joined, chosen and suppressed as arrays."""

import numpy as np

from aramis.images.candidates import Candidates, chosen, joined, moved, nothing, suppressed


def some() -> Candidates:
    boxes = np.array([[0.0, 0, 10, 10], [1, 1, 11, 11], [50, 50, 60, 60]])
    return Candidates(boxes, np.array([0.5, 0.9, 0.3]), boxes.reshape(-1, 2, 2))


def test_of_those_that_overlap_the_best_stays_and_comes_first() -> None:
    kept = suppressed(some(), 0.4)
    assert kept.scores.tolist() == [0.9, 0.3]
    assert kept.boxes[0].tolist() == [1, 1, 11, 11]
    assert kept.points[1].tolist() == [[50, 50], [60, 60]]


def test_nothing_stays_nothing() -> None:
    empty = suppressed(nothing(points=2), 0.4)
    assert empty.boxes.shape == (0, 4)
    assert empty.points.shape == (0, 2, 2)
    assert len(joined([empty, some()]).scores) == 3


def test_a_crop_is_moved_back_into_its_picture() -> None:
    back = moved(chosen(some(), np.array([2])), scale=np.array([0.5, 2.0]), by=(100, 200))
    assert back.boxes.tolist() == [[125, 300, 130, 320]]
    assert back.points.tolist() == [[[125, 300], [130, 320]]]
