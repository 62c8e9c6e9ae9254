"""A recoding kept in a file, to be applied to other records of the same kind: next month's, the second site's.

It knows the columns, their hierarchies and levels, or what each class says, and what was wanted. It names values of the original, so it
stays where that is; of classes it says no more than the release does.
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
from aramis.tables.boxes import NO_CLASS, class_of_each
from aramis.tables.builders import Builder
from aramis.tables.frequency import Counts
from aramis.tables.goals import kept_among
from aramis.tables.hierarchy import Hierarchy, hierarchy
from aramis.tables.parts import Parts
from aramis.tables.reach import named, percent
from aramis.tables.recoding import SUPPRESSED, Recoding
from aramis.tables.rollup import Node
from aramis.tables.schema import Schema

UNKNOWN = "\0"  # the label of a value that a recoding does not know: no value of a table is written so
SHOWN = 3  # such values in a sentence


class Saved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A level for every quasi-identifier, or all classes, and what is needed to apply them and to check what comes out."""

    algorithm: str  # that found them
    generalization: dict[str, int] = {}  # quasi-identifier -> level
    classes: dict[str, list[str]] = {}  # or: quasi-identifier -> what each class says
    sensitive: list[str]
    identifying: list[str]
    hierarchies: dict[str, list[list[str]]]  # column -> rows: a value, then its label at each level above
    distances: dict[str, str]
    weights: dict[str, float]
    orders: dict[str, list[str]]
    wanted: dict[str, Any]
    suppress: float
    reference: str

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers, in their order."""
        return list(self.generalization or self.classes)

    def as_schema(self) -> dict[str, Any]:
        """What it says of a table, as a schema file does."""
        return {
            "quasi": self.quasi,
            "sensitive": self.sensitive,
            "identifying": self.identifying,
            "hierarchies": self.hierarchies,
            "distances": self.distances,
            "weights": self.weights,
            "orders": self.orders,
        }

    def fitted(self, schema: Schema) -> Schema:
        """A schema whose hierarchies are those of the recoding, and have a place for values that it does not know."""
        if set(schema.quasi) != set(self.quasi):
            raise BadInput(
                f"the recoding is of {', '.join(self.quasi)}; the quasi-identifiers named are "
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
            recode=self._by_classes if self.classes else self._recode,
            guarantee="every class satisfies the models, checked anew; the levels, or classes, are the saved ones, which may not "
            "be the best for these records",
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
        known = {row[0]: row for row in made.rows()}
        every = range(len(self.hierarchies[column][0]))
        for level in [self.generalization[column]] if self.generalization else every:
            if level >= made.levels:
                raise BadInput(
                    f"the hierarchy given of {column} has {made.levels} levels; the recoding needs level {level}"
                )
            for row in self.hierarchies[column]:
                said = known.get(row[0], row)[level]
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

    def _by_classes(self, task: Task) -> Recoding:
        of_tuple = class_of_each(task, self.classes)
        known, counts = of_tuple != NO_CLASS, task.frequency.counts
        parts, of_part = np.unique(of_tuple, return_inverse=True)
        every = Parts(task.frequency, of_part, np.arange(len(counts), dtype=np.int32), counts)
        kept = kept_among(every, task.goals, parts != NO_CLASS)
        strange, gone = int(counts[~known].sum()), int(every.sizes[~kept].sum())
        remarks = (f"{_records(strange)} in no class of the recoding",) if strange else ()
        if gone > task.goals.allowed(task.frequency.rows):
            raise Unreachable("; ".join([_needs(task, "classes", gone), *remarks]))
        labels = [
            np.unique(np.array(self.classes[column], dtype=object), return_inverse=True)
            for column in task.frequency.quasi
        ]
        number = np.where(kept, np.cumsum(kept) - 1, SUPPRESSED).astype(np.int32)
        return Recoding(
            tuples=np.arange(len(counts), dtype=np.int32),
            counts=counts,
            classes=number[of_part],
            cells=np.stack([cells[parts[kept]] for _, cells in labels], axis=1).astype(np.int32),
            labels=tuple(tuple(said) for said, _ in labels),
            remarks=remarks,
        )


def _unknown(task: Task, node: Node) -> list[NDArray[np.bool_]]:
    """For each quasi-identifier, which labels at its level stand for values that the recoding does not know."""
    return [
        np.array([label == UNKNOWN for label in one.labels[level]])
        for one, level in zip(task.hierarchies, node, strict=True)
    ]


def _why(task: Task, node: Node, gone: int, strange: int) -> str:
    """What the levels would take."""
    return _needs(task, "levels", gone) + (f"; {_strangers(task, node, strange)}" if strange else "")


def _needs(task: Task, what: str, gone: int) -> str:
    asked = " with ".join(named(model) for model in task.goals.models)
    return (
        f"with the {what} of the recoding, {asked} needs {percent(gone / task.frequency.rows)} of the records suppressed; "
        f"{percent(task.goals.suppress)} is allowed"
    )


def _records(number: int) -> str:
    return "1 record is" if number == 1 else f"{number:,} records are"


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
