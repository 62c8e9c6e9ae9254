"""A picture made to fit a network's square input: scaled, at the top left, the rest one colour."""

import numpy as np

from aramis.images.network import Pixels


def letterboxed(pixels: Pixels, side: int, fill: int) -> tuple[Pixels, float]:
    """The square, and how many of its pixels one of the picture's has become."""
    import cv2

    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    square = np.full((side, side, 3), fill, np.uint8)
    # each pixel of a smaller picture is a mean, so that thin and small things do not fall between samples
    square[: size[1], : size[0]] = cv2.resize(
        pixels, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    )
    return square, scale
