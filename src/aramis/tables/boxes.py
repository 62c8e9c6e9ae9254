"""Classes of an earlier release applied to other records: each goes to the narrowest class whose labels cover all that it has."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.frequency import Codes
from aramis.tables.hierarchy import Hierarchy, text
from aramis.tables.recoding import STAR
from aramis.tables.scales import Flags, numbers_of
from aramis.tables.utility.cells import INTERVAL, SET, number

AT_ONCE = 10_000_000  # pairs of a class and a tuple
NO_CLASS = -1

Covers = Callable[[str], Flags]
"""Which values of a column a label covers."""


def class_of_each(task: Task, classes: Mapping[str, Sequence[str]]) -> NDArray[np.int64]:
    """(tuples,) the class of each tuple; -1 where no class covers it. `classes`: what each says in every quasi-identifier."""
    frequency = task.frequency
    columns = [_labels(task, column, classes[column]) for column in frequency.quasi]
    wide = np.sum([covered.mean(axis=1)[label] for label, covered in columns], axis=0)
    narrowest = np.argsort(wide, kind="stable")
    starts = frequency.class_starts()[:-1]
    codes = frequency.codes[starts]
    found = np.full(len(starts), NO_CLASS)
    for first in range(0, len(starts), step := max(AT_ONCE // max(len(narrowest), 1), 1)):
        task.tell(first, len(starts), "every record to the narrowest class that covers it")
        here = codes[first : first + step]
        inside = np.ones((len(narrowest), len(here)), np.bool_)
        for place, (label, covered) in enumerate(columns):
            inside &= covered[:, here[:, place]][label[narrowest]]
        found[first : first + step] = np.where(inside.any(axis=0), narrowest[inside.argmax(axis=0)], NO_CLASS)
    return np.repeat(found, np.diff(frequency.class_starts()))


def _labels(task: Task, column: str, said: Sequence[str]) -> tuple[Codes, NDArray[np.bool_]]:
    """Which label each class has, and (labels, values) what each covers."""
    labels, of_class = np.unique(np.array(said, dtype=object), return_inverse=True)
    domain, given = task.frequency.domains[column], task.given.get(column)
    covers = _under(given, domain) if given else _among(task, column)
    return of_class.astype(np.int32), np.stack([covers(label) for label in labels])


def _under(given: Hierarchy, domain: Sequence[object]) -> Covers:
    levels = given.over(domain)

    def covers(label: str) -> Flags:
        for labels, codes in zip(given.labels, levels, strict=True):
            if label in labels:  # at its lowest level
                return np.asarray(codes == labels.index(label))
        return np.full(len(domain), label == STAR)

    return covers


def _among(task: Task, column: str) -> Covers:
    """A value, a set of values, or an interval."""
    domain, numbers = task.frequency.domains[column], numbers_of(task.frequency, column)
    values = [text(value) for value in domain]

    def covers(label: str) -> Flags:
        if label == STAR:
            return np.ones(len(values), np.bool_)
        if (interval := INTERVAL.match(label)) and numbers is not None:
            low, high = (_end(words, domain[0]) for words in interval.group(1, 2))
            return (numbers >= low) & (numbers <= high)
        if found := SET.match(label):
            inside = f", {found[1]}, "
            return np.array([f", {value}, " in inside for value in values])
        return np.array([value == label for value in values])

    return covers


def _end(words: str, like: object) -> float:
    """An end of an interval of numbers, days or times."""
    if isinstance(like, datetime):
        return number(datetime.fromisoformat(words))
    return number(date.fromisoformat(words)) if isinstance(like, date) else float(words)
