"""What every anonymizer is: frequency set and goals in, recoding out, with a promise in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import FrequencySet
from aramis.tables.goals import Goals
from aramis.tables.hierarchy import Hierarchy, hierarchy, text
from aramis.tables.losses import Loss, loss_of
from aramis.tables.recoding import STAR, SUPPRESSED, Recoding
from aramis.tables.rollup import Node, Rollup
from aramis.tables.search import Tell


def silent(done: int, total: int | None, best: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Task:
    """A table to anonymize, as an anonymizer sees it."""

    frequency: FrequencySet
    goals: Goals
    given: Mapping[str, Hierarchy] = field(default_factory=dict)  # the hierarchies that there are
    loss: str = "ncp"
    seed: int | None = 0
    tell: Tell = silent

    @cached_property
    def hierarchies(self) -> tuple[Hierarchy, ...]:
        """One for each quasi-identifier. A value without a hierarchy is kept or starred."""
        return tuple(
            self.given.get(column) or kept_or_starred(column, self.frequency.domains[column])
            for column in self.frequency.quasi
        )

    @cached_property
    def rollup(self) -> Rollup:
        """The lattice of these hierarchies over the frequency set."""
        return Rollup(self.frequency, self.hierarchies, self.goals.columns)

    def loss_over(self, rollup: Rollup) -> Loss:
        """The loss that is searched by."""
        return loss_of(self.loss, rollup, self.hierarchies)

    def random(self) -> np.random.Generator:
        """The source of whatever is drawn; the same seed gives the same, and none what nobody can draw again."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, slots=True)
class Anonymizer:
    """An algorithm. `guarantee` is what a reader of its result may rely on, in a sentence."""

    name: str
    recode: Callable[[Task], Recoding]
    guarantee: str
    paper: str
    needs: tuple[
        str, ...
    ] = ()  # the models it is built on, by name (l_distinct, t): one of each must be wanted

    separates: bool = False  # it releases two tables: see `Recoding.separate`
    reusable: bool = True  # what it finds can be applied to other records

    def __call__(self, task: Task) -> Recoding:
        wanted = {name for model in task.goals.models for name in (model.name, model.name.partition("_")[0])}
        for model in self.needs:
            if model not in wanted:
                raise BadInput(f"{self.name} is built on {model}, which is not wanted; give a level for it")
        return self.recode(task)


def kept_or_starred(column: str, domain: Sequence[object]) -> Hierarchy:
    """The hierarchy of a column that has none."""
    return hierarchy(column, [[text(value), STAR] for value in domain])


def full_domain(task: Task, node: Node, kept: NDArray[np.bool_]) -> Recoding:
    """Every value at its column's level of a node; the classes at the node that are not kept, suppressed."""
    number = np.where(kept, np.cumsum(kept) - 1, SUPPRESSED).astype(np.int32)
    frequency, rollup = task.frequency, task.rollup
    return Recoding(
        tuples=np.arange(len(frequency.counts), dtype=np.int32),
        counts=frequency.counts,
        classes=np.repeat(number[rollup.class_of(node)], np.diff(frequency.class_starts())),
        cells=rollup.cells(node, rollup.at(node).members[kept]),
        labels=tuple(one.labels[level] for one, level in zip(task.hierarchies, node, strict=True)),
        generalization=dict(zip(frequency.quasi, node, strict=True)),
    )
