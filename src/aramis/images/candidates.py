"""Candidates: what a network proposes in one picture, as arrays, before anything is decided.

boxes   (n, 4) x1 y1 x2 y2 in pixels
scores  (n,)   0 to 1
points  (n, k, 2) landmarks or corners; k is 0 for networks that give none
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Pixels

Floats = NDArray[np.float64]


class Candidates(NamedTuple):
    boxes: Floats
    scores: Floats
    points: Floats


Look = Callable[[Pixels, float], Candidates]
"""A look at a picture: its candidates with at least this score."""


def nothing(points: int = 0) -> Candidates:
    return Candidates(np.zeros((0, 4)), np.zeros(0), np.zeros((0, points, 2)))


def joined(several: Sequence[Candidates]) -> Candidates:
    """The candidates of several looks, one after the other."""
    return Candidates(*(np.concatenate(arrays) for arrays in zip(*several, strict=True)))


def chosen(candidates: Candidates, which: NDArray[np.bool_] | NDArray[np.intp]) -> Candidates:
    """Some of the candidates: by a mask, or by their places in the order wanted."""
    return Candidates(*(array[which] for array in candidates))


def moved(candidates: Candidates, scale: float | Floats = 1.0, by: Sequence[float] = (0, 0)) -> Candidates:
    """Candidates of an enlarged or cut-out picture in the coordinates of the whole: times `scale`, then plus `by`."""
    factor, step = np.broadcast_to(scale, 2), np.asarray(by, np.float64)
    return Candidates(
        candidates.boxes * np.tile(factor, 2) + np.tile(step, 2),
        candidates.scores,
        candidates.points * factor + step,
    )


def suppressed(candidates: Candidates, overlap: float) -> Candidates:
    """Non-maximum suppression: of those that overlap more than this, the best stays. Best first."""
    import cv2

    low, high = candidates.boxes[:, :2], candidates.boxes[:, 2:]
    corner_and_size = np.concatenate([low, high - low], axis=1)
    keep = cv2.dnn.NMSBoxes(corner_and_size, candidates.scores, 0.0, overlap)  # type: ignore[arg-type] # takes arrays
    return chosen(candidates, np.asarray(keep, np.intp).reshape(-1))
