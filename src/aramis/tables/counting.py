"""The one group-by: a table on its own engine becomes a frequency set, and only that comes back."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Codes, FrequencySet


def frequency_set(frame: nw.LazyFrame[Any], quasi: Sequence[str], sensitive: Sequence[str]) -> FrequencySet:
    """Count the distinct tuples of these columns on the frame's own engine."""
    columns = (*quasi, *sensitive)
    tuples = _counted(frame, columns)
    if tuples.is_empty():
        raise BadInput("the table has no rows")
    coded = [_coded(tuples[str(place)]) for place in range(len(columns))]
    codes = np.empty((len(tuples), len(columns)), np.int32, order="F")
    order = _order([column for _, column in coded], [len(domain) for domain, _ in coded])
    for place, (_, column) in enumerate(coded):
        codes[:, place] = column[order]
    domains = {name: domain for name, (domain, _) in zip(columns, coded, strict=True)}
    counts = tuples["__n"].to_numpy()[order].astype(np.int64)
    return FrequencySet(tuple(quasi), tuple(sensitive), domains, codes, counts)


def _counted(frame: nw.LazyFrame[Any], columns: Sequence[str]) -> pl.DataFrame:
    """The distinct tuples and their counts. Columns go by their place, so that no name a user chose can meet ours."""
    schema = frame.collect_schema()
    named = frame.select(_value(nw.col(name), schema[name]).alias(str(i)) for i, name in enumerate(columns))
    counted = named.group_by(*(str(i) for i in range(len(columns)))).agg(nw.len().alias("__n")).collect()
    return counted.to_polars()


def _value(column: nw.Expr, dtype: nw.dtypes.DType) -> nw.Expr:
    """NaN is a missing value; pandas has no other, and the answer must not depend on the engine."""
    return column.fill_nan(None) if dtype.is_float() else column


def _coded(column: pl.Series) -> tuple[tuple[object, ...], Codes]:
    """The values that occur, in order and None last, and the code of each in the column."""
    domain = column.unique().sort(nulls_last=True)
    codes = column.replace_strict(
        domain, pl.Series(range(len(domain)), dtype=pl.Int32), return_dtype=pl.Int32
    )
    return tuple(domain.to_list()), codes.to_numpy()


def _order(codes: Sequence[Codes], sizes: Sequence[int]) -> NDArray[np.intp]:
    """The order that sorts tuples by their codes, first column first."""
    if np.prod([float(size) for size in sizes]) > 2**62:
        return np.lexsort(codes[::-1])
    key = np.zeros(len(codes[0]), np.int64)
    for column, size in zip(codes, sizes, strict=True):
        key = key * size + column
    return np.argsort(key)
