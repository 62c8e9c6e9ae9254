"""Discrimination: in no class is a protected group denied much more often than others who are alike.

Ruggieri, "Using t-closeness anonymity to control for non-discrimination", Transactions on Data Privacy 7, 2014.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Codes, Counts, Shares
from aramis.tables.models.model import TOLERANCE

RC = "RC"  # the one measure of which less is worse


@dataclass(frozen=True, slots=True)
class Protection:
    """In every class a measure of discrimination is at most the wanted one; RC, of which less is worse, at least.

    With p1, p2 and p the shares that are denied among the protected, the others and all of a class: risk difference RD =
    p1 - p2, extended difference ED = p1 - p, risk ratio RR = p1/p2, extended lift ER = p1/p, relative chance RC =
    (1 - p1)/(1 - p2), odds ratio OR = p1 (1 - p2) / (p2 (1 - p1)). What divides nothing by nothing is 1: no difference.

    Level of a class: its measure. A class without one of the two groups cannot be judged; its level is infinite, on the
    side that is safe. A class that is merged of good ones may be a bad one (Simpson's paradox).
    """

    column: str  # the combinations of decision and group, perhaps of more
    cells: Codes  # (values,) for each: protected and denied, protected and granted, other and denied, other and granted
    measure: str = "RD"
    protection: float = np.inf

    monotone = False

    @property
    def name(self) -> str:
        return f"protection_{self.measure}"

    @property
    def larger_is_safer(self) -> bool:
        return self.measure == RC

    @property
    def wanted(self) -> float:
        return self.protection

    def levels(self, classes: Classes) -> Shares:
        return self.of_counts(decisions(classes, self.cells))

    def of_counts(self, counts: Counts) -> Shares:
        """The level of each of these rows of four counts."""
        found = measured(self.measure, counts)
        return np.where(np.isnan(found), np.inf if self.larger_is_safer else -np.inf, found)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        if self.larger_is_safer:
            return levels >= self.protection - TOLERANCE
        return levels <= self.protection + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.zeros_like(classes.sizes)  # not monotone: any finer recoding may satisfy it


def decisions(classes: Classes, cells: Codes) -> Counts:
    """(classes, 4) the records of each class: protected and denied, protected and granted, and the same of the others."""
    cell = 4 * classes.of_class + cells[classes.values]
    found = np.bincount(cell, classes.counts, 4 * len(classes.sizes))
    return found.astype(np.int64).reshape(-1, 4)


def measured(measure: str, counts: Counts) -> Shares:
    """A measure of discrimination of such counts, a row each; NaN where one of the groups is absent."""
    a, b, c, d = counts.T.astype(np.float64)
    with np.errstate(invalid="ignore"):
        found = MEASURES[measure](a / (a + b), c / (c + d), (a + c) / (a + b + c + d))
    return np.where((a + b) * (c + d) > 0, found, np.nan)


def bound(measure: str, t: float, denied: float) -> float:
    """The worst that a measure can be where in every class, among the protected and among the others, the share that
    is denied is within t of that of the whole table: what t-closeness of the decision, with the group as one of the
    quasi-identifiers, does for those who are protected.

    >>> bound("RD", 0.05, 0.3), round(bound("RR", 0.05, 0.3), 3)
    (0.1, 1.4)
    """
    low, high = max(denied - t, 0.0), min(denied + t, 1.0)
    return float(MEASURES[measure](np.array([high]), np.array([low]), np.array([low]))[0])


def _over(one: Shares, other: Shares) -> Shares:
    """One over the other; 1 where both are nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((one == 0) & (other == 0), 1.0, one / other)


MEASURES: dict[str, Callable[[Shares, Shares, Shares], Shares]] = {
    "RD": lambda p1, p2, p: p1 - p2,
    "ED": lambda p1, p2, p: p1 - p,
    "RR": lambda p1, p2, p: _over(p1, p2),
    "ER": lambda p1, p2, p: _over(p1, p),
    "RC": lambda p1, p2, p: _over(1 - p1, 1 - p2),
    "OR": lambda p1, p2, p: _over(p1 * (1 - p2), p2 * (1 - p1)),
}
