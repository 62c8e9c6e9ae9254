"""Gaussian blur, on a grid so coarse that nothing finer survives, which also makes large targets cheap."""

import cv2
import numpy as np

from aramis.images.records import Target
from aramis.images.redact.regions import Pixels
from aramis.images.redact.strength import sigma_px

_CELLS_PER_SIGMA = 3.0  # the grid under the Gaussian; finer shows no difference


def blur(pixels: Pixels, target: Target, strength: float = 1.0) -> Pixels:
    """A blurred copy of the pixels.

    >>> import numpy as np
    >>> street = np.eye(100, dtype=np.uint8) * 255
    >>> int(blur(street, Target(kind="face", box=(10, 10, 90, 90))).max()) < 30
    True
    """
    height, width = pixels.shape[:2]
    sigma = sigma_px(target, strength)
    cell = max(1.0, sigma / _CELLS_PER_SIGMA)
    grid = max(1, round(width / cell)), max(1, round(height / cell))
    coarse = cv2.resize(pixels, grid, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(coarse, (0, 0), sigma * grid[0] / width, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR))
