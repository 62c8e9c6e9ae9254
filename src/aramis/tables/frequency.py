"""The nouns of the table wing: all that a model or a search ever sees of a table.

FrequencySet   the distinct (quasi-identifiers, sensitive columns) tuples of a table, each with its count
└── Classes    the classes of that set, with the counts of one sensitive column in each: what a model is asked about

Values are integer codes throughout; `FrequencySet.domains` says which value a code stands for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput

JOINT = (
    "\0joint"  # stands for all sensitive columns together; no column is called that, for text has no zeros
)

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class Classes:
    """The classes of a table as one model sees them: how large each is, and how often it has each sensitive value.

    The class x value counts are sparse: class i has the entries `starts[i]:starts[i + 1]`. They are empty where a
    model asks for sizes alone.
    """

    sizes: Counts  # (classes,) records of each class
    starts: NDArray[np.intp] = field(default_factory=lambda: np.zeros(1, np.intp))  # (classes + 1,)
    values: Codes = field(
        default_factory=lambda: np.empty(0, np.int32)
    )  # (entries,) ascending within a class
    counts: Counts = field(default_factory=lambda: np.empty(0, np.int64))  # (entries,) never 0
    reference: Shares = field(default_factory=lambda: np.empty(0))  # (values,) Q; sums to 1

    @cached_property
    def of_class(self) -> NDArray[np.intp]:
        """The class of each entry."""
        return np.repeat(np.arange(len(self.sizes)), np.diff(self.starts))

    @cached_property
    def shares(self) -> Shares:
        """P of each entry: its count over the size of its class."""
        return self.counts / self.sizes[self.of_class]

    @cached_property
    def largest(self) -> Counts:
        """The count of each class's most frequent value."""
        return np.maximum.reduceat(self.counts, self.starts[:-1])

    @cached_property
    def gains(self) -> Shares:
        """p/q of each entry: how many times as likely its value is in its class as in the reference."""
        q = self.reference[self.values]
        return np.divide(self.shares, q, out=np.full(len(q), np.inf), where=q > 0)

    def coarser(self, up: Codes) -> "Classes":
        """The same classes, with each sensitive value replaced by what `up` has in its place."""
        values = int(up.max()) + 1
        reference = np.bincount(up, self.reference, values).astype(np.float64)
        return classes_of(self.of_class, up[self.values], self.counts, values, reference)


@dataclass(frozen=True)
class FrequencySet:
    """The distinct tuples of a table with their counts. Two rows alike in every column are one tuple.

    The tuples are sorted by their codes, first column first, so the tuples of one class (rows alike in every
    quasi-identifier) lie together. The codes of one column lie together in memory.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    domains: Mapping[
        str, tuple[object, ...]
    ]  # column -> code -> value that occurs; in order, None (missing) last
    codes: Codes  # (tuples, quasi + sensitive), column-major
    counts: Counts  # (tuples,) rows that are this tuple
    ordered: frozenset[str] = frozenset()  # the columns whose order means something: numbers, dates, ranks

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return int(self.counts.sum())

    def codes_of(self, column: str) -> Codes:
        """The codes of one column, a tuple each."""
        return self.codes[:, (*self.quasi, *self.sensitive).index(column)]

    def records_of(self, column: str) -> Counts:
        """How many rows have each value of a column."""
        return np.bincount(self.codes_of(column), self.counts, len(self.domains[column])).astype(np.int64)

    def class_starts(self) -> NDArray[np.intp]:
        """Where each class begins among the tuples, and after the last where it ends: (classes + 1,)."""
        return self._class_starts

    @cached_property
    def _class_starts(self) -> NDArray[np.intp]:
        return _starts(self.codes[:, : len(self.quasi)])

    def classes(self, column: str | None = None, reference: Shares | None = None) -> Classes:
        """The classes, with the counts of one sensitive column (None: their sizes alone).

        `reference` is the distribution Q that a class is compared with; the whole table's where it is not given.
        """
        starts = self.class_starts()
        if column is None:
            return Classes(np.add.reduceat(self.counts, starts[:-1]))
        of_class = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return classes_of(of_class, self.codes_of(column), self.counts, len(self.domains[column]), reference)

    def classes_within(self, column: str, other: str) -> Classes:
        """The classes divided by the values of another sensitive column: what is left when that one is known."""
        starts = self.class_starts()
        of_class = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        part = of_class * len(self.domains[other]) + self.codes_of(other)
        _, of_part = np.unique(part, return_inverse=True)
        return classes_of(of_part, self.codes_of(column), self.counts, len(self.domains[column]))

    def with_joint(self) -> "FrequencySet":
        """The same with one sensitive column more, named `JOINT`: the combination of all others."""
        key = np.zeros(len(self.codes), np.int64)
        for column in self.sensitive:
            key = np.unique(key * len(self.domains[column]) + self.codes_of(column), return_inverse=True)[1]
        first = np.unique(key, return_index=True)[1]
        values = (
            map(self.domains[column].__getitem__, self.codes_of(column)[first].tolist())
            for column in self.sensitive
        )
        joint = tuple(zip(*values, strict=True))
        return replace(
            self,
            sensitive=(*self.sensitive, JOINT),
            domains={**self.domains, JOINT: joint},
            codes=np.asfortranarray(np.column_stack([self.codes, key.astype(np.int32)])),
        )

    def with_values(self, column: str, values: Iterable[object]) -> "FrequencySet":
        """The same, with these values in the domain of a column as well, although no row has them."""
        domain = self.domains[column]
        more = set(values) - set(domain)
        if not more:
            return self
        whole = _with(domain, more, column)
        place = {value: code for code, value in enumerate(whole)}
        codes = self.codes.copy(order="F")
        where = (*self.quasi, *self.sensitive).index(column)
        codes[:, where] = np.array([place[value] for value in domain], np.int32)[codes[:, where]]
        return replace(self, domains={**self.domains, column: whole}, codes=codes)


def classes_of(
    of_class: NDArray[np.intp], values: Codes, counts: Counts, domain: int, reference: Shares | None = None
) -> Classes:
    """Add up counts that share a class and a value. Classes are numbered from 0, each has one entry at least."""
    entry = of_class * domain + values
    if np.any(entry[1:] < entry[:-1]):
        order = np.argsort(entry)
        entry, counts = entry[order], counts[order]
    first = firsts(entry)
    if len(first) < len(entry):
        counts, entry = np.add.reduceat(counts, first), entry[first]
    owner = entry // domain
    starts = np.append(firsts(owner), len(entry))
    found = (entry - owner * domain).astype(np.int32)
    if reference is None:
        whole = np.bincount(found, counts, domain)
        reference = whole / whole.sum()
    return Classes(np.add.reduceat(counts, starts[:-1]), starts, found, counts, reference)


def firsts(numbers: NDArray[np.integer[Any]]) -> NDArray[np.intp]:
    """Where one of these sorted numbers, of which there is one at least, differs from the one before."""
    return np.append(0, np.flatnonzero(numbers[1:] != numbers[:-1]) + 1)


def _starts(codes: Codes) -> NDArray[np.intp]:
    """Where a row of these sorted codes differs from the one before, and their number."""
    changed = np.zeros(len(codes), dtype=bool)
    changed[:1] = True
    for column in codes.T:
        changed[1:] |= column[1:] != column[:-1]
    return np.append(np.flatnonzero(changed), len(codes))


def _with(domain: Sequence[object], more: Iterable[object], column: str) -> tuple[object, ...]:
    """A domain with more values, each where it belongs; the order of those it has stays as it is."""
    present = [value for value in domain if value is not None]
    added = [value for value in more if value is not None]
    try:
        by_nature = column != JOINT and present == sorted(present)  # type: ignore[type-var]  # what cannot be compared raises
        found = sorted([*present, *added]) if by_nature else [*present, *added]  # type: ignore[type-var]
    except TypeError:
        raise BadInput(f"{column} has values of another type in the table compared with") from None
    return (*found, *([None] if None in {*domain, *more} else []))
