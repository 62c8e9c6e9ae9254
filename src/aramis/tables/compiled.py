"""Loops that numpy cannot say, compiled by numba for large tables and kept on disk from then on."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads keys that lie close together


@njit(
    "Tuple((int64[::1], int64[::1]))(int32[:, ::1], int32[::1], int64[::1], int64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def grouped(
    codes: NDArray[np.int32],
    members: NDArray[np.int32],
    tables: NDArray[np.int64],
    starts: NDArray[np.int64],
    space: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # pragma: no cover
    """The place of the first member of each class, and for each member which class is its own.

    Members with the same key are of one class. The key of a member is the sum, over the rows of `codes`, of what the
    row's table (they lie behind one another, from `starts` on) has for its code; all keys lie below `space`.
    """
    number = len(members)
    direct = space <= 4 * number
    bits = 1
    while (1 << bits) < 2 * number:
        bits += 1
    shift = np.uint64(64 - bits)
    slots = np.full(space if direct else 1 << bits, -1, np.int32)
    keys = np.empty(number, np.int64)  # of each class
    first = np.empty(number, np.int64)
    class_of = np.empty(number, np.int64)
    classes = 0
    for i in range(number):
        key = np.int64(0)
        for row in range(len(codes)):
            key += tables[starts[row] + codes[row, members[i]]]
        slot = key if direct else np.int64((np.uint64(key) * SPREAD) >> shift)
        found = slots[slot]
        while found >= 0 and keys[found] != key:
            slot = (slot + 1) & (len(slots) - 1)
            found = slots[slot]
        if found < 0:
            found = classes
            slots[slot] = found
            keys[found] = key
            first[found] = i
            classes += 1
        class_of[i] = found
    return first[:classes].copy(), class_of
