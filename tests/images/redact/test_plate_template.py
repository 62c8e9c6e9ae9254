"""Drawn plates: the right size, the right colours in the right places, sharp at any size."""

import cv2
import numpy as np
import pytest

from aramis.images.redact.plate_numbers import COUNTRIES, Country, country, random_number
from aramis.images.redact.plate_template import MOTORCYCLE_MM, ONE_ROW_MM, TWO_ROWS_MM, Plate, draw


def _german(number: str = "M-AB 123", size: tuple[int, int] = ONE_ROW_MM) -> Plate:
    of = country("D")
    return Plate(of, of.looks[0], number, size)


@pytest.mark.parametrize("height", [11, 40, 110, 333])
@pytest.mark.parametrize("size", [ONE_ROW_MM, TWO_ROWS_MM, MOTORCYCLE_MM])
def test_a_plate_has_the_proportions_of_its_size(size: tuple[int, int], height: int) -> None:
    drawn = draw(_german(size=size), height)
    assert drawn.dtype == np.uint8
    assert drawn.shape == pytest.approx((height, height * size[0] / size[1], 3), abs=1)


@pytest.mark.parametrize("of", COUNTRIES, ids=lambda each: each.code)
def test_every_look_shows_its_strip_its_paper_and_its_ink(of: Country) -> None:
    for look in of.looks:
        drawn = draw(Plate(of, look, random_number(of, look)), 110).astype(int)
        strip = look.strip or look.paper
        assert np.abs(drawn[55:62, 8:12] - strip).max() < 40
        near = {
            name: (np.abs(drawn - getattr(look, name)).max(axis=2) < 30).mean() for name in ("paper", "ink")
        }
        assert near["paper"] > 0.3
        assert near["ink"] > 0.08


def test_the_number_decides_the_picture_and_nothing_else_does() -> None:
    assert np.array_equal(draw(_german(), 80), draw(_german(), 80))
    assert not np.array_equal(draw(_german(), 80), draw(_german("M-AB 124"), 80))


def test_large_and_small_are_the_same_drawing() -> None:
    small, large = draw(_german(), 44), draw(_german(), 220)
    shrunk = cv2.resize(large, small.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.corrcoef(shrunk.ravel(), small.ravel())[0, 1] > 0.95


def test_twelve_stars_stand_on_the_strip_of_a_member() -> None:
    strip = draw(_german(), 440)[:300, 10:165].astype(int)
    yellow = ((strip[..., 0] > 200) & (strip[..., 2] < 90)).astype(np.uint8)
    assert cv2.connectedComponents(yellow)[0] - 1 == 12


def test_two_rows_have_ink_above_and_below() -> None:
    drawn = draw(_german("M/-AB 123", TWO_ROWS_MM), 210)
    dark = (drawn.max(axis=2) < 60)[10:-10, 10:-10]
    above, below = dark[:85], dark[105:]
    assert above.sum() > 500
    assert below.sum() > 1500
