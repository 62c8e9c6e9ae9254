"""Text in pictures: drawn plates are found and read, alone, on a street, askew."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.geometry import bounds, centre, is_inside
from aramis.images.reading import Lines, Reading, lines, reading
from aramis.images.records import Corners
from aramis.images.redact.plate_numbers import country
from aramis.images.redact.plate_template import ONE_ROW_MM, Plate, draw

NUMBER = "B 482 KTR"


@pytest.fixture(scope="module")
def find() -> Lines:
    return lines()


@pytest.fixture(scope="module")
def read() -> Reading:
    return reading()


def on_a_street(street: NDArray[Any], height: int, turn_deg: float) -> tuple[NDArray[Any], Corners]:
    """A drawn plate somewhere in a photograph, and its corners."""
    romania = country("RO")
    face = draw(Plate(romania, romania.looks[0], NUMBER, ONE_ROW_MM), height)
    wide, tall = face.shape[1], face.shape[0]
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn_deg, 1.0)
    turn[:, 2] += [200, 150]
    ends = np.array([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1]]) @ turn.T
    picture = cv2.warpAffine(
        face, turn, street.shape[1::-1], dst=street.copy(), borderMode=cv2.BORDER_TRANSPARENT
    )
    a, b, c, d = ((float(x), float(y)) for x, y in ends)
    return np.asarray(picture), (a, b, c, d)


@pytest.mark.parametrize(("height", "turn_deg"), [(20, 0), (30, 8), (30, -8), (60, 3)])
def test_a_plate_on_a_street_is_found_and_read(
    find: Lines, read: Reading, street: NDArray[Any], height: int, turn_deg: float
) -> None:
    picture, corners = on_a_street(street, height, turn_deg)
    at = [one for one in find(picture) if is_inside(centre(bounds(one)), bounds(corners))]
    text = read(picture, max(at, key=lambda one: one[1][0] - one[0][0]))  # its strip may be a line of its own
    assert NUMBER.replace(" ", "") in text.signs.upper()
    assert text.score > 0.5


def test_where_nothing_is_written_nothing_is_read(find: Lines, read: Reading) -> None:
    grey = np.full((90, 333, 3), 127, np.uint8)
    assert find(grey) == []
    assert read(grey, ((10.0, 10.0), (90.0, 10.0), (90.0, 30.0), (10.0, 30.0))).signs == ""


@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 1), (31, 33)])
def test_pictures_of_any_size_are_looked_at(find: Lines, shape: tuple[int, int]) -> None:
    assert find(np.zeros((*shape, 3), np.uint8)) == []
