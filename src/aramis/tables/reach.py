"""What is in reach where a goal is not: for a person who has to decide what to give up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.errors import Unreachable
from aramis.tables.frequency import JOINT, Classes, Counts, FrequencySet, Shares, classes_of
from aramis.tables.goals import Goals, is_counted
from aramis.tables.models.model import Model
from aramis.tables.rollup import Grouping, Rollup
from aramis.tables.search import least_loss

STEPS = 12  # of halving when the best level in reach is looked for
WITHOUT_LIMIT = 1 - 1e-9
LARGEST_LEVEL = 1_000.0


def must_be_possible(frequency: FrequencySet, goals: Goals) -> None:
    """Raise where no recoding whatever can help: not even the whole table as one class does."""
    for model in goals.models:
        if not model.monotone:  # smaller classes may satisfy it where the whole table does not
            continue
        classes = _one_class(frequency, model.column)
        level = model.levels(classes)
        whole = is_counted(model)  # suppressing records does not help these
        if not model.holds(level)[0] and (whole or goals.suppress == 0):
            raise Unreachable(
                f"{named(model)} is out of reach for any recoding: the whole table as one class has {float(level[0]):.6g}"
            )


def whole_must_be_good(frequency: FrequencySet, goals: Goals) -> None:
    """Raise where the whole table may not be one class: what begins with it and cuts it up would begin with a bad one."""
    must_be_possible(frequency, replace(goals, suppress=0.0))
    for model in goals.models:
        level = model.levels(_one_class(frequency, model.column))
        if not model.holds(level)[0]:
            raise Unreachable(
                f"{named(model)} is out of reach for what begins with the whole table, which has {float(level[0]):.6g}; the "
                "algorithms optimal and incognito may find classes that have it, more of them with --suppress"
            )


def within_reach(rollup: Rollup, goals: Goals) -> str:
    """A sentence on what these goals would need, and what the lattice has to offer instead."""
    asked = " with ".join(named(model) for model in goals.models)
    rows = int(rollup.bottom.sizes.sum())
    least = least_loss(rollup, replace(goals, suppress=WITHOUT_LIMIT), _Suppressed(rollup), _silent).best
    needs = (
        f"needs {percent(least.loss / rows)} of the records suppressed; {percent(goals.suppress)} is allowed"
        if least and least.loss < rows
        else "cannot be met at any node of the lattice"
    )
    offers = [named(offer) for offer in _offers(rollup, goals)]
    return f"{asked} {needs}; {' or '.join(offers) + ' is' if offers else 'nothing near is'} in reach"


def named(model: Model) -> str:
    """A model with its wanted level, in words: t = 0.2 of salary."""
    of = f" of {model.column}" if model.column not in {None, JOINT} else ""
    name = model.name.removeprefix("protection_").partition("_")[0]
    if model.name == "beta_enhanced":
        name = "enhanced beta"
    if model.name == "nt":
        name = f"t to a group of {getattr(model, 'n', 1)} records or more"
    stated = f" = {words}" if (words := getattr(model, "stated", "")) else ""
    return f"{name} = {model.wanted:.10g}{of}{stated}"


@dataclass(frozen=True)
class _Suppressed:
    """How many records a node suppresses, as a loss; where `wanted` is False, nothing: then any node will do."""

    rollup: Rollup
    wanted: bool = True

    @property
    def base(self) -> Sequence[Shares]:
        return [np.zeros(height + 1) for height in self.rollup.heights]

    def value(self, grouping: Grouping, kept: NDArray[np.bool_]) -> float:
        return float(grouping.sizes[~kept].sum()) * self.wanted

    def finer(self, grouping: Grouping, gone: Counts) -> float:  # noqa: ARG002
        return float(gone.sum()) * self.wanted

    def coarser(self, grouping: Grouping) -> float:  # noqa: ARG002
        return 0.0


def _offers(rollup: Rollup, goals: Goals) -> Iterator[Model]:
    """Each model at the best level in reach while the others stay as they are."""
    for place, model in enumerate(goals.models):
        if not model.monotone:
            continue
        levels = model.levels(rollup.bottom.classes(model.column))
        good = 1.0 if model.larger_is_safer else min(float(levels.max()), LARGEST_LEVEL)
        bad = model.wanted
        for _ in range(STEPS):
            middle = (good + bad) / 2
            others = (*goals.models[:place], at_level(model, middle), *goals.models[place + 1 :])
            if _is_reachable(rollup, replace(goals, models=others)):
                good = middle
            else:
                bad = middle
        offer = at_level(model, _rounded(model, good))
        if offer.wanted != model.wanted and _is_reachable(
            rollup, replace(goals, models=(*goals.models[:place], offer, *goals.models[place + 1 :]))
        ):
            yield offer


def at_level(model: Model, level: float) -> Model:
    """The same model with another level wanted."""
    name = "c" if model.name == "l_recursive" else model.name.partition("_")[0]
    other: Any = model
    changed: Model = replace(other, **{name: int(level) if is_counted(model) else level})
    return changed


def _is_reachable(rollup: Rollup, goals: Goals) -> bool:
    return least_loss(rollup, goals, _Suppressed(rollup, wanted=False), _silent).best is not None


def _rounded(model: Model, level: float) -> float:
    """A level with two decimals, to the side on which it is easier to reach."""
    return floor(level * 100 + 1e-6) / 100 if model.larger_is_safer else ceil(level * 100 - 1e-6) / 100


def _one_class(frequency: FrequencySet, column: str | None) -> Classes:
    if column is None:
        return Classes(np.array([frequency.rows]))
    every = np.zeros(len(frequency.counts), np.intp)
    return classes_of(every, frequency.codes_of(column), frequency.counts, len(frequency.domains[column]))


def percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _silent(done: int, total: int | None, best: str) -> None:
    pass
