"""From a table and goals to a release that is known to reach them, because it was read back and checked."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import narwhals as nw
import polars as pl

from aramis import plugins
from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, silent
from aramis.tables.check import Checked, Held
from aramis.tables.frequency import JOINT
from aramis.tables.goals import Goals
from aramis.tables.interrupts import taken_between_steps
from aramis.tables.reach import named
from aramis.tables.recoding import STAR, Recoding
from aramis.tables.released import polars, released
from aramis.tables.saved import Saved, wanted_of, write_recoding
from aramis.tables.search import Tell
from aramis.tables.separated import (
    RELEASE,
    by_group,
    group_column,
    joined_at_random,
    path_beside,
    sensitive_values,
    source_of,
    without_sensitive,
)
from aramis.tables.sink import must_be_free, must_be_writable, write
from aramis.tables.source import Source, read
from aramis.tables.utility.compare import Utility, compare
from aramis.tables.utility.pair import pair_of
from aramis.tables.utility.variance import variance_lost

if TYPE_CHECKING:
    from aramis.tables.pipeline import Table


@dataclass(frozen=True, slots=True)
class Anonymized:
    """A release: the table, what was done to get there, what it has and what it lost."""

    frame: Any  # of polars; None: it was written to a file
    algorithm: Anonymizer
    recoding: Recoding
    loss: float
    loss_name: str
    check: Checked  # of what was released, read back
    utility: Utility
    seconds: Mapping[str, float]
    beside: Any = (
        None  # of polars: the sensitive values of each group, where they are in a table of their own
    )

    @property
    def suppressed(self) -> int:
        """How many records are not released."""
        return self.utility.suppressed

    @property
    def generalization(self) -> Mapping[str, int] | None:
        """The level of each quasi-identifier in its hierarchy; None where values are recoded one by one."""
        return self.recoding.generalization

    @property
    def levels(self) -> dict[str, float]:
        """What the release has of each wanted model: k, t of salary, ..."""
        return {_key(held): held.level for held in self.check.wanted}


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """How a release is written."""

    out: Path | None = None  # None: the release is a frame
    star: bool = False  # suppressed rows are starred, not left out
    shuffle: bool = False
    overwrite: bool = False  # what lies at `out` may be replaced
    recoding: Path | None = None  # where the levels are kept, to be applied to other records


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """By which way the goals are reached."""

    algorithm: str = "optimal"
    reuse: Saved | None = None  # levels that were found before; then no algorithm is asked
    suppress: float = 0.0  # the share of records that may be left out
    loss: str = "ncp"
    reference: str = "released"  # or original: what t, beta and delta compare a class with
    seed: int | None = None  # None: what is drawn can be drawn again by nobody


def anonymize(
    table: "Table", wanted: Mapping[str, Any], how: How, writing: Writing, tell: Tell = silent
) -> Anonymized:
    """Anonymize a table; `wanted` is what is wanted of the release, in the words of `Table.check`."""
    if wanted.get("n") is not None:
        raise BadInput(
            "(n,t)-closeness is something a table is checked for; to anonymize ask for t, which says more of every class"
        )
    anonymizer = how.reuse.again() if how.reuse else _anonymizer(how.algorithm)
    if writing.out:
        must_be_writable(writing.out, overwrite=writing.overwrite)
        if anonymizer.separates:
            must_be_free(path_beside(writing.out), overwrite=writing.overwrite)
    if writing.recoding:
        _must_be_reusable(anonymizer)
        must_be_free(writing.recoding, overwrite=writing.overwrite)
    started = perf_counter()
    frequency = table.counted
    read_by = perf_counter()
    goals = Goals(table.models(**wanted), how.suppress, how.reference)
    with taken_between_steps(tell) as told:
        recoding = anonymizer(
            Task(frequency, goals, table.hierarchies, loss=how.loss, seed=how.seed, tell=told)
        )
    searched_by = perf_counter()
    saved = _saved(table, anonymizer, recoding, wanted, how) if writing.recoding else None
    order = _order(how, writing)
    with _beside(writing.out) as part:
        if recoding.separate:
            back = _separated(table, recoding, order, part)
        else:
            back = _whole(table, recoding, writing, order, part)
        written_by = perf_counter()
        check = back.checked.check(reference=table if goals.reference == "original" else None, **wanted)
        _must_hold(check, recoding, frequency.rows)
        checked_by = perf_counter()
        utility = _utility(table, recoding, back, how.seed or 0)
        if saved and writing.recoding:
            write_recoding(saved, writing.recoding)
        if part and writing.out:
            part.replace(writing.out)
            if recoding.separate:
                path_beside(part).replace(path_beside(writing.out))
    return Anonymized(
        frame=back.frame,
        beside=back.beside,
        algorithm=anonymizer,
        recoding=recoding,
        loss=utility.by_name(how.loss),
        loss_name=how.loss,
        check=check,
        utility=utility,
        seconds={
            "read": read_by - started,
            "search": searched_by - read_by,
            "write": written_by - searched_by,
            "check": checked_by - written_by,
            "compare": perf_counter() - checked_by,
        },
    )


@dataclass(frozen=True, slots=True)
class _Back:
    """A release that was read back."""

    frame: pl.DataFrame | None
    beside: pl.DataFrame | None
    checked: "Table"  # whose classes are those that whoever has the release can tell
    compared: "Table"  # whose cells say what is known of the original


def _whole(
    table: "Table", recoding: Recoding, writing: Writing, order: int | None, part: Path | None
) -> _Back:
    """A release of one table."""
    frame = released(table.source, table.counted, recoding, star=writing.star, shuffle=order)
    here, source = _written(frame, table.source, part)
    checked = compared = table.released(without_stars(source, table) if writing.star else source)
    if recoding.said:  # a mean does not say what it stands for
        spelled = released(table.source, table.counted, replace(recoding, said=None)).collect()
        compared = table.released(source_of(spelled, table.source))
    return _Back(here, None, checked, compared)


def _utility(table: "Table", recoding: Recoding, back: _Back, seed: int) -> Utility:
    found = compare(pair_of(table.frequency, back.compared.frequency, table.hierarchies), seed=seed)
    if not recoding.said:
        return found
    means = pair_of(table.frequency, back.checked.frequency, table.hierarchies)
    return replace(found, variance_lost=variance_lost(means))


def _separated(table: "Table", recoding: Recoding, order: int | None, part: Path | None) -> _Back:
    """A release of two tables."""
    groups = group_column(table.schema)
    frame = released(table.source, table.counted, recoding, shuffle=order, classes=groups)
    here, people = _written(without_sensitive(frame, table.schema, groups), table.source, part)
    values = sensitive_values(table.counted, recoding, groups)
    beside, sensitive = _written(values, table.source, path_beside(part) if part else None)
    both = joined_at_random(polars(people), polars(sensitive), groups, seed=0)
    source = source_of(both, people)
    checked = replace(table, source=source, schema=by_group(table.schema, groups))
    return _Back(here, beside, checked, table.released(source))


def _anonymizer(name: str) -> Anonymizer:
    found = plugins.find("anonymizer", name)
    if not isinstance(found, Anonymizer):
        raise BadInput(f"the plugin {name} is no Anonymizer")
    return found


def _order(how: How, writing: Writing) -> int | None:
    """The seed of the order of the rows. Without one from the user nobody may know it, for the order could be undone."""
    if not writing.shuffle:
        return None
    return secrets.randbits(63) if how.seed is None else how.seed


def _saved(
    table: "Table", anonymizer: Anonymizer, recoding: Recoding, wanted: Mapping[str, Any], how: How
) -> Saved:
    grounds = table.grounds(table.frequency)
    return Saved(
        algorithm=how.reuse.algorithm if how.reuse else anonymizer.name,
        generalization=dict(recoding.generalization or {}),
        classes={} if recoding.generalization else _said(table, recoding),
        sensitive=list(table.schema.sensitive),
        identifying=list(table.schema.identifying),
        hierarchies={column: one.rows() for column, one in table.hierarchies.items()},
        distances={column: ground.name for column, ground in grounds.items()},
        weights=dict(table.schema.weights),
        orders={column: list(order) for column, order in table.schema.orders.items()},
        wanted=wanted_of(wanted),
        suppress=how.suppress,
        reference=how.reference,
    )


def _must_be_reusable(anonymizer: Anonymizer) -> None:
    if not anonymizer.reusable:
        raise BadInput(
            f"the classes of {anonymizer.name} are drawn for what their own records have, and are none of other records; levels that can "
            "be saved and reused are found by optimal, incognito and datafly, classes by mondrian, mondrian-relaxed and dmondrian"
        )


def _said(table: "Table", recoding: Recoding) -> dict[str, list[str]]:
    """What the classes say in each quasi-identifier: as it is released, in an order that tells nothing."""
    classes = sorted(
        {
            tuple(str(labels[cell]) for labels, cell in zip(recoding.labels, cells, strict=True))
            for cells in recoding.cells.tolist()
        }
    )
    return {
        column: list(said)
        for column, said in zip(table.schema.quasi, zip(*classes, strict=True), strict=True)
    }


@contextmanager
def _beside(out: Path | None) -> Iterator[Path | None]:
    """A name beside where the release is to lie, where it stays until it is known to hold. Nothing is left there, whatever
    happens.
    """
    part = out.with_name(f".{out.stem[:200]}.{os.getpid()}.part{out.suffix}") if out else None
    try:
        yield part
    finally:
        if part:
            part.unlink(missing_ok=True)
            path_beside(part).unlink(missing_ok=True)


def _written(frame: pl.LazyFrame, original: Source, path: Path | None) -> tuple[pl.DataFrame | None, Source]:
    """The release in memory or in a file, and as a source that has forgotten how it was made."""
    if path is None:
        here = frame.collect()
        return here, Source(nw.from_native(here.lazy()), RELEASE, dialect=original.dialect, in_memory=True)
    separator = write(frame, path, separator=original.dialect.separator if original.dialect else ",")
    return None, replace(read(path, separator=separator), name=RELEASE)


def without_stars(source: Source, table: "Table") -> Source:
    """The release without its suppressed rows, which say nothing in any column that matters."""
    columns = (*table.schema.quasi, *table.schema.sensitive)
    says_something = pl.any_horizontal(pl.col(name).cast(pl.String).ne_missing(STAR) for name in columns)
    return replace(source, frame=nw.from_native(polars(source).filter(says_something)))


def _must_hold(check: Checked, recoding: Recoding, rows: int) -> None:
    failing = [held for held in check.wanted if not held.holds]
    if failing:
        raise Unreachable(
            f"the release was read back and has {_key(failing[0])} = {failing[0].level:.6g}, where "
            f"{named(failing[0].model)} is wanted; it was removed. Please report this: it should not be possible"
        )
    if check.rows + recoding.suppressed != rows:
        raise Unreachable(
            f"the release was read back and has {check.rows} rows; {rows} less {recoding.suppressed} suppressed ones are "
            "wanted; it was removed. Please report this: it should not be possible"
        )


def _key(held: Held) -> str:
    name, column = held.model.name, held.model.column
    return name if column in {None, JOINT} else f"{name} of {column}"
