"""Overlapping tiles that cover a large picture: what is small fills more of each, and none takes much memory."""

from itertools import product

Tile = tuple[int, int, int, int]


def tiles(width: int, height: int, side: int, overlap: float = 0.25) -> list[Tile]:
    """Squares of `side`, or what the picture has of it. What is smaller than `overlap` of a side is whole in one."""
    across, down = _starts(width, side, overlap), _starts(height, side, overlap)
    return [(x, y, min(x + side, width), min(y + side, height)) for y, x in product(down, across)]


def parts(width: int, height: int, most: int, shared: int) -> list[Tile]:
    """As few rectangles as cover a picture, all of a size, no side longer than `most`; neighbours share so many pixels."""
    columns, rows = (_even(length, most, shared) for length in (width, height))
    return [(x1, y1, x2, y2) for (y1, y2), (x1, x2) in product(rows, columns)]


def _even(length: int, most: int, shared: int) -> list[tuple[int, int]]:
    count = max(1, -((shared - length) // (most - shared)))
    side = -((-length - (count - 1) * shared) // count)
    starts = [round(place * (length - side) / max(1, count - 1)) for place in range(count)]
    return [(start, start + side) for start in starts]


def _starts(length: int, side: int, overlap: float) -> list[int]:
    """Evenly spread places at which tiles begin along one side of a picture."""
    if length <= side:
        return [0]
    steps = -((side - length) // max(1, int(side * (1 - overlap))))
    return [round(step * (length - side) / steps) for step in range(steps + 1)]
