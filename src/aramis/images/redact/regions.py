"""Pixels and targets → new pixels: where to hide (shape, margin, feather), leaving how to hide to a method."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, floor
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import bounds, centre, corners, grow
from aramis.images.records import Box, Point, Target

Pixels = NDArray[Any]
"""Grey (HxW), grey+alpha, RGB or RGBA (HxWxC), 8 or 16 bits."""

Method = Callable[[Pixels, Target, float], Pixels]
"""Pixels around a target, the target, a strength → new pixels of the same kind. Leaves what it is given as it is."""


class Shape(StrEnum):
    BOX = "box"
    ELLIPSE = "ellipse"
    POLYGON = "polygon"  # the target's corners, where it has them; else its box


@dataclass(frozen=True, slots=True)
class Way:
    """How one kind of target is hidden."""

    name: str
    method: Method
    shape: Shape = Shape.BOX
    margin: float = 0.0  # of the target's width and height, on each side
    feather: float = 0.0  # of the target's shorter side: a soft edge, outside what is hidden in full
    strength: float = 1.0


def redact(pixels: Pixels, targets: Sequence[Target], ways: Mapping[str, Way]) -> Pixels:
    """A copy of the pixels in which every target is hidden in the way of its kind."""
    covered = pixels.copy()
    for target in targets:
        if target.kind in ways:
            _cover(covered, target, ways[target.kind])
    return covered


def inner(pixels: Pixels, box: Box) -> Pixels:
    """The pixels that a box touches: at least one, whatever the box."""
    x1, y1, x2, y2 = _whole(box, pixels)
    return pixels[y1:y2, x1:x2]


def filled(like: Pixels, pixel: Pixels) -> Pixels:
    """As large as another, every pixel the same. One row is written, the others are copies of it: that is faster."""
    row = np.empty_like(like[:1])
    row[...] = pixel
    return np.repeat(row, len(like), axis=0)


def _cover(pixels: Pixels, target: Target, way: Way) -> None:
    """Hide one target in pixels that are ours to change. The method sees its surroundings, not the whole picture."""
    outline = _outline(target, way)
    soft_px = way.feather * min(target.box[2] - target.box[0], target.box[3] - target.box[1])
    x1, y1, x2, y2 = _whole(_grown_px(grow(bounds(outline), 0.5, 0.5), soft_px), pixels)
    patch = pixels[y1:y2, x1:x2]
    hidden = way.method(patch, _moved(target, x1, y1), way.strength)
    shape = Shape.POLYGON if target.polygon else way.shape
    mask = _mask(patch, shape, [(x - x1, y - y1) for x, y in outline])
    if soft_px >= 1 and mask.any():
        hidden = _blend(patch, hidden, _softened(mask, soft_px))
        mask[...] = 1
    pixels[y1:y2, x1:x2] = cv2.copyTo(hidden, mask, patch.copy())


def _outline(target: Target, way: Way) -> list[Point]:
    """The corners of what is hidden: the target's, moved away from its middle by the margin."""
    own = target.polygon or (target.corners if way.shape is Shape.POLYGON else None)
    points: Sequence[Point] = own or corners(target.box)
    middle = np.mean(points, axis=0)
    grown = middle + (np.array(points) - middle) * (1 + 2 * way.margin)
    return [(float(x), float(y)) for x, y in grown]


def _moved(target: Target, x: int, y: int) -> Target:
    """The target in the coordinates of a patch whose top left corner is (x, y)."""
    x1, y1, x2, y2 = target.box
    points = target.corners
    if points is not None:
        a, b, c, d = ((px - x, py - y) for px, py in points)
        points = a, b, c, d
    polygon = tuple((px - x, py - y) for px, py in target.polygon) if target.polygon else None
    box = (x1 - x, y1 - y, x2 - x, y2 - y)
    return msgspec.structs.replace(target, box=box, corners=points, polygon=polygon)


def _mask(patch: Pixels, shape: Shape, outline: Sequence[Point]) -> NDArray[np.uint8]:
    """1 where a pixel is hidden. Every pixel that the shape touches counts."""
    mask: NDArray[np.uint8] = np.zeros(patch.shape[:2], np.uint8)
    if shape is Shape.POLYGON:
        at_sixteenths = np.round((np.array(outline) - 0.5) * 16).astype(np.int32)
        return np.asarray(cv2.fillPoly(mask, [at_sixteenths], (1,), shift=4), np.uint8)
    box = bounds(outline)
    if shape is Shape.BOX:
        inner(mask, box)[...] = 1
        return mask
    rows, columns = np.arange(mask.shape[0])[:, None], np.arange(mask.shape[1])[None]
    (x, y), (x1, y1, x2, y2) = centre(box), box
    across, down = (columns + 0.5 - x) / ((x2 - x1) / 2 + 0.5), (rows + 0.5 - y) / ((y2 - y1) / 2 + 0.5)
    return (across**2 + down**2 <= 1).astype(np.uint8)


def _softened(mask: NDArray[np.uint8], soft_px: float) -> NDArray[np.float32]:
    """How much of each pixel is hidden: all of it under the mask, less and less outside."""
    distance = cv2.distanceTransform(1 - mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(np.clip(1 - distance / soft_px, 0, 1), np.float32)


def _blend(patch: Pixels, hidden: Pixels, share: NDArray[np.float32]) -> Pixels:
    cover = share if patch.ndim == 2 else share[..., None]
    mixed: Pixels = np.round(patch + (hidden.astype(np.float32) - patch) * cover).astype(patch.dtype)
    return mixed


def _grown_px(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _whole(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    """The box in whole pixels, outwards, within the picture, and nowhere empty."""
    height, width = pixels.shape[:2]
    x1, y1 = min(max(floor(box[0]), 0), width - 1), min(max(floor(box[1]), 0), height - 1)
    return x1, y1, max(min(ceil(box[2]), width), x1 + 1), max(min(ceil(box[3]), height), y1 + 1)


def covered(size: tuple[int, int], targets: Sequence[Target], ways: Mapping[str, Way]) -> NDArray[np.uint8]:
    """A mask of what is hidden in a picture of this width and height: 255 where nothing of it is left."""
    white = {kind: replace(way, method=_whitened) for kind, way in ways.items() if way.name != "none"}
    return redact(np.zeros(size[::-1], np.uint8), targets, white)


def _whitened(pixels: Pixels, target: Target, strength: float) -> Pixels:  # it has the shape of a method
    return np.full_like(pixels, 255)
