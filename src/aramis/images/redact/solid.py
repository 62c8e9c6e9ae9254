"""One colour: nothing of the target is left, not even its tone."""

import numpy as np

from aramis.images.records import Target
from aramis.images.redact.regions import Pixels, filled

BLACK = (0, 0, 0)


def solid(
    pixels: Pixels, target: Target, strength: float = 1.0, *, colour: tuple[int, int, int] = BLACK
) -> Pixels:
    """A copy in one opaque colour (red, green, blue, 0 to 255).

    >>> import numpy as np
    >>> solid(np.zeros((1, 1, 4), np.uint8), Target(kind="face", box=(0, 0, 1, 1)), colour=(9, 8, 7)).tolist()
    [[[9, 8, 7, 255]]]
    """
    return filled(pixels, as_pixel(colour, pixels))


def as_pixel(colour: tuple[int, int, int], like: Pixels) -> Pixels:
    """A colour in the channels and depth of `like`: grey, grey+alpha, RGB or RGBA; 8 or 16 bits."""
    channels = like.shape[2] if like.ndim == 3 else 1
    red, green, blue = colour
    shades = [red, green, blue] if channels >= 3 else [round(0.299 * red + 0.587 * green + 0.114 * blue)]
    opaque = [255] if channels in (2, 4) else []
    pixel = np.array(shades + opaque, np.uint32) * (257 if like.dtype == np.uint16 else 1)
    return pixel.astype(like.dtype)
