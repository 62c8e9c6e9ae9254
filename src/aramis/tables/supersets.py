"""The natural supersets of a table's classes: who else fits the same description when it becomes coarser."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Codes, FrequencySet
from aramis.tables.hierarchy import Hierarchy

MOST = 20_000  # descriptions that are tried


@dataclass(frozen=True)
class Supersets:
    """For every coarser description of the quasi-identifiers, the number of the group that each class falls into."""

    levels: tuple[Codes, ...]  # of each quasi-identifier: (levels, classes) the code at each level

    def __iter__(self) -> Iterator[NDArray[np.intp]]:
        for node in product(*(range(len(codes)) for codes in self.levels)):
            yield _groups([codes[level] for codes, level in zip(self.levels, node, strict=True)])


def supersets_of(frequency: FrequencySet, hierarchies: Mapping[str, Hierarchy]) -> Supersets:
    """The supersets by the hierarchies; a column without one is told or not told."""
    first = frequency.class_starts()[:-1]
    levels = tuple(
        _levels(frequency, column, hierarchies.get(column))[:, frequency.codes_of(column)[first]]
        for column in frequency.quasi
    )
    if prod(map(len, levels)) > MOST:
        raise BadInput(
            f"(n,t)-closeness tries every coarser description, here {prod(map(len, levels))}, and {MOST} are the most; "
            "give hierarchies with fewer levels"
        )
    return Supersets(levels)


def _levels(frequency: FrequencySet, column: str, hierarchy: Hierarchy | None) -> Codes:
    domain = frequency.domains[column]
    if hierarchy:
        return hierarchy.over(domain)
    return np.array([np.arange(len(domain)), np.zeros(len(domain))], np.int32)


def _groups(columns: list[Codes]) -> NDArray[np.intp]:
    group = np.zeros(len(columns[0]), np.intp)
    for codes in columns:
        group = np.unique(group * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
    return group
