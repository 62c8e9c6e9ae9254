"""k-anonymity blind to what is sensitive; then the classes that tell too much are given values as others have them.

Whoever generalizes no more than the sensitive values ask for tells by it where they asked. Here nothing is generalized for
their sake, and for each class whose values were changed there are l - 1 of the same shares whose values are true.
"""

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.anonymizers.mondrian import mondrian
from aramis.tables.frequency import JOINT, Classes, Codes, Shares
from aramis.tables.goals import Goals, satisfying
from aramis.tables.parts import Parts
from aramis.tables.reach import must_be_possible
from aramis.tables.recoding import Recoding

ROUNDS = 50  # of other shares, for classes too small to have those drawn first


def _recode(task: Task) -> Recoding:
    if JOINT in task.goals.columns:
        raise BadInput(
            "mask changes each sensitive column by itself; levels of several together are not for it"
        )
    must_be_possible(task.frequency, replace(task.goals, suppress=0.0))
    blind = Goals(tuple(model for model in task.goals.models if model.column is None))
    first = mondrian(replace(task, goals=blind))
    records = np.repeat(np.arange(len(first.tuples)), first.counts)
    true = task.frequency.codes[first.tuples[records], len(task.frequency.quasi) :]
    told = _masked(task, first.classes[records], true)
    changed = int((told != true).any(axis=1).sum())
    return replace(
        first,
        tuples=first.tuples[records],
        counts=np.ones(len(records), np.int64),
        classes=first.classes[records],
        sensitive=told,
        distorted=changed,
    )


def _masked(task: Task, classes: Codes, true: Codes) -> Codes:
    """What each record says in the sensitive columns: the truth but in classes that would tell too much."""
    told, random = true.copy(), task.random()
    members = np.split(np.argsort(classes, kind="stable"), np.cumsum(np.bincount(classes))[:-1])
    telling = _telling(task, classes, told)
    honest = _honest(task, telling, random)
    columns = [task.frequency.sensitive.index(column) for column in task.goals.columns]
    for done in range(ROUNDS):
        now = _telling(task, classes, told)
        if not now.any():
            return told
        # where only true ones fail, the new values have moved the whole table away from them: all are drawn again
        failing = np.flatnonzero(now & telling if (now & telling).any() else telling)
        task.tell(done, ROUNDS, f"{len(failing):,} classes still tell too much")
        for one in failing:
            other = members[random.choice(honest)]
            for column in columns:
                told[members[one], column] = _as_in(true[members[one], column], true[other, column], random)
    raise Unreachable(
        f"mask cannot give {len(failing)} classes any values that would do; a larger k makes it easier, "
        "and optimal and mondrian generalize further instead"
    )


def _honest(task: Task, telling: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.intp]:
    """The classes whose shares the others get: l - 1 for each of them."""
    l = max(ceil(1 / model.wanted - 1e-9) for model in task.goals.models if model.name == "alpha")
    needed, passing = (l - 1) * int(telling.sum()), np.flatnonzero(~telling)
    if needed > len(passing):
        raise Unreachable(
            f"{telling.sum():,} of {len(telling):,} classes tell too much, and mask hides each among {l - 1} that do not; "
            f"a larger k or a larger alpha makes them fewer, and optimal and mondrian generalize further instead"
        )
    return random.choice(passing, needed, replace=False)


def _telling(task: Task, classes: Codes, told: Codes) -> NDArray[np.bool_]:
    """Which classes do not satisfy the models."""
    frequency = task.frequency
    records, every = np.ones(len(classes), np.int64), np.arange(len(classes), dtype=np.int32)
    codes = np.zeros((len(classes), len(frequency.quasi)), np.int32)  # of no account here
    released = replace(frequency, codes=np.asfortranarray(np.hstack([codes, told])), counts=records)
    parts = Parts(released, classes.astype(np.intp), every, records)
    return ~satisfying(
        _BesideOriginal(parts, task) if task.goals.reference == "original" else parts, task.goals
    )


@dataclass(frozen=True, slots=True)
class _BesideOriginal:
    """Classes compared with the original table, whose sensitive values are others."""

    parts: Parts
    task: Task

    @property
    def sizes(self) -> NDArray[np.int64]:
        return self.parts.sizes

    def classes(self, column: str | None, reference: Shares | None = None) -> Classes:
        if column is not None and reference is None:
            reference = self.task.frequency.records_of(column) / self.task.frequency.rows
        return self.parts.classes(column, reference)


def _as_in(values: Codes, others: Codes, random: np.random.Generator) -> Codes:
    """These values with as few of them changed, at random, as gives them the shares of the others."""
    domain = int(max(values.max(), others.max())) + 1
    shares = np.bincount(others, minlength=domain) / len(others)
    wanted = np.floor(shares * len(values) + 1e-9).astype(np.int64)
    rarest = np.flatnonzero(shares)[np.argsort(wanted[shares > 0], kind="stable")]
    wanted[rarest[: len(values) - wanted.sum()]] += 1
    order = random.permutation(len(values))
    by_value = order[np.argsort(values[order], kind="stable")]
    number = np.arange(len(values)) - np.searchsorted(values[by_value], values[by_value])
    too_many = by_value[number >= wanted[values[by_value]]]
    found, have = values.copy(), np.bincount(values, minlength=domain)
    found[too_many] = random.permutation(np.repeat(np.arange(domain), np.maximum(wanted - have, 0)))
    return found


mask = Anonymizer(
    name="mask",
    recode=_recode,
    guarantee="classes made without a look at sensitive values, as by mondrian; those that do not satisfy the models have some "
    "values changed at random, and are hidden among l - 1 times as many with true values, l = 1/alpha; nothing is suppressed",
    paper="Wong, Fu, Wang, Pei, Minimality attack in privacy preserving data publishing, VLDB 2007",
    needs=("k", "alpha"),
    reusable=False,
)
