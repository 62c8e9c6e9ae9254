"""Loops that numpy cannot say, compiled by numba for large tables and kept on disk from then on."""

import numpy as np
from numpy.typing import NDArray

from aramis.tables.compiler import compiled

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads keys that lie close together

KEY, CLASS = np.uint64(0), np.uint64(1)  # what a slot of the hash table holds

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Unsigned = NDArray[np.uint32]
Keys = NDArray[np.uint64]


@compiled(
    "Tuple((int32[::1], int32[::1], int64[::1]))(uint32[:, ::1], int32[::1], int64[::1], uint32[::1], int64[::1], "
    "uint64[::1], uint64[:, ::1], int64, boolean)",
)
def grouped(
    codes: Unsigned,
    members: Ints,
    sizes: Longs,
    tables: Unsigned,
    starts: Longs,
    scales: Keys,
    slots: Keys,
    turn: int,
    numbered: bool,
) -> tuple[Ints, Ints, Longs]:  # pragma: no cover
    """The place of the first member of each class, for each member which class is its own (where they are to be
    `numbered`), and the sizes of the classes.

    Members with the same key are of one class. The key of a member is the sum, over the rows of `codes`, of what the
    row's table (they lie behind one another, from `starts` on) has for its code, times the row's scale.

    `slots` is a hash table that nobody has to empty: what an earlier `turn` wrote there counts as nothing. Everything
    is unsigned, because numba asks of a signed index whether it counts from the end.
    """
    number = len(members)
    keys = np.zeros(number, np.uint64)
    for row in range(len(codes)):
        of_row, table, scale = codes[row], tables[starts[row] :], scales[row]
        for i in range(number):
            keys[i] += scale * np.uint64(table[of_row[np.uint64(members[i])]])
    bits = 1
    while (1 << bits) < 2 * number:
        bits += 1
    shift, mask = np.uint64(64 - bits), np.uint64((1 << bits) - 1)
    now = np.uint64(turn) << np.uint64(32)  # and below it which class
    first = np.empty(number, np.int32)
    class_of = np.empty(number if numbered else 0, np.int32)
    records = np.empty(number, np.int64)
    classes = np.uint64(0)
    for i in range(number):
        slot = (keys[i] * SPREAD) >> shift
        while slots[slot, KEY] != keys[i] and slots[slot, CLASS] >= now:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot, CLASS] < now:
            slots[slot, KEY], slots[slot, CLASS] = keys[i], now | classes
            first[classes], records[classes] = i, 0
            classes += np.uint64(1)
        found = slots[slot, CLASS] ^ now
        records[found] += sizes[i]
        if numbered:
            class_of[i] = found
    return first[:classes].copy(), class_of, records[:classes].copy()


@compiled(
    "Tuple((int64[::1], int32[::1], int64[::1]))(int32[::1], int64, int64[::1], int32[::1], int64[::1], int64)",
)
def merged(
    class_of: Ints, classes: int, starts: Longs, values: Ints, counts: Longs, domain: int
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
