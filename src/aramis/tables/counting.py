"""The one group-by: a table on its own engine becomes a frequency set, and only that comes back."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import polars as pl

from aramis.errors import BadInput
from aramis.tables.coding import coded
from aramis.tables.database import quoted
from aramis.tables.frequency import FrequencySet
from aramis.tables.packed import distinct

NESTED = (nw.List, nw.Array, nw.Struct, nw.Binary)


def frequency_set(
    frame: nw.LazyFrame[Any],
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    text: bool = False,
    orders: Mapping[str, Sequence[str]] | None = None,
    in_memory: bool = False,
) -> FrequencySet:
    """Count the distinct tuples of these columns on the frame's own engine.

    `text`: the frame comes from a file that has text alone; a column whose every value is a number has numbers.
    `orders`: the values of a column from low to high, where their own order is another. `in_memory`: its rows are
    there already.
    """
    columns = (*quasi, *sensitive)
    tuples = _tuples(frame, columns, in_memory=in_memory)
    if tuples.is_empty():
        raise BadInput("the table has no rows")
    ranks = orders or {}
    found = {
        name: coded(name, tuples[str(place)], ranks.get(name), text=text)
        for place, name in enumerate(columns)
    }
    codes, counts = distinct(
        [column.codes for column in found.values()],
        [len(column.domain) for column in found.values()],
        tuples["__n"].to_numpy() if "__n" in tuples.columns else None,
    )
    return FrequencySet(
        quasi=tuple(quasi),
        sensitive=tuple(sensitive),
        domains={name: tuple(column.domain) for name, column in found.items()},
        codes=codes,
        counts=counts,
        ordered=frozenset(name for name, column in found.items() if column.is_ordered),
    )


def _tuples(frame: nw.LazyFrame[Any], columns: Sequence[str], *, in_memory: bool) -> pl.DataFrame:
    """The distinct tuples and their counts. Columns go by their place, so that no name a user chose can meet ours.

    Of a frame in memory its rows: once they are numbers, sorting them counts them faster than any group-by.
    """
    named = _by_place(frame, columns)
    native = named.to_native()
    if isinstance(native, pl.LazyFrame):
        rows = _categories(native)
        if in_memory:
            return rows.collect()
        return rows.group_by(pl.all()).agg(pl.len().alias("__n")).collect(engine="streaming")
    counted = named.group_by(*map(str, range(len(columns)))).agg(nw.len().alias("__n")).collect()
    ranks: Any = {
        name: pl.Enum(dtype.categories)
        for name, dtype in counted.schema.items()
        if isinstance(dtype, nw.Enum)
    }
    return _categories(counted.to_polars().lazy().cast(ranks)).collect()


def _by_place(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> nw.LazyFrame[Any]:
    names = frame.collect_schema().names()
    if frame.implementation.is_pyspark() or frame.implementation.is_duckdb():
        # they read dots and quotes in a name as more than a name
        frame = nw.from_native(_renamed(frame.to_native(), names))
        columns = [str(names.index(column)) for column in columns]
    frame = without_objects(frame, columns)
    schema = frame.collect_schema()
    return frame.select(_value(name, schema[name]).alias(str(i)) for i, name in enumerate(columns))


def _renamed(native: Any, names: Sequence[str]) -> Any:
    """A frame of Spark or a relation of DuckDB whose columns go by their place."""
    if hasattr(native, "toDF"):
        return native.toDF(*map(str, range(len(names))))
    return native.project(", ".join(f'{quoted(name)} as "{place}"' for place, name in enumerate(names)))


def without_objects(frame: nw.LazyFrame[Any], columns: Sequence[str] | None = None) -> nw.LazyFrame[Any]:
    """A column of Python objects gets the one type that they have: pandas keeps yes, no and missing that way."""
    schema = frame.collect_schema()
    looked_at = schema.names() if columns is None else columns
    if not any(schema[name] == nw.Object for name in looked_at):
        return frame
    table = frame.select(*looked_at).collect()
    for name, dtype in table.schema.items():
        if dtype == nw.Object:
            _must_be_of_one_type(name, table[name].to_list())
    of_one_type = [
        pl.Series(name, table[name].to_list()) if dtype == nw.Object else table[name].to_polars().alias(name)
        for name, dtype in table.schema.items()
    ]
    return nw.from_native(pl.DataFrame(of_one_type).lazy())


def _must_be_of_one_type(name: str, values: list[object]) -> None:
    try:
        one_type = pl.Series(values, strict=True).dtype != pl.Object
    except (TypeError, pl.exceptions.PolarsError):
        one_type = False
    if not one_type:
        raise BadInput(
            f"column {name!r} has values of several types, or of none that can be counted; make them text"
        )


def _value(name: str, dtype: nw.dtypes.DType) -> nw.Expr:
    """A column as it is counted. NaN is a missing value: pandas has no other, and all engines must agree."""
    if isinstance(dtype, NESTED):
        raise BadInput(
            f"column {name!r} has {_kind(dtype)} in its cells; a table is counted by single values: text, numbers, dates"
        )
    if isinstance(dtype, nw.Unknown):  # a column of nothing but missing values, or a type of one engine alone
        return nw.col(name).cast(nw.String)
    return nw.col(name).fill_nan(None) if dtype.is_float() else nw.col(name)


def _kind(dtype: nw.dtypes.DType) -> str:
    return {nw.Struct: "records", nw.Binary: "bytes"}.get(type(dtype), "lists")


def _categories(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The same with categories in place of text: one hash of each text instead of one for each comparison."""
    text = [
        name
        for name, dtype in frame.collect_schema().items()
        if isinstance(dtype, pl.String | pl.Categorical)
    ]
    return frame.with_columns(
        pl.col(name).cast(pl.String).cast(pl.Categorical(pl.Categories.random())) for name in text
    )
