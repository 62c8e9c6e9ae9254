"""How what was found compares with what is there: recall, covered share and false boxes, by size, with intervals."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import iou_matrix

Boxes = NDArray[np.float64]
HEIGHTS = ((0, 16), (16, 32), (32, 64), (64, None), (24, None), (0, None))
"""The sizes that tables are given by, in pixels of height; the last two are sums."""
COVERED = 0.9  # of a true box, under what is hidden
GRID = (np.arange(32) + 0.5) / 32


class Judged(NamedTuple):
    """One image: for each true box its size, whether it was found and whether it is covered; and what was found besides."""

    sizes: NDArray[np.float64]
    found: NDArray[np.bool_]
    covered: NDArray[np.bool_]
    false: NDArray[np.intp]  # the places of false boxes among those found


class Share(NamedTuple):
    """A share of cases with its 95 % interval (Wilson 1927)."""

    value: float
    low: float
    high: float
    cases: int

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f}-{self.high:.3f}, n={self.cases})" if self.cases else "-"


def share(hits: float, cases: int, z: float = 1.96) -> Share:
    """`hits` of `cases`, with the interval that Wilson gives."""
    if not cases:
        return Share(float("nan"), 0.0, 1.0, 0)
    rate = hits / cases
    middle = (rate + z * z / (2 * cases)) / (1 + z * z / cases)
    half = z / (1 + z * z / cases) * sqrt(rate * (1 - rate) / cases + z * z / (4 * cases * cases))
    return Share(rate, max(0.0, middle - half), min(1.0, middle + half), cases)


def judged(
    true: Boxes, found: Boxes, scores: NDArray[np.floating], hidden: Boxes | None = None, overlap: float = 0.3
) -> Judged:
    """Match what was found, best score first, each to the free true box that it overlaps most.

    `hidden` are the regions that would be painted over, where they are not the boxes found.
    """
    pairs = matched(true, found, scores, overlap)
    is_found = np.zeros(len(true), bool)
    is_found[list(pairs.values())] = True
    return Judged(
        true[:, 3] - true[:, 1],
        is_found,
        covered_share(true, found if hidden is None else hidden) >= COVERED,
        np.array([place for place in range(len(found)) if place not in pairs], np.intp),
    )


def matched(true: Boxes, found: Boxes, scores: NDArray[np.floating], overlap: float = 0.3) -> dict[int, int]:
    """Which true box each box found stands for."""
    overlaps = iou_matrix(found, true)
    pairs: dict[int, int] = {}
    for place in np.argsort(-scores, kind="stable"):
        free = np.where(np.isin(np.arange(len(true)), list(pairs.values())), 0.0, overlaps[place])
        if free.size and free.max() >= overlap:
            pairs[int(place)] = int(free.argmax())
    return pairs


def covered_share(true: Boxes, hidden: Boxes) -> NDArray[np.float64]:
    """How much of each true box lies under the hidden boxes together, to a thousandth."""
    x = true[:, :1] + (true[:, 2:3] - true[:, :1]) * GRID
    y = true[:, 1:2] + (true[:, 3:4] - true[:, 1:2]) * GRID
    across = (x[:, None, :] >= hidden[None, :, :1]) & (x[:, None, :] < hidden[None, :, 2:3])
    down = (y[:, None, :] >= hidden[None, :, 1:2]) & (y[:, None, :] < hidden[None, :, 3:4])
    under = (down[:, :, :, None] & across[:, :, None, :]).any(axis=1)
    return np.asarray(under.mean(axis=(1, 2)))


def rows(images: Iterable[Judged], sizes: Sequence[tuple[float, float | None]] = HEIGHTS) -> list[list[str]]:
    """A line for each size: name, recall and covered share, each with interval and count."""
    images = list(images)
    height, found, covered = (
        np.concatenate([getattr(image, name) for image in images]) for name in ("sizes", "found", "covered")
    )
    lines = []
    for low, high in sizes:
        there = (height >= low) & (height < (high or np.inf))
        name = f"{low}-{high} px" if high else f"{low} px and more" if low else "all"
        lines.append(
            [name, *(str(share(int(hits[there].sum()), int(there.sum()))) for hits in (found, covered))]
        )
    return lines


def summary(images: Iterable[Judged]) -> str:
    """False boxes an image and precision, in words."""
    images = list(images)
    false = sum(len(image.false) for image in images)
    right = sum(int(image.found.sum()) for image in images)
    return f"{false / max(len(images), 1):.2f} false boxes an image; precision {share(right, right + false)}"
