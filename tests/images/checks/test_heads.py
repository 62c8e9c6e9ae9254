"""Enlarged heads: a face that nobody hid, on somebody whom the inspection found."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.checks.check import Check
from aramis.images.checks.heads import heads
from aramis.images.detect.close_up import close_up
from aramis.images.records import Carrier, ImageRecord, Target

SCALE = 0.2
WOMAN = Carrier(id=2, kind="person", box=(60 * SCALE, 20 * SCALE, 450 * SCALE, 512 * SCALE), score=0.9)
FACE = Target(id=1, kind="face", box=(178 * SCALE, 66 * SCALE, 274 * SCALE, 192 * SCALE), method="blur")


@pytest.fixture(scope="module")
def check() -> Check:
    return heads(close_up())


@pytest.fixture(scope="module")
def small(photographs: dict[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """The astronaut, her face 25 pixels tall."""
    return np.asarray(
        cv2.resize(photographs["astronaut"], None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA), np.uint8
    )


def record(*things: Carrier | Target) -> ImageRecord:
    return ImageRecord(
        image="a",
        width=102,
        height=102,
        carriers=tuple(one for one in things if isinstance(one, Carrier)),
        targets=tuple(one for one in things if isinstance(one, Target)),
    )


def test_a_small_face_on_a_person_is_a_leak_where_nobody_hid_it(check: Check, small: NDArray[Any]) -> None:
    (finding,) = check(small, small, record(WOMAN))
    assert (finding.leak, finding.carrier, finding.target) == (True, 2, None)
    assert finding.box is not None
    assert np.abs(np.array(finding.box) - FACE.box).max() < 6


def test_where_it_was_hidden_it_is_listed_and_no_leak(check: Check, small: NDArray[Any]) -> None:
    (finding,) = check(small, small, record(WOMAN, FACE))
    assert (finding.leak, finding.target) == (False, 1)


def test_two_people_who_share_a_place_show_one_face(check: Check, small: NDArray[Any]) -> None:
    behind = Carrier(id=3, kind="person", box=(10, 2, 92, 102), score=0.5)
    assert len(check(small, small, record(WOMAN, behind))) == 1


@pytest.mark.parametrize(
    "carrier",
    [
        Carrier(kind="vehicle", box=WOMAN.box, score=0.9),
        Carrier(kind="person", box=(0, 0, 4, 8), score=0.9),
        Carrier(kind="person", box=(60, 60, 100, 102), score=0.9),
        Carrier(kind="person", box=(101, 0, 102, 102), score=0.9),
    ],
    ids=["a vehicle", "too small", "no face", "at the border"],
)
def test_where_no_face_can_be_there_is_none(check: Check, small: NDArray[Any], carrier: Carrier) -> None:
    assert check(small, small, record(carrier)) == []


def test_a_face_by_which_nobody_is_known_is_no_leak(
    check: Check, photographs: dict[str, NDArray[Any]]
) -> None:
    tiny = np.asarray(
        cv2.resize(photographs["astronaut"], None, fx=0.06, fy=0.06, interpolation=cv2.INTER_AREA), np.uint8
    )
    woman = Carrier(kind="person", box=(3, 1, 27, 31), score=0.9, head_box=(8, 2, 18, 13))
    assert check(tiny, tiny, record(woman)) == []
