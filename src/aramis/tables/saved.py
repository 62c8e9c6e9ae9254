"""A full-domain recoding kept in a file, to be applied to other records of the same kind: next month's, the second site's.

It knows the columns, their hierarchies and levels, and what was wanted. It names values of the original, so it stays where
that is.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, full_domain
from aramis.tables.builders import Builder
from aramis.tables.frequency import Counts
from aramis.tables.goals import kept_among
from aramis.tables.hierarchy import Hierarchy, hierarchy
from aramis.tables.reach import named, percent
from aramis.tables.recoding import Recoding
from aramis.tables.rollup import Node
from aramis.tables.schema import Schema

UNKNOWN = "\0"  # the label of a value that a recoding does not know: no value of a table is written so
SHOWN = 3  # such values in a sentence


class Saved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One level for every quasi-identifier, and all that is needed to apply it and to check what comes out."""

    algorithm: str  # that found the levels
    generalization: dict[str, int]  # quasi-identifier -> level
    sensitive: list[str]
    identifying: list[str]
    hierarchies: dict[str, list[list[str]]]  # column -> rows: a value, then its label at each level above
    distances: dict[str, str]
    weights: dict[str, float]
    orders: dict[str, list[str]]
    wanted: dict[str, Any]
    suppress: float
    reference: str

    def as_schema(self) -> dict[str, Any]:
        """What it says of a table, as a schema file does."""
        return {
            "quasi": list(self.generalization),
            "sensitive": self.sensitive,
            "identifying": self.identifying,
            "hierarchies": self.hierarchies,
            "distances": self.distances,
            "weights": self.weights,
            "orders": self.orders,
        }

    def fitted(self, schema: Schema) -> Schema:
        """A schema whose hierarchies are those of the recoding, and have a place for values that it does not know."""
        if set(schema.quasi) != set(self.generalization):
            raise BadInput(
                f"the recoding is of {', '.join(self.generalization)}; the quasi-identifiers named are "
                f"{', '.join(schema.quasi)}"
            )
        named_anew = sorted(set(schema.hierarchies) & set(schema.quasi) - set(self.hierarchies))
        if named_anew:
            raise BadInput(
                f"the recoding has no hierarchy of {named_anew[0]}, whose values it keeps or stars; give none"
            )
        saved = {column: hierarchy(column, rows) for column, rows in self.hierarchies.items()}
        made = {
            column: self._fitted(column, schema.hierarchies.get(column, one))
            for column, one in saved.items()
            if column in schema.quasi
        }
        return replace(schema, hierarchies={**saved, **schema.hierarchies, **made})

    def again(self) -> Anonymizer:
        """The anonymizer that searches for nothing: it applies these levels."""
        return Anonymizer(
            name=f"{self.algorithm}, reused",
            recode=self._recode,
            guarantee="every class satisfies the models, checked anew; the levels are the saved ones, which may not be the "
            "best for these records",
            paper="",
        )

    def _fitted(self, column: str, given: Hierarchy | Builder) -> Builder:
        """A builder of the hierarchy given, which must say what the saved one says."""

        def build(_: str, values: Any, records: Counts) -> Hierarchy:
            made = given if isinstance(given, Hierarchy) else given(column, values, records)
            self._must_agree(column, made)
            return made.extended(values, UNKNOWN)

        return build

    def _must_agree(self, column: str, made: Hierarchy) -> None:
        level = self.generalization[column]
        if level >= made.levels:
            raise BadInput(
                f"the hierarchy given of {column} has {made.levels} levels; the recoding needs level {level}"
            )
        labels = {row[0]: row[level] for row in made.rows()}
        for row in self.hierarchies[column]:
            said = labels.get(row[0], row[level])
            if said != row[level]:
                raise BadInput(
                    f"the hierarchy given of {column} has {said!r} for {row[0]!r} at level {level}; the recoding has "
                    f"{row[level]!r}"
                )

    def _recode(self, task: Task) -> Recoding:
        node = tuple(self.generalization[column] for column in task.frequency.quasi)
        grouping = task.rollup.at(node)
        cells = task.rollup.cells(node, grouping.members)
        known = ~np.any(
            [is_unknown[codes] for is_unknown, codes in zip(_unknown(task, node), cells.T, strict=True)],
            axis=0,
        )
        kept = kept_among(grouping, task.goals, known)
        strange = int(grouping.sizes[~known].sum())
        gone = int(grouping.sizes[~kept].sum())
        if gone > task.goals.allowed(task.frequency.rows):
            raise Unreachable(_why(task, node, gone, strange))
        return replace(
            full_domain(task, node, kept), remarks=(_strangers(task, node, strange),) if strange else ()
        )


def _unknown(task: Task, node: Node) -> list[NDArray[np.bool_]]:
    """For each quasi-identifier, which labels at its level stand for values that the recoding does not know."""
    return [
        np.array([label == UNKNOWN for label in one.labels[level]])
        for one, level in zip(task.hierarchies, node, strict=True)
    ]


def _why(task: Task, node: Node, gone: int, strange: int) -> str:
    """What the levels would take."""
    asked = " with ".join(named(model) for model in task.goals.models)
    rows = task.frequency.rows
    return (
        f"with the levels of the recoding, {asked} needs {percent(gone / rows)} of the records suppressed; "
        f"{percent(task.goals.suppress)} is allowed"
        + (f"; {_strangers(task, node, strange)}" if strange else "")
    )


def _strangers(task: Task, node: Node, records: int) -> str:
    """The values that the recoding does not know, in a sentence."""
    values = [
        f"{one.labels[0][one.codes[0][leaf]]!r} of {column}"
        for column, one, level, is_unknown in zip(
            task.frequency.quasi, task.hierarchies, node, _unknown(task, node), strict=True
        )
        for leaf in np.flatnonzero(is_unknown[one.codes[level]])
    ]
    more = f" and {len(values) - SHOWN} more" if len(values) > SHOWN else ""
    who = "1 record has" if records == 1 else f"{records:,} records have"
    return f"{who} a value that the recoding does not know: {', '.join(values[:SHOWN])}{more}"


def wanted_of(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What of these is wanted at all: options that were not given say nothing."""
    given = {name: of for name, of in wanted.items() if of not in (None, False) and of != {}}
    return given if set(given) - {"l_kind", "joint", "alpha_of"} else {}


def write_recoding(saved: Saved, path: Path) -> None:
    """Write a recoding as JSON."""
    try:
        content = msgspec.json.format(msgspec.json.encode(saved))
    except TypeError as error:
        raise BadInput(f"{path}: what is wanted cannot be written as JSON: {error}") from None
    path.write_bytes(content + b"\n")


def read_recoding(path: Path) -> Saved:
    """Read a recoding that was written."""
    if not path.is_file():
        raise BadInput(f"there is no recoding {path}; `aramis table anonymize --save-recoding` writes one")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Saved)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} is no recoding: {error}") from None
