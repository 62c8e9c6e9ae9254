"""Which way a person's body and head face, told from 26 points of their pose.

A person's left shoulder lies to the right in the picture when they face the camera, to the left when they show their
back, and over the right one when seen from the side: the signed width of the shoulders, in lengths of the torso, says
which. Of a head the eyes and ears say it in the same way, in lengths of the head: the network guesses hidden ones where
they would be, so that from behind they are crossed.
"""

from math import tanh
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.images.records import Box, Orientation

NOSE, LEFT_EYE, RIGHT_EYE, LEFT_EAR, RIGHT_EAR = range(5)
LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_HIP, RIGHT_HIP, CROWN, NECK = 5, 6, 11, 12, 17, 18
SEEN = 0.3  # a point scored below this may lie anywhere
TURNED = 0.25  # shoulders narrower than this, in torso lengths, are seen from the side
SHARP = 12.0  # how fast one orientation gives way to the next: a tenth of a torso more makes it three times as likely
HEAD_LENGTH = 0.45  # in torso lengths, where the hips cannot be seen
PROFILE = 0.12  # eyes nearer than this, in lengths of the head, are those of a head seen from the side
EYES, EARS, LEAST, ENOUGH = -1.42, -3.63, -2.04, -0.35
"""How the log-odds that a head shows no face add up: of the widths of eyes and ears, in head lengths, and of the lowest
score of nose and eyes. Fitted on the people that docs/measurements.md counts; 0.7 is where 2 % of faces are missed."""

FACE_AT, FACE_LENGTH = (
    0.52,
    0.93,
)  # of the way from the crown to the neck: a face's middle, and how long it is (292 faces)
FACE_OF_HEAD, HEAD_WIDTH = 0.8, 0.75  # a face's share of the head's height; the head's width in heights


class Facing(NamedTuple):
    """An orientation, and how likely it is the right one."""

    orientation: Orientation
    score: float


NOT_KNOWN = Facing(Orientation.UNKNOWN, 0.0)


def body(points: NDArray[np.float64]) -> Facing:
    """Which side of the body is seen, from points (26, 3); `unknown` where the shoulders cannot be seen.

    A back below a face is unknown as well: one of the two is wrong, or the person looks over their shoulder.
    """
    if points[[LEFT_SHOULDER, RIGHT_SHOULDER], 2].min() < SEEN:
        return NOT_KNOWN
    width = _across(points, LEFT_SHOULDER, RIGHT_SHOULDER) / _torso(points)
    front, back = _logistic(SHARP * (width - TURNED)), _logistic(SHARP * (-width - TURNED))
    chances = {Orientation.FRONT: front, Orientation.BACK: back, Orientation.SIDE: 1 - front - back}
    likeliest = max(chances, key=lambda each: chances[each])
    if likeliest is Orientation.BACK and head(points).orientation in {Orientation.FRONT, Orientation.SIDE}:
        return NOT_KNOWN
    return Facing(likeliest, chances[likeliest])


def head(points: NDArray[np.float64]) -> Facing:
    """Which side of the head is seen, from points (26, 3): front and side show a face, back shows none."""
    if points[: RIGHT_EAR + 1, 2].max() < SEEN:
        return NOT_KNOWN
    length = _head(points)
    eyes, ears = _across(points, LEFT_EYE, RIGHT_EYE) / length, _across(points, LEFT_EAR, RIGHT_EAR) / length
    away = _logistic(ENOUGH + EYES * eyes + EARS * ears + LEAST * points[: RIGHT_EYE + 1, 2].min())
    if away >= 0.5:
        return Facing(Orientation.BACK, away)
    return Facing(Orientation.SIDE if eyes < PROFILE else Orientation.FRONT, 1 - away)


def head_box(points: NDArray[np.float64]) -> Box | None:
    """Where the head is, crown to chin, from points (26, 3); None where too little of it is seen."""
    seen = points[: RIGHT_EAR + 1, 2] >= SEEN
    if not seen.any() and points[[CROWN, NECK], 2].min() < SEEN:
        return None
    crown, neck = points[CROWN, :2], points[NECK, :2]
    x, y = points[: RIGHT_EAR + 1, :2][seen].mean(axis=0) if seen.any() else crown + FACE_AT * (neck - crown)
    face = FACE_LENGTH * _head(points)
    height = face / FACE_OF_HEAD
    bottom, half = y + face / 2, HEAD_WIDTH * height / 2
    return float(x - half), float(bottom - height), float(x + half), float(bottom)


def _across(points: NDArray[np.float64], left: int, right: int) -> float:
    """How far a left point lies to the right of a right one."""
    return float(points[left, 0] - points[right, 0])


def _torso(points: NDArray[np.float64]) -> float:
    """Its length in pixels, told by the head's where the hips cannot be seen."""
    if points[[LEFT_HIP, RIGHT_HIP], 2].min() < SEEN:
        return _head(points) / HEAD_LENGTH
    middles = points[[LEFT_SHOULDER, LEFT_HIP], :2] + points[[RIGHT_SHOULDER, RIGHT_HIP], :2]
    return max(1.0, float(np.linalg.norm(middles[0] - middles[1])) / 2)


def _head(points: NDArray[np.float64]) -> float:
    """From the crown to the neck, in pixels."""
    return max(1.0, float(np.linalg.norm(points[CROWN, :2] - points[NECK, :2])))


def _logistic(odds: float) -> float:
    return (1 + tanh(odds / 2)) / 2
