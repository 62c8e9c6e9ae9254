"""Which way a person faces, told from 26 points of their pose.

A person's left shoulder lies to the right in the picture when they face the camera, to the left when they show their
back, and over the right one when seen from the side: the signed width of the shoulders, in lengths of the torso, says
which. Points of the face, where the network is sure of them, overrule it: from behind there is no face to see.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.images.records import Orientation

NOSE, LEFT_EYE, RIGHT_EYE, LEFT_EAR, RIGHT_EAR = range(5)
LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_HIP, RIGHT_HIP = 5, 6, 11, 12
SEEN = 0.4  # a point of the body scored below this may lie anywhere
TURNED = 0.25  # shoulders narrower than this, in torso lengths, are seen from the side
FACE_SEEN = 0.75  # hidden noses and eyes are guessed at a median score of 0.56


class Facing(NamedTuple):
    orientation: Orientation
    score: float


def facing(points: NDArray[np.float64]) -> Facing:
    """Front, side or back, from points (26, 3); `unknown` where shoulders and hips cannot be seen."""
    body = points[[LEFT_SHOULDER, RIGHT_SHOULDER, LEFT_HIP, RIGHT_HIP]]
    sure = float(body[:, 2].min())
    if sure < SEEN:
        return Facing(Orientation.UNKNOWN, 0.0)
    torso = float(np.linalg.norm(body[:2, :2].mean(axis=0) - body[2:, :2].mean(axis=0)))
    width = float(body[0, 0] - body[1, 0]) / max(torso, 1.0)
    if width > TURNED:
        return Facing(Orientation.FRONT, sure)
    if width > -TURNED:
        return Facing(Orientation.SIDE, sure)
    face = float(points[[NOSE, LEFT_EYE, RIGHT_EYE], 2].min())
    return Facing(Orientation.UNKNOWN, 0.0) if face > FACE_SEEN else Facing(Orientation.BACK, sure)
