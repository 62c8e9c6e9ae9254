"""Ground distances: how far apart two sensitive values are, and with that two distributions (earth mover's distance).

Each knows a closed form over sparse counts, so that a class costs what it has, not what the whole table has.
A missing value is a value like the others: the last in an order, and a branch of its own in a hierarchy.
Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Codes, Shares


class Ground(Protocol):
    """A distance between the values of one sensitive column, by their codes; at most 1."""

    @property
    def name(self) -> str:
        """What reports call it: equal, ordered, numeric, hierarchical."""
        ...

    def apart(self, a: Codes, b: Codes) -> Shares:
        """How far these values are from those."""
        ...

    def emd(self, classes: Classes) -> Shares:
        """The earth mover's distance of each class from the reference."""
        ...

    def between(self, p: Shares, q: Shares) -> Shares:
        """The same of whole distributions, a row each."""
        ...


@dataclass(frozen=True, slots=True)
class Equal:
    """Any two values are as far apart as any other two; half the sum of |p - q|."""

    name = "equal"

    def apart(self, a: Codes, b: Codes) -> Shares:
        return (a != b).astype(np.float64)

    def emd(self, classes: Classes) -> Shares:
        q = classes.reference[classes.values]
        # what the class does not have counts q there: 1 - the q of what it has
        difference = np.add.reduceat(np.abs(classes.shares - q) - q, classes.starts[:-1])
        return np.maximum(1 + difference, 0) / 2

    def between(self, p: Shares, q: Shares) -> Shares:
        return np.abs(p - q).sum(axis=-1) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """Values in a row, each at its position between 0 and 1: the area between the two cumulative distributions."""

    name: str
    positions: Shares  # (values,) ascending

    def apart(self, a: Codes, b: Codes) -> Shares:
        return np.abs(self.positions[a] - self.positions[b])

    def emd(self, classes: Classes) -> Shares:
        rising = np.cumsum(classes.reference)
        # the area under Q up to each value
        below = np.append(0.0, np.cumsum(rising[:-1] * np.diff(self.positions)))
        ends = classes.starts[1:] - 1
        reached = np.cumsum(classes.counts) - (np.cumsum(classes.sizes) - classes.sizes)[classes.of_class]
        p = reached / classes.sizes[classes.of_class]  # cumulative P from each entry on
        following = np.append(classes.values[1:], 0)
        following[ends] = len(rising) - 1
        # P is level between two entries and Q rises, so they cross once: before it Q is less, after it more
        crossing = np.clip(np.searchsorted(rising, p), classes.values, following)
        x = self.positions
        area = p * (2 * x[crossing] - x[classes.values] - x[following])
        area += below[classes.values] + below[following] - 2 * below[crossing]
        return np.maximum(
            np.add.reduceat(area, classes.starts[:-1]) + below[classes.values[classes.starts[:-1]]], 0
        )

    def between(self, p: Shares, q: Shares) -> Shares:
        return np.abs(np.cumsum(p - q, axis=-1)[..., :-1]) @ np.diff(self.positions)


@dataclass(frozen=True, slots=True)
class Hierarchical:
    """Two values are as far apart as their lowest common ancestor is high, over the height of the hierarchy.

    Li's sum of height(N)/H min(pos(N), neg(N)) over the inner nodes is the mean, over the levels below the root, of the
    `equal` distance of the distributions at that level: an ancestor at height h parts its leaves on h levels.
    """

    codes: Codes  # (H, values) the code of each value at each level below the root

    name = "hierarchical"

    def apart(self, a: Codes, b: Codes) -> Shares:
        return (self.codes[:, a] != self.codes[:, b]).mean(axis=0)

    def emd(self, classes: Classes) -> Shares:
        levels = [Equal().emd(classes.coarser(level)) for level in self.codes]
        return np.mean(levels, axis=0)

    def between(self, p: Shares, q: Shares) -> Shares:
        levels = [Equal().between(_summed(p, level), _summed(q, level)) for level in self.codes]
        return np.mean(levels, axis=0)


def ordered(values: int) -> Line:
    """Values at equal steps, in the order of their codes."""
    return Line("ordered", np.arange(values) / max(values - 1, 1))


def numeric(values: Sequence[float | None]) -> Line:
    """Numbers at their gaps over the range. A missing value, the last, stands one mean gap after the largest.

    So on equally spaced numbers `numeric` and `ordered` give the same.
    """
    numbers = np.array([value for value in values if value is not None], np.float64)
    if len(numbers) < len(values):
        gap = (numbers[-1] - numbers[0]) / (len(numbers) - 1) if len(numbers) > 1 else 1.0
        numbers = np.append(numbers, numbers[-1] + gap if len(numbers) else 0.0)
    from_first = numbers - numbers[0]
    return Line("numeric", from_first / max(from_first[-1], np.finfo(np.float64).tiny))


def hierarchical(codes: Codes) -> Hierarchical:
    """From the code of each value at every level of its hierarchy, (levels, values), the values themselves first."""
    has_root = len(codes) > 1 and codes[-1].min() == codes[-1].max()
    return Hierarchical(codes[:-1] if has_root else codes)


def _summed(shares: Shares, up: NDArray[np.int32]) -> Shares:
    """The shares of a level: the sum over the values under each of its labels."""
    order = np.argsort(up, kind="stable")
    first = np.flatnonzero(np.diff(up[order], prepend=-1))
    return np.add.reduceat(shares[..., order], first, axis=-1)
