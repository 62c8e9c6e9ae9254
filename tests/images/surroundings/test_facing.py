"""Which way people face, from points placed by hand."""

import numpy as np
import pytest

from aramis.images.records import Orientation
from aramis.images.surroundings.facing import facing

FRONT, SIDE, BACK, UNKNOWN = Orientation.FRONT, Orientation.SIDE, Orientation.BACK, Orientation.UNKNOWN


def pose(shoulders: float, *, face: float = 0.5, hips: float = 0.9, torso: float = 100) -> np.ndarray:
    """A person who stands upright; `shoulders`: how far the left one lies to the right of the other."""
    points = np.zeros((26, 3))
    points[:, 2] = 0.9
    points[5, :2], points[6, :2] = (shoulders / 2, 0), (-shoulders / 2, 0)
    points[11, :2], points[12, :2] = (shoulders / 3, torso), (-shoulders / 3, torso)
    points[:5, 2], points[[11, 12], 2] = face, hips
    return points


@pytest.mark.parametrize(
    ("points", "orientation"),
    [
        (pose(60, face=0.95), FRONT),
        (pose(60), FRONT),
        (pose(-60), BACK),
        (pose(-60, face=0.95), UNKNOWN),  # a back with a face: one of the two is wrong
        (pose(5), SIDE),
        (pose(-5), SIDE),
        (pose(60, torso=600), SIDE),  # shoulders count in torso lengths, not in pixels
        (pose(-60, hips=0.1), UNKNOWN),  # cut at the chest: nothing to measure by
    ],
)
def test_the_shoulders_tell_and_the_face_overrules(points: np.ndarray, orientation: Orientation) -> None:
    assert facing(points).orientation is orientation


def test_a_mirrored_person_faces_the_same_way() -> None:
    points = pose(60)
    points[:, 0] *= -1
    mirrored = points.copy()
    for left, right in ((1, 2), (3, 4), (5, 6), (11, 12)):
        mirrored[[left, right]] = points[[right, left]]
    assert facing(mirrored).orientation is facing(pose(60)).orientation
