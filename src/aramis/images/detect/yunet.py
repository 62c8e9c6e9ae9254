"""YuNet: anchor-free boxes and five landmarks at strides 8, 16 and 32.

Wu, Peng, Yu, "YuNet: A Tiny Millisecond-level Face Detector", Machine Intelligence Research 20, 2023.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Look, joined, suppressed
from aramis.images.network import Network, Pixels, padded
from aramis.images.whole_numbers import recorded

STRIDES = (8, 16, 32)
OVERLAP = 0.3  # as OpenCV's reader of this network


def yunet(weights: Path, threads: int = 1) -> Look:
    """A look with YuNet."""
    network = Network(weights, threads=threads, bgr=True, ranges=recorded(weights))

    def look(pixels: Pixels, floor: float) -> Candidates:
        wider = padded(pixels)
        given = network(wider[None])
        levels = [
            decoded(*(given[f"{part}_{stride}"][0] for part in ("cls", "obj", "bbox", "kps")), stride=stride,
                    columns=wider.shape[1] // stride, floor=floor)
            for stride in STRIDES
        ]  # fmt: skip
        return suppressed(joined(levels), OVERLAP)

    return look


def decoded(
    is_face: NDArray[np.float32],
    is_object: NDArray[np.float32],
    box: NDArray[np.float32],
    points: NDArray[np.float32],
    *,
    stride: int,
    columns: int,
    floor: float,
) -> Candidates:
    """Boxes and landmarks of one level, a row for each cell, where both scores together reach `floor`."""
    scores = np.sqrt(np.clip(is_face[:, 0], 0, 1) * np.clip(is_object[:, 0], 0, 1)).astype(np.float64)
    cells = np.nonzero(scores >= floor)[0]
    corner = np.stack([cells % columns, cells // columns], axis=1)
    centre, size = (corner + box[cells, :2]) * stride, np.exp(box[cells, 2:]) * stride
    landmarks = (points[cells].reshape(-1, 5, 2) + corner[:, None]) * stride
    boxes = np.concatenate([centre - size / 2, centre + size / 2], axis=1)
    return Candidates(boxes.astype(np.float64), scores[cells], landmarks.astype(np.float64))
