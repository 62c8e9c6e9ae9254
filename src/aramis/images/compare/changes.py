"""What was changed between an original and its release, told from what recompression, scaling and colour do to all of it.

How far a part of the picture is off depends on how much detail it holds. So each part is held against the others of this
picture that hold as much: what a whole picture went through is in all of them, a redaction in few.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import bounds
from aramis.images.network import Pixels
from aramis.images.records import Box, Point, Target

Mask = NDArray[np.bool_]

CELL = 4  # pixels of a part's side; what it is told from is twice as wide
ALIKE = 12  # kinds of parts by how much detail they hold
SURELY, AT_ALL = 8.0, 5.0  # deviations of its kind: where a change begins, and how far it is followed
LEAST = 4.0  # grey levels, of all channels together, that nobody sees
SMALLEST = 4  # cells; less is a speck
HIDDEN = 0.8  # of a face or plate, to count as hidden
CHANGED = "changed"
FOUND_BY = "what changed"


def changed(original: Pixels, released: Pixels) -> Mask:
    """Which pixels belong to a part that was changed. Both pictures are of one size and view."""
    import cv2

    height, width = released.shape[:2]
    off = _above_its_kind(*_parts(original, released))
    cells = _grown((off >= SURELY).astype(np.uint8), (off >= AT_ALL).astype(np.uint8))
    whole = cv2.resize(cells, (width, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(whole > 0)


def regions(mask: Mask) -> Iterator[Target]:
    """What changed as targets: each connected part with its outline."""
    import cv2

    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        points: tuple[Point, ...] = tuple((float(x), float(y)) for x, y in outline[:, 0].tolist())
        x1, y1, x2, y2 = bounds(points)
        if len(points) > 2:  # a single row of pixels has no inside
            yield Target(
                kind="region", box=(x1, y1, x2 + 1, y2 + 1), polygon=points, method=CHANGED, found_by=FOUND_BY
            )


def is_hidden(box: Box, mask: Mask) -> bool:
    """Whether nearly all of the inner part of a box was changed; what detectors draw at its border is background."""
    x1, y1, x2, y2 = box
    left, right = x1 + 0.15 * (x2 - x1), x2 - 0.15 * (x2 - x1)
    top, bottom = y1 + 0.15 * (y2 - y1), y2 - 0.15 * (y2 - y1)
    inner = mask[int(top) : max(int(bottom), int(top) + 1), int(left) : max(int(right), int(left) + 1)]
    return bool(inner.size and inner.mean() >= HIDDEN)


def _parts(original: Pixels, released: Pixels) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For each cell how far the two are apart, and how much detail the original holds there."""
    import cv2

    before, after = (cv2.GaussianBlur(p.astype(np.float32), (0, 0), 0.8) for p in (original, released))
    apart = np.sqrt(((after - before) ** 2).sum(axis=2))
    grey = before.mean(axis=2)
    detail = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return _by_cell(apart), _by_cell(detail)


def _by_cell(values: NDArray[np.float32]) -> NDArray[np.float32]:
    import cv2

    height, width = values.shape
    rows, columns = max(1, height // CELL), max(1, width // CELL)
    wider = cv2.blur(values, (2 * CELL, 2 * CELL))
    return np.asarray(cv2.resize(wider, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)


def _above_its_kind(apart: NDArray[np.float32], detail: NDArray[np.float32]) -> NDArray[np.float64]:
    """How many deviations (median and median deviation) a cell is off, among those that hold as much detail."""
    off = np.zeros(apart.size)
    flat = apart.ravel()
    for kind in np.array_split(np.argsort(detail, axis=None, kind="stable"), ALIKE):
        if kind.size:
            middle = np.median(flat[kind])
            deviation = 1.4826 * np.median(np.abs(flat[kind] - middle)) + LEAST / SURELY
            off[kind] = (flat[kind] - middle) / deviation
    return off.reshape(apart.shape)


def _grown(seeds: NDArray[np.uint8], around: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The connected parts of `around` that hold a seed and are no specks, their holes closed."""
    import cv2

    closed = cv2.morphologyEx(around | seeds, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, about, _ = cv2.connectedComponentsWithStats(closed)
    large = about[:, cv2.CC_STAT_AREA] >= SMALLEST
    seeded = np.isin(np.arange(count), labels[seeds > 0])
    keep = large & seeded
    keep[0] = False  # the background
    return np.asarray(keep[labels], np.uint8)
