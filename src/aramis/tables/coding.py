"""A column as codes: the values that occur, in order, and for each cell which of them it has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.hierarchy import MISSING
from aramis.tables.hierarchy import text as text_of
from aramis.tables.text import typed

Narrow = NDArray[np.unsignedinteger[Any]]
Numbers = NDArray[np.intp]  # as positions: numpy looks up by nothing else without turning it into them

WIDE = (pl.Int128, pl.UInt128)  # numpy has no such numbers


@dataclass(frozen=True, slots=True)
class Coded:
    """A column in codes."""

    domain: list[object]  # code -> value that occurs; in order, None (missing) last
    codes: Narrow  # (cells,)
    is_ordered: bool  # whether that order means something: of numbers, dates, ranks


def coded(name: str, column: pl.Series, order: Sequence[str] | None = None, *, text: bool = False) -> Coded:
    """A column in codes. Text comes as categories of its own.

    `text`: the texts are from a file that has nothing else; where all are numbers or dates, those are meant.
    `order`: the values from low to high, where their own order is another.
    """
    if isinstance(column.dtype, pl.Categorical):
        numbers, present, values, dtype = _of_texts(column, text=text)
    else:
        numbers, present, values, dtype = _of_others(column)
    if order is not None:
        by_rank = _by_rank(name, values, order)
        present, values = present[by_rank], [values[place] for place in by_rank]
    # as narrow as may be: a byte a row where a column has few values
    code = np.zeros(int(present.max()) + 1, np.min_scalar_type(len(present) - 1))
    code[present] = np.arange(len(present))
    return Coded(values, code.take(numbers), order is not None or _is_ordered(dtype))


Numbered = tuple[Numbers, Numbers, list[object], pl.DataType]
"""The number of each cell; of each value that occurs, in order; those values; and what they are."""


def _of_texts(column: pl.Series, *, text: bool) -> Numbered:
    categories: Any = column.dtype
    texts = categories.categories.to_series()  # by number; each occurs, for they were made of this column
    values = typed(texts) if text else texts
    by_number: list[Any] = values.to_list()
    present = sorted(range(len(by_number)), key=by_number.__getitem__)
    in_order = [by_number[number] for number in present]
    if column.null_count():
        present, in_order = [*present, len(by_number)], [*in_order, None]
    numbers = _numbers(_there(column).to_physical().to_numpy(), column, len(by_number))
    return numbers, np.array(present), in_order, values.dtype


def _of_others(column: pl.Series) -> Numbered:
    physical = column.to_physical() if column.dtype != pl.Boolean else column.cast(pl.UInt8)
    is_whole = physical.dtype.is_integer() and physical.dtype not in WIDE
    there = _there(physical if is_whole else column.rank("dense")).to_numpy()
    low, high = (int(there.min()), int(there.max())) if len(there) else (0, -1)
    if high - low > max(4 * len(column), 1 << 16):
        there = np.unique(there, return_inverse=True)[1]
        low, high = 0, int(there.max())
    # a difference of small signed numbers may be too large for their type
    above = (there if there.dtype.kind == "u" else there.astype(np.intp)) - low
    numbers = _numbers(above, column, high - low + 1)
    first = np.full(high - low + 2, -1)
    first[numbers] = np.arange(len(numbers))
    present = np.flatnonzero(first >= 0)
    return numbers, present, column[first[present]].to_list(), column.dtype


def _there(column: pl.Series) -> pl.Series:
    return column.drop_nulls() if column.null_count() else column


def _numbers(there: NDArray[np.integer[Any]], column: pl.Series, missing: int) -> Numbers:
    """The numbers of the cells that have a value in their places, and this one in those of the others."""
    if len(there) == len(column):
        return there.astype(np.intp)
    whole = np.full(len(column), missing, np.intp)
    whole[column.is_not_null().to_numpy()] = there
    return whole


def _by_rank(name: str, values: Sequence[object], order: Sequence[str]) -> Numbers:
    """What brings the values into the order that a user gives."""
    place = {written: number for number, written in enumerate([*order, MISSING])}
    absent = [value for value in values if text_of(value) not in place]
    if absent:
        raise BadInput(f"the order of {name} lacks {absent[0]!r}; it has {', '.join(map(repr, order))}")
    return np.argsort([place[text_of(value)] for value in values])


def _is_ordered(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype.is_temporal() or isinstance(dtype, pl.Enum)
