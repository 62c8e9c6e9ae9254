"""A mosaic: cells of one colour each, their mean."""

import cv2
import numpy as np

from aramis.images.records import Target
from aramis.images.redact.regions import Pixels
from aramis.images.redact.strength import cell_px


def pixelate(pixels: Pixels, target: Target, strength: float = 1.0) -> Pixels:
    """A copy of the pixels in coarse cells.

    >>> import numpy as np
    >>> ramp = np.arange(100, dtype=np.uint8)[None].repeat(100, axis=0)
    >>> len(np.unique(pixelate(ramp, Target(kind="face", box=(0, 0, 100, 100)))))
    5
    """
    height, width = pixels.shape[:2]
    cell = cell_px(target, strength)
    grid = max(1, round(width / cell)), max(1, round(height / cell))
    means = cv2.resize(pixels, grid, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(means, (width, height), interpolation=cv2.INTER_NEAREST))
