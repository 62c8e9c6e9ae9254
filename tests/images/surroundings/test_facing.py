"""Which way people face, from points placed by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.images.records import Orientation
from aramis.images.surroundings.facing import body, head, head_box

FRONT, SIDE, BACK, UNKNOWN = Orientation.FRONT, Orientation.SIDE, Orientation.BACK, Orientation.UNKNOWN
PAIRS = ((1, 2), (3, 4), (5, 6), (11, 12))


def pose(
    shoulders: float, *, turned: float = 1.0, face: float = 0.9, hips: float = 0.9, torso: float = 100
) -> np.ndarray:
    """A person who stands upright, whose head is 45 pixels long.

    `shoulders`: how far the left one lies to the right of the other; `turned`: 1 for a head that looks at us, -1 away;
    `face` and `hips`: how sure these points are.
    """
    points = np.zeros((26, 3))
    points[:, 2] = 0.9
    points[5, :2], points[6, :2] = (shoulders / 2, 0), (-shoulders / 2, 0)
    points[11, :2], points[12, :2] = (shoulders / 3, torso), (-shoulders / 3, torso)
    points[17, 1], points[18, 1] = -50, -5
    points[[1, 2], 0], points[[3, 4], 0] = (5 * turned, -5 * turned), (14 * turned, -14 * turned)
    points[:5, 2], points[[11, 12], 2] = face, hips
    return points


@pytest.mark.parametrize(
    ("points", "orientation"),
    [
        (pose(60), FRONT),
        (pose(60, turned=-1), FRONT),  # who faces us and looks back
        (pose(-60, turned=-1), BACK),
        (pose(-60), UNKNOWN),  # a back below a face: one of the two is wrong, or they look over the shoulder
        (pose(5), SIDE),
        (pose(-5), SIDE),
        (pose(60, torso=600), SIDE),  # shoulders count in torso lengths, not in pixels
        (pose(60, hips=0.1, torso=600), FRONT),  # cut at the chest: in head lengths
        (pose(60) * [1, 1, 0.2], UNKNOWN),  # nothing that can be told from shoulders that may lie anywhere
    ],
)
def test_the_shoulders_say_which_side_of_the_body_is_seen(
    points: np.ndarray, orientation: Orientation
) -> None:
    assert body(points).orientation is orientation


@pytest.mark.parametrize(
    ("points", "orientation"),
    [
        (pose(60), FRONT),
        (pose(60, turned=-1), BACK),
        (pose(-60), FRONT),  # over the shoulder
        (pose(60, turned=0.1), SIDE),
        (pose(60, turned=0.1, face=0.35), SIDE),  # hidden in part, not crossed: not surely away
        (pose(60, turned=-1, face=0.2), UNKNOWN),
    ],
)
def test_eyes_and_ears_say_which_side_of_the_head_is_seen(
    points: np.ndarray, orientation: Orientation
) -> None:
    assert head(points).orientation is orientation


@given(st.floats(-3, 3), st.floats(0, 1))
def test_a_head_is_the_likelier_turned_away_the_further_it_turns(turned: float, face: float) -> None:
    here, further = head(pose(0, turned=turned, face=face)), head(pose(0, turned=turned - 0.5, face=face))
    if here.orientation is BACK:
        assert further.orientation is BACK
        assert further.score >= here.score


@given(st.floats(-200, 200), st.floats(-2, 2), st.floats(0.1, 20), st.floats(-500, 500))
def test_where_and_how_large_somebody_is_changes_nothing_and_neither_does_a_mirror(
    shoulders: float, turned: float, scale: float, right: float
) -> None:
    points = pose(shoulders, turned=turned)
    moved = points * [scale, scale, 1] + [right, 7, 0]
    mirrored = points * [-1, 1, 1]
    for left, other in PAIRS:
        mirrored[[left, other]] = mirrored[[other, left]]
    for of in (body, head):
        for other_points in (moved, mirrored):
            assert of(other_points).score == pytest.approx(of(points).score)


def test_the_head_reaches_from_about_the_crown_to_the_chin_around_eyes_and_ears() -> None:
    found = head_box(pose(40))
    assert found is not None
    x1, y1, x2, y2 = found
    assert y1 < -25 < -5 < y2 < 25
    assert x1 < -14 < 14 < x2


def test_a_head_moves_and_grows_with_its_points() -> None:
    points = pose(40)
    moved = head_box(points * [3, 3, 1] + [100, 7, 0])
    still = head_box(points)
    assert still is not None
    assert moved == pytest.approx(
        [3 * still[0] + 100, 3 * still[1] + 7, 3 * still[2] + 100, 3 * still[3] + 7]
    )


def test_a_head_without_a_face_is_told_from_crown_and_neck_and_one_that_is_not_seen_not_at_all() -> None:
    away = pose(40, face=0.1)
    assert head_box(away) is not None
    away[17, 2] = 0.1
    assert head_box(away) is None
