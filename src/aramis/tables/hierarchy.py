"""How the values of one column become coarser, level by level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import Codes

MISSING = ""  # the label of a missing value


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """How one column's values become coarser; level 0 is the value itself.

    Every level is a function of the one below: what shares a label stays together further up. Labels are text, as a
    hierarchy file has them; `text` says how a value of a table is written.
    """

    column: str
    labels: tuple[tuple[str, ...], ...]  # level -> code at that level -> label
    codes: Codes  # (levels, leaves) leaf -> code at that level; also of leaves that the table does not have

    @property
    def levels(self) -> int:
        """How many levels there are, the values themselves included."""
        return len(self.labels)

    def leaves(self, level: int) -> Codes:
        """How many leaves each label of a level covers."""
        return np.bincount(self.codes[level], minlength=len(self.labels[level])).astype(np.int32)

    def covering(self, domain: Sequence[object]) -> "Hierarchy":
        """This hierarchy, shown to cover every value of a column.

        A missing value that the hierarchy does not name becomes a leaf that stays apart until the top.
        """
        known = set(self.labels[0])
        absent = [value for value in domain if text(value) not in known]
        if absent == [None]:
            return self.extended([None], MISSING)
        if absent:
            raise BadInput(
                f"the hierarchy of {self.column} does not have {_some(absent)}; "
                f"it has {len(known)} values, such as {_some(self.labels[0])}"
            )
        return self

    def rows(self) -> list[list[str]]:
        """One a leaf: the value, then its label at each level above."""
        return [[self.labels[level][code] for level, code in enumerate(leaf)] for leaf in self.codes.T]

    def extended(self, domain: Sequence[object], label: str) -> "Hierarchy":
        """The same with the values of a column that it lacks; they have this label between themselves and the top."""
        known = set(self.labels[0])
        absent = dict.fromkeys(value for value in map(text, domain) if value not in known)
        top = self.labels[-1][0] if len(self.labels[-1]) == 1 else label
        between = [label] * (self.levels - 2)
        added = [[value, *between, top][: self.levels] for value in absent]
        return hierarchy(self.column, [*self.rows(), *added]) if added else self

    def over(self, domain: Sequence[object]) -> Codes:
        """(levels, values) the code at each level of each value of a column."""
        leaf = {label: code for code, label in enumerate(self.labels[0])}
        return self.codes[:, [leaf[text(value)] for value in domain]]


def hierarchy(column: str, rows: Iterable[Sequence[str]]) -> Hierarchy:
    """A hierarchy from rows, one a value: the value, then its label at each level above."""
    leaves = list(rows)
    if not leaves:
        raise BadInput(f"the hierarchy of {column} is empty")
    depth = len(leaves[0])
    for row in leaves:
        if len(row) != depth:
            raise BadInput(
                f"the hierarchy of {column} has {len(row)} levels for {row[0]!r}, and {depth} for {leaves[0][0]!r}"
            )
    _must_be_distinct(column, [row[0] for row in leaves])
    levels = [list(level) for level in zip(*leaves, strict=True)]
    for number, (below, above) in enumerate(pairwise(levels)):
        _must_be_a_function(column, number, below, above)
    labels = [tuple(dict.fromkeys(level)) for level in levels]
    numbers = [{label: code for code, label in enumerate(level)} for level in labels]
    codes = np.array(
        [[number[label] for label in level] for number, level in zip(numbers, levels, strict=True)], np.int32
    )
    return Hierarchy(column, tuple(labels), codes)


def text(value: object) -> str:
    """How a value of a table is written in a hierarchy: 39 for 39 and 39.0, 2024-05-01 for a day."""
    if value is None:
        return MISSING
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time.min:  # pandas has no days without a time
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


def _must_be_distinct(column: str, values: Sequence[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise BadInput(f"the hierarchy of {column} has {value!r} twice")
        seen.add(value)


def _must_be_a_function(column: str, level: int, below: Sequence[str], above: Sequence[str]) -> None:
    up: dict[str, str] = {}
    for low, high in zip(below, above, strict=True):
        if up.setdefault(low, high) != high:
            raise BadInput(
                f"the hierarchy of {column} puts {low!r} (level {level}) under both {up[low]!r} and {high!r} "
                f"(level {level + 1})"
            )


def _some(values: Sequence[object]) -> str:
    shown = ", ".join(repr(text(value)) if value is not None else "a missing value" for value in values[:3])
    return f"{shown} and {len(values) - 3} more" if len(values) > 3 else shown
