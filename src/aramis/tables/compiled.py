"""Loops that numpy cannot say, compiled by numba for large tables and kept on disk from then on."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads keys that lie close together

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


@njit(
    "Tuple((int64[::1], int64[::1], int64[::1]))(int32[:, ::1], int32[::1], int64[::1], int64[::1], int64[::1], "
    "int64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def grouped(
    codes: Ints, members: Ints, sizes: Longs, tables: Longs, starts: Longs, scales: Longs, space: int
) -> tuple[Longs, Longs, Longs]:  # pragma: no cover
    """The place of the first member of each class, for each member which class is its own, and the sizes of the classes.

    Members with the same key are of one class. The key of a member is the sum, over the rows of `codes`, of what the
    row's table (they lie behind one another, from `starts` on) has for its code, times the row's scale; all keys lie
    below `space`.
    """
    number = len(members)
    keys = np.empty(number, np.int64)
    for i in range(number):
        key = np.int64(0)
        for row in range(len(codes)):
            key += scales[row] * tables[starts[row] + codes[row, members[i]]]
        keys[i] = key
    direct = space <= 4 * number
    bits = 1
    while (1 << bits) < 2 * number:
        bits += 1
    shift = np.uint64(64 - bits)
    slots = np.full(space if direct else 1 << bits, -1, np.int32)
    first = np.empty(number, np.int64)
    class_of = np.empty(number, np.int64)
    records = np.zeros(number, np.int64)
    classes = 0
    for i in range(number):
        key = keys[i]
        slot = key if direct else np.int64((np.uint64(key) * SPREAD) >> shift)
        found = slots[slot]
        while found >= 0 and keys[first[found]] != key:
            slot = (slot + 1) & (len(slots) - 1)
            found = slots[slot]
        if found < 0:
            found = classes
            slots[slot] = found
            first[found] = i
            classes += 1
        class_of[i] = found
        records[found] += sizes[i]
    return first[:classes].copy(), class_of, records[:classes].copy()


@njit(
    "Tuple((int64[::1], int32[::1], int64[::1]))(int64[::1], int64, int64[::1], int32[::1], int64[::1], int64)",
    cache=True,
    error_model="numpy",
)
def merged(
    class_of: Longs, classes: int, starts: Longs, values: Ints, counts: Longs, domain: int
) -> tuple[Longs, Ints, Longs]:  # pragma: no cover
    """Where the entries of each coarser class begin, their values and their counts: those of its members added up."""
    whole = np.zeros((classes, domain), np.int64)
    for member in range(len(class_of)):
        row = whole[class_of[member]]
        for entry in range(starts[member], starts[member + 1]):
            row[values[entry]] += counts[entry]
    found_starts = np.empty(classes + 1, np.int64)
    found_values = np.empty(len(values), np.int32)
    found_counts = np.empty(len(values), np.int64)
    number = 0
    for owner in range(classes):
        found_starts[owner] = number
        for value in range(domain):
            if whole[owner, value]:
                found_values[number] = value
                found_counts[number] = whole[owner, value]
                number += 1
    found_starts[classes] = number
    return found_starts, found_values[:number].copy(), found_counts[:number].copy()
