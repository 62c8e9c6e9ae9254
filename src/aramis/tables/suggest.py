"""What the columns of a table may be: a suggestion with its reasons, for a person to decide on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np

from aramis.tables.counting import NESTED, frequency_set
from aramis.tables.frequency import FrequencySet
from aramis.tables.hierarchy import text
from aramis.tables.identifiers import COARSENED, HIPAA, QUASI, SENSITIVE, Identifier, look, named
from aramis.tables.source import read, readable

SAMPLE = 1_000  # values whose look is taken
UNIQUE = 0.95  # a column with this share of rows alone in their value names its people
SEPARATES = 0.2  # a column that tells apart this share of pairs of people helps to find one


class Part(StrEnum):
    """What a column is."""

    IDENTIFYING = "identifying"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Column:
    """A column as it may be, and what speaks for it."""

    name: str
    part: Part
    why: str
    distinct: int
    unique: float  # the share of rows whose value nobody else has
    separation: float  # the share of pairs of rows that it tells apart
    missing: int
    hipaa: str | None  # which of the eighteen identifiers of HIPAA Safe Harbor it may be


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the columns of a table may be, and how far the quasi-identifiers together identify."""

    source: str
    rows: int
    columns: tuple[Column, ...]
    unique_together: (
        float | None
    )  # the share of rows alone in their class; None: no quasi-identifier is suggested

    def of_part(self, part: str) -> tuple[str, ...]:
        """The columns that may be this."""
        return tuple(column.name for column in self.columns if column.part == part)

    @property
    def hipaa(self) -> Mapping[str, tuple[str, ...]]:
        """The check list of HIPAA Safe Harbor: for each of the eighteen, the columns that may be it."""
        return {
            one.name: tuple(column.name for column in self.columns if column.hipaa == one.name)
            for one in HIPAA
        }


def suggest(
    data: Any, *, separator: str | None = None, encoding: str | None = None, missing: Sequence[str] = ()
) -> Suggestion:
    """Suggest which columns identify, half-identify and are sensitive: by their names, values and distinctness.

    >>> import aramis, polars
    >>> people = polars.DataFrame({"email": ["a@b.org", "c@d.org"], "age": [31, 47], "disease": ["flu", "flu"]})
    >>> [(column.name, str(column.part)) for column in aramis.suggest(people).columns]
    [('email', 'identifying'), ('age', 'quasi'), ('disease', 'sensitive')]
    """
    source = read(data, separator=separator, encoding=encoding, missing=missing)
    of_text = source.dialect is not None
    with readable(source.path, source.dialect):
        schema = source.frame.collect_schema()
        counted = {
            name: frequency_set(source.frame, [name], text=of_text)
            for name, dtype in schema.items()
            if not isinstance(dtype, NESTED)
        }
        columns = tuple(_column(name, counted.get(name)) for name in schema)
        quasi = [column.name for column in columns if column.part is Part.QUASI]
        together = frequency_set(source.frame, quasi, text=of_text) if quasi else None
    source.unchanged()
    return Suggestion(
        source=str(source),
        rows=max((found.rows for found in counted.values()), default=0),
        columns=columns,
        unique_together=_unique(together) if together else None,
    )


def _column(name: str, counted: FrequencySet | None) -> Column:
    if counted is None:
        return Column(
            name,
            Part.OTHER,
            "lists or records in its cells; take them apart to know more",
            0,
            0.0,
            0.0,
            0,
            None,
        )
    values = [value for value in counted.domains[name] if value is not None]
    seen = look([text(value) for value in islice(values, 0, None, max(len(values) // SAMPLE, 1))])
    called = next((one for one in HIPAA if named(name, one.words)), None)
    part, why = _part(name, counted, seen, called)
    identifier = seen or called
    return Column(
        name=name,
        part=part,
        why=why,
        distinct=len(values),
        unique=_unique(counted),
        separation=_separation(counted),
        missing=counted.rows - sum(counted.counts[: len(values)].tolist()),
        hipaa=identifier.name if identifier and part is not Part.SENSITIVE else None,
    )


def _part(
    name: str, counted: FrequencySet, seen: Identifier | None, called: Identifier | None
) -> tuple[Part, str]:
    """The first that speaks: how values look, what the column is called, how far it tells people apart."""
    domain = counted.domains[name]
    unique, separation = _unique(counted), _separation(counted)
    if seen and seen.name not in COARSENED:
        return Part.IDENTIFYING, f"its values look like {seen.name}"
    if word := named(name, SENSITIVE):
        return Part.SENSITIVE, f"called {word}"
    if word := named(name, (*QUASI, *(word for one in HIPAA if one.name in COARSENED for word in one.words))):
        return Part.QUASI, f"called {word}"
    if called and (called is not HIPAA[-1] or unique >= UNIQUE):
        return Part.IDENTIFYING, f"called {named(name, called.words)}"
    if len(domain) < 2:
        return Part.OTHER, "the same in every row"
    if seen:
        return Part.QUASI, f"its values look like {seen.name}"
    if unique >= UNIQUE and not any(isinstance(value, float) and value % 1 for value in domain):
        return Part.IDENTIFYING, f"{unique:.0%} of the rows have a value that nobody else has"
    if separation >= SEPARATES and name not in counted.ordered:
        return Part.QUASI, f"tells {separation:.0%} of all pairs of rows apart"
    return Part.OTHER, "nothing speaks for another part; is it known to others, or secret?"


def _unique(counted: FrequencySet) -> float:
    return float(np.count_nonzero(counted.counts == 1) / counted.rows)


def _separation(counted: FrequencySet) -> float:
    pairs = counted.rows * (counted.rows - 1)
    alike = float(np.sum(counted.counts * (counted.counts - 1)))
    return 1 - alike / pairs if pairs else 0.0
