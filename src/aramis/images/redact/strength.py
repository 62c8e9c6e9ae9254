"""How strong is strong enough: sizes of kernels and cells, in proportion to the target, and never under a floor.

Blur and mosaic can be undone in part. Measured by the networks that know faces and read plates (docs/measurements.md,
Strength): no plate is read at the floors; of 241 hidden faces the own original is the likest of all for no more than under a
painted ellipse, which leaves hair and surroundings: from a blur of 0.28 of the face's longer side on, or as 5x5 cells.
What is not known to be a face counts as text. Whatever strength is asked for, the floor holds.
"""

from dataclasses import dataclass
from math import dist

from aramis.images.records import Target


@dataclass(frozen=True, slots=True)
class _Strength:
    sigma: float  # of the target's measure, at strength 1
    least_sigma: float
    cells: float  # along the target's measure, at strength 1
    most_cells: float


_FACE = _Strength(sigma=0.28, least_sigma=0.21, cells=5, most_cells=7)  # of the longer side
_TEXT = _Strength(sigma=0.30, least_sigma=0.21, cells=2, most_cells=3)  # of the shorter side
_LEAST_SIGMA_PX = 2.0
_LEAST_CELL_PX = 5.0  # with 4, a face of 21 pixels kept six tenths of its lines


def sigma_px(target: Target, strength: float) -> float:
    """The standard deviation of a Gaussian blur that hides the target."""
    known = _strength(target)
    return max(_LEAST_SIGMA_PX, measure_px(target) * max(known.least_sigma, known.sigma * strength))


def cell_px(target: Target, strength: float) -> float:
    """The side of a mosaic's cells that hide the target."""
    known = _strength(target)
    return max(_LEAST_CELL_PX, measure_px(target) / min(known.most_cells, known.cells / max(strength, 1e-3)))


def measure_px(target: Target) -> float:
    """The length that strength is in proportion to: a face's longer side, else the height of the text."""
    x1, y1, x2, y2 = target.box
    if target.kind == "face":
        return max(x2 - x1, y2 - y1)
    if target.corners is not None:
        top_left, top_right, bottom_right, bottom_left = target.corners
        return max(dist(top_left, bottom_left), dist(top_right, bottom_right))
    return min(x2 - x1, y2 - y1)


def _strength(target: Target) -> _Strength:
    return _FACE if target.kind == "face" else _TEXT
