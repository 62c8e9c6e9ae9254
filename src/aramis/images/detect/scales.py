"""A look at a picture made larger or smaller, in tiles where that is large: small things are seen, memory is bounded."""

import numpy as np

from aramis.images.candidates import Candidates, Look, chosen, joined, moved, suppressed
from aramis.images.network import Pixels
from aramis.images.tiles import Tile, parts

TILE = 1600  # the longest side that a network is given
OVERLAP = 0.1  # of a tile; what is larger than this is looked for at a coarser scale, where it fits
CUT = 3.0  # a box that ends this near to a tile's border, in its pixels, has been cut
SAME = 0.3  # two boxes of neighbouring tiles that overlap more than this are one


def at_scale(look: Look, pixels: Pixels, scale: float, floor: float, tile: int = TILE) -> Candidates:
    """What a look finds in the picture at this scale, in the picture's own coordinates."""
    picture = resized(pixels, scale)
    height, width = picture.shape[:2]
    cuts = parts(width, height, tile, int(tile * OVERLAP))
    seen = [_whole(_in_tile(look, picture, cut, floor), cut, width, height) for cut in cuts]
    found = suppressed(joined(seen), SAME) if len(seen) > 1 else seen[0]
    return moved(found, np.array([pixels.shape[1] / width, pixels.shape[0] / height]))


def resized(pixels: Pixels, scale: float) -> Pixels:
    """A picture at another scale; what is made smaller is averaged, so that nothing small is lost by chance."""
    import cv2

    if scale == 1:
        return pixels
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=way), np.uint8)


def _in_tile(look: Look, picture: Pixels, cut: Tile, floor: float) -> Candidates:
    x1, y1, x2, y2 = cut
    return moved(look(picture[y1:y2, x1:x2], floor), by=(x1, y1))


def _whole(seen: Candidates, cut: Tile, width: int, height: int) -> Candidates:
    """What no cut runs through: a neighbouring tile has it whole. The picture's own border is no cut."""
    x1, y1, x2, y2 = cut
    low = [x1 + CUT if x1 > 0 else -np.inf, y1 + CUT if y1 > 0 else -np.inf]
    high = [x2 - CUT if x2 < width else np.inf, y2 - CUT if y2 < height else np.inf]
    inside = (seen.boxes[:, :2] >= low) & (seen.boxes[:, 2:] <= high)
    return chosen(seen, np.asarray(inside.all(axis=1)))
