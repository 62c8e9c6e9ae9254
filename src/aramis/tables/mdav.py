"""MDAV's compiled loop: groups of k records around those that lie farthest out."""

import numpy as np
from numba.extending import register_jitable

from aramis.tables.compiler import compiled
from aramis.tables.frequency import Shares
from aramis.tables.nearest import Positions
from aramis.tables.scales import Places, Scales, penalty


@compiled(error_model="numpy")
def grouped_around(
    scales: Scales, places: Places, block: Positions, k: int, first: int, groups: Positions
) -> int:
    """Give the records of a block groups of k to 2k - 1, numbered from `first`; the number after the last.

    The record that lies farthest from the middle of those left gets the k - 1 that are nearest to it; so does the one that lies
    farthest from that one; and again, while there are enough.
    """
    left, number = len(block), first
    while left >= 2 * k:
        apart = _from_middle(scales, places, block[:left])
        far = block[np.argmax(apart)]
        apart = _from_record(scales, places, block[:left], far)
        opposite = block[np.argmax(apart)]
        left = _group(block, apart, left, k, number, groups)
        number += 1
        if left >= 2 * k:
            apart = _from_record(scales, places, block[:left], opposite)
            left = _group(block, apart, left, k, number, groups)
            number += 1
    if left:
        for at in range(left):
            groups[block[at]] = number
        number += 1
    return number


@register_jitable
def _group(block: Positions, apart: Shares, left: int, k: int, number: int, groups: Positions) -> int:
    """The k records that are least apart are a group; they go behind those left, whose number is given back."""
    for _ in range(k):
        nearest = np.argmin(apart[:left])
        groups[block[nearest]] = number
        left -= 1
        block[nearest], block[left] = block[left], block[nearest]
        apart[nearest], apart[left] = apart[left], apart[nearest]
    return left


@register_jitable
def _from_record(scales: Scales, places: Places, block: Positions, center: int) -> Shares:
    """How far each record is from one of them, squared."""
    apart = np.zeros(len(block))
    for column in range(places.shape[1]):
        here = places[center, column]
        for at in range(len(block)):
            there = places[block[at], column]
            apart[at] += _between(scales, column, here, there) ** 2
    return apart


@register_jitable
def _from_middle(scales: Scales, places: Places, block: Positions) -> Shares:
    """How far each record is from the middle of all, squared: the mean of numbers, the most frequent of other values."""
    apart = np.zeros(len(block))
    for column in range(places.shape[1]):
        if scales.numeric[column]:
            at_first = scales.starts[column]
            mean = 0.0
            for at in range(len(block)):
                mean += scales.costs[at_first + places[block[at], column]] / len(block)
            for at in range(len(block)):
                apart[at] += (scales.costs[at_first + places[block[at], column]] - mean) ** 2
        else:
            often = _most_frequent(places[block, column], scales.sizes[column])
            for at in range(len(block)):
                apart[at] += _between(scales, column, often, places[block[at], column]) ** 2
    return apart


@register_jitable
def _most_frequent(values: Places, domain: int) -> int:
    tally = np.zeros(domain, np.int64)
    for value in values:
        tally[value] += 1
    return int(np.argmax(tally))


@register_jitable
def _between(scales: Scales, column: int, one: int, other: int) -> float:
    """How far two values are: by what a cell loses that says both; of values without an order, whether they differ."""
    if scales.numeric[column]:  # a missing value is as far from the largest as that is from the least
        at = scales.starts[column]
        return abs(scales.costs[at + one] - scales.costs[at + other])
    if scales.levels[column]:
        return penalty(scales, column, min(one, other), max(one, other))
    return 1.0 if one != other else 0.0
