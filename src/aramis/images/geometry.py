"""Boxes and corners: numbers in, numbers out."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from aramis.images.records import Box, Corners, Point


def area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def centre(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def intersection(a: Box, b: Box) -> float:
    """The area that two boxes share."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def union_area(boxes: Sequence[Box]) -> float:
    """The area that boxes cover together: slab by slab between their sides, from left to right."""
    sides = sorted({side for box in boxes for side in (box[0], box[2])})
    return sum(
        (right - left) * _length([(box[1], box[3]) for box in boxes if box[0] <= left and box[2] >= right])
        for left, right in pairwise(sides)
    )


def _length(spans: list[tuple[float, float]]) -> float:
    """How much of a line spans cover together."""
    covered, reached = 0.0, -inf
    for low, high in sorted(spans):
        covered += max(0.0, high - max(low, reached))
        reached = max(reached, high)
    return covered


def iou(a: Box, b: Box) -> float:
    """Intersection over union; 0 where both are empty."""
    shared = intersection(a, b)
    union = area(a) + area(b) - shared
    return shared / union if union > 0 else 0.0


def iou_matrix(a: NDArray[np.floating], b: NDArray[np.floating]) -> NDArray[np.float64]:
    """Intersection over union of every box of `a` (n, 4) with every box of `b` (m, 4)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2, dtype=np.float64)
    of_a = np.prod(np.clip(a[:, 2:] - a[:, :2], 0, None), axis=1, dtype=np.float64)
    of_b = np.prod(np.clip(b[:, 2:] - b[:, :2], 0, None), axis=1, dtype=np.float64)
    union = of_a[:, None] + of_b[None, :] - shared
    overlap: NDArray[np.float64] = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    return overlap


def is_inside(point: Point, box: Box) -> bool:
    return box[0] <= point[0] < box[2] and box[1] <= point[1] < box[3]


def is_within(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon: a ray from it crosses an odd number of sides."""
    x, y = point
    sides = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    crossed = [
        (y1 <= y < y2 or y2 <= y < y1) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
        for (x1, y1), (x2, y2) in sides
    ]
    return sum(crossed) % 2 == 1


def clip(box: Box, width: int, height: int) -> Box:
    """The part of a box that lies within the image."""
    return (
        min(max(box[0], 0.0), width),
        min(max(box[1], 0.0), height),
        min(max(box[2], 0.0), width),
        min(max(box[3], 0.0), height),
    )


def grow(box: Box, share_x: float, share_y: float) -> Box:
    """A box made larger on each side by a share of its width and height."""
    dx, dy = (box[2] - box[0]) * share_x, (box[3] - box[1]) * share_y
    return box[0] - dx, box[1] - dy, box[2] + dx, box[3] + dy


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def corners(box: Box) -> Corners:
    """A box as four corners, clockwise from the top left."""
    x1, y1, x2, y2 = box
    return (x1, y1), (x2, y1), (x2, y2), (x1, y2)
