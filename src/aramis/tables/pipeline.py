"""The table wing on one screen: a table is read, counted once, and asked what it discloses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from aramis.tables.builders import Builder
from aramis.tables.check import Checked, check
from aramis.tables.counting import frequency_set
from aramis.tables.frequency import JOINT, FrequencySet
from aramis.tables.hierarchies import Given, hierarchy_of
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.models.distances import Ground
from aramis.tables.reference import Distribution, compared_with, distribution_of
from aramis.tables.schema import Schema
from aramis.tables.source import Source, read, readable
from aramis.tables.wanted import Wanted, ground_of, joint_ground, wanted_models


def table(
    data: Any,
    *,
    quasi: str | Sequence[str],
    sensitive: str | Sequence[str] = (),
    hierarchies: Mapping[str, Given] | None = None,
    distances: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
) -> "Table":
    """A table to check or to anonymize, from a path or any dataframe that narwhals knows.

    >>> import aramis, polars
    >>> people = polars.DataFrame({"zip": ["476", "476", "479"], "ill": ["flu", "cold", "flu"]})
    >>> found = aramis.table(people, quasi=["zip"], sensitive=["ill"]).check(k=2)
    >>> found.k, found.sensitive["ill"].l_distinct, found.holds
    (1, 1, False)
    """
    source = read(data, separator=separator, encoding=encoding, missing=missing)
    schema = Schema(
        quasi=(quasi,) if isinstance(quasi, str) else tuple(quasi),
        sensitive=(sensitive,) if isinstance(sensitive, str) else tuple(sensitive),
        hierarchies={column: hierarchy_of(column, given) for column, given in (hierarchies or {}).items()},
        distances=distances or {},
        weights=weights or {},
    )
    schema.must_fit(source.name, source.frame.collect_schema().names())
    return Table(source, schema)


@dataclass(frozen=True)
class Table:
    """A table, what its columns are, and what can be asked of it. It is counted once, when first asked."""

    source: Source
    schema: Schema

    def again(self, data: Any) -> "Table":
        """Another table with the same columns: the original that this one was made from."""
        source = read(data)
        self.schema.must_fit(source.name, source.frame.collect_schema().names())
        return Table(source, self.schema)

    @cached_property
    def frequency(self) -> FrequencySet:
        """The distinct tuples and their counts."""
        source, schema = self.source, self.schema
        with readable(source.path, source.dialect):
            text = source.dialect is not None
            counted = frequency_set(source.frame, schema.quasi, schema.sensitive, text=text)
        self.source.unchanged()
        return counted

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchies, each shown to cover every value of its column."""
        return {
            column: self._hierarchy(column, given)
            for column, given in self.schema.hierarchies.items()
            if column in self.frequency.domains
        }

    def _hierarchy(self, column: str, given: Hierarchy | Builder) -> Hierarchy:
        domain = self.frequency.domains[column]
        if not isinstance(given, Hierarchy):
            given = given(column, domain, self.frequency.records_of(column))
        return given.covering(domain)

    def grounds(self, frequency: FrequencySet) -> dict[str, Ground]:
        """The ground distance of each sensitive column, over the domains of a frequency set of this table."""
        return {
            column: ground_of(
                frequency, column, self.schema.distances.get(column), self.hierarchies.get(column)
            )
            for column in self.schema.sensitive
        }

    def check(
        self,
        *,
        reference: "Table | Mapping[str, Distribution] | None" = None,
        joint: bool = False,
        **wanted: Any,
    ) -> Checked:
        """Every privacy level this table has, and whether the wanted ones hold.

        `k=5, l=3, t={"salary": 0.2}`: a number for every sensitive column, or one for each named; see `Wanted`. With
        `joint` they are wanted of all sensitive columns together. `reference`: what t, beta and delta compare a class
        with; this table where it is not given, else the original table, or the share of each value of a column.
        """
        sensitive = self.schema.sensitive
        frequency = self.frequency.with_joint() if len(sensitive) > 1 else self.frequency
        frequency, references = compared_with(frequency, _distributions(reference, frequency.sensitive))
        grounds = self.grounds(frequency)
        if JOINT in frequency.sensitive:
            grounds[JOINT] = joint_ground(frequency, grounds, self.schema.weights)
        asked_of = (JOINT,) if joint and JOINT in grounds else sensitive
        models = wanted_models(Wanted(**wanted), asked_of, grounds)
        word = "released" if reference is None else "original" if isinstance(reference, Table) else "given"
        return check(
            frequency, grounds, models, references=references, reference=word, source=str(self.source)
        )


def _distributions(
    reference: "Table | Mapping[str, Distribution] | None", sensitive: Sequence[str]
) -> Mapping[str, Distribution]:
    if not isinstance(reference, Table):
        return reference or {}
    original = reference.frequency.with_joint() if JOINT in sensitive else reference.frequency
    return {column: distribution_of(original, column) for column in sensitive}
