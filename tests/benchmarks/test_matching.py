"""Recall, covered share and false boxes are counted as a person would count them."""

import numpy as np
import pytest
from benchmarks.matching import covered_share, judged, matched, rows, share, summary

TRUE = np.array([[0.0, 0, 10, 20], [100, 100, 140, 140]])


def boxes(*several: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(several, np.float64).reshape(-1, 4)


def test_the_better_box_takes_the_true_one_and_the_other_is_false() -> None:
    found = boxes((1, 1, 11, 21), (0, 0, 10, 20))
    assert matched(TRUE, found, np.array([0.5, 0.9])) == {1: 0}
    assert judged(TRUE, found, np.array([0.5, 0.9])).false.tolist() == [0]


@pytest.mark.parametrize(
    ("found", "hits"),
    [
        (boxes(), [False, False]),
        (boxes((0, 0, 10, 20)), [True, False]),
        (boxes((0, 0, 10, 7)), [True, False]),  # 0.35 of it
        (boxes((0, 0, 10, 5)), [False, False]),  # 0.25 of it
        (boxes((100, 100, 140, 140), (0, 0, 10, 20)), [True, True]),
    ],
)
def test_a_true_box_is_found_where_another_overlaps_it_enough(found: np.ndarray, hits: list[bool]) -> None:
    assert judged(TRUE, found, np.ones(len(found))).found.tolist() == hits


def test_two_halves_together_cover_what_neither_does() -> None:
    assert covered_share(TRUE, boxes((0, 0, 5, 20), (5, 0, 10, 20)))[0] == 1.0
    assert covered_share(TRUE, boxes((0, 0, 5, 20)))[0] == 0.5
    assert covered_share(TRUE, boxes()).tolist() == [0.0, 0.0]


def test_an_interval_is_wilsons() -> None:
    assert share(8, 10)[1:3] == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert share(0, 0).cases == 0
    assert str(share(0, 0)) == "-"


def test_a_table_has_a_line_for_each_size() -> None:
    image = judged(TRUE, boxes((0, 0, 10, 20), (200, 200, 210, 210)), np.ones(2))
    lines = {line[0]: line[1:] for line in rows([image])}
    assert lines["16-32 px"][0].startswith("1.000")
    assert lines["32-64 px"][0].startswith("0.000")
    assert lines["0-16 px"] == ["-", "-"]
    assert summary([image]).startswith("1.00 false boxes an image; precision 0.500")
