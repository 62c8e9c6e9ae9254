"""The table wing on one screen: a table is read, counted once, and asked what it discloses.

What only anonymizing or comparing needs is imported there: a check waits for no search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aramis.tables.builders import Builder
from aramis.tables.check import Checked, check
from aramis.tables.counting import frequency_set
from aramis.tables.frequency import JOINT, FrequencySet
from aramis.tables.hierarchies import Given, hierarchy_of
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.models.delta_presence import DeltaPresence
from aramis.tables.models.distances import Ground
from aramis.tables.models.model import Model
from aramis.tables.presence import presence as presence_of
from aramis.tables.protection import Discrimination, discrimination, protections
from aramis.tables.pseudonyms import read_key, without_identity
from aramis.tables.reference import Distribution, compared_with, distribution_of, read_distribution
from aramis.tables.schema import Schema
from aramis.tables.source import Source, read, readable
from aramis.tables.supersets import supersets_of
from aramis.tables.wanted import Wanted, ground_of, joint_ground, wanted_models

if TYPE_CHECKING:
    from aramis.tables.anonymize import Anonymized
    from aramis.tables.frontier import Frontier
    from aramis.tables.search import Tell
    from aramis.tables.utility.compare import Utility


def table(
    data: Any,
    *,
    quasi: str | Sequence[str] = (),
    sensitive: str | Sequence[str] = (),
    identifying: str | Sequence[str] = (),
    schema: str | Path | None = None,
    key: str | Path | None = None,
    hierarchies: Mapping[str, Given] | None = None,
    distances: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
) -> "Table":
    """A table to check or to anonymize, from a path or any dataframe that narwhals knows.

    `identifying` columns are left out of everything, or, with a `key` file, get pseudonyms. `schema`: a TOML file that
    says all of this; what is given beside it goes before.

    >>> import aramis, polars
    >>> people = polars.DataFrame({"zip": ["476", "476", "479"], "ill": ["flu", "cold", "flu"]})
    >>> found = aramis.table(people, quasi=["zip"], sensitive=["ill"]).check(k=2)
    >>> found.k, found.sensitive["ill"].l_distinct, found.holds
    (1, 1, False)
    """
    said = _said(Path(schema)) if schema else {}
    source = read(
        data,
        separator=separator or said.get("separator"),
        encoding=encoding or said.get("encoding"),
        missing=missing or said.get("missing", ()),
    )
    names = source.frame.collect_schema().names()
    sensitive = _names(sensitive or said.get("sensitive", ()))
    found = Schema(
        quasi=_names(quasi or said.get("quasi", ())),
        sensitive=sensitive,
        identifying=_names(identifying or said.get("identifying", ())),
        hierarchies={
            column: hierarchy_of(column, given)
            for column, given in (said.get("hierarchies", {}) | dict(hierarchies or {})).items()
        },
        distances=_of(said, "distances", sensitive) | dict(distances or {}),
        weights=_of(said, "weights", sensitive) | dict(weights or {}),
        orders=said.get("orders", {}) | dict(orders or {}),
    )
    found.must_fit(source.name, names)
    return Table(without_identity(source, found.identifying, read_key(Path(key)) if key else None), found)


def _said(path: Path) -> Mapping[str, Any]:
    """What a schema file says, or a saved recoding."""
    from aramis.tables.saved import read_recoding
    from aramis.tables.schema_file import read_schema

    return read_recoding(path).as_schema() if path.suffix == ".json" else read_schema(path)


def _of(said: Mapping[str, Any], key: str, columns: Sequence[str]) -> dict[str, Any]:
    """What a schema says of these columns; it may say more than is asked for this time."""
    return {column: value for column, value in said.get(key, {}).items() if column in columns}


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@dataclass(frozen=True)
class Table:
    """A table, what its columns are, and what can be asked of it. It is counted once, when first asked."""

    source: Source
    schema: Schema

    def again(self, data: Any) -> "Table":
        """Another table with the same columns: the original that this one was made from."""
        source = read(data, missing=self.source.missing)
        self.schema.must_fit(source.name, source.frame.collect_schema().names())
        return Table(source, self.schema)

    @cached_property
    def frequency(self) -> FrequencySet:
        """The distinct tuples and their counts."""
        source, schema = self.source, self.schema
        with readable(source.path, source.dialect):
            text = source.dialect is not None
            counted = frequency_set(
                source.frame,
                schema.quasi,
                schema.sensitive,
                text=text,
                orders=schema.orders,
                in_memory=source.in_memory,
            )
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
        reference: "Reference | None" = None,
        population: "Table | None" = None,
        presence: tuple[float, float] = (0.0, 1.0),
        joint: bool = False,
        **wanted: Any,
    ) -> Checked:
        """Every privacy level this table has, and whether the wanted ones hold.

        `k=5, l=3, t={"salary": 0.2}`: a number for every sensitive column, or one for each named; see `Wanted`. With
        `joint` they are wanted of all sensitive columns together. `reference`: what t, beta and delta compare a class
        with; this table where it is not given, else the original table, or the share of each value of a column, which
        may be in a file. With a `population` that everybody here is part of, delta-presence is told, and wanted to be
        from the first to the second of `presence`.
        """
        frequency, references = compared_with(self.counted, _distributions(reference, self.counted))
        grounds = self._grounds(frequency)
        asked = Wanted(**wanted)
        models = self._models(frequency, grounds, asked, joint=joint)
        of_population = presence_of(frequency, population.frequency) if population else None
        word = "released" if reference is None else "original" if isinstance(reference, Table) else "given"
        return check(
            frequency,
            grounds,
            models,
            references=references,
            reference=word,
            source=str(self.source),
            presence=(DeltaPresence(*presence), of_population) if of_population else None,
            discrimination=_discrimination(frequency, asked),
        )

    def anonymize(
        self,
        *,
        algorithm: str = "optimal",
        reuse: str | Path | None = None,
        suppress: float | None = None,
        loss: str = "ncp",
        reference: str | None = None,
        seed: int | None = None,
        out: str | Path | None = None,
        star: bool = False,
        shuffle: bool = False,
        overwrite: bool = False,
        save_recoding: str | Path | None = None,
        tell: "Tell | None" = None,
        **wanted: Any,
    ) -> "Anonymized":
        """Bring this table to the wanted levels at the least loss, and check what comes out.

        `wanted` as in `check`; `suppress` is the share of records that may be left out. The release is a frame, or is
        written to `out`. `save_recoding` keeps the levels in a file; `reuse` applies those of such a file instead of
        searching, to what was wanted then where nothing else is said. See `How` and `Writing` for the others.

        >>> import aramis, polars
        >>> ages = polars.DataFrame({"age": [31, 34, 38, 52, 57], "ill": ["flu", "cold", "flu", "cold", "flu"]})
        >>> table = aramis.table(ages, quasi=["age"], sensitive=["ill"], hierarchies={"age": "intervals:10"})
        >>> table.anonymize(k=2, l=2).frame["age"].to_list()
        ['30-39', '30-39', '30-39', '50-59', '50-59']
        """
        from aramis.tables.anonymize import How, Writing, anonymize
        from aramis.tables.anonymizers.anonymizer import silent
        from aramis.tables.saved import read_recoding, wanted_of

        saved = read_recoding(Path(reuse)) if reuse else None
        how = How(
            algorithm=algorithm,
            reuse=saved,
            suppress=_first(suppress, saved and saved.suppress, 0.0),
            loss=loss,
            reference=_first(reference, saved and saved.reference, "released"),
            seed=seed,
        )
        writing = Writing(
            out=Path(out) if out else None,
            star=star,
            shuffle=shuffle,
            overwrite=overwrite,
            recoding=Path(save_recoding) if save_recoding else None,
        )
        if saved:
            table = Table(self.source, saved.fitted(self.schema))
            return anonymize(table, wanted_of(wanted) or saved.wanted, how, writing, tell or silent)
        return anonymize(self, wanted, how, writing, tell or silent)

    def frontier(
        self,
        *,
        algorithm: str = "optimal",
        suppress: float | None = None,
        loss: str = "ncp",
        reference: str | None = None,
        seed: int | None = None,
        tell: "Tell | None" = None,
        **wanted: Any,
    ) -> "Frontier":
        """What each level of one model costs: `k=[2, 5, 10], l=2` tells the loss at every k, with l = 2 throughout.

        >>> import aramis, polars
        >>> ages = polars.DataFrame({"age": [31, 34, 38, 52, 57]})
        >>> table = aramis.table(ages, quasi="age", hierarchies={"age": "intervals:5,10"})
        >>> [(point.level, round(point.loss, 2)) for point in table.frontier(k=[1, 2, 3, 6]).points]
        [(1, 0.0), (2, 0.52), (3, 1.0)]
        """
        from aramis.tables.anonymize import How
        from aramis.tables.anonymizers.anonymizer import silent
        from aramis.tables.frontier import frontier

        how = How(
            algorithm=algorithm,
            suppress=_first(suppress, 0.0),
            loss=loss,
            reference=_first(reference, "released"),
            seed=seed,
        )
        return frontier(self, wanted, how, tell or silent)

    def compare(self, release: Any, *, label: str | None = None, seed: int = 0) -> "Utility":
        """What a release of this table has lost, by every measure. `label`: what a classifier is to tell.

        Rows with nothing but stars count as suppressed. The labels of the release are read with the hierarchies of
        this table.

        >>> import aramis, polars
        >>> ages = polars.DataFrame({"age": [31, 34, 38], "ill": ["flu", "cold", "flu"]})
        >>> release = polars.DataFrame({"age": ["[31, 38)", "[31, 38)"], "ill": ["flu", "cold"]})
        >>> lost = aramis.table(ages, quasi=["age"], sensitive=["ill"]).compare(release)
        >>> lost.suppressed, round(lost.ncp, 3)
        (1, 0.619)
        """
        from aramis.tables.anonymize import without_stars
        from aramis.tables.utility.compare import compare
        from aramis.tables.utility.pair import pair_of

        after = self.released(read(release))
        after = self.released(without_stars(after.source, self))
        return compare(pair_of(self.frequency, after.frequency, self.hierarchies), label, seed)

    def released(self, source: Source) -> "Table":
        """A release of this table: other quasi-identifiers, the same sensitive columns."""
        self.schema.must_fit(source.name, source.frame.collect_schema().names())
        kept = {
            column: self.hierarchies[column] for column in self.schema.sensitive if column in self.hierarchies
        }
        return Table(source, replace(self.schema, hierarchies=kept))

    @cached_property
    def counted(self) -> FrequencySet:
        """The frequency set, with all sensitive columns together as one more where there are several."""
        return self.frequency.with_joint() if len(self.schema.sensitive) > 1 else self.frequency

    def _grounds(self, frequency: FrequencySet) -> dict[str, Ground]:
        grounds = self.grounds(frequency)
        if JOINT in frequency.sensitive:
            grounds[JOINT] = joint_ground(frequency, grounds, self.schema.weights)
        return grounds

    def models(self, *, joint: bool = False, **wanted: Any) -> tuple[Model, ...]:
        """The models that say whether a release of this table has what is wanted."""
        return self._models(self.counted, self._grounds(self.counted), Wanted(**wanted), joint=joint)

    def _models(
        self, frequency: FrequencySet, grounds: Mapping[str, Ground], wanted: Wanted, *, joint: bool
    ) -> tuple[Model, ...]:
        asked_of = (JOINT,) if joint and JOINT in grounds else self.schema.sensitive
        supersets = partial(supersets_of, self.frequency, self.hierarchies)
        return (
            *wanted_models(wanted, asked_of, grounds, frequency.domains, supersets),
            *protections(frequency, wanted.is_denied, wanted.is_protected, wanted.protection),
        )


def _first(*given: Any) -> Any:
    """The first of these that is said."""
    return next(one for one in given if one is not None)


def _discrimination(frequency: FrequencySet, wanted: Wanted) -> Discrimination | None:
    denied, protected = wanted.is_denied, wanted.is_protected
    return discrimination(frequency, denied, protected) if denied and protected else None


def _distributions(reference: "Reference | None", frequency: FrequencySet) -> Mapping[str, Distribution]:
    if isinstance(reference, Table):
        return {column: distribution_of(reference.counted, column) for column in frequency.sensitive}
    return {
        column: read_distribution(column, Path(given), frequency.domains.get(column, ()))
        if isinstance(given, str | Path)
        else given
        for column, given in (reference or {}).items()
    }


Reference = Table | Mapping[str, Distribution | str | Path]
"""What classes are compared with: another table, or for columns the share of each value, or a file with those."""
