"""EfficientDet's heads become boxes as its paper says."""

import numpy as np

from aramis.images.surroundings.efficientdet import decoded
from aramis.images.surroundings.seen import LABELS


def test_offsets_are_from_the_anchor_in_its_own_lengths() -> None:
    anchors = np.array([[0.5, 0.25, 0.2, 0.1]], np.float32)  # y, x, height, width
    offsets = np.array([[0.5, -1, np.log(2), 0]], np.float32)
    scores = np.array([[0.1, 0, 0.8, 0, 0, 0.3]], np.float32)
    seen = decoded(offsets, scores, anchors, floor=0.3)
    np.testing.assert_allclose(seen.boxes, [[0.1, 0.4, 0.2, 0.8]], atol=1e-6)
    assert [LABELS[label] for label in seen.labels] == ["car"]
    assert seen.scores.round(3).tolist() == [0.8]


def test_what_scores_below_the_floor_is_not_seen() -> None:
    anchors = np.full((2, 4), 0.5, np.float32)
    scores = np.array([[0.2] * 6, [0.1] * 6], np.float32)
    assert len(decoded(np.zeros((2, 4), np.float32), scores, anchors, floor=0.3).boxes) == 0
