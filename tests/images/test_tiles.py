"""Tiles cover a picture, share what they should, and are no more than it takes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from aramis.images.tiles import parts


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(100, 1700), st.integers(0, 90))
def test_parts_cover_every_pixel_and_neighbours_share_enough(
    width: int, height: int, most: int, shared: int
) -> None:
    cuts = parts(width, height, most, shared)
    columns, rows = sorted({(x1, x2) for x1, _, x2, _ in cuts}), sorted({(y1, y2) for _, y1, _, y2 in cuts})
    assert len(cuts) == len(columns) * len(rows)
    for sides, length in ((columns, width), (rows, height)):
        assert (sides[0][0], sides[-1][1]) == (0, length)
        assert all(0 < end - start <= most for start, end in sides)
        assert all(before[1] - after[0] >= shared for before, after in pairwise(sides))
        assert (
            len(sides) == 1 or (len(sides) - 1) * (most - shared) + shared < length
        )  # one less would not do


def test_a_photograph_a_little_larger_than_a_tile_is_cut_into_halves_not_into_whole_tiles() -> None:
    assert parts(1920, 1080, 1600, 160) == [(0, 0, 1040, 1080), (880, 0, 1920, 1080)]
