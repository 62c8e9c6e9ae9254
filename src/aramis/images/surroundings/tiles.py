"""A look at each tile of a large picture, so that what is small fills more of a network's input."""

import numpy as np

from aramis.images.network import Pixels
from aramis.images.surroundings.seen import See, Seen, chosen, joined
from aramis.images.tiles import Tile, tiles

OVERLAP = 0.2  # of a tile's side: what is smaller is whole in one; two tiles of 720 are enough for 1280
EDGE = 0.02  # of a tile's side: what comes this near to a cut has been cut


def near_and_far(see: See, side: int) -> See:
    """A look at the whole picture and, where it is larger than a tile of `side` pixels, at its tiles as well."""

    def both(pixels: Pixels) -> Seen:
        height, width = pixels.shape[:2]
        closer = tiles(width, height, side, OVERLAP) if max(width, height) > side else []
        return joined([see(pixels), in_tiles(see, pixels, closer)])

    return both


def in_tiles(see: See, pixels: Pixels, cuts: list[Tile]) -> Seen:
    """What is seen in each tile, in the coordinates of the whole picture; but for what a cut runs through.

    A neighbouring tile shows that whole, or else it is large, and a look at the whole picture finds it.
    """
    height, width = pixels.shape[:2]
    return joined(
        [
            _whole(_moved(see(pixels[y1:y2, x1:x2]), x1, y1), (x1, y1, x2, y2), width, height)
            for x1, y1, x2, y2 in cuts
        ]
    )


def _moved(seen: Seen, right: int, down: int) -> Seen:
    return seen._replace(boxes=seen.boxes + np.array([right, down, right, down]))


def _whole(seen: Seen, tile: Tile, width: int, height: int) -> Seen:
    """What no cut runs through; the picture's own border is no cut."""
    x1, y1, x2, y2 = tile
    near = EDGE * max(x2 - x1, y2 - y1)
    low = [x1 + near if x1 > 0 else -np.inf, y1 + near if y1 > 0 else -np.inf]
    high = [x2 - near if x2 < width else np.inf, y2 - near if y2 < height else np.inf]
    return chosen(seen, np.all((seen.boxes[:, :2] >= low) & (seen.boxes[:, 2:] <= high), axis=1).astype(bool))
