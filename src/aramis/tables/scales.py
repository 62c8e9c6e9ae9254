"""Where the values of every quasi-identifier lie beside one another, and what is lost where only a span of them is told.

A column with a hierarchy is a tree: its leaves lie in an order in which what shares a label lies together. Any other is a line:
numbers and dates at their distances, the rest at equal steps, those that an order is known of in their order and others by how
frequent they are.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.tables.compiler import inner
from aramis.tables.frequency import Codes, FrequencySet, Shares
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.utility.cells import as_numbers

Places = NDArray[np.int32]
Flags = NDArray[np.bool_]


class Scales(NamedTuple):
    """The scales of all quasi-identifiers, one behind another, as compiled loops want them."""

    starts: NDArray[np.int64]  # (quasi,) where a column begins in the two last
    sizes: NDArray[np.int64]  # (quasi,) how many places a column has
    levels: NDArray[np.int64]  # (quasi,) levels of a tree above its leaves; 0: a line
    numeric: Flags  # (quasi,) whether it is a line of numbers
    labels: Codes  # of a tree, level after level: the label above each place
    costs: Shares  # of a tree: the penalty of that label; of a line: where each place lies, from 0 to 1


def scales_of(
    frequency: FrequencySet, hierarchies: Mapping[str, Hierarchy]
) -> tuple[Scales, tuple[Places, ...]]:
    """The scales of a table's quasi-identifiers, and for each of them the place of every code."""
    places, levels, numeric, labels, costs = [], [], [], [], []
    for column in frequency.quasi:
        domain, given = frequency.domains[column], hierarchies.get(column)
        numbers = None if given else numbers_of(frequency, column)
        above = np.zeros((0, len(domain)), np.int32)
        if given:
            above, order = tree(given.over(domain))
            costs.append(_penalties(given, above).ravel())
        elif numbers is None:
            order = np.arange(len(domain))
            if column not in frequency.ordered:
                order = np.argsort(-frequency.records_of(column), kind="stable")
            costs.append(_line(np.arange(len(domain), dtype=np.float64)))
        else:
            order = np.arange(len(domain))
            costs.append(_line(numbers))
        labels.append(above.ravel() if given else np.zeros(len(domain), np.int32))
        levels.append(len(above))
        numeric.append(numbers is not None)
        places.append(np.argsort(order).astype(np.int32))
    starts = np.cumsum([0, *map(len, costs)])[:-1]
    sizes = np.array([len(column) for column in places])
    scales = Scales(
        starts, sizes, np.array(levels), np.array(numeric), np.concatenate(labels), np.concatenate(costs)
    )
    return scales, tuple(places)


def numbers_of(frequency: FrequencySet, column: str) -> Shares | None:
    """The values of a column as numbers, a missing one NaN; None where distances between them mean nothing."""
    numbers = as_numbers(frequency.domains[column]) if column in frequency.ordered else None
    if numbers is None or np.isinf(numbers).any() or np.any(np.diff(numbers) < 0):
        return None
    return numbers


def placed(places: Sequence[Places], codes: Codes) -> Places:
    """(quasi, tuples) the place of each value of these tuples."""
    return np.stack([place[codes[:, column]] for column, place in enumerate(places)])


def tree(codes: Codes) -> tuple[Codes, NDArray[np.intp]]:
    """(levels above the leaves, places) the label above each place, and the code that lies at each.

    The leaves under a label lie together, so the lowest label above several is that above the first and the last.
    """
    leaves = np.arange(codes.shape[1])
    keys = [leaves]
    for level in codes[1:]:
        first = np.full(int(level.max()) + 1, len(leaves))
        np.minimum.at(first, level, leaves)
        keys.append(first[level])
    order = np.lexsort(keys)
    return codes[1:, order], order


@inner
def penalty(scales: Scales, column: int, low: int, high: int) -> float:
    """What a cell loses that says no more than "from this place to that one": NCP, between 0 and 1.

    On a line the distance; in a tree the share of the leaves that lie under the lowest common ancestor.
    """
    at = scales.starts[column]
    if low == high:
        return 0.0
    if scales.levels[column] == 0:
        return min(scales.costs[at + high] - scales.costs[at + low], 1.0)
    for _ in range(scales.levels[column]):
        if scales.labels[at + low] == scales.labels[at + high]:
            return scales.costs[at + low]
        at += scales.sizes[column]
    return 1.0


def penalties(scales: Scales, column: int, low: Places, high: Places) -> Shares:
    """`penalty` of many cells of a column."""
    at, size, levels = scales.starts[column], scales.sizes[column], scales.levels[column]
    if levels == 0:
        line: Shares = np.minimum(scales.costs[at + high] - scales.costs[at + low], 1.0)
        return line
    found = np.ones(len(low))
    for level in reversed(range(levels)):
        one, other = at + level * size + low, at + level * size + high
        alike = scales.labels[one] == scales.labels[other]
        found[alike] = scales.costs[one[alike]]
    return np.where(low == high, 0.0, found)


def losses_with(scales: Scales, low: Places, high: Places, lows: Places, highs: Places) -> Shares:
    """What one span loses, by the sum over its columns, when it is made to reach each of these others."""
    total = np.zeros(len(lows))
    for column in range(len(low)):
        at, size, levels = scales.starts[column], scales.sizes[column], scales.levels[column]
        from_, to = lows[:, column], highs[:, column]
        if levels:
            reached = _reached(scales, column, low[column], high[column])
            total += np.maximum(reached[from_], reached[to])
        else:
            line = scales.costs[at : at + size]
            total += np.minimum(
                line[np.maximum(to, high[column])] - line[np.minimum(from_, low[column])], 1.0
            )
    return total


def _reached(scales: Scales, column: int, low: int, high: int) -> Shares:
    """The penalty of a span of a tree that is made to reach each place."""
    at, size, levels = scales.starts[column], scales.sizes[column], scales.levels[column]
    labels, costs = scales.labels[at : at + levels * size], scales.costs[at : at + levels * size]
    found = np.ones(size)
    for level in reversed(range(levels)):
        above = labels[level * size : (level + 1) * size]
        if above[low] != above[high]:
            break
        found[above == above[low]] = costs[level * size + low]
    if low == high:
        found[low] = 0.0
    return found


def _penalties(given: Hierarchy, above: Codes) -> Shares:
    leaves = [given.leaves(level + 1)[labels] for level, labels in enumerate(above)]
    return np.reshape(leaves, above.shape) / given.codes.shape[1]


def _line(values: Shares) -> Shares:
    """Where values lie between the first and the last; a missing one is as far from all others as can be."""
    known = values[~np.isnan(values)]
    if len(known) == 0 or known[0] == known[-1]:
        return np.where(np.isnan(values), 2.0, 0.0)
    return np.nan_to_num((values - known[0]) / (known[-1] - known[0]), nan=2.0)
