"""A table before and after: what every measure of utility is asked about."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import Codes, Counts, FrequencySet
from aramis.tables.hierarchy import Hierarchy, text
from aramis.tables.utility.cells import Cells, cells_of


@dataclass(frozen=True, slots=True)
class Pair:
    """The original and the released records of a table, and what the released cells cover of the original values."""

    before: FrequencySet
    after: FrequencySet
    cells: tuple[Cells, ...]  # of each quasi-identifier

    @property
    def suppressed(self) -> int:
        """How many records of the original are not released."""
        return self.before.rows - self.after.rows

    def labels(self, column: str) -> Counts:
        """How many released records have each label of a column."""
        return self.after.records_of(column)

    def true(self, column: str) -> Codes:
        """The code in the original of each released value of a sensitive column."""
        place = {text(value): code for code, value in enumerate(self.before.domains[column])}
        absent = [value for value in self.after.domains[column] if text(value) not in place]
        if absent:
            raise BadInput(
                f"the release has {text(absent[0])!r} in {column}, which the original does not have"
            )
        return np.array([place[text(value)] for value in self.after.domains[column]], np.int32)


def pair_of(before: FrequencySet, after: FrequencySet, hierarchies: Mapping[str, Hierarchy]) -> Pair:
    """Read a release against the table it was made from."""
    if after.rows > before.rows:
        raise BadInput(
            f"the release has {after.rows} rows and the original {before.rows}; are they the other way round?"
        )
    cells = tuple(
        cells_of(column, after.domains[column], before, hierarchies.get(column)) for column in before.quasi
    )
    return Pair(before, after, cells)
