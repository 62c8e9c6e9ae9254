"""Where a part of the records can be cut in two, column by column: the compiled loops of Mondrian."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.tables.compiler import compiled, inner
from aramis.tables.frequency import Counts, Shares
from aramis.tables.scales import Flags, Places, Scales, penalty

Positions = NDArray[np.int64]

BY_PLACE, ANYWHERE = (
    -1,
    -2,
)  # between what a column is cut, where it is not between the children of a tree's node
HOPE = 0.5  # how much the width of a tree counts beside what its cut takes away: other cuts of it will follow


class Records(NamedTuple):
    """Records as they lie in every column. Those of a part lie together in each, from the same start to the same end."""

    orders: Places  # (quasi, records) which record lies at each position
    places: Places  # (quasi, records)
    counts: Counts  # (records,)
    scales: Scales


@compiled(makes_arrays=False)
def middle_cuts(
    records: Records,
    starts: Positions,
    ends: Positions,
    least: int,
    relaxed: bool,
    cut_of: Positions,
    cuts: Positions,
    gains: Shares,
) -> None:
    """(parts, quasi) the cut of each part nearest to its middle, and the penalty that it takes away.

    The cut is the position where the right side begins; `cuts` stays as it is where no cut leaves `least` records on both sides.
    `cut_of`: the last cut that had each record on its left, -1 before the first.
    """
    columns = len(records.orders)
    for part in range(len(starts)):
        start, end = starts[part], ends[part]
        size = _size(records, 0, start, end)
        for column in range(columns if size >= 2 * least else 0):
            cut = _middle(records, column, start, end, size, least, relaxed)
            if cut >= 0:
                cuts[part, column] = cut
                gains[part, column] = _gain(
                    records, column, start, cut, end, size, cut_of, part * columns + column
                )


@compiled(makes_arrays=False)
def every_cut(records: Records, starts: Positions, ends: Positions, least: int, found: Positions) -> int:
    """How many cuts of these parts leave `least` records on both sides. Each is `found`: part, column, position, and how uneven."""
    columns, number = len(records.orders), 0
    for part in range(len(starts)):
        start, end = starts[part], ends[part]
        size = _size(records, 0, start, end)
        for column in range(columns):
            between, left = _between(records, column, start, end), 0
            for at in range(start + 1, end):
                left += records.counts[records.orders[column, at - 1]]
                if min(left, size - left) >= least and _is_cut(records, column, at, between):
                    found[0, number], found[1, number], found[2, number] = part, column, at
                    found[3, number] = abs(2 * left - size)
                    number += 1
    return number


@compiled(makes_arrays=False)
def divide(
    orders: Places,
    starts: Positions,
    cuts: Positions,
    ends: Positions,
    columns: Positions,
    is_left: Flags,
    right: Places,
) -> None:
    """Bring, in every column's order, the records left of each part's cut before those right of it.

    `is_left` says of no record yet that it is; `right` is a place to work in, with one for each record.
    """
    for part in range(len(starts)):
        for at in range(starts[part], cuts[part]):
            is_left[orders[columns[part], at]] = True
    for column in range(len(orders)):
        for part in range(len(starts)):
            left, number = starts[part], 0
            for at in range(starts[part], ends[part]):
                record = orders[column, at]
                if is_left[record]:
                    orders[column, left] = record
                    left += 1
                else:
                    right[number] = record
                    number += 1
            for at in range(number):
                orders[column, left + at] = right[at]


@inner
def _place(records: Records, column: int, at: int) -> int:
    return records.places[column, records.orders[column, at]]


@inner
def _size(records: Records, column: int, start: int, end: int) -> int:
    """How many records lie here: a tuple has as many as it counts."""
    size = 0
    for at in range(start, end):
        size += records.counts[records.orders[column, at]]
    return size


@inner
def _between(records: Records, column: int, start: int, end: int) -> int:
    """Between what a column can be cut: where the labels begin of the children of the lowest common ancestor."""
    scales = records.scales
    low, high = _place(records, column, start), _place(records, column, end - 1)
    at, size = scales.starts[column], scales.sizes[column]
    if scales.levels[column] == 0 or scales.labels[at + low] == scales.labels[at + high]:
        return BY_PLACE
    for _ in range(1, scales.levels[column]):
        if scales.labels[at + size + low] == scales.labels[at + size + high]:
            break
        at += size
    return at


@inner
def _is_cut(records: Records, column: int, at: int, between: int) -> bool:
    """Whether a column can be cut before this position."""
    left, right = _place(records, column, at - 1), _place(records, column, at)
    if between < 0:
        return between == ANYWHERE or left != right
    return records.scales.labels[between + left] != records.scales.labels[between + right]


@inner
def _middle(records: Records, column: int, start: int, end: int, size: int, least: int, relaxed: bool) -> int:
    """The position nearest to the middle where this column can be cut; -1 where it cannot."""
    if _place(records, column, start) == _place(records, column, end - 1):
        return -1
    between = (
        ANYWHERE if relaxed and records.scales.numeric[column] else _between(records, column, start, end)
    )
    best, uneven, left = -1, size, 0
    for at in range(start + 1, end):
        left += records.counts[records.orders[column, at - 1]]
        if size - left < least or 2 * left - size >= uneven:
            break
        if left >= least and abs(2 * left - size) < uneven and _is_cut(records, column, at, between):
            best, uneven = at, abs(2 * left - size)
    return best


@inner
def _gain(
    records: Records, column: int, start: int, cut: int, end: int, size: int, cut_of: Positions, number: int
) -> float:
    """The penalty that a cut takes away; in a tree also what more cuts between the same children would."""
    left = 0
    for at in range(start, cut):
        record = records.orders[column, at]
        cut_of[record] = number
        left += records.counts[record]
    whole = size * _penalty(records, column, start, end - 1)
    if records.scales.levels[column]:
        gain = (1 + HOPE) * whole - _of_children(records, column, start, end)
    else:
        right_of = (size - left) * _penalty(records, column, cut, end - 1)
        gain = whole - left * _penalty(records, column, start, cut - 1) - right_of
    for other in range(len(records.orders)):
        if other != column and _place(records, other, start) != _place(records, other, end - 1):
            gain += _gain_beside(records, other, start, end, left, size, cut_of, number)
    return gain


@inner
def _gain_beside(
    records: Records, column: int, start: int, end: int, left: int, size: int, cut_of: Positions, number: int
) -> float:
    """The penalty that the same cut takes away in another column."""
    order = records.orders[column]
    low_left = low_right = start
    while cut_of[order[low_left]] != number:
        low_left += 1
    while cut_of[order[low_right]] == number:
        low_right += 1
    high_left = high_right = end - 1
    while cut_of[order[high_left]] != number:
        high_left -= 1
    while cut_of[order[high_right]] == number:
        high_right -= 1
    of_left = left * _penalty(records, column, low_left, high_left)
    of_right = (size - left) * _penalty(records, column, low_right, high_right)
    return size * _penalty(records, column, start, end - 1) - of_left - of_right


@inner
def _of_children(records: Records, column: int, start: int, end: int) -> float:
    """The penalty of a tree's column after every cut between the children of its node."""
    between = _between(records, column, start, end)
    total, first = 0.0, start
    for at in range(start + 1, end + 1):
        if at == end or _is_cut(records, column, at, between):
            total += _size(records, column, first, at) * _penalty(records, column, first, at - 1)
            first = at
    return total


@inner
def _penalty(records: Records, column: int, first: int, last: int) -> float:
    """The penalty of a class of the records between these positions."""
    return penalty(records.scales, column, _place(records, column, first), _place(records, column, last))
