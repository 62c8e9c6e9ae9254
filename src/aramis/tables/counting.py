"""The one group-by: a table on its own engine becomes a frequency set, and only that comes back."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.database import quoted
from aramis.tables.frequency import Codes, FrequencySet
from aramis.tables.hierarchy import MISSING
from aramis.tables.hierarchy import text as text_of
from aramis.tables.text import typed

Numbers = NDArray[np.integer[Any]]

NESTED = (nw.List, nw.Array, nw.Struct, nw.Binary)
WIDE = (pl.Int128, pl.UInt128)  # numpy has no such numbers


def frequency_set(
    frame: nw.LazyFrame[Any],
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    text: bool = False,
    orders: Mapping[str, Sequence[str]] | None = None,
) -> FrequencySet:
    """Count the distinct tuples of these columns on the frame's own engine.

    `text`: the frame comes from a file that has text alone; a column whose every value is a number has numbers.
    `orders`: the values of a column from low to high, where their own order is another.
    """
    columns = (*quasi, *sensitive)
    tuples = _counted(frame, columns)
    if tuples.is_empty():
        raise BadInput("the table has no rows")
    ranks = orders or {}
    coded = [
        _ranked(name, *_coded(tuples[str(place)], text=text), ranks.get(name))
        for place, name in enumerate(columns)
    ]
    order = _order([codes for _, codes in coded], [len(domain) for domain, _ in coded])
    codes = np.empty((len(tuples), len(columns)), np.int32, order="F")
    for place, (_, column) in enumerate(coded):
        codes[:, place] = column[order]
    return FrequencySet(
        quasi=tuple(quasi),
        sensitive=tuple(sensitive),
        domains={name: tuple(domain.to_list()) for name, (domain, _) in zip(columns, coded, strict=True)},
        codes=codes,
        counts=tuples["__n"].to_numpy()[order].astype(np.int64),
        ordered=frozenset(
            name
            for name, (domain, _) in zip(columns, coded, strict=True)
            if _is_ordered(domain.dtype) or name in ranks
        ),
    )


def _counted(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> pl.DataFrame:
    """The distinct tuples and their counts. Columns go by their place, so that no name a user chose can meet ours."""
    named = _by_place(frame, columns)
    keys = named.collect_schema().names()
    native = named.to_native()
    if isinstance(native, pl.LazyFrame):
        return _categories(native).group_by(keys).agg(pl.len().alias("__n")).collect(engine="streaming")
    counted = named.group_by(*keys).agg(nw.len().alias("__n")).collect()
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


def _coded(column: pl.Series, *, text: bool) -> tuple[pl.Series, Codes]:
    """The values that occur, in order and None last, and the code of each in the column."""
    numbers = _numbers(column)
    first = np.full(int(numbers.max()) + 1, -1)
    first[numbers] = np.arange(len(numbers))
    present = np.flatnonzero(first >= 0)
    values = column[first[present]]
    code = np.empty(len(first), np.int32)
    code[present] = np.arange(len(present))
    if not isinstance(column.dtype, pl.Categorical):
        return values, code[numbers]
    values = typed(values.cast(pl.String)) if text else values.cast(pl.String)
    order = values.arg_sort(nulls_last=True).to_numpy()
    code[present[order]] = np.arange(len(order))
    return values[order], code[numbers]


def _ranked(
    name: str, domain: pl.Series, codes: Codes, order: Sequence[str] | None
) -> tuple[pl.Series, Codes]:
    """The values in the order that a user gives."""
    if order is None:
        return domain, codes
    place = {written: number for number, written in enumerate([*order, MISSING])}
    absent = [value for value in domain if text_of(value) not in place]
    if absent:
        raise BadInput(f"the order of {name} lacks {absent[0]!r}; it has {', '.join(map(repr, order))}")
    by_rank = np.argsort([place[text_of(value)] for value in domain])
    new = np.empty(len(domain), np.int32)
    new[by_rank] = np.arange(len(domain))
    return domain[by_rank], new[codes]


def _numbers(column: pl.Series) -> Numbers:
    """Small numbers from 0, the same where the values are the same; a missing value has the largest.

    In the order of the values, but for categories, whose numbers have none.
    """
    physical = column.to_physical() if column.dtype != pl.Boolean else column.cast(pl.UInt8)
    whole = physical.dtype.is_integer() and physical.dtype not in WIDE
    ranked = physical if whole else column.rank("dense")
    numbers: Numbers = (ranked.drop_nulls() if ranked.null_count() else ranked).to_numpy()
    if not len(numbers):
        return np.zeros(len(column), np.int64)
    low, span = int(numbers.min()), int(numbers.max()) - int(numbers.min())
    if span > max(4 * len(column), 1 << 16):
        numbers = np.unique(numbers, return_inverse=True)[1]
        low, span = 0, int(numbers.max())
    if column.null_count():
        return _with_missing(numbers - low, column.is_null().to_numpy(), span + 1)
    return numbers - low if low else numbers


def _with_missing(numbers: Numbers, missing: NDArray[np.bool_], number: int) -> Numbers:
    whole = np.full(len(missing), number)
    whole[~missing] = numbers
    return whole


def _order(codes: Sequence[Codes], sizes: Sequence[int]) -> NDArray[np.intp]:
    """The order that sorts tuples by their codes, first column first."""
    if np.prod([float(size) for size in sizes]) > 2**62:
        return np.lexsort(codes[::-1])
    key = np.zeros(len(codes[0]), np.int64)
    for column, size in zip(codes, sizes, strict=True):
        key = key * size + column
    return np.argsort(key)


def _is_ordered(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, pl.Enum)
