"""A redaction is told from what was done to the whole picture, and recovered where it lies."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from tests.images.compare.test_align import WHOLE, recompressed

from aramis.images.compare.align import aligned
from aramis.images.compare.changes import changed, is_hidden, regions

Pixels = NDArray[Any]
FACE = (178, 66, 274, 192)  # of the astronaut


def blurred(pixels: Pixels) -> Pixels:
    return cv2.GaussianBlur(pixels, (0, 0), 12)


def pixelated(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (8, 10), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)


WAYS = {"blur": blurred, "pixelate": pixelated, "solid": np.zeros_like}


def redacted(pixels: Pixels, way: Any) -> Pixels:
    x1, y1, x2, y2 = FACE
    released = pixels.copy()
    released[y1:y2, x1:x2] = way(pixels[y1:y2, x1:x2])
    return released


def mask_of(box: tuple[int, int, int, int], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return mask


@pytest.mark.parametrize("change", WHOLE.values(), ids=WHOLE)
def test_what_was_done_to_the_whole_picture_is_no_redaction(
    photographs: dict[str, Pixels], change: Any
) -> None:
    original = photographs["astronaut"]
    released = change(original)
    view = aligned(original, released)
    assert view is not None
    assert changed(view, released).mean() < 0.005


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("quality", [90, 50])
def test_a_redaction_is_recovered_after_recompression(
    photographs: dict[str, Pixels], way: Any, quality: int
) -> None:
    original = photographs["astronaut"]
    mask = changed(original, recompressed(redacted(original, way), quality))
    wanted = mask_of(FACE, original.shape)
    assert (mask & wanted).sum() / (mask | wanted).sum() > 0.75
    assert is_hidden(FACE, mask)


def test_a_redaction_is_recovered_from_a_crop_of_another_size(photographs: dict[str, Pixels]) -> None:
    original = photographs["astronaut"]
    released = WHOLE["cropped and resized"](redacted(original, blurred))
    view = aligned(original, released)
    assert view is not None
    seen = tuple(round((side - cut) * 0.8) for side, cut in zip(FACE, (60, 31, 60, 31), strict=True))
    assert is_hidden(seen, changed(view, released))  # type: ignore[arg-type]  # four sides


def test_a_face_of_which_half_is_seen_is_not_hidden(photographs: dict[str, Pixels]) -> None:
    original = photographs["astronaut"]
    half = original.copy()
    half[66:130, 178:274] = 0
    assert not is_hidden(FACE, changed(original, half))


def test_each_changed_part_is_a_target_with_its_outline() -> None:
    mask = mask_of((10, 10, 30, 40), (100, 100)) | mask_of((60, 50, 90, 80), (100, 100))
    found = sorted(regions(mask), key=lambda target: target.box)
    assert [target.box for target in found] == [(10, 10, 30, 40), (60, 50, 90, 80)]
    assert all(target.kind == "region" and target.method and target.polygon for target in found)


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (8, 8)])
def test_a_tiny_picture_is_compared_as_well(size: tuple[int, int]) -> None:
    plain = np.full((*size, 3), 90, np.uint8)
    assert not changed(plain, plain).any()
