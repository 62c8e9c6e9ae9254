"""Local recoding: every class says what its own records have in common, and no more.

A number says the interval from the least to the largest of its class, a value with a hierarchy the lowest label above all of
them, any other value the set of them.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.frequency import Codes, Counts
from aramis.tables.hierarchy import Hierarchy, text
from aramis.tables.recoding import STAR, SUPPRESSED, Recoding
from aramis.tables.scales import numbers_of, tree

LARGEST_SET = 32  # values; who has to read more of them reads nothing

Labelled = tuple[Codes, list[str]]
"""Which label each class has, and the labels."""


def local(task: Task, tuples: Codes, counts: Counts, classes: Codes) -> Recoding:
    """The recoding of these pieces, each of which goes to the class of its number, from 0, or is suppressed."""
    by_class = np.argsort(classes, kind="stable")
    by_class = by_class[classes[by_class] != SUPPRESSED]
    starts = np.flatnonzero(np.diff(classes[by_class], prepend=-1))
    codes = task.frequency.codes[tuples[by_class]]
    labelled = [
        _labelled(task, column, starts, codes[:, place]) for place, column in enumerate(task.frequency.quasi)
    ]
    order = np.lexsort((classes, tuples))
    return Recoding(
        tuples=tuples[order],
        counts=counts[order],
        classes=classes[order],
        cells=np.stack([cells for cells, _ in labelled], axis=1),
        labels=tuple(tuple(labels) for _, labels in labelled),
    )


def _labelled(task: Task, column: str, starts: NDArray[np.intp], codes: Codes) -> Labelled:
    domain = task.frequency.domains[column]
    if column in task.given:
        return _ancestors(task.given[column], domain, starts, codes)
    values = [text(value) for value in domain]
    if numbers_of(task.frequency, column) is None:
        return _sets(values, starts, codes)
    return _intervals(values, domain[-1] is None, starts, codes)


def _intervals(values: Sequence[str], has_missing: bool, starts: NDArray[np.intp], codes: Codes) -> Labelled:
    def said(low: int, high: int) -> str:
        if low == high:
            return values[low]
        return STAR if has_missing and high == len(values) - 1 else f"[{values[low]}, {values[high]}]"

    return _by_pair(np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts), said)


def _ancestors(
    given: Hierarchy, domain: Sequence[object], starts: NDArray[np.intp], codes: Codes
) -> Labelled:
    """The lowest label that is above all values of a class."""
    levels = given.over(domain)
    order = tree(levels)[1]
    places = np.argsort(order).astype(np.int32)[codes]
    first, last = order[np.minimum.reduceat(places, starts)], order[np.maximum.reduceat(places, starts)]
    height, label = np.full(len(starts), given.levels, np.int32), np.zeros(len(starts), np.int32)
    for level in reversed(range(given.levels)):
        low = levels[level][first]
        one = low == levels[level][last]
        height[one], label[one] = level, low[one]

    def said(level: int, code: int) -> str:
        return STAR if level == given.levels else given.labels[level][code]

    return _by_pair(height, label, said)


def _by_pair(one: Codes, other: Codes, said: Callable[[int, int], str]) -> Labelled:
    base = int(other.max()) + 1
    pairs, cells = np.unique(one.astype(np.int64) * base + other, return_inverse=True)
    return cells.astype(np.int32), [said(int(pair) // base, int(pair) % base) for pair in pairs]


def _sets(values: Sequence[str], starts: NDArray[np.intp], codes: Codes) -> Labelled:
    cells, labels = np.minimum.reduceat(codes, starts), list(values)  # a class of one value says that value
    several = cells < np.maximum.reduceat(codes, starts)
    of_class = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(codes)))
    among = several[of_class]
    of_class, members = np.divmod(np.unique(of_class[among] * len(values) + codes[among]), len(values))
    firsts = np.flatnonzero(np.diff(of_class, prepend=-1, append=len(starts)))
    known: dict[bytes, int] = {}
    for first, end in pairwise(firsts.tolist()):
        cells[of_class[first]] = known.setdefault(members[first:end].tobytes(), len(values) + len(known))
    return cells, labels + [_set(values, np.frombuffer(found, np.intp)) for found in known]


def _set(values: Sequence[str], members: NDArray[np.intp]) -> str:
    if len(members) == len(values) or len(members) > LARGEST_SET:
        return STAR
    return f"{{{', '.join(values[member] for member in members)}}}"
