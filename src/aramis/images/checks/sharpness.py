"""How sharp a part of a picture is: the share of its contrast that lies in what is finer than a pixel or two."""

import cv2
import numpy as np

from aramis.images.geometry import clip
from aramis.images.network import Pixels
from aramis.images.records import Box
from aramis.images.redact.regions import inner

FINE_PX = 1.0


def sharpness(pixels: Pixels, box: Box) -> float | None:
    """From 0, where nothing is fine, to about 1, where everything is; None where the box shows no contrast at all."""
    height, width = pixels.shape[:2]
    part = inner(pixels, clip(box, width, height)).astype(np.float32)
    contrast = float(part.std(axis=(0, 1)).mean()) if part.size else 0.0
    if contrast < 1:
        return None
    fine = part - cv2.GaussianBlur(part, (0, 0), FINE_PX)
    return round(float(fine.std(axis=(0, 1)).mean()) / contrast, 3)
