"""What the columns of a table are: which half-identify, which are sensitive, how their values become coarser."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from aramis.errors import BadInput
from aramis.tables.builders import Builder
from aramis.tables.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What the columns of a table are."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    identifying: tuple[str, ...] = ()  # left out, or pseudonyms in the release
    hierarchies: Mapping[str, Hierarchy | Builder] = field(default_factory=dict)
    distances: Mapping[str, str] = field(default_factory=dict)  # equal, ordered, numeric or hierarchical
    orders: Mapping[str, Sequence[str]] = field(
        default_factory=dict
    )  # the values of a column from low to high
    weights: Mapping[str, float] = field(default_factory=dict)  # of sensitive columns in their joint distance

    def must_fit(self, table: str, columns: Sequence[str]) -> None:
        """Raise where a column is not there, or is named for two things."""
        if not self.quasi:
            raise BadInput(f"no quasi-identifier is named; {table} has {listed(columns)}")
        parts = {
            "quasi-identifier": self.quasi,
            "sensitive": self.sensitive,
            "identifying": self.identifying,
        }
        for name in (*(name for names in parts.values() for name in names), *self.hierarchies, *self.orders):
            must_have(table, columns, name)
        for name, times in Counter(name for names in parts.values() for name in names).items():
            if times > 1:
                of = [part for part, names in parts.items() if name in names]
                raise BadInput(
                    f"{name!r} is named {' and '.join(f'as {part}' for part in of) if of[1:] else 'twice'}"
                )
        for name in (*self.distances, *self.weights):
            if name not in self.sensitive:
                raise BadInput(f"a distance is of a sensitive column; {name!r} is not one")


def must_have(table: str, columns: Sequence[str], name: str) -> None:
    """Raise where a column is not there, naming those that it may have been meant for."""
    if name not in columns:
        lower = {column.lower(): column for column in columns}
        near = [lower[match] for match in get_close_matches(name.lower(), lower, n=3, cutoff=0.6)]
        raise BadInput(
            f"{table} has no column {name!r}; "
            + (f"did you mean {listed(near)}?" if near else f"it has {listed(columns)}")
        )


def listed(names: Iterable[str], most: int = 20) -> str:
    """Names in a sentence."""
    every = list(names)
    return ", ".join(repr(name) for name in every[:most]) + (
        f" and {len(every) - most} more" if len(every) > most else ""
    )
