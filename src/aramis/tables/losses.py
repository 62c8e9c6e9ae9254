"""What a full-domain recoding takes away, as a number to search by: the value of a node, and bounds for others.

Four of them are sums over cells, so that what a node loses without suppression follows from the frequencies of single
columns; two look at the sizes of the classes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Codes, Counts, Shares
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.rollup import Grouping, Rollup


class Loss(Protocol):
    """How much a node loses. Less is better."""

    @property
    def base(self) -> Sequence[Shares]:
        """Per quasi-identifier and level: what the level adds to a node's loss while nothing is suppressed."""
        ...

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        """The loss of a node whose other classes are suppressed."""
        ...

    def finer(self, grouping: Grouping, gone: Counts) -> float:
        """What every finer node loses beyond its base, at least, where so many records of each class are suppressed."""
        ...

    def coarser(self, grouping: Grouping) -> float:
        """What every coarser node loses, at least."""
        ...


@dataclass(frozen=True)
class CellLoss:
    """The mean over cells of a cost between 0 and 1; every cell of a suppressed record costs 1."""

    rollup: Rollup
    costs: Sequence[Shares]  # per quasi-identifier: (levels, values)
    base: Sequence[Shares]

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        return _of_node(self.base, grouping) + self.finer(grouping, np.where(kept, 0, grouping.sizes))

    def finer(self, grouping: Grouping, gone: Counts) -> float:
        which = np.flatnonzero(gone)
        cells = self.rollup.codes[grouping.members[which]]
        costs = sum(
            (
                cost[level][cells[:, i]]
                for i, (cost, level) in enumerate(zip(self.costs, grouping.node, strict=True))
            ),
            start=np.zeros(len(which)),
        )
        rows = self.rollup.bottom.sizes.sum()
        # not `@`: the threads of BLAS wait longer than they count
        return float((gone[which] * (1 - costs / len(self.costs))).sum() / rows)

    def coarser(self, grouping: Grouping) -> float:  # noqa: ARG002  the base says it already
        return 0.0


@dataclass(frozen=True)
class EntropyLoss:
    """Non-uniform entropy: the bits needed to tell the original values from the released ones, over those of `*`.

    De Waal, Willenborg, "Information loss through global recoding and local suppression", 1999. What is suppressed is
    generalized first, then told apart among the suppressed, as ARX does it.
    """

    rollup: Rollup
    bits: float  # of a table with nothing but stars
    base: Sequence[Shares]

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        return _of_node(self.base, grouping) + self.finer(grouping, np.where(kept, 0, grouping.sizes))

    def finer(self, grouping: Grouping, gone: Counts) -> float:
        which = np.flatnonzero(gone == grouping.sizes)  # of the others we do not know who goes
        gone = gone[which]
        cells = self.rollup.cells(grouping.node, grouping.members[which])
        return sum(_bits(column, gone) for column in cells.T) / self.bits

    def coarser(self, grouping: Grouping) -> float:  # noqa: ARG002  the base says it already
        return 0.0


@dataclass(frozen=True)
class Discernibility:
    """The sum of the squared class sizes; a suppressed record costs as much as the table has records.

    Bayardo, Agrawal, "Data privacy through optimal k-anonymization", ICDE 2005.
    """

    base: Sequence[Shares]

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        sizes, rows = grouping.sizes.astype(np.float64), grouping.sizes.sum()
        return float((np.where(kept, sizes, rows) * sizes).sum())

    def finer(self, grouping: Grouping, gone: Counts) -> float:
        rows, number = int(grouping.sizes.sum()), int(gone.sum())
        return float(number * rows + rows - number)

    def coarser(self, grouping: Grouping) -> float:
        sizes = grouping.sizes.astype(np.float64)
        return float(np.square(sizes).sum())


@dataclass(frozen=True)
class ClassSize:
    """Records per class; the suppressed ones are one class together. LeFevre et al., "Mondrian", ICDE 2006."""

    base: Sequence[Shares]

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        return float(grouping.sizes.sum() / (np.count_nonzero(kept) + (not kept.all())))

    def finer(self, grouping: Grouping, gone: Counts) -> float:  # noqa: ARG002  finer classes may be many
        return 0.0

    def coarser(self, grouping: Grouping) -> float:
        return float(grouping.sizes.sum() / len(grouping.sizes))


def loss_of(name: str, rollup: Rollup, hierarchies: Sequence[Hierarchy]) -> Loss:
    """The loss of this name over the nodes of a lattice."""
    if name not in LOSSES:
        raise BadInput(f"there is no loss {name}; choose one of {', '.join(LOSSES)}")
    return LOSSES[name](rollup, hierarchies)


def leaves_less_one(levels: Codes, hierarchy: Hierarchy) -> Shares:
    """(leaves under a value - 1) / (leaves - 1), at every level, the leaves being those of the whole hierarchy."""
    leaves = np.stack([hierarchy.leaves(level)[codes] for level, codes in enumerate(levels)])
    return (leaves - 1) / max(hierarchy.codes.shape[1] - 1, 1)


def normalized_penalty(levels: Codes, hierarchy: Hierarchy) -> Shares:
    """Leaves under a value / leaves, and 0 for a single one. Xu et al., "Utility-based anonymization", KDD 2006."""
    leaves = np.stack([hierarchy.leaves(level)[codes] for level, codes in enumerate(levels)])
    return np.where(leaves > 1, leaves / hierarchy.codes.shape[1], 0.0)


def height(levels: Codes, hierarchy: Hierarchy) -> Shares:
    """Level / height: Sweeney's Prec, 2002, as a loss."""
    steps = np.arange(len(levels)) / max(hierarchy.levels - 1, 1)
    return np.repeat(steps[:, None], levels.shape[1], axis=1)


def _by_cells(cost: Callable[[Codes, Hierarchy], Shares]) -> Callable[[Rollup, Sequence[Hierarchy]], Loss]:
    def made(rollup: Rollup, hierarchies: Sequence[Hierarchy]) -> Loss:
        costs = [cost(levels, hierarchy) for levels, hierarchy in zip(rollup.maps, hierarchies, strict=True)]
        rows = rollup.bottom.sizes.sum()
        base = [
            of_column @ counts / (rows * len(costs))
            for of_column, counts in zip(costs, _marginals(rollup), strict=True)
        ]
        return CellLoss(rollup, costs, base)

    return made


def _entropy(rollup: Rollup, hierarchies: Sequence[Hierarchy]) -> Loss:  # noqa: ARG001  one shape for all losses
    marginals = _marginals(rollup)
    stars = sum(_bits(np.arange(len(counts)), counts) for counts in marginals)
    bits = max(stars, np.finfo(np.float64).tiny)
    base = [
        np.array([(stars_of - _bits(level, counts)) / bits for level in levels])
        for levels, counts, stars_of in zip(
            rollup.maps, marginals, (_bits(np.arange(len(c)), c) for c in marginals), strict=True
        )
    ]
    return EntropyLoss(rollup, bits, base)


def _nothing(rollup: Rollup) -> list[Shares]:
    return [np.zeros(len(levels)) for levels in rollup.maps]


LOSSES: dict[str, Callable[[Rollup, Sequence[Hierarchy]], Loss]] = {
    "ncp": _by_cells(normalized_penalty),
    "loss": _by_cells(leaves_less_one),
    "precision": _by_cells(height),
    "entropy": _entropy,
    "discernibility": lambda rollup, _: Discernibility(_nothing(rollup)),
    "class-size": lambda rollup, _: ClassSize(_nothing(rollup)),
}


def _of_node(base: Sequence[Shares], grouping: Grouping) -> float:
    return float(sum(of_level[level] for of_level, level in zip(base, grouping.node, strict=True)))


def _marginals(rollup: Rollup) -> list[Counts]:
    """How many records have each value of each quasi-identifier."""
    sizes = rollup.bottom.sizes
    return [
        np.bincount(column, sizes, levels.shape[1]).astype(np.int64)
        for column, levels in zip(rollup.codes.T, rollup.maps, strict=True)
    ]


def _bits(values: Codes | NDArray[np.intp], counts: Counts) -> float:
    """The bits that tell apart these values, of which each occurs so often: n times their entropy."""
    of_value = np.bincount(values, counts)
    of_value = of_value[of_value > 0]
    total = of_value.sum()
    return float((of_value * np.log2(total / of_value)).sum()) if total else 0.0
