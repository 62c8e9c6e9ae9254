"""An original is brought to the view and colours of its release, whatever was done to the whole picture."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.compare.align import aligned, coloured, likeness

Pixels = NDArray[Any]


def recompressed(pixels: Pixels, quality: int) -> Pixels:
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def turned(pixels: Pixels, degrees: float) -> Pixels:
    height, width = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    return cv2.warpAffine(pixels, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)


WHOLE: dict[str, Callable[[Pixels], Pixels]] = {
    "recompressed": lambda p: recompressed(p, 40),
    "half as large": lambda p: cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
    "enlarged": lambda p: cv2.resize(p, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC),
    "cropped": lambda p: p[31:-40, 60:-13].copy(),
    "cropped and resized": lambda p: cv2.resize(p[31:-40, 60:-13], None, fx=0.8, fy=0.8),
    "on its side": lambda p: np.rot90(p).copy(),
    "upside down": lambda p: np.rot90(p, 2).copy(),
    "three degrees askew": lambda p: turned(p, 3),
    "warmer": lambda p: np.clip(p * np.array([1.15, 1.0, 0.85]) + 8, 0, 255).astype(np.uint8),
    "grey": lambda p: np.repeat(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY)[:, :, None], 3, axis=2),
}


@pytest.mark.parametrize("change", WHOLE.values(), ids=WHOLE)
def test_what_was_done_to_the_whole_picture_is_done_to_the_original(
    photographs: dict[str, Pixels], change: Any
) -> None:
    original = photographs["astronaut"]
    released = change(original)
    view = aligned(original, released)
    assert view is not None
    assert view.shape == released.shape
    assert np.abs(view.astype(int) - released).mean() < 8
    assert likeness(view, released) > 0.95


def test_another_scene_is_told(photographs: dict[str, Pixels]) -> None:
    assert aligned(photographs["astronaut"], photographs["street"]) is None


def test_a_picture_without_any_detail_is_no_scene() -> None:
    plain = np.full((64, 64, 3), 90, np.uint8)
    assert aligned(plain, np.rot90(plain)) is None


def test_colours_are_fitted_to_what_was_not_redacted(photographs: dict[str, Pixels]) -> None:
    original = photographs["astronaut"]
    released = np.clip(original * 0.8 + 20, 0, 255).astype(np.uint8)
    painted = released.copy()
    painted[60:200, 170:280] = 0
    assert np.abs(coloured(original, painted).astype(int) - released).mean() < 2
