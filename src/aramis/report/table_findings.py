"""What the report of a table tells, from the answer of a check: classes by size, levels by class, the worst class beside all.

Every list has an end, so that a table of a million values makes a page too.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.tables.check import Checked, Levels, WorstClass
from aramis.tables.hierarchy import Hierarchy, text

VALUES = 24  # of a column without a hierarchy that are shown, by how far the class departs from all
RANGES = 12  # of a column whose values have an order, where it has more values than that
BRANCHES = 60  # of a column with one: finer levels are left out until no more are left
CUTS = 50  # points of a curve
MISSING = "(missing)"


class Sizes(msgspec.Struct, frozen=True):
    """The classes of a range of sizes."""

    low: int
    high: int
    classes: int
    records: int


class Bar(msgspec.Struct, frozen=True):
    """How frequent a value, or all under a node of its hierarchy, is in one class and in the reference."""

    label: str
    depth: int
    in_class: float
    in_all: float

    @property
    def gain(self) -> float | None:
        """How many times as likely; None: what is compared with does not have it."""
        return self.in_class / self.in_all if self.in_all else None


class Column(msgspec.Struct, frozen=True):
    """One sensitive column."""

    levels: Levels
    worst: WorstClass  # by t
    bars: tuple[Bar, ...]
    by_l: tuple[tuple[int, int], ...]  # distinct values of a class, how many classes have so many
    curve: tuple[tuple[float, int], ...]  # t, how many classes are at least so far away


def sizes(of_class: NDArray[np.int64]) -> list[Sizes]:
    """Classes by size, each range twice as wide as the one before: 1, 2, 3-4, 5-8, ..."""
    step = np.ceil(np.log2(of_class)).astype(int)
    return [
        Sizes(
            int(of_class[which].min()),
            int(of_class[which].max()),
            int(which.sum()),
            int(of_class[which].sum()),
        )
        for which in (step == one for one in np.unique(step))
    ]


def columns(found: Checked, hierarchies: Mapping[str, Hierarchy]) -> Iterator[Column]:
    """The sensitive columns, each with its worst class."""
    for name, levels in found.sensitive.items():
        worst = next(one for one in found.worst if (one.model, one.column) == ("t", name))
        of_class = _shares(worst.distribution[name], levels.domain)
        tree = hierarchies.get(name) if levels.distance == "hierarchical" else None
        yield Column(
            levels,
            worst,
            tuple(_branches(of_class, levels, tree) if tree else _bars(of_class, levels)),
            tuple(
                (int(l), int(many))
                for l, many in zip(*np.unique(levels.l_of_class, return_counts=True), strict=True)
            ),
            tuple(_curve(levels.t_of_class)),
        )


def _shares(records: Mapping[object, int], domain: Sequence[object]) -> NDArray[np.float64]:
    counts = np.array([records.get(value, 0) for value in domain], np.float64)
    return np.asarray(counts / counts.sum())


def _bars(of_class: NDArray[np.float64], levels: Levels) -> Iterator[Bar]:
    many = len(levels.domain) > VALUES and levels.distance in {"ordered", "numeric"}
    return _ranges(of_class, levels) if many else _values(of_class, levels)


def _ranges(of_class: NDArray[np.float64], levels: Levels) -> Iterator[Bar]:
    """Ranges of values that have about equal shares of the reference; what is missing by itself."""
    present = len(levels.domain) - (levels.domain[-1] is None)
    share = levels.reference[:present]
    middle = (np.cumsum(share) - share / 2) / share.sum()
    part = np.minimum((middle * RANGES).astype(int), RANGES - 1)
    for one in np.unique(part):
        codes = np.flatnonzero(part == one)
        ends = dict.fromkeys(written(levels.domain[code]) for code in codes[[0, -1]])
        yield Bar(" to ".join(ends), 0, float(of_class[codes].sum()), float(levels.reference[codes].sum()))
    if present < len(levels.domain):
        yield Bar(MISSING, 0, float(of_class[-1]), float(levels.reference[-1]))


def _values(of_class: NDArray[np.float64], levels: Levels) -> Iterator[Bar]:
    """The values in their order; of many, those in which the class departs most, and the others as one."""
    apart = np.abs(of_class - levels.reference)
    shown = np.sort(np.argsort(-apart, kind="stable")[:VALUES])
    for code in shown:
        yield Bar(written(levels.domain[code]), 0, float(of_class[code]), float(levels.reference[code]))
    left = len(levels.domain) - len(shown)
    if left:
        rest = 1 - of_class[shown].sum(), 1 - levels.reference[shown].sum()
        yield Bar(f"{left} more values", 0, *(max(0.0, float(share)) for share in rest))


def _branches(of_class: NDArray[np.float64], levels: Levels, tree: Hierarchy) -> Iterator[Bar]:
    """The nodes of the hierarchy that occur, each above what is under it."""
    codes = tree.over(levels.domain)[::-1]  # from the root down
    labels = tree.labels[::-1]
    nodes = [np.unique(codes[: depth + 1], axis=1) for depth in range(len(codes))]
    depths = [depth for depth, of_level in enumerate(nodes) if of_level.shape[1] > 1]
    deep = max(
        (d for d in depths if sum(nodes[up].shape[1] for up in depths if up <= d) <= BRANCHES),
        default=depths[0] if depths else 0,
    )
    paths = sorted(tuple(path) for depth in depths if depth <= deep for path in nodes[depth].T)
    for path in paths:
        under = np.all(path == codes[: len(path)].T, axis=1)
        label = labels[len(path) - 1][path[-1]]
        yield Bar(
            label,
            len(path) - 1 - depths[0],
            float(of_class[under].sum()),
            float(levels.reference[under].sum()),
        )


def _curve(t: NDArray[np.float64]) -> Iterator[tuple[float, int]]:
    highest = float(t.max())
    for cut in np.linspace(0, highest, CUTS) if highest else [0.0]:
        yield float(cut), int((t >= cut).sum())


def written(value: object) -> str:
    """A value for a reader."""
    if isinstance(value, tuple):
        return " + ".join(map(written, value))
    return MISSING if value is None else text(value)
