"""l-diversity: a class does not tell what its people have. Three readings of "well represented".

Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity", 2007.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.model import TOLERANCE


@dataclass(frozen=True, slots=True)
class DistinctL:
    """Every class has l different sensitive values or more.

    Level of a class: how many it has.
    """

    column: str
    l: float = 1

    name = "l_distinct"
    monotone = True
    larger_is_safer = True

    @property
    def wanted(self) -> float:
        return self.l

    def levels(self, classes: Classes) -> Shares:
        return np.diff(classes.starts).astype(np.float64)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels >= self.l

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.where(self.holds(levels), 0, classes.sizes)


@dataclass(frozen=True, slots=True)
class EntropyL:
    """The entropy of the sensitive values of every class is log(l) or more.

    Level of a class: exp(H(P)), the number of equally frequent values that would be as uncertain.
    """

    column: str
    l: float = 1.0

    name = "l_entropy"
    monotone = True
    larger_is_safer = True

    @property
    def wanted(self) -> float:
        return self.l

    def levels(self, classes: Classes) -> Shares:
        counts, sizes = classes.counts.astype(np.float64), classes.sizes.astype(np.float64)
        weight = np.add.reduceat(counts * np.log(counts), classes.starts[:-1])
        # logarithms give 2.9999999999999996 for three equally frequent values, and l = 3 would not hold
        levels: Shares = np.exp(np.log(sizes) - weight / sizes)
        return levels.round(12)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels >= self.l - TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        # what is as uncertain as l values has l values or more
        has_too_few = np.diff(classes.starts) < self.l - TOLERANCE
        return np.where(has_too_few, classes.sizes, ~self.holds(levels))


@dataclass(frozen=True, slots=True)
class RecursiveCL:
    """In every class r1 < c (r_l + ... + r_m), r being the counts of its sensitive values from the largest down.

    Level of a class: r1 / (r_l + ... + r_m) for the given l; infinite where it has fewer than l values.
    """

    column: str
    c: float = np.inf
    l: int = 2

    name = "l_recursive"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.c

    def levels(self, classes: Classes) -> Shares:
        rest = classes.sizes - _sum_of_largest(classes, self.l - 1)
        return np.divide(classes.largest, rest, out=np.full(len(rest), np.inf), where=rest > 0)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels < self.c

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.where(np.isinf(levels), classes.sizes, ~self.holds(levels))


def _sum_of_largest(classes: Classes, number: int) -> NDArray[np.int64]:
    """The sum of the largest counts of each class, so many of them."""
    if number == 0:
        return np.zeros_like(classes.sizes)
    if number == 1:
        return classes.largest
    most = int(classes.counts.max())
    falling = most - np.sort(classes.of_class * (most + 1) + most - classes.counts) % (most + 1)
    place = np.arange(len(falling)) - np.repeat(classes.starts[:-1], np.diff(classes.starts))
    return np.add.reduceat(np.where(place < number, falling, 0), classes.starts[:-1])
