"""The table wing on one screen: a table is read, counted once, and asked what it discloses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from aramis.tables.check import Checked, check
from aramis.tables.counting import frequency_set
from aramis.tables.frequency import FrequencySet
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.models.distances import Ground
from aramis.tables.schema import Schema, schema_of
from aramis.tables.source import Source, read
from aramis.tables.wanted import Wanted, ground_of, wanted_models


def table(
    data: Any,
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    hierarchies: Mapping[str, Hierarchy] | None = None,
    distances: Mapping[str, str] | None = None,
) -> "Table":
    """A table to check or to anonymize, from a path or any dataframe that narwhals knows.

    >>> import aramis, polars
    >>> people = polars.DataFrame({"zip": ["476", "476", "479"], "ill": ["flu", "cold", "flu"]})
    >>> found = aramis.table(people, quasi=["zip"], sensitive=["ill"]).check(k=2)
    >>> found.k, found.sensitive["ill"].l_distinct, found.holds
    (1, 1, False)
    """
    source = read(data)
    return Table(source, schema_of(source, quasi, sensitive, hierarchies or {}, distances or {}))


@dataclass(frozen=True)
class Table:
    """A table, what its columns are, and what can be asked of it. It is counted once, when first asked."""

    source: Source
    schema: Schema

    @cached_property
    def frequency(self) -> FrequencySet:
        """The distinct tuples and their counts."""
        counted = frequency_set(
            self.source.frame, self.schema.quasi, self.schema.sensitive, text=self.source.text
        )
        self.source.unchanged()
        return counted

    @cached_property
    def grounds(self) -> dict[str, Ground]:
        """The ground distance of each sensitive column."""
        return {
            column: ground_of(
                self.frequency, column, self.schema.distances.get(column), self.schema.hierarchies.get(column)
            )
            for column in self.schema.sensitive
        }

    def check(self, **wanted: Any) -> Checked:
        """Every privacy level this table has, and whether the wanted ones hold.

        `k=5, l=3, t={"salary": 0.2}`: a number for every sensitive column, or one for each named; see `Wanted`.
        """
        models = wanted_models(Wanted(**wanted), self.schema.sensitive, self.grounds)
        return check(self.frequency, self.grounds, models)
