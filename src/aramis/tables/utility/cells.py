"""What the cells of a released table stand for: for each label, the original values that it covers.

A label is a value, a label of the column's hierarchy, an interval such as `[30, 40)` or `[30, 40]`, a set such as
`{a, b}`, or `*`. Anybody's release can be read that way, not only ours.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Codes, Counts, FrequencySet, Shares
from aramis.tables.hierarchy import Hierarchy, text
from aramis.tables.recoding import STAR

INTERVAL = re.compile(r"^\[([^,]+), ([^,]+)([\])])$")
SET = re.compile(r"^\{(.*)\}$", re.DOTALL)


@dataclass(frozen=True)
class Cells:
    """The labels of one quasi-identifier, and what each of them covers."""

    column: str
    numbers: Shares | None  # of the original values, where they are numbers and there is no hierarchy
    own: Shares | None  # (labels,) the numbers they say themselves: values or means; None: they are labels
    leaves: int  # of the hierarchy; without one, how many values the original has
    values: Codes  # the original values that the labels cover, one label's after another's
    starts: NDArray[np.intp]  # (labels + 1,)
    under: Codes  # (labels,) leaves under each
    height: Shares | None  # (labels,) its level over the height of the hierarchy; None: it has none

    @cached_property
    def loss(self) -> Shares:
        """(leaves under the label - 1) / (leaves - 1)."""
        return (self.under - 1) / max(self.leaves - 1, 1)

    @cached_property
    def ncp(self) -> Shares:
        """Numbers: their range over the whole range. Else leaves under the label / leaves, and 0 for a single one."""
        if self.numbers is None:
            return np.where(self.under > 1, self.under / self.leaves, 0.0)
        covered = self.numbers[self.values]
        low = np.fmin.reduceat(covered, self.starts[:-1])
        high = np.fmax.reduceat(covered, self.starts[:-1])
        whole = np.nanmax(self.numbers) - np.nanmin(self.numbers)
        single = np.diff(self.starts) == 1
        share = np.nan_to_num((high - low) / max(float(whole), np.finfo(np.float64).tiny))
        # a missing value among numbers is as far from them as can be
        mixed = np.maximum.reduceat(np.isnan(covered), self.starts[:-1])
        return np.where(single, 0.0, np.where(mixed, 1.0, share))

    def spread(self, records: Counts, original: Counts) -> Shares:
        """How many records have each original value, where each label's are shared out evenly over what it covers."""
        each = np.repeat(records / np.diff(self.starts), np.diff(self.starts))
        shared: Shares = np.bincount(self.values, each, len(original)).astype(np.float64)
        return shared


def cells_of(
    column: str, labels: Sequence[object], frequency: FrequencySet, given: Hierarchy | None
) -> Cells:
    """Read the labels of a release against the original table."""
    domain = frequency.domains[column]
    reader = _Reader(column, domain, given, ordered=column in frequency.ordered)
    covered = [reader.covered(text(label)) for label in labels]
    return Cells(
        column=column,
        numbers=reader.numbers if given is None and column in frequency.ordered else None,
        own=None if reader.nodes.keys() >= set(map(text, labels)) else as_numbers(labels),
        leaves=given.codes.shape[1] if given else len(domain),
        values=np.concatenate(covered).astype(np.int32),
        starts=np.cumsum([0, *map(len, covered)]),
        under=np.array(
            [reader.leaves(text(label), of) for label, of in zip(labels, covered, strict=True)], np.int32
        ),
        height=reader.heights([text(label) for label in labels]),
    )


class _Reader:
    """What the labels of one column may be."""

    def __init__(
        self, column: str, domain: Sequence[object], given: Hierarchy | None, *, ordered: bool
    ) -> None:
        self.column, self.given = column, given
        self.code = {text(value): code for code, value in enumerate(domain)}
        self.numbers = as_numbers(domain) if ordered else None
        self.everything = np.arange(len(domain))
        self.nodes = _nodes(given, domain) if given else {}

    def covered(self, label: str) -> NDArray[np.intp]:
        if label in self.code:
            return self.everything[self.code[label] : self.code[label] + 1]
        if label in self.nodes:
            return self.nodes[label][1]
        if label == STAR:
            return self.everything
        if interval := INTERVAL.match(label):
            return self._inside(label, interval[1], interval[2], closed=interval[3] == "]")
        if found := SET.match(label):
            return self._members(label, found[1])
        if (nearest := self._nearest(label)) is not None:
            return nearest
        raise BadInput(
            f"{label!r} of {self.column} is no value of the original, no label of a hierarchy, no interval like [30, 40), "
            "no set like {a, b} and no *; is it a release of this table, and are its hierarchies given?"
        )

    def leaves(self, label: str, covered: NDArray[np.intp]) -> int:
        if self.given is None:
            return len(covered)
        if label in self.nodes:
            return self.nodes[label][2]
        return self.given.codes.shape[1] if label == STAR else len(covered)

    def heights(self, labels: Sequence[str]) -> Shares | None:
        """Without a hierarchy a value is kept or starred; what says something between is of no height."""
        if self.given is None and not {STAR, *self.code}.issuperset(labels):
            return None
        return np.array([self._height(label) for label in labels], np.float64)

    def _height(self, label: str) -> float:
        """0 for a value, 1 for the top; a set or an interval is as high as nothing in the hierarchy says: the top."""
        top = self.given.levels - 1 if self.given else 1
        level = self.nodes[label][0] if label in self.nodes else 0 if label in self.code else top
        return level / max(top, 1)

    def _inside(self, label: str, low: str, high: str, *, closed: bool) -> NDArray[np.intp]:
        if self.numbers is None:
            raise BadInput(
                f"{label!r} of {self.column} is an interval, and the original has no numbers there"
            )
        try:
            least, most = self._end(low), self._end(high)
        except ValueError:
            raise BadInput(f"{label!r} of {self.column} is an interval of what is no number") from None
        inside = np.flatnonzero(
            (self.numbers >= least) & ((self.numbers <= most) if closed else (self.numbers < most))
        )
        if not len(inside):
            raise BadInput(f"{label!r} of {self.column} covers no value of the original")
        return inside

    def _nearest(self, label: str) -> NDArray[np.intp] | None:
        """Of a mean, a number between those of the original, the value that lies nearest; the smaller of two."""
        try:
            mean = float(label)
        except ValueError:
            return None
        if self.numbers is None or not (self.numbers <= mean).any() or not (self.numbers >= mean).any():
            return None
        return np.array([np.nanargmin(np.abs(self.numbers - mean))])

    def _end(self, words: str) -> float:
        """An end of an interval: usually a value of the original, a date perhaps; any number will do."""
        if words in self.code and self.numbers is not None:
            return float(self.numbers[self.code[words]])
        return float(words)

    def _members(self, label: str, inside: str) -> NDArray[np.intp]:
        found, name = [], ""
        for part in inside.split(", "):  # a value may have the separator in it
            name = f"{name}, {part}" if name else part
            if name in self.code:
                found.append(self.code[name])
                name = ""
        if name or not found:
            raise BadInput(f"{label!r} of {self.column} has {name!r}, which is no value of the original")
        return np.array(found)


def _nodes(given: Hierarchy, domain: Sequence[object]) -> Mapping[str, tuple[int, NDArray[np.intp], int]]:
    """Each label of a hierarchy at its lowest level: the level, the values of the table under it, all leaves under it."""
    codes = given.over(domain)
    found: dict[str, tuple[int, NDArray[np.intp], int]] = {}
    for level in range(given.levels):
        order = np.argsort(codes[level], kind="stable")
        ends = np.cumsum(np.bincount(codes[level], minlength=len(given.labels[level])))
        parts = np.split(order, ends[:-1])
        for label, values, leaves in zip(given.labels[level], parts, given.leaves(level), strict=True):
            if len(values):
                found.setdefault(label, (level, values, int(leaves)))
    return found


def as_numbers(domain: Sequence[object]) -> Shares | None:
    """Values as numbers with their distances, dates too; a missing one is NaN. None where one cannot be."""
    try:
        return np.array([np.nan if value is None else number(value) for value in domain])
    except (TypeError, ValueError):
        return None


def number(value: object) -> float:
    """A number for a number, a date or a time; what is none raises."""
    match value:
        case datetime():
            return value.timestamp()
        case date():
            return float(value.toordinal())
        case timedelta():
            return value.total_seconds()
    return float(value)  # type: ignore[arg-type]
