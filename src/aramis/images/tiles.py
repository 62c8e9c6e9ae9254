"""Overlapping squares that cover a large picture: what is small fills more of each, and none takes much memory."""

from itertools import product

Tile = tuple[int, int, int, int]


def tiles(width: int, height: int, side: int, overlap: float = 0.25) -> list[Tile]:
    """Squares of `side`, or what the picture has of it. What is smaller than `overlap` of a side is whole in one."""
    across, down = _starts(width, side, overlap), _starts(height, side, overlap)
    return [(x, y, min(x + side, width), min(y + side, height)) for y, x in product(down, across)]


def _starts(length: int, side: int, overlap: float) -> list[int]:
    """Evenly spread places at which tiles begin along one side of a picture."""
    if length <= side:
        return [0]
    steps = -((side - length) // max(1, int(side * (1 - overlap))))
    return [round(step * (length - side) / steps) for step in range(steps + 1)]
