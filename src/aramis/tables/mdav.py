"""MDAV's compiled loop: groups of k records around those that lie farthest out."""

from aramis.tables.compiler import compiled, inner
from aramis.tables.frequency import Shares
from aramis.tables.nearest import Positions
from aramis.tables.scales import Places, Scales, penalty


@compiled(makes_arrays=False)
def grouped_around(
    scales: Scales,
    places: Places,
    block: Positions,
    k: int,
    first: int,
    groups: Positions,
    apart: Shares,
    tally: Positions,
) -> int:
    """Give the records of a block groups of k to 2k - 1, numbered from `first`; the number after the last.

    The record that lies farthest from the middle of those left gets the k - 1 that are nearest to it; so does the one that lies
    farthest from that one; and again, while there are enough. `apart` and `tally` are places to work in, as long as the block and as
    the longest column.
    """
    left, number = len(block), first
    while left >= 2 * k:
        _from_middle(scales, places, block, left, tally, apart)
        far = block[_farthest(apart, left)]
        _from_record(scales, places, block, left, far, apart)
        opposite = block[_farthest(apart, left)]
        left = _group(block, apart, left, k, number, groups)
        number += 1
        if left >= 2 * k:
            _from_record(scales, places, block, left, opposite, apart)
            left = _group(block, apart, left, k, number, groups)
            number += 1
    if left:
        for at in range(left):
            groups[block[at]] = number
        number += 1
    return number


@inner
def _group(block: Positions, apart: Shares, left: int, k: int, number: int, groups: Positions) -> int:
    """The k records that are least apart are a group; they go behind those left, whose number is given back."""
    for _ in range(k):
        nearest = 0
        for at in range(1, left):
            if apart[at] < apart[nearest]:
                nearest = at
        groups[block[nearest]] = number
        left -= 1
        block[nearest], block[left] = block[left], block[nearest]
        apart[nearest], apart[left] = apart[left], apart[nearest]
    return left


@inner
def _farthest(apart: Shares, left: int) -> int:
    found = 0
    for at in range(1, left):
        if apart[at] > apart[found]:
            found = at
    return found


@inner
def _from_record(
    scales: Scales, places: Places, block: Positions, left: int, center: int, apart: Shares
) -> None:
    """How far each record left is from one of them, squared."""
    for at in range(left):
        apart[at] = 0.0
    for column in range(places.shape[1]):
        _add(scales, places, block, left, column, places[center, column], apart)


@inner
def _from_middle(
    scales: Scales, places: Places, block: Positions, left: int, tally: Positions, apart: Shares
) -> None:
    """How far each is from the middle of all that are left, squared: the mean of numbers, the most frequent of other values."""
    for at in range(left):
        apart[at] = 0.0
    for column in range(places.shape[1]):
        if scales.numeric[column]:
            first, mean = scales.starts[column], 0.0
            for at in range(left):
                mean += scales.costs[first + places[block[at], column]] / left
            for at in range(left):
                apart[at] += (scales.costs[first + places[block[at], column]] - mean) ** 2
        else:
            often = _most_frequent(places, block, left, column, scales.sizes[column], tally)
            _add(scales, places, block, left, column, often, apart)


@inner
def _add(
    scales: Scales, places: Places, block: Positions, left: int, column: int, value: int, apart: Shares
) -> None:
    """To how far each record left is, how far it is from this value of a column, squared."""
    for at in range(left):
        apart[at] += _between(scales, column, value, places[block[at], column]) ** 2


@inner
def _most_frequent(
    places: Places, block: Positions, left: int, column: int, domain: int, tally: Positions
) -> int:
    for value in range(domain):
        tally[value] = 0
    for at in range(left):
        tally[places[block[at], column]] += 1
    found = 0
    for value in range(1, domain):
        if tally[value] > tally[found]:
            found = value
    return found


@inner
def _between(scales: Scales, column: int, one: int, other: int) -> float:
    """How far two values are: by what a cell loses that says both; of values without an order, whether they differ."""
    if scales.numeric[column]:  # a missing value is as far from the largest as that is from the least
        at = scales.starts[column]
        return abs(scales.costs[at + one] - scales.costs[at + other])
    if scales.levels[column]:
        return penalty(scales, column, min(one, other), max(one, other))
    return 1.0 if one != other else 0.0
