"""A look around finds people and vehicles in any picture, the same ones every time."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from aramis.images import cards
from aramis.images.surroundings.look import Look, look_around, names

DATA = Path(os.environ.get("ARAMIS_DATA", Path(__file__).parents[4] / "shared" / "data"))
pytestmark = pytest.mark.skipif(
    not all(cards.is_here(cards.card(name)) for name in names("default")),
    reason="weights: aramis models fetch",
)


@pytest.fixture(scope="module")
def look() -> Look:
    return look_around()


def noise(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize("size", [(1, 1), (3, 1500), (1500, 2), (97, 131), (1279, 719)])
def test_whatever_the_size_boxes_lie_in_the_picture(look: Look, size: tuple[int, int]) -> None:
    for carrier in look(noise(*size)):
        x1, y1, x2, y2 = carrier.box
        assert 0 <= x1 < x2 <= size[1]
        assert 0 <= y1 < y2 <= size[0]


def test_an_empty_picture_has_nobody_in_it(look: Look) -> None:
    assert look(np.full((480, 640, 3), 128, np.uint8)) == []


@pytest.mark.skipif(not DATA.is_dir(), reason="annotated photographs: ARAMIS_DATA")
def test_a_street_has_people_and_vehicles_the_same_ones_every_time(look: Look) -> None:
    pixels = np.asarray(Image.open(DATA / "street_view_of_delft" / "image_2" / "00549.jpg"))
    first, second = look(pixels), look(pixels.copy())
    assert {carrier.kind for carrier in first} == {"person", "vehicle"}
    assert first == second
