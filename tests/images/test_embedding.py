"""The numbers of a face: those of OpenCV's own reader, alike for one person in any size, light or turn, unlike for two."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.candidates import Floats
from aramis.images.embedding import PLACES, Embedding, Landmarks, aligned, embedding, landmarks
from aramis.images.records import Box

FACE: Box = (178, 66, 274, 192)  # of the astronaut, as a person draws it


@pytest.fixture(scope="module")
def find() -> Landmarks:
    return landmarks()


@pytest.fixture(scope="module")
def numbers() -> Embedding:
    return embedding()


@pytest.fixture(scope="module")
def astronaut(photographs: dict[str, NDArray[Any]]) -> NDArray[np.uint8]:
    return photographs["astronaut"]


@pytest.fixture(scope="module")
def points(find: Landmarks, astronaut: NDArray[np.uint8]) -> Floats:
    found = find(astronaut, FACE)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def likeness(
    numbers: Embedding, points: Floats, astronaut: NDArray[np.uint8]
) -> Callable[[NDArray[np.uint8]], float]:
    """How like the astronaut is to herself in another picture, of any size."""

    def cosine(other: NDArray[np.uint8]) -> float:
        scale = other.shape[0] / astronaut.shape[0]
        return float(numbers(astronaut, points) @ numbers(other, points * scale))

    return cosine


def test_the_five_points_are_where_one_sees_them(points: Floats) -> None:
    by_eye = [[203, 101], [247, 103], [224, 127], [203, 140], [247, 141]]
    assert np.abs(points - by_eye).max() < 6


@pytest.mark.parametrize(
    ("what", "box"),
    [
        ("the sky", (0, 0, 60, 60)),
        ("beside the picture", (600, 600, 700, 700)),
        ("no area", (200, 100, 200, 100)),
    ],
)
def test_where_no_face_is_seen_there_are_no_points(
    what: str, box: Box, find: Landmarks, astronaut: NDArray[np.uint8]
) -> None:
    assert find(astronaut, box) is None, what


def test_the_numbers_are_those_of_opencv(
    numbers: Embedding, points: Floats, astronaut: NDArray[np.uint8]
) -> None:
    theirs = cv2.FaceRecognizerSF.create(str(cards.path("sface")), "")
    row = np.concatenate([[0, 0, 1, 1], points.ravel(), [1]]).astype(np.float32)[None]
    crop = theirs.alignCrop(np.ascontiguousarray(astronaut[..., ::-1]), row)
    (feature,) = theirs.feature(crop)
    assert float(numbers(astronaut, points) @ feature) / np.linalg.norm(feature) > 0.9999


@pytest.mark.parametrize(
    ("what", "change", "alike"),
    [
        ("half the size", lambda p: cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), True),
        ("in the dark", lambda p: (p * 0.4).astype(np.uint8), True),
        ("a little unsharp", lambda p: cv2.GaussianBlur(p, (0, 0), 2), True),
        ("blurred as a release is", lambda p: cv2.GaussianBlur(p, (0, 0), 18), False),
    ],
)
def test_one_person_is_like_herself_until_she_is_hidden(
    what: str,
    change: Any,
    alike: bool,
    likeness: Callable[[NDArray[np.uint8]], float],
    astronaut: NDArray[Any],
) -> None:
    assert (likeness(np.asarray(change(astronaut), np.uint8)) > 0.6) is alike, what


angle, size, step = st.floats(-180, 180), st.floats(0.2, 5), st.floats(-300, 300)


@given(angle, size, step, step)
def test_a_face_is_turned_upright_however_it_lies(turn: float, size: float, x: float, y: float) -> None:
    """Its points marked white on black, wherever they lie, come to their places."""
    way = size * np.exp(1j * np.radians(turn))
    at = (PLACES @ [1, 1j]) * way + complex(x, y)
    points = np.stack([at.real, at.imag], axis=1)
    low = points.min(axis=0) - 8
    canvas = np.zeros((*(np.ceil(np.ptp(points, axis=0)).astype(int) + 16)[::-1], 3), np.uint8)
    for px, py in points - low:
        cv2.circle(canvas, (round(px), round(py)), max(2, round(3 * size)), (255, 255, 255), -1)
    upright = aligned(canvas, points - low)
    assert all(upright[round(py), round(px)].min() > 100 for px, py in PLACES)
