"""A frequency set made coarser without going back to the table.

A node of the lattice is a level for every quasi-identifier. Its classes are computed from those of any finer node:
one member of a class is enough to know the generalized values of all.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Codes, Counts, FrequencySet, Shares, classes_of
from aramis.tables.hierarchy import Hierarchy

Node = tuple[int, ...]
Table = NDArray[np.uint32]

COMPILED_FROM = 4_000_000  # rows grouped in all: numpy's sort is done with fewer before numba is even loaded
FAR = 3  # columns: from a source further away it pays to go by way of others ...
MANY = 4_000  # ... where the source has so many classes
MOST_KEPT = 20_000_000  # classes and entries of all groupings that are kept: some 400 MB
TABLE_SIZE = (
    4_096  # values of columns that share a table of partial keys, so that it stays in the nearest cache
)
KEY_SPACE = 2**62


@dataclass(frozen=True, slots=True)
class Grouping:
    """The classes of a frequency set at one node."""

    node: Node
    members: Codes  # (classes,) a class of the frequency set that lies in this class
    sizes: Counts  # (classes,)
    entries: Mapping[str, Classes]  # sensitive column -> its counts in each class

    @property
    def rows(self) -> int:
        """How many numbers it takes: classes, and entries of sensitive columns."""
        return len(self.sizes) + sum(len(classes.values) for classes in self.entries.values())

    def classes(self, column: str | None, reference: Shares | None = None) -> Classes:
        """The classes as a model of this column sees them."""
        if column is None:
            return Classes(self.sizes)
        found = self.entries[column]
        if reference is None:
            return found
        return Classes(found.sizes, found.starts, found.values, found.counts, reference)


class Rollup:
    """The nodes of a lattice over a frequency set. Each comes from the smallest finer one that is at hand."""

    def __init__(
        self, frequency: FrequencySet, hierarchies: Sequence[Hierarchy], columns: Sequence[str] = ()
    ) -> None:
        """`hierarchies` are those of the quasi-identifiers, `columns` the sensitive ones that models ask for."""
        self.maps = [
            hierarchy.over(frequency.domains[column])
            for hierarchy, column in zip(hierarchies, frequency.quasi, strict=True)
        ]
        self.heights: Node = tuple(len(levels) - 1 for levels in self.maps)
        self.codes = frequency.codes[frequency.class_starts()[:-1], : len(frequency.quasi)]
        self._keys = _Keys(self.codes, self.maps)
        bottom = Grouping(
            (0,) * len(self.maps),
            np.arange(len(self.codes), dtype=np.int32),
            frequency.classes().sizes,
            {column: frequency.classes(column) for column in columns},
        )
        # those columns first whose values tell most classes apart
        self._order = sorted(range(len(self.maps)), key=lambda column: -self.maps[column].shape[1])
        self._kept = [bottom]
        self._rows = 0
        self._nodes = np.zeros((64, len(self.maps)), np.uint8)
        self._numbers = np.full(64, len(self.codes))

    @property
    def bottom(self) -> Grouping:
        """The finest node: the classes of the frequency set."""
        return self._kept[0]

    def at(self, node: Node) -> Grouping:
        """The classes at a node.

        Far from every node at hand it goes by way of others, one column at a time: nodes asked for later share them.
        """
        source = self._nearest(node)
        raised = [column for column in self._order if source.node[column] != node[column]]
        if not raised:
            return source
        if len(raised) > FAR and len(source.sizes) > MANY:
            between = list(node)
            between[raised[-1]] = source.node[raised[-1]]
            source = self.at(tuple(between))
        found = self._coarser(source, node)
        self._keep(found)
        return found

    def class_of(self, node: Node) -> NDArray[np.intp]:
        """For each class of the frequency set, which class of `at(node)` it lies in."""
        grouping = self.at(node)
        _, class_of, _ = self._keys.grouped(node, self.bottom.members, self.bottom.sizes)
        number = np.empty(len(grouping.sizes), np.intp)
        number[class_of[grouping.members]] = np.arange(len(number))
        return number[class_of]

    def cells(self, node: Node, members: Codes) -> Codes:
        """(members, quasi) the code of every quasi-identifier at its level of the node."""
        levels = [levels[level] for levels, level in zip(self.maps, node, strict=True)]
        return np.stack([level[self.codes[members, i]] for i, level in enumerate(levels)], axis=1)

    def _nearest(self, node: Node) -> Grouping:
        finer = np.flatnonzero((self._nodes[: len(self._kept)] <= np.array(node, np.uint8)).all(axis=1))
        return self._kept[finer[self._numbers[finer].argmin()]]

    def _keep(self, grouping: Grouping) -> None:
        self._rows += grouping.rows
        if self._rows > MOST_KEPT:
            self._forget()
        if len(self._kept) == len(self._nodes):
            more = max(len(self._nodes), 64)
            self._nodes = np.pad(self._nodes, ((0, more), (0, 0)))
            self._numbers = np.pad(self._numbers, (0, more))
        self._nodes[len(self._kept)] = grouping.node
        self._numbers[len(self._kept)] = len(grouping.sizes)
        self._kept.append(grouping)

    def _forget(self) -> None:
        """Of the groupings keep the finest and the smaller half of the others: what is large is seldom the nearest."""
        small = 1 + np.argsort(self._numbers[1 : len(self._kept)])[: (len(self._kept) - 1) // 2]
        chosen = [0, *sorted(small.tolist())]
        self._kept = [self._kept[place] for place in chosen]
        self._nodes, self._numbers = self._nodes[chosen], self._numbers[chosen]
        self._rows = sum(grouping.rows for grouping in self._kept)

    def _coarser(self, source: Grouping, node: Node) -> Grouping:
        self._keys.done += source.rows
        first, class_of, sizes = self._keys.grouped(
            node, source.members, source.sizes, numbered=bool(source.entries)
        )
        entries = {
            column: _merged(class_of, sizes, classes, compiled=self._keys.are_compiled)
            for column, classes in source.entries.items()
        }
        return Grouping(node, source.members[first], sizes, entries)


class _Keys:
    """One number for the generalized values of a class, the sum of a few table look-ups.

    Columns are packed into a few groups; the values of one group are one code, and a table says what the code adds to
    the key at given levels.
    """

    def __init__(self, codes: Codes, maps: Sequence[Codes]) -> None:
        self.maps = maps
        self.groups = _packed([levels.shape[1] for levels in maps])
        self.codes = np.stack([self._code(codes, group) for group in self.groups])
        lengths = [prod(maps[column].shape[1] for column in group) for group in self.groups]
        self.starts = np.cumsum([0, *lengths[:-1]])
        self._sizes = [(levels.max(axis=1) + 1).tolist() for levels in maps]  # column -> level -> labels
        self.done = 0  # rows and entries that were grouped
        self._tables: dict[tuple[int, Node], tuple[Table, int]] = {}
        self._turn = 0

    @property
    def are_compiled(self) -> bool:
        """Whether the compiled loops are used: where much has been grouped, or they are loaded anyway."""
        return self.done > COMPILED_FROM or "aramis.tables.compiled" in sys.modules

    @cached_property
    def _slots(self) -> NDArray[np.uint64]:
        """The hash table of the compiled loop."""
        return np.zeros((1 << (2 * len(self.codes[0])).bit_length(), 2), np.uint64)

    def grouped(
        self, node: Node, members: Codes, sizes: Counts, *, numbered: bool = True
    ) -> tuple[Codes, Codes, Counts]:
        """The place of the first member of each class at a node, for each member which class is its own (not of use
        where it is not `numbered`), and the records of each class.
        """
        tables, spaces = zip(*(self._table(number, node) for number in range(len(self.groups))), strict=True)
        if not self.are_compiled or prod(spaces) >= KEY_SPACE:
            keys = self._keys(members, tables, spaces)
            _, first, class_of = np.unique(keys, return_index=True, return_inverse=True)
            records = np.bincount(class_of, sizes).astype(np.int64)
            return first.astype(np.int32), class_of.astype(np.int32), records
        from aramis.tables.compiled import grouped

        self._turn += 1
        scales = np.array(list(accumulate(spaces[:-1], mul, initial=1)), np.uint64)
        return grouped(
            *(self.codes, members, sizes, np.concatenate(tables), self.starts, scales),
            *(self._slots, self._turn, numbered),
        )

    def _keys(self, members: Codes, tables: Sequence[Table], sizes: Sequence[int]) -> Counts:
        keys, space = np.zeros(len(members), np.int64), 1
        for codes, table, size in zip(self.codes, tables, sizes, strict=True):
            if space * size >= KEY_SPACE:
                distinct, keys = np.unique(keys, return_inverse=True)
                space = len(distinct)
            keys = keys + space * table[codes[members]].astype(np.int64)
            space *= size
        return keys

    def _table(self, number: int, node: Node) -> tuple[Table, int]:
        """What each code of a group of columns adds, and a number above all of that."""
        levels = tuple(node[column] for column in self.groups[number])
        if (number, levels) not in self._tables:
            table, size = np.zeros(1, np.uint32), 1
            for column, level in zip(self.groups[number], levels, strict=True):
                up = self.maps[column][level].astype(np.uint32)
                table = np.add.outer(table, np.uint32(size) * up).ravel()
                size *= self._sizes[column][level]
            self._tables[number, levels] = table, size
        return self._tables[number, levels]

    def _code(self, codes: Codes, group: Sequence[int]) -> Table:
        packed = np.zeros(len(codes), np.uint32)
        for column in group:
            packed = packed * np.uint32(self.maps[column].shape[1]) + codes[:, column].astype(np.uint32)
        return packed


def _packed(sizes: Sequence[int]) -> list[list[int]]:
    """Columns in as few groups as keep the product of each group's sizes small, the large ones first."""
    groups: list[list[int]] = []
    products: list[int] = []
    for column in sorted(range(len(sizes)), key=lambda column: -sizes[column]):
        for number, product in enumerate(products):
            if product * sizes[column] <= TABLE_SIZE:
                groups[number].append(column)
                products[number] *= sizes[column]
                break
        else:
            groups.append([column])
            products.append(sizes[column])
    return groups


def _merged(class_of: Codes, sizes: Counts, classes: Classes, *, compiled: bool) -> Classes:
    """The same counts in coarser classes of these sizes."""
    values = len(classes.reference)
    if not compiled or len(sizes) * values > 8 * len(classes.values) + TABLE_SIZE:
        owner = class_of[classes.of_class].astype(np.intp)
        return classes_of(owner, classes.values, classes.counts, values, classes.reference)
    from aramis.tables.compiled import merged

    entries = merged(class_of, len(sizes), classes.starts, classes.values, classes.counts, values)
    return Classes(sizes, *entries, classes.reference)
