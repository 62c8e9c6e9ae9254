"""Any picture in place of the target, fitted to its corners; what the picture leaves clear is the target's mean colour."""

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import corners
from aramis.images.records import Target
from aramis.images.redact.mean import mean
from aramis.images.redact.regions import Pixels
from aramis.images.redact.solid import as_pixel


def image(pixels: Pixels, target: Target, strength: float = 1.0, *, picture: NDArray[np.uint8]) -> Pixels:
    """A copy with the picture (RGB or RGBA, 8 bits) over the target.

    >>> white = np.full((8, 8, 3), 255, np.uint8)
    >>> image(np.zeros((4, 4), np.uint8), Target(kind="face", box=(1, 1, 3, 3)), picture=white).tolist()
    [[0, 0, 0, 0], [0, 255, 255, 0], [0, 255, 255, 0], [0, 0, 0, 0]]
    """
    fitted, cover = _fitted(picture, target, pixels.shape[1], pixels.shape[0])
    grey = pixels.ndim == 2 or pixels.shape[2] < 3
    shown = cv2.cvtColor(fitted, cv2.COLOR_RGB2GRAY)[..., None] if grey else fitted
    below = np.atleast_3d(mean(pixels, target)).astype(np.float32)
    scale = float(np.max(as_pixel((255, 255, 255), pixels))) / 255
    colours = shown.shape[2]
    below[..., :colours] += (shown * scale - below[..., :colours]) * cover[..., None]
    return np.round(below).astype(pixels.dtype).reshape(pixels.shape)


def _fitted(
    picture: NDArray[np.uint8], target: Target, width: int, height: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The picture where the target is, and how much of each pixel it covers."""
    rows, columns = picture.shape[:2]
    alpha = picture[..., 3] if picture.shape[2] == 4 else np.full((rows, columns), 255, np.uint8)
    ends = np.array(corners((0, 0, columns, rows)), np.float32)
    places = np.array(target.corners or corners(target.box), np.float32)
    to_place = cv2.getPerspectiveTransform(ends - 0.5, places - 0.5)
    size = width, height
    fitted = cv2.warpPerspective(picture[..., :3], to_place, size, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, to_place, size)
    return np.asarray(fitted, np.uint8), np.asarray(cover, np.float32) / np.float32(255)
