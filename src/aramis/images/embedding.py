"""What makes a face somebody's: 128 numbers of length one, whose cosine is high for two pictures of one person.

 pixels, box ─▶ landmarks ─five points─▶ aligned ─112x112─▶ SFace ─▶ 128 numbers

Landmarks and numbers are asked for apart: a face that was hidden has no landmarks, but those of its original are known.
Zhong, Deng, Hu, Zhao, Li, Wen, "SFace: Sigmoid-Constrained Hypersphere Loss for Robust Face Recognition", IEEE TIP 2021.
"""

from collections.abc import Callable
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.candidates import Floats, moved
from aramis.images.detect.yunet import yunet
from aramis.images.geometry import grow, iou_matrix
from aramis.images.network import Network, Pixels
from aramis.images.records import Box

Vector = NDArray[np.float32]
Landmarks = Callable[[Pixels, Box], Floats | None]
"""Five points of the face in a box: eyes, nose, corners of the mouth, from the picture's left; None where none is seen."""
Embedding = Callable[[Pixels, Floats], Vector]
"""The numbers of the face with these five points."""

SIDE = 112
PLACES = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]]
)
"""Where the five points lie in an aligned face: those of ArcFace, by which SFace was trained."""

AROUND = 0.5  # of the box, on each side, is shown to the network that finds the points
LOOKED_AT = 192  # pixels: the longer side of what it is shown, so that the face is half of that
LEAST_SCORE = 0.3  # there is a face here, we were told: it need not be sure
SAME = 0.3  # overlap of the face it sees with the box


def landmarks(threads: int = 1) -> Landmarks:
    """What finds the five points of a face in its box."""
    look = yunet(cards.path("yunet"), threads)

    def find(pixels: Pixels, box: Box) -> Floats | None:
        x1, y1, x2, y2 = _within(grow(box, AROUND, AROUND), pixels)
        if x2 <= x1 or y2 <= y1:
            return None
        scale = LOOKED_AT / max(x2 - x1, y2 - y1)
        shown = cv2.resize(pixels[y1:y2, x1:x2], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        seen = moved(look(cast("Pixels", shown), LEAST_SCORE), 1 / scale, (x1, y1))
        overlaps = iou_matrix(np.array([box]), seen.boxes)[0]
        return seen.points[overlaps.argmax()] if overlaps.size and overlaps.max() >= SAME else None

    return find


def embedding(threads: int = 1) -> Embedding:
    """What gives the numbers of a face whose five points are known."""
    network = Network(cards.path("sface"), threads=threads, fixed=True)

    def numbers(pixels: Pixels, points: Floats) -> Vector:
        given = next(iter(network(aligned(pixels, points)[None]).values()))[0]
        vector: Vector = given / max(float(np.linalg.norm(given)), 1e-9)
        return vector

    return numbers


def aligned(pixels: Pixels, points: Floats) -> Pixels:
    """A face upright, 112x112, its five points as near to their places as turning, scaling and moving bring them."""
    turn, step = _similarity(points, PLACES)
    matrix = np.array([[turn.real, -turn.imag, step.real], [turn.imag, turn.real, step.imag]])
    return np.asarray(cv2.warpAffine(pixels, matrix, (SIDE, SIDE)), np.uint8)


def _similarity(points: Floats, places: Floats) -> tuple[complex, complex]:
    """The complex numbers by which points are multiplied and moved, at the least sum of squares."""
    old, new = points @ [1, 1j], places @ [1, 1j]
    off = old - old.mean()
    turn = complex(off.conj() @ new / max(float((off.conj() @ off).real), 1e-9))
    return turn, complex(new.mean() - turn * old.mean())


def _within(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    height, width = pixels.shape[:2]
    x1, y1, x2, y2 = (round(side) for side in box)
    return max(x1, 0), max(y1, 0), min(x2, width), min(y2, height)
