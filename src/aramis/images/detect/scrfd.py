"""SCRFD: boxes as distances from the cells of strides 8, 16 and 32, two anchors in each, and five landmarks.

Guo, Deng, Lattas, Zafeiriou, "Sample and Computation Redistribution for Efficient Face Detection", ICLR 2022.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Look, joined, suppressed
from aramis.images.network import Network, Pixels

SIDE = 640  # the file is written for this size: made to take another, it answers wrongly and does not say so
STRIDES = (8, 16, 32)
ANCHORS = 2  # in each cell
OVERLAP = 0.4  # the authors' value


def scrfd(weights: Path, threads: int = 1) -> Look:
    """A look with SCRFD at pictures, or tiles of them, that fit into its square."""
    network = Network(weights, threads=threads, mean=(127.5,) * 3, scale=128, fixed=True)

    def look(pixels: Pixels, floor: float) -> Candidates:
        square = np.zeros((SIDE, SIDE, 3), np.uint8)
        square[: pixels.shape[0], : pixels.shape[1]] = pixels
        given = network(square[None])
        levels = [
            decoded(*(given[f"{part}_{stride}"][0] for part in ("score", "bbox", "kps")), stride=stride,
                    columns=SIDE // stride, floor=floor)
            for stride in STRIDES
        ]  # fmt: skip
        return suppressed(joined(levels), OVERLAP)

    return look


def decoded(
    score: NDArray[np.float32],
    box: NDArray[np.float32],
    points: NDArray[np.float32],
    *,
    stride: int,
    columns: int,
    floor: float,
) -> Candidates:
    """Boxes and landmarks of one level, a row for each anchor, where the score reaches `floor`."""
    rows = np.nonzero(score[:, 0] >= floor)[0]
    cells = rows // ANCHORS
    centre = np.stack([cells % columns, cells // columns], axis=1) * float(stride)
    distance = box[rows].astype(np.float64) * stride
    boxes = np.concatenate([centre - distance[:, :2], centre + distance[:, 2:]], axis=1)
    landmarks = centre[:, None] + points[rows].reshape(-1, 5, 2).astype(np.float64) * stride
    return Candidates(boxes, score[rows, 0].astype(np.float64), landmarks)
