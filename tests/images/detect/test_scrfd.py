"""SCRFD's rows become boxes and landmarks: two anchors in each cell, distances in strides."""

import numpy as np

from aramis.images.detect.scrfd import decoded


def test_the_rows_of_a_cell_are_boxes_around_its_corner() -> None:
    score, box, points = np.zeros((8, 1)), np.zeros((8, 4)), np.zeros((8, 10))
    score[5], score[6] = 0.9, 0.2  # the second anchor of the cell in the first column of the second row
    box[5], points[5] = (1, 0.5, 2, 3), [1, 2] * 5
    found = decoded(*(a.astype(np.float32) for a in (score, box, points)), stride=16, columns=2, floor=0.3)
    assert found.boxes.tolist() == [[-16, 8, 32, 64]]
    assert np.allclose(found.scores, 0.9)
    assert found.points.tolist() == [[[16, 48]] * 5]
