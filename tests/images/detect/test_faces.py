"""Faces are found small and large, whole and at the border, and twice in none."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.images.detect.faces import ALONE, drawn, faces, sure
from aramis.images.geometry import iou
from aramis.images.passes import Detect

FACE = (178.0, 66.0, 274.0, 192.0)  # of the astronaut, as a person draws it


@pytest.fixture(scope="module")
def detect() -> Detect:
    return faces()


@pytest.mark.parametrize("scale", [0.15, 0.25, 0.5, 1.0, 2.0, 4.0])
def test_a_face_is_found_at_every_size(
    detect: Detect, photographs: dict[str, NDArray[Any]], scale: float
) -> None:
    small = cv2.resize(photographs["astronaut"], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = detect(np.asarray(small, np.uint8))
    wanted = tuple(side * scale for side in FACE)
    assert max((iou(target.box, wanted) for target in found), default=0) > 0.5  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(3000, 4000), (700, 5000)])
def test_a_small_face_is_found_anywhere_in_a_large_picture(
    detect: Detect, photographs: dict[str, NDArray[Any]], size: tuple[int, int]
) -> None:
    """Also where two tiles meet."""
    face = cv2.resize(photographs["astronaut"][30:230, 130:330], (64, 64), interpolation=cv2.INTER_AREA)
    picture = np.full((*size, 3), 120, np.uint8)
    places = [(x, y) for x in range(0, size[1] - 64, 397) for y in range(0, size[0] - 64, 311)]
    for x, y in places:
        picture[y : y + 64, x : x + 64] = face
    found = detect(picture)
    assert len(found) == len(places)


def test_a_picture_of_nobody_has_no_face(detect: Detect, street: NDArray[Any]) -> None:
    assert not detect(street[:300])


def test_a_lower_floor_finds_no_less(photographs: dict[str, NDArray[Any]]) -> None:
    pixels = photographs["astronaut"]
    usual, lower = faces()(pixels), faces(floor=0.1)(pixels)
    assert {target.box for target in usual} <= {target.box for target in lower}
    assert all((target.score or 0) >= 0.5 for target in usual)


def test_two_looks_are_surer_than_one_and_a_small_face_takes_more() -> None:
    votes = np.array([[0.4, 0.4], [0.4, 0.0], [0.4, 0.4], [0.4, 0.4]])
    boxes = np.array([[0.0, 0, 40, 40], [0, 0, 40, 40], [0, 0, 8, 8], [0, 0, 200, 200]])
    both, one, small, large = sure(votes, boxes, (0.7, 0.55))
    assert both > one
    assert large > both > small


def test_what_fills_the_picture_takes_no_less_than_what_is_large() -> None:
    boxes = np.array([[0.0, 0, 400, 400], [0, 0, 4000, 4000]])
    large, larger = sure(np.array([[0.3, 0.1]] * 2), boxes, (0.7, 0.55))
    assert large == larger


def test_a_network_by_itself_is_taken_at_its_word_at_every_size() -> None:
    boxes = np.array([[0.0, 0, 8, 8], [0, 0, 400, 400]])
    assert sure(np.array([[0.5], [0.5]]), boxes, (ALONE,)).tolist() == pytest.approx([0.5, 0.5])


def test_a_box_is_drawn_wider_and_higher_and_stays_in_the_picture() -> None:
    boxes = drawn(np.array([[10.0, 10, 110, 110], [-50, -50, -10, -10]]), 112, 400)
    assert boxes.tolist() == [[6, 7, 112, 122], [0, 0, 0, 0]]  # the second lies outside: nothing is left


def test_a_narrow_box_holds_a_profile_and_is_drawn_as_wide_as_a_head() -> None:
    [(x1, y1, x2, y2)] = drawn(np.array([[100.0, 100, 140, 200]]), 400, 400).tolist()
    assert (x2 - x1) / (y2 - y1) == pytest.approx(0.85)
    assert (x1 + x2) / 2 == pytest.approx(120)


def test_a_face_says_how_sure_each_look_was(detect: Detect, photographs: dict[str, NDArray[Any]]) -> None:
    [face] = detect(photographs["astronaut"])
    assert set(face.votes or {}) == {"centerface", "yunet"}


def test_a_profile_that_is_none_is_answered_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="default"):
        faces("weak")
