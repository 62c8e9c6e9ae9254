"""Who is denied what: the decision and the protected group that a user names, and what a table has of every measure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import JOINT, Codes, Counts, FrequencySet
from aramis.tables.hierarchy import text
from aramis.tables.models.discrimination import MEASURES, RC, Protection, bound, decisions, measured

LEAST = {"RD": -1.0, "ED": -1.0}  # of the others 0
SHOWN = 10  # values of a column, where one is named that it does not have

Named = Mapping[str, str | Sequence[str]]
"""A sensitive column, and the value of it that is meant, or several."""


@dataclass(frozen=True, slots=True)
class Records:
    """The records that have one of some values in a sensitive column."""

    column: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.column} = {' or '.join(self.values)}"

    def among(self, frequency: FrequencySet) -> NDArray[np.bool_]:
        """Which combinations of the sensitive columns are of such records."""
        columns = [name for name in frequency.sensitive if name != JOINT]
        if self.column not in columns:
            raise BadInput(
                f"{self} is asked about, and {self.column} is not sensitive; {', '.join(columns) or 'no column'} is"
            )
        known = {text(value) for value in frequency.domains[self.column]}
        if absent := [value for value in self.values if value not in known]:
            raise BadInput(
                f"no record has {absent[0]} in {self.column}; it has {', '.join(sorted(known)[:SHOWN])}"
            )
        place = columns.index(self.column)
        combinations: Any = frequency.domains[JOINT]
        return np.array([text(combination[place]) in self.values for combination in combinations])


@dataclass(frozen=True, slots=True)
class Measured:
    """What a table has of one measure of discrimination."""

    table: float  # of all records together
    worst: float  # of the worst class; NaN: none can be judged
    bound: float  # worse than this it cannot be in any class, by t


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How often a protected group is denied, beside the others in its class."""

    denied: Records
    protected: Records
    unjudged_classes: int  # without one of the two groups
    unjudged_records: int
    t: float  # how far the share denied in a class, among the protected or the others, is from that of the table
    measures: Mapping[str, Measured]


def discrimination(frequency: FrequencySet, denied: Records, protected: Records) -> Discrimination:
    """Every measure of a table."""
    counts = decisions(frequency.classes(JOINT), _cells(frequency, denied, protected))
    groups = counts.reshape(-1, 2)  # of each class the protected, then the others: denied and granted
    sizes, share = groups.sum(axis=1), float(groups[:, 0].sum() / groups.sum())
    t = float(np.abs(groups[:, 0] / np.maximum(sizes, 1) - share)[sizes > 0].max())
    unjudged = (sizes.reshape(-1, 2) == 0).any(axis=1)
    return Discrimination(
        denied=denied,
        protected=protected,
        unjudged_classes=int(unjudged.sum()),
        unjudged_records=int(counts[unjudged].sum()),
        t=t,
        measures={
            name: Measured(
                table=float(measured(name, counts.sum(axis=0, keepdims=True))[0]),
                worst=_worst(name, counts[~unjudged]),
                bound=bound(name, t, share),
            )
            for name in MEASURES
        },
    )


def protections(
    frequency: FrequencySet, denied: Records | None, protected: Records | None, wanted: Mapping[str, float]
) -> Iterator[Protection]:
    """A model for each measure of which a level is wanted."""
    for measure, level in wanted.items():
        if denied is None or protected is None:
            raise BadInput(
                "protection is from being denied more often than others; say which value of which column denies, and "
                "which group is protected: denied and protected"
            )
        if measure not in MEASURES:
            raise BadInput(
                f"there is no measure of discrimination {measure}; choose one of {', '.join(MEASURES)}"
            )
        if not LEAST.get(measure, 0.0) <= level < np.inf:
            raise BadInput(f"{measure} = {level:g} means nothing; it is {LEAST.get(measure, 0.0):g} or more")
        yield Protection(JOINT, _cells(frequency, denied, protected), measure, level)


def records_of(what: str, named: Named | None) -> Records | None:
    """The records that a user names: {"credit": "no"}."""
    if named is None:
        return None
    if len(named) != 1:
        raise BadInput(f"{what} is about one column; {' and '.join(named) or 'none'} is given")
    ((column, values),) = named.items()
    return Records(column, (values,) if isinstance(values, str) else tuple(values))


def _cells(frequency: FrequencySet, denied: Records, protected: Records) -> Codes:
    """For each combination of the sensitive columns, which of the four cells of a measure it is counted in."""
    if denied.column == protected.column:
        raise BadInput(
            f"{denied} denies and {protected} is protected: a decision and a group are two columns"
        )
    granted, other = ~denied.among(frequency), ~protected.among(frequency)
    return (2 * other + granted).astype(np.int32)


def _worst(measure: str, judged: Counts) -> float:
    found = measured(measure, judged)
    return float(found.min() if measure == RC else found.max()) if len(found) else np.nan
