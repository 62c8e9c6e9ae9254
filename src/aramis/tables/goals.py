"""What an anonymizer has to reach, and which classes of a grouping do."""

from dataclasses import dataclass
from math import ceil
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL
from aramis.tables.models.model import Model
from aramis.tables.rollup import Grouping

REFERENCES = ("released", "original")


@dataclass(frozen=True, slots=True)
class Goals:
    """The models that every class must satisfy, and the share of records that may be suppressed to get there.

    `reference`: what a class is compared with: what is released, or the original table with all its records.
    """

    models: tuple[Model, ...]
    suppress: float = 0.0
    reference: str = "released"

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput(
                "nothing is wanted; say what every class is to have: k, l, t, alpha, beta or delta"
            )
        if not 0 <= self.suppress < 1:
            raise BadInput(
                f"suppress = {self.suppress:g} means nothing; it is a share of the records, from 0 to below 1"
            )
        if self.reference not in REFERENCES:
            raise BadInput(f"there is no reference {self.reference}; choose one of {', '.join(REFERENCES)}")

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns that the models ask for."""
        return tuple(dict.fromkeys(model.column for model in self.models if model.column is not None))

    @property
    def drift(self) -> float:
        """How far the reference may move from that of the whole table, as a share of the records."""
        return self.suppress if self.reference == "released" else 0.0

    @property
    def not_monotone(self) -> str | None:
        """Why a coarser node may fail where a finer one does not; None where that cannot be."""
        for model in self.models:
            name = model.name.replace("_", " ")
            if not model.monotone:
                return f"{name} is not monotone"
            if self.suppress and not is_counted(model):
                return f"{name} may fail for a class and hold for a part of it, and less be suppressed"
        return None

    @property
    def least(self) -> int:
        """How many records every class has, at least."""
        counted = (
            ceil(model.wanted) for model in self.models if is_counted(model) or model.name == "l_entropy"
        )
        return max(counted, default=1)

    def allowed(self, rows: int) -> int:
        """How many records may be suppressed."""
        return int(self.suppress * rows + 1e-9)


def is_counted(model: Model) -> bool:
    """Whether a class that fails has no part that does not: there is too little in it, not too much."""
    return isinstance(model, KAnonymity | DistinctL)


def are_reached(goals: Goals, grouping: Grouping) -> bool:
    """Whether no more records have to be suppressed at a node than may be."""
    gone = grouping.sizes[~kept_classes(grouping, goals)].sum()
    return int(gone) <= goals.allowed(int(grouping.sizes.sum()))


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of the classes of a grouping."""

    kept: NDArray[np.bool_]  # which are released
    must_go: Counts  # how many records of each are suppressed here and at every finer node, at least


class Counted(Protocol):
    """Classes, or what may become one, as models are asked about them."""

    @property
    def sizes(self) -> Counts:
        """How many records each has."""
        ...

    def classes(self, column: str | None, reference: Shares | None = None) -> Classes:
        """As a model of this column sees them."""
        ...


def judged(grouping: Grouping, goals: Goals) -> Judged:
    """Which classes are released, and what finer nodes have to suppress."""
    kept = np.ones(len(grouping.sizes), dtype=bool)
    least = np.zeros(len(grouping.sizes), np.int64)
    for model in goals.models:
        classes = grouping.classes(model.column)
        levels = model.levels(classes)
        kept &= model.holds(levels)
        least = np.maximum(least, model.must_go(classes, levels, goals.drift))
    if goals.reference == "released" and goals.columns and not kept.all():
        kept = kept_among(grouping, goals, kept)
    return Judged(kept, least)


def kept_classes(grouping: Grouping, goals: Goals) -> NDArray[np.bool_]:
    """Which classes are released: those that satisfy every model."""
    return judged(grouping, goals).kept


def kept_among(grouping: Counted, goals: Goals, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of these classes satisfy every model where the others are suppressed.

    Where classes are compared with what is released, suppressing one moves the reference for all; classes go, and
    none returns, until those left satisfy the models among themselves.
    """
    while kept.any():
        good = kept & satisfying(grouping, goals, kept if goals.reference == "released" else None)
        if np.array_equal(good, kept):
            break
        kept = good
    return kept


def satisfying(
    counted: Counted, goals: Goals, released: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Which of these satisfy every model, where those `released` (None: the whole table) are compared with."""
    good = np.ones(len(counted.sizes), dtype=bool)
    for model in goals.models:
        classes = counted.classes(model.column)
        if model.column is not None and released is not None and not released.all():
            classes = counted.classes(model.column, _reference(classes, released))
        good &= model.holds(model.levels(classes))
    return good


def _reference(classes: Classes, released: NDArray[np.bool_]) -> Shares:
    """The distribution of the sensitive values in the released classes."""
    counts = classes.counts * np.repeat(released, np.diff(classes.starts))
    whole = np.bincount(classes.values, counts, len(classes.reference))
    return whole / whole.sum()
