"""What the columns of a table are: which half-identify, which are sensitive, how their values become coarser."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from aramis.errors import BadInput
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.source import Source


@dataclass(frozen=True, slots=True)
class Schema:
    """What the columns of a table are."""

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy]
    distances: Mapping[str, str]


def schema_of(
    source: Source,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    distances: Mapping[str, str],
) -> Schema:
    """The schema of a table, with every column shown to be there and to have one part."""
    columns = source.frame.collect_schema().names()
    for name in (*quasi, *sensitive, *hierarchies, *distances):
        must_have(source.name, columns, name)
    if not quasi:
        raise BadInput(f"no quasi-identifier is named; {source.name} has {listed(columns)}")
    for name in (*quasi, *sensitive):
        if (*quasi, *sensitive).count(name) > 1:
            both = name in quasi and name in sensitive
            raise BadInput(
                f"{name} is named {'both as quasi-identifier and as sensitive' if both else 'twice'}"
            )
    return Schema(tuple(quasi), tuple(sensitive), dict(hierarchies), dict(distances))


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
