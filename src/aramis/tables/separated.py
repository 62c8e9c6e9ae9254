"""Two tables in place of one: quasi-identifiers as they are with the number of a group, and what each group has."""

from dataclasses import replace
from pathlib import Path

import narwhals as nw
import numpy as np
import polars as pl

from aramis.errors import Unreachable
from aramis.tables.frequency import JOINT, FrequencySet
from aramis.tables.recoding import Recoding
from aramis.tables.schema import Schema
from aramis.tables.source import Source

RELEASE = "the release"  # what a table that was made here is called: whatever its file was called before it was done


def path_beside(out: Path) -> Path:
    """Where the table of sensitive values lies: people.csv has people.sensitive.csv beside it."""
    return out.with_name(f"{out.stem}.sensitive{out.suffix}")


def group_column(schema: Schema) -> str:
    """The column that joins the two tables: a name that no column has that matters."""
    name = "group"
    while name in {*schema.quasi, *schema.sensitive}:
        name += "_"
    return name


def without_sensitive(frame: pl.LazyFrame, schema: Schema, groups: str) -> pl.LazyFrame:
    """The rows with their group, from 1, in place of what is sensitive."""
    return frame.with_columns(pl.col(groups) + 1).drop(schema.sensitive)


def sensitive_values(frequency: FrequencySet, recoding: Recoding, groups: str) -> pl.LazyFrame:
    """For every group how often it has each sensitive value, or each combination of them."""
    columns = [name for name in frequency.sensitive if name != JOINT]
    values = {
        name: pl.Series(frequency.domains[name], strict=False).gather(
            frequency.codes_of(name)[recoding.tuples]
        )
        for name in columns
    }
    frame = pl.LazyFrame({groups: recoding.classes.astype(np.int64) + 1, **values, "count": recoding.counts})
    return frame.group_by(groups, *columns).agg(pl.col("count").sum()).sort(groups, *columns)


def joined_at_random(people: pl.LazyFrame, values: pl.LazyFrame, groups: str, seed: int) -> pl.DataFrame:
    """One table again, in which each group has its values in an order drawn at random: all that the two tables tell.

    Raises where they do not fit together.
    """
    rows = people.collect().sort(groups, maintain_order=True)
    each = (
        values.select(pl.all().repeat_by(pl.col("count").cast(pl.UInt32)).list.explode())
        .drop("count")
        .collect()
    )
    each = each.sample(fraction=1, shuffle=True, seed=seed).sort(groups, maintain_order=True)
    if not rows[groups].equals(each[groups]):
        raise Unreachable(
            "the release was read back and its two tables do not fit together; it was removed. Please report this: it should "
            "not be possible"
        )
    return rows.hstack(each.drop(groups))


def source_of(frame: pl.DataFrame, like: Source) -> Source:
    """A table in memory, of text where the other is."""
    return Source(nw.from_native(frame.lazy()), RELEASE, dialect=like.dialect, in_memory=True)


def by_group(schema: Schema, groups: str) -> Schema:
    """As the schema, with the group for the only quasi-identifier: what is a class, to whom joins the two tables."""
    kept = {column: one for column, one in schema.hierarchies.items() if column in schema.sensitive}
    orders = {column: order for column, order in schema.orders.items() if column in schema.sensitive}
    return replace(schema, quasi=(groups,), hierarchies=kept, orders=orders)
