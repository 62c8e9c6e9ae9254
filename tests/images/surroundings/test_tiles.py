"""Tiles cover a picture, and what they cut in two is left to those that show it whole."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.images.surroundings.seen import Seen
from aramis.images.surroundings.tiles import in_tiles, near_and_far
from aramis.images.tiles import tiles

lengths = st.integers(1, 3000)


@given(lengths, lengths, st.integers(64, 1000))
def test_every_pixel_lies_in_a_tile_and_every_tile_in_the_picture(width: int, height: int, side: int) -> None:
    cuts = tiles(width, height, side)
    covered_x, covered_y = np.zeros(width, bool), np.zeros(height, bool)
    for x1, y1, x2, y2 in cuts:
        assert 0 <= x1 < x2 <= width
        assert 0 <= y1 < y2 <= height
        assert max(x2 - x1, y2 - y1) <= side
        covered_x[x1:x2] = covered_y[y1:y2] = True
    assert covered_x.all()
    assert covered_y.all()


@given(st.integers(200, 3000), st.integers(200, 3000), st.integers(100, 1000), st.data())
def test_what_is_smaller_than_the_overlap_is_whole_in_a_tile(
    width: int, height: int, side: int, data: st.DataObject
) -> None:
    size = min(side // 4 - 1, width, height)
    x, y = data.draw(st.integers(0, width - size)), data.draw(st.integers(0, height - size))
    assert any(
        x1 <= x and y1 <= y and x + size <= x2 and y + size <= y2
        for x1, y1, x2, y2 in tiles(width, height, side)
    )


@pytest.mark.parametrize(
    ("box", "stays"),
    [
        ((10, 10, 40, 40), True),
        ((10, 10, 100, 40), False),  # ends at the cut
        ((60, 10, 99, 40), False),  # so near to it that it may go on
        ((0, 0, 50, 100), True),  # the picture's own border is no cut
    ],
)
def test_a_box_at_a_cut_is_left_out(box: tuple[int, int, int, int], stays: bool) -> None:
    seen = Seen(np.array([box], float), np.ones(1), np.zeros(1, np.intp))
    found = in_tiles(lambda _: seen, np.zeros((100, 200, 3), np.uint8), [(0, 0, 100, 100)])
    assert len(found.boxes) == stays


def test_boxes_are_told_in_the_coordinates_of_the_whole_picture() -> None:
    seen = Seen(np.array([[5.0, 6, 20, 30]]), np.ones(1), np.zeros(1, np.intp))
    found = in_tiles(lambda _: seen, np.zeros((100, 200, 3), np.uint8), [(100, 0, 200, 100)])
    assert found.boxes.tolist() == [[105, 6, 120, 30]]


def test_only_a_picture_larger_than_a_tile_is_looked_at_again_in_tiles() -> None:
    looked: list[tuple[int, int]] = []

    def see(pixels: np.ndarray) -> Seen:
        looked.append(pixels.shape[:2])
        return Seen(np.zeros((0, 4)), np.zeros(0), np.zeros(0, np.intp))

    near_and_far(see, 720)(np.zeros((480, 720, 3), np.uint8))
    assert looked == [(480, 720)]
    near_and_far(see, 720)(np.zeros((720, 1280, 3), np.uint8))
    assert looked[1:] == [(720, 1280), (720, 720), (720, 720)]
