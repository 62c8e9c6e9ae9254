"""Tuples of codes packed into one integer each, which sorts and compares them at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from aramis.tables.frequency import Codes, Counts, firsts

Keys = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]

BITS = 63  # of an integer that is never negative


def distinct(
    columns: Sequence[Numbers], sizes: Sequence[int], times: Counts | None = None
) -> tuple[Codes, Counts]:
    """The distinct tuples in order, first column first, column-major, and how often each occurs.

    The codes of a column lie below its size. `times`: how often each tuple occurs as it stands; once where not given.
    """
    keys, layout = _packed(columns, sizes)
    if times is None:
        keys = pl.Series(keys).sort().to_numpy()  # by several threads
        first = firsts(keys)
        counts = np.diff(first, append=len(keys))
    else:
        order = np.argsort(keys)
        keys = keys[order]
        first = firsts(keys)
        counts = np.add.reduceat(times[order], first)
    return _unpacked(keys[first], layout), counts.astype(np.int64)


def _packed(columns: Sequence[Numbers], sizes: Sequence[int]) -> tuple[Keys, list[int | Keys]]:
    """A key for each tuple, and its layout: the bits of each column, and the keys there were wherever they got too
    long and were numbered anew, in their order."""
    keys, used = np.zeros(len(columns[0]), np.int64), 0
    layout: list[int | Keys] = []
    for codes, size in zip(columns, sizes, strict=True):
        bits = (size - 1).bit_length()
        if used + bits > BITS:
            whole, keys = np.unique(keys, return_inverse=True)
            layout.append(whole)
            used = (len(whole) - 1).bit_length()
        keys <<= bits
        keys |= codes
        layout.append(bits)
        used += bits
    return keys, layout


def _unpacked(keys: Keys, layout: Sequence[int | Keys]) -> Codes:
    number = sum(isinstance(part, int) for part in layout)
    codes = np.empty((len(keys), number), np.int32, order="F")
    for part in reversed(layout):
        if isinstance(part, int):
            number -= 1
            np.bitwise_and(keys, (1 << part) - 1, out=codes[:, number], casting="unsafe")
            keys >>= part
        else:
            keys = part[keys]
    return codes
