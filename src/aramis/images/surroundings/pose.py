"""The pose of people: 26 points each (Halpe), by RTMPose.

Jiang et al., "RTMPose: Real-Time Multi-Person Pose Estimation based on MMPose", arXiv:2303.07399.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Network, Pixels
from aramis.images.surroundings.seen import Floats

WIDTH, HEIGHT = 192, 256
AROUND = 1.25  # how much more than the box a crop shows
PER_PIXEL = 2  # the network's answers count in half pixels
MEAN, DEVIATION = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)  # ImageNet's

Pose = Callable[[Pixels, Floats], NDArray[np.float64]]
"""People's boxes (n, 4) → their points (n, 26, 3): x, y in the picture, and a score."""


def rtmpose(weights: Path, threads: int = 1) -> Pose:
    """A pose for each of the boxes, all crops in one batch."""
    network = Network(weights, threads=threads, mean=MEAN, scale=DEVIATION)

    def pose(pixels: Pixels, boxes: Floats) -> NDArray[np.float64]:
        if not len(boxes):
            return np.zeros((0, 26, 3))
        frames = [frame(box) for box in boxes]
        given = network(np.stack([_crop(pixels, *each) for each in frames]))
        return np.stack(
            [
                points(across, down, *each)
                for across, down, each in zip(given["simcc_x"], given["simcc_y"], frames, strict=True)
            ]
        )

    return pose


def frame(box: Floats) -> tuple[Floats, float]:
    """The top left corner and the scale (input pixels for one of the picture) of the crop around a box."""
    size = box[2:] - box[:2]
    scale = min(WIDTH / size[0], HEIGHT / size[1]) / AROUND
    corner = (box[:2] + box[2:]) / 2 - np.array([WIDTH, HEIGHT]) / (2 * scale)
    return corner, float(scale)


def points(
    across: NDArray[np.float32], down: NDArray[np.float32], corner: Floats, scale: float
) -> NDArray[np.float64]:
    """Where the two classifications of each point (one by column, one by row) peak, and the lower of both peaks."""
    at = np.stack([across.argmax(axis=1), down.argmax(axis=1)], axis=1) / PER_PIXEL
    score = np.minimum(across.max(axis=1), down.max(axis=1))
    return np.column_stack([at / scale + corner, score]).astype(np.float64)


def _crop(pixels: Pixels, corner: Floats, scale: float) -> Pixels:
    import cv2

    matrix = np.array([[scale, 0, -corner[0] * scale], [0, scale, -corner[1] * scale]])
    crop = cv2.warpAffine(pixels, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR)
    return np.asarray(crop, np.uint8)
