"""Which record loses least in a class, and in which class a record loses least.

A class loses its size times the sum, over the quasi-identifiers, of the penalty of its span of places. Compiled loops search trees
of boxes by branch and bound; where there is little to do numpy looks at all records at once, and no compiler is waited for.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from aramis.tables.compiler import INNER, inner
from aramis.tables.frequency import Counts, Shares
from aramis.tables.interpreted import when_it_pays
from aramis.tables.scales import Flags, Places, Scales, losses_with, penalties, penalty

Positions = NDArray[np.int64]

LEAF = 8  # points
LARGE = 100_000  # points of a tree in which a search cannot look into every leaf that may have the nearest
ROUNDING = 1e-9
LOOK, MORE = 3, 1_000  # steps of 0.1 ms that a search takes as Python, and points that cost one more
DEPTH = 128  # of the stack: no tree is deeper than the binary logarithm of its points


class Trees(NamedTuple):
    """Points in a tree. The box of a node holds all points under it; the first node is the root."""

    scales: Scales
    places: Places  # (points, quasi)
    present: Flags  # (points,) it has not been taken out
    order: Positions  # (points,) as they lie in the leaves
    leaves: Positions  # (points,) the leaf of each
    low: Places  # (nodes, quasi)
    high: Places  # (nodes, quasi)
    starts: Positions  # (nodes,) where the points under it begin in the order
    ends: Positions  # (nodes,)
    left: Positions  # (nodes,) its left child, the right one is the next; -1: a leaf
    parents: Positions  # (nodes,) -1: the root
    alive: Counts  # (nodes,) points under it that are present
    stack: Positions  # (depth,) nodes that a search has still to look at
    bounds: Shares  # (depth,) what is lost in each of them, at least


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


def one_leaf(scales: Scales, places: Places, *, together: bool = False) -> Trees:
    """A tree that has not grown: its root is a leaf with all of these points.

    Of points that lose the same the first is found: in the order of the tuples it would always be of the same sensitive values,
    so they are shuffled. `together`: in a large tree those at the same places are not, for who may take only few of them
    cannot look into all the leaves where they lie.
    """
    points, columns = places.shape
    most = 4 * (points // LEAF + 1) + 1
    low = np.zeros((most, columns), np.int32)
    starts, ends, alive = np.zeros((3, most), np.int64)
    ends[0] = alive[0] = points
    nowhere = np.full((2, most), -1)
    order, leaves = np.random.default_rng(0).permutation(points), np.zeros(points, np.int64)
    if together and points > LARGE:
        order = order[np.lexsort(places[order].T)]
    return Trees(
        scales=scales,
        places=places,
        present=np.ones(points, np.bool_),
        order=order,
        leaves=leaves,
        low=low,
        high=low.copy(),
        starts=starts,
        ends=ends,
        left=nowhere[0],
        parents=nowhere[1],
        alive=alive,
        stack=np.zeros(DEPTH, np.int64),
        bounds=np.zeros(DEPTH),
    )


def searching(loop: Any, trees: Trees, searches: int) -> Callable[..., Any]:
    """The compiled loop, and the tree has grown; or its Python, for so few searches."""
    chosen = when_it_pays(loop, searches * (LOOK + len(trees.places) // MORE))
    if chosen is loop and trees.left[0] < 0:
        grow(trees)
    return chosen


def grow(trees: Trees) -> None:
    """Halve the points where they are widest apart, all nodes of a depth at once, until no leaf has many."""
    nodes, number = np.zeros(1, np.int64), 1
    while len(nodes):
        starts, ends = trees.starts[nodes], trees.ends[nodes]
        at, of_node = ranges(starts, ends), np.repeat(np.arange(len(nodes)), ends - starts)
        points = trees.order[at]
        trees.leaves[points], trees.alive[nodes] = nodes[of_node], ends - starts
        widest = _surround(trees, nodes, trees.places[points])
        place = trees.places[points, widest[of_node]]
        trees.order[at] = points[np.argsort(of_node * (int(place.max()) + 1) + place, kind="stable")]
        large = ends - starts > LEAF
        left = number + 2 * np.arange(np.count_nonzero(large))
        trees.left[nodes[large]], middles = left, (starts + ends)[large] // 2
        trees.starts[left], trees.ends[left], trees.parents[left] = starts[large], middles, nodes[large]
        trees.starts[left + 1], trees.ends[left + 1], trees.parents[left + 1] = (
            middles,
            ends[large],
            nodes[large],
        )
        nodes = np.stack([left, left + 1], axis=1).ravel()
        number += len(nodes)


def nearest(
    trees: Trees,
    spans: Spans,
    of_class: int,
    tags: Positions,
    banned: Positions,
    patience: int,  # noqa: ARG001  # numpy is never tired
) -> int:
    """The point that loses least in a class; -1 where there is none. Points whose tag is banned from the class are passed over."""
    points = trees.order[(trees.present & (banned[tags] != of_class))[trees.order]]
    if not len(points):
        return -1
    places = trees.places[points]
    losses = losses_with(trees.scales, spans.low[of_class], spans.high[of_class], places, places)
    return int(points[np.argmin(losses)])


def nearest_in_tree(
    trees: Trees, spans: Spans, of_class: int, tags: Positions, banned: Positions, patience: int
) -> int:
    """`nearest`; after so many leaves as `patience` says the best so far will do."""
    trees.stack[0], trees.bounds[0], top = 0, 0.0, 1
    found, least, seen = -1, np.inf, 0
    while top and (seen < patience or found < 0):
        top -= 1
        node, bound = trees.stack[top], trees.bounds[top]
        if bound >= least or trees.alive[node] == 0:
            continue
        if trees.left[node] >= 0:
            top = _push(trees, node, spans, of_class, least, top)
            continue
        seen += 1
        for at in range(trees.starts[node], trees.ends[node]):
            point = trees.order[at]
            if trees.present[point] and banned[tags[point]] != of_class:
                loss = _reaching(trees.scales, spans, of_class, trees.places, trees.places, point, least)
                if loss < least:
                    found, least = point, loss
                    if loss <= bound:
                        break
    return found


def host(
    trees: Trees,
    spans: Spans,
    classes: Positions,  # noqa: ARG001  # numpy asks the spans
    guest: int,
    room: Room,
    bucket: int,
    patience: int,  # noqa: ARG001
    enough: float,
) -> tuple[int, float]:
    """The class that loses least more when it takes in another one, and how much that is; -1 where none loses less than `enough`.

    It has room for a record of this bucket.
    """
    size, own = spans.sizes[guest], spans.sizes[guest] * spans.losses[guest]
    others = np.flatnonzero(spans.sizes)
    others = others[(others != guest) & _have_room(room, others, bucket)]
    if not len(others):
        return -1, enough
    low, high = spans.low[guest], spans.high[guest]
    losses = losses_with(trees.scales, low, high, spans.low[others], spans.high[others])
    sizes = spans.sizes[others]
    more = (size + sizes) * losses - own - sizes * spans.losses[others]
    least = int(np.argmin(more))
    return (int(others[least]), float(more[least])) if more[least] < enough else (-1, enough)


def host_in_tree(
    trees: Trees,
    spans: Spans,
    classes: Positions,
    guest: int,
    room: Room,
    bucket: int,
    patience: int,
    enough: float,
) -> tuple[int, float]:
    """`host`. `classes` says the class of every point, and may say -1. A class is found by its points, so that those of other classes
    whose spans are wide do not hide it.
    """
    trees.stack[0], trees.bounds[0], top = 0, 0.0, 1
    found, least, seen = -1, enough, 0
    size = spans.sizes[guest]
    own = size * spans.losses[guest]
    spans.asked[-1] += 1
    now = spans.asked[-1]
    spans.asked[guest] = now
    while top and (seen < patience or (found < 0 and enough == np.inf)):
        top -= 1
        node, bound = trees.stack[top], trees.bounds[top]
        if size * bound - own >= least:
            continue
        if trees.left[node] >= 0:
            top = _push(trees, node, spans, guest, (least + own) / size, top)
            continue
        seen += 1
        for at in range(trees.starts[node], trees.ends[node]):
            one = classes[trees.order[at]]
            while one >= 0 and spans.into[one] != one:
                one = spans.into[one]
            if one >= 0 and spans.asked[one] != now:
                spans.asked[one] = now
                both, before = size + spans.sizes[one], own + spans.sizes[one] * spans.losses[one]
                loss = _reaching(
                    trees.scales, spans, guest, spans.low, spans.high, one, (least + before) / both
                )
                if both * loss - before < least and has_room(room, one, bucket):
                    found, least = one, both * loss - before
    return found, least


overload(nearest, jit_options=INNER, strict=False)(lambda *_: nearest_in_tree)
overload(host, jit_options=INNER, strict=False)(lambda *_: host_in_tree)


@inner
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


def _have_room(room: Room, classes: Positions, bucket: int) -> Flags:
    """`has_room` of many classes."""
    if room.slack >= 1:
        return np.ones(len(classes), np.bool_)
    inside = room.inside[classes]
    inside[:, bucket] += 1
    sizes = inside.sum(axis=1)
    excess = np.maximum(inside - np.outer(sizes, room.shares), 0).sum(axis=1)
    enough: Flags = excess <= room.slack * sizes + ROUNDING
    return enough


@inner
def take_out(trees: Trees, point: int) -> None:
    """Remove a point from its tree."""
    trees.present[point] = False
    node = trees.leaves[point]
    while node >= 0:
        trees.alive[node] -= 1
        node = trees.parents[node]


@inner
def put_back(trees: Trees, point: int) -> None:
    """Undo that a point was taken out of its tree."""
    trees.present[point] = True
    node = trees.leaves[point]
    while node >= 0:
        trees.alive[node] += 1
        node = trees.parents[node]


@inner
def begin(trees: Trees, spans: Spans, of_class: int, point: int) -> None:
    """Make a class of one record."""
    for column in range(trees.places.shape[1]):
        spans.low[of_class, column] = spans.high[of_class, column] = trees.places[point, column]
    spans.sizes[of_class], spans.losses[of_class] = 1, 0.0


@inner
def reach(trees: Trees, spans: Spans, of_class: int, point: int) -> None:
    """Take a record into a class."""
    for column in range(trees.places.shape[1]):
        place = trees.places[point, column]
        spans.low[of_class, column] = min(spans.low[of_class, column], place)
        spans.high[of_class, column] = max(spans.high[of_class, column], place)
    spans.sizes[of_class] += 1
    spans.losses[of_class] = _reaching(trees.scales, spans, of_class, spans.low, spans.high, of_class, np.inf)


@inner
def unite(scales: Scales, spans: Spans, guest: int, one: int) -> None:
    """Make a class a part of another one."""
    for column in range(spans.low.shape[1]):
        spans.low[one, column] = min(spans.low[one, column], spans.low[guest, column])
        spans.high[one, column] = max(spans.high[one, column], spans.high[guest, column])
    spans.sizes[one] += spans.sizes[guest]
    spans.losses[one] = _reaching(scales, spans, one, spans.low, spans.high, one, np.inf)
    spans.sizes[guest] = 0
    spans.into[guest] = one


@inner
def _push(
    trees: Trees,
    node: int,
    spans: Spans,
    of_class: int,
    least: float,
    top: int,
) -> int:
    """Put both children on the stack, the nearer one on top, where they may hold what loses less."""
    near = trees.left[node]
    far = near + 1
    to_near = _reaching(trees.scales, spans, of_class, trees.high, trees.low, near, least)
    to_far = _reaching(trees.scales, spans, of_class, trees.high, trees.low, far, least)
    if to_near > to_far:
        near, far, to_near, to_far = far, near, to_far, to_near
    if to_far < least:
        trees.stack[top], trees.bounds[top] = far, to_far
        top += 1
    if to_near < least:
        trees.stack[top], trees.bounds[top] = near, to_near
        top += 1
    return top


@inner
def _reaching(
    scales: Scales, spans: Spans, of_class: int, from_: Places, to: Places, row: int, enough: float
) -> float:
    """What a class loses that is made to begin at `from_` or before and to end at `to` or behind; infinite where that is enough.

    With the far ends of a box for both, it is what the class loses, at least, that reaches any point of the box.
    """
    total = 0.0
    for column in range(from_.shape[1]):
        low = min(spans.low[of_class, column], from_[row, column])
        high = max(spans.high[of_class, column], to[row, column])
        total += penalty(scales, column, low, high)
        if total >= enough:
            return np.inf
    return total


def _surround(trees: Trees, nodes: Positions, places: Places) -> Positions:
    """Give these nodes their boxes; the column in which each is widest."""
    sizes = trees.ends[nodes] - trees.starts[nodes]
    edges = np.cumsum(sizes) - sizes
    low, high = np.minimum.reduceat(places, edges), np.maximum.reduceat(places, edges)
    trees.low[nodes], trees.high[nodes] = low, high
    widths = [
        penalties(trees.scales, column, low[:, column], high[:, column]) for column in range(low.shape[1])
    ]
    return np.argmax(widths, axis=0)


def ranges(starts: Positions, ends: Positions) -> Positions:
    """Every position from each start to its end, one range behind another."""
    lengths = ends - starts
    return np.arange(lengths.sum()) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
