"""Which record loses least in a class, and in which class a record loses least: trees of boxes, searched by branch and bound.

Compiled loops. A class loses its size times the sum, over the quasi-identifiers, of the penalty of its span of places.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from aramis.tables.compiler import compiled
from aramis.tables.frequency import Counts, Shares
from aramis.tables.interpreted import when_it_pays
from aramis.tables.scales import Flags, Places, Scales, penalty

Positions = NDArray[np.int64]

LEAF = 8  # points
ROUNDING = 1e-9
DEPTH = 128  # of the stack: no tree is deeper than the binary logarithm of its points


class Trees(NamedTuple):
    """Points in trees, one for each group of them. The box of a node holds all points under it."""

    scales: Scales
    places: Places  # (points, quasi)
    present: Flags  # (points,) it has not been taken out
    order: Positions  # (points,) as they lie in the leaves
    leaves: Positions  # (points,) the leaf of each
    roots: Positions  # (groups,)
    low: Places  # (nodes, quasi)
    high: Places  # (nodes, quasi)
    starts: Positions  # (nodes,) where the points under it begin in the order
    ends: Positions  # (nodes,)
    left: Positions  # (nodes,) its left child, the right one is the next; -1: a leaf
    parents: Positions  # (nodes,) -1: a root
    alive: Counts  # (nodes,) points under it that are present


class Spans(NamedTuple):
    """Classes: where each lies in every column."""

    low: Places  # (classes, quasi)
    high: Places  # (classes, quasi)
    sizes: Counts  # (classes,) records; 0: it is no more
    losses: Shares  # (classes,) the sum of the penalties, for each of its records
    into: Positions  # (classes,) the class that it has become a part of; itself where it has not
    asked: Positions  # (classes + 1,) the last guest for whom it was looked at; behind them how many guests there were


def no_spans(classes: int, columns: int) -> Spans:
    """Room for so many classes."""
    low = np.zeros((classes, columns), np.int32)
    sizes, asked = np.zeros(classes, np.int64), np.zeros(classes + 1, np.int64)
    return Spans(low, low.copy(), sizes, np.zeros(classes), np.arange(classes), asked)


class Room(NamedTuple):
    """How far the records of a class may be from the whole table: what a class has too much of, in any bucket, is a share of it."""

    buckets: Positions  # (points,) the bucket of each
    shares: Shares  # (buckets,) of the whole table
    inside: Counts  # (classes, buckets) records of each class
    slack: float  # the largest share; from 1 on there is room for all


def planted(scales: Scales, places: Places, groups: Positions) -> Trees:
    """The trees of these points; those of a group are from one number in `groups` to the next."""
    points, columns = places.shape
    most = 4 * (points // LEAF + len(groups)) + 1
    trees = Trees(
        scales,
        places,
        np.ones(points, np.bool_),
        np.arange(points),
        np.zeros(points, np.int64),
        np.zeros(len(groups) - 1, np.int64),
        np.zeros((most, columns), np.int32),
        np.zeros((most, columns), np.int32),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.full(most, -1),
        np.full(most, -1),
        np.zeros(most, np.int64),
    )
    when_it_pays(plant, 3 * points)(trees, groups)
    return trees


@compiled(error_model="numpy")
def plant(trees: Trees, groups: Positions) -> None:
    """Divide the points of every group."""
    node = nodes = 0
    for group in range(len(groups) - 1):
        trees.roots[group] = nodes
        trees.starts[nodes], trees.ends[nodes] = groups[group], groups[group + 1]
        nodes += 1
        while node < nodes:
            nodes = _divided(trees, node, nodes)
            node += 1


@register_jitable
def span_loss(scales: Scales, low: Places, high: Places) -> float:
    """The sum of the penalties of a span."""
    total = 0.0
    for column in range(len(low)):
        total += penalty(scales, column, low[column], high[column])
    return total


@register_jitable
def nearest(
    trees: Trees,
    group: int,
    spans: Spans,
    of_class: int,
    tags: Positions,
    banned: Positions,
    patience: int,
) -> int:
    """The point of a group that loses least in a class; -1 where there is none.

    Points whose tag is banned from the class are passed over. After so many leaves as `patience` says the best so far will do.
    """
    stack, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    stack[0], bounds[0], top = trees.roots[group], 0.0, 1
    found, least, seen = -1, np.inf, 0
    low, high = spans.low[of_class], spans.high[of_class]
    while top and (seen < patience or found < 0):
        top -= 1
        node, bound = stack[top], bounds[top]
        if bound >= least or trees.alive[node] == 0:
            continue
        if trees.left[node] >= 0:
            top = _push(trees, node, low, high, least, stack, bounds, top)
            continue
        seen += 1
        for at in range(trees.starts[node], trees.ends[node]):
            point = trees.order[at]
            if trees.present[point] and banned[tags[point]] != of_class:
                loss = _reaching(trees.scales, low, high, trees.places[point], trees.places[point], least)
                if loss < least:
                    found, least = point, loss
                    if loss <= bound:
                        break
    return found


@register_jitable
def host(
    trees: Trees,
    spans: Spans,
    classes: Positions,
    guest: int,
    room: Room,
    bucket: int,
    patience: int,
    enough: float,
) -> tuple[int, float]:
    """The class that loses least more when it takes in another one, and how much that is; -1 where none loses less than `enough`.

    It has room for a record of this bucket. `classes` says the class of every point, and may say -1. A class is found by its points, so that those of other classes
    whose spans are wide do not hide it.
    """
    stack, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    stack[0], bounds[0], top = trees.roots[0], 0.0, 1
    found, least, seen = -1, enough, 0
    low, high, size = spans.low[guest], spans.high[guest], spans.sizes[guest]
    own = size * spans.losses[guest]
    spans.asked[-1] += 1
    now = spans.asked[-1]
    spans.asked[guest] = now
    while top and (seen < patience or (found < 0 and enough == np.inf)):
        top -= 1
        node, bound = stack[top], bounds[top]
        if size * bound - own >= least:
            continue
        if trees.left[node] >= 0:
            top = _push(trees, node, low, high, (least + own) / size, stack, bounds, top)
            continue
        seen += 1
        for at in range(trees.starts[node], trees.ends[node]):
            one = classes[trees.order[at]]
            while one >= 0 and spans.into[one] != one:
                one = spans.into[one]
            if one >= 0 and spans.asked[one] != now:
                spans.asked[one] = now
                both, before = size + spans.sizes[one], own + spans.sizes[one] * spans.losses[one]
                most = (least + before) / both
                loss = _reaching(trees.scales, low, high, spans.low[one], spans.high[one], most)
                if both * loss - before < least and has_room(room, one, bucket):
                    found, least = one, both * loss - before
    return found, least


@register_jitable
def has_room(room: Room, one: int, bucket: int) -> bool:
    """Whether a class is not too far from the whole table with one record more, of this bucket."""
    if room.slack >= 1:
        return True
    size, excess = 1, 0.0
    for other in range(len(room.shares)):
        size += room.inside[one, other]
    for other in range(len(room.shares)):
        excess += max(room.inside[one, other] + (other == bucket) - size * room.shares[other], 0.0)
    return excess <= room.slack * size + ROUNDING


@register_jitable
def take_out(trees: Trees, point: int) -> None:
    """Remove a point from its tree."""
    trees.present[point] = False
    node = trees.leaves[point]
    while node >= 0:
        trees.alive[node] -= 1
        node = trees.parents[node]


@register_jitable
def put_back(trees: Trees, point: int) -> None:
    """Undo that a point was taken out of its tree."""
    trees.present[point] = True
    node = trees.leaves[point]
    while node >= 0:
        trees.alive[node] += 1
        node = trees.parents[node]


@register_jitable
def begin(trees: Trees, spans: Spans, of_class: int, point: int) -> None:
    """Make a class of one record."""
    for column in range(trees.places.shape[1]):
        spans.low[of_class, column] = spans.high[of_class, column] = trees.places[point, column]
    spans.sizes[of_class], spans.losses[of_class] = 1, 0.0


@register_jitable
def reach(trees: Trees, spans: Spans, of_class: int, point: int) -> None:
    """Take a record into a class."""
    low, high = spans.low[of_class], spans.high[of_class]
    for column in range(len(low)):
        low[column] = min(low[column], trees.places[point, column])
        high[column] = max(high[column], trees.places[point, column])
    spans.sizes[of_class] += 1
    spans.losses[of_class] = span_loss(trees.scales, low, high)


@register_jitable
def unite(scales: Scales, spans: Spans, guest: int, one: int) -> None:
    """Make a class a part of another one."""
    low, high = spans.low[one], spans.high[one]
    for column in range(len(low)):
        low[column] = min(low[column], spans.low[guest, column])
        high[column] = max(high[column], spans.high[guest, column])
    spans.sizes[one] += spans.sizes[guest]
    spans.losses[one] = span_loss(scales, low, high)
    spans.sizes[guest] = 0
    spans.into[guest] = one


@register_jitable
def _push(
    trees: Trees,
    node: int,
    low: Places,
    high: Places,
    least: float,
    stack: Positions,
    bounds: Shares,
    top: int,
) -> int:
    """Put both children on the stack, the nearer one on top, where they may hold what loses less."""
    left = trees.left[node]
    one = _reaching(trees.scales, low, high, trees.high[left], trees.low[left], least)
    other = _reaching(trees.scales, low, high, trees.high[left + 1], trees.low[left + 1], least)
    for child, bound in ((left, one), (left + 1, other)) if one > other else ((left + 1, other), (left, one)):
        if bound < least:
            stack[top], bounds[top] = child, bound
            top += 1
    return top


@register_jitable
def _reaching(scales: Scales, low: Places, high: Places, from_: Places, to: Places, enough: float) -> float:
    """What a span loses that is made to begin at `from_` or before and to end at `to` or behind; infinite where that is enough.

    With the far ends of a box for both, it is what the span loses, at least, that reaches any point of the box.
    """
    total = 0.0
    for column in range(len(low)):
        total += penalty(scales, column, min(low[column], from_[column]), max(high[column], to[column]))
        if total >= enough:
            return np.inf
    return total


@register_jitable
def _divided(trees: Trees, node: int, nodes: int) -> int:
    """Give a node its box and, if it has many points, two children; how many nodes there are then."""
    start, end = trees.starts[node], trees.ends[node]
    trees.alive[node] = end - start
    if start == end:
        return nodes
    low, high, leaf = trees.low[node], trees.high[node], end - start <= LEAF
    for at in range(start, end):
        point = trees.order[at]
        for column in range(len(low)):
            place = trees.places[point, column]
            low[column] = place if at == start else min(low[column], place)
            high[column] = place if at == start else max(high[column], place)
        if leaf:
            trees.leaves[point] = node
    if leaf:
        return nodes
    widest, width = 0, -1.0
    for column in range(len(low)):
        here = penalty(trees.scales, column, low[column], high[column])
        if here > width:
            widest, width = column, here
    middle = (start + end) // 2
    _halve(trees.order, trees.places, widest, start, middle, end - 1)
    trees.left[node] = nodes
    trees.starts[nodes], trees.ends[nodes], trees.parents[nodes] = start, middle, node
    trees.starts[nodes + 1], trees.ends[nodes + 1], trees.parents[nodes + 1] = middle, end, node
    return nodes + 2


@register_jitable
def _halve(order: Positions, places: Places, column: int, first: int, middle: int, last: int) -> None:
    """Bring what lies low in a column before the middle, and what lies high behind it (Hoare's quickselect)."""
    while first < last:
        pivot = places[order[(first + last) // 2], column]
        low, high = first, last
        while low <= high:
            while places[order[low], column] < pivot:
                low += 1
            while places[order[high], column] > pivot:
                high -= 1
            if low <= high:
                order[low], order[high] = order[high], order[low]
                low += 1
                high -= 1
        if middle <= high:
            last = high
        elif middle >= low:
            first = low
        else:
            return
