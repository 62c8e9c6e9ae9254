"""Classes drawn record by record from near one another, and made fewer where that loses less: compiled loops."""

from typing import NamedTuple

import numpy as np

from aramis.tables.compiler import compiled, inner
from aramis.tables.frequency import Counts, Shares
from aramis.tables.nearest import (
    ROUNDING,
    Positions,
    Room,
    Spans,
    Trees,
    begin,
    host,
    nearest,
    put_back,
    reach,
    take_out,
    unite,
)
from aramis.tables.scales import Places, Scales, penalties

NOWHERE = -1
GIVE_UP = 50  # classes, one after another, that could not be filled up


class Drawing(NamedTuple):
    """Records on their way from buckets into classes. A point of the trees is a tuple, which stands for several records."""

    trees: Trees
    spans: Spans
    buckets: Positions  # (points,) the bucket of each
    left: Counts  # (points,) records not yet drawn
    in_bucket: Counts  # (buckets,) records not yet drawn
    queue: Positions  # (records,) points, bucket after bucket, each as often as it has records, in the order in which they begin classes; or of all buckets together
    front: Positions  # (buckets,) how far the queue of each has come
    banned: Positions  # (buckets,) the last class that wants no more of it
    inside: Counts  # (buckets,) records that the class has which is being drawn
    fractions: Shares  # (buckets,) a place to work in
    points: Positions  # (records,) the point of each record drawn
    classes: Positions  # (records,) and its class
    drawn: Positions  # (2,) how many records, and into how many classes


@compiled(makes_arrays=False)
def draw_diverse(drawing: Drawing, l: int, size: int, patience: int, records: int) -> bool:
    """Draw classes of `size` records from `l` buckets, until so many are drawn; whether there may be more.

    A class begins in the largest bucket. It takes in the record that loses least from a bucket that it has none of, until it
    is of l buckets, and then the one that loses least from any.
    """
    while drawing.drawn[0] < records:
        largest = _largest(drawing, l, size)
        if largest == NOWHERE:
            return False
        one = drawing.drawn[1]
        point = _first(drawing, largest)
        begin(drawing.trees, drawing.spans, one, point)
        for number in range(1, size + 1):
            _draw(drawing, point, one)
            if number == size:
                break
            drawing.banned[drawing.buckets[point]] = one if number < l else NOWHERE
            if number == l:
                _lift_bans(drawing)
            point = nearest(drawing.trees, drawing.spans, one, drawing.buckets, drawing.banned, patience)
            reach(drawing.trees, drawing.spans, one, point)
        drawing.drawn[1] += 1
    return True


@compiled(makes_arrays=False)
def draw_close(
    drawing: Drawing, shares: Shares, slack: float, size: int, patience: int, records: int
) -> bool:
    """Draw classes of `size` records, until so many are drawn; whether there may be more.

    What a class has more of than its part, summed over the buckets, is a share `slack` of it at most. It begins with the next of
    one queue, and takes in the record that loses least of those with which it can still be filled up.
    """
    inside, gave_up = drawing.inside, 0
    while drawing.drawn[0] < records:
        if gave_up == GIVE_UP:
            return False
        while drawing.front[0] < len(drawing.queue) and drawing.left[drawing.queue[drawing.front[0]]] == 0:
            drawing.front[0] += 1
        if drawing.front[0] == len(drawing.queue):
            return False
        first, one, point = drawing.drawn[0], drawing.drawn[1], drawing.queue[drawing.front[0]]
        drawing.front[0] += 1
        begin(drawing.trees, drawing.spans, one, point)
        for bucket in range(len(inside)):
            inside[bucket] = 0
        for number in range(1, size + 1):
            _draw(drawing, point, one)
            inside[drawing.buckets[point]] += 1
            if number == size:
                break
            _ban(drawing, shares, slack * size, size - number, one)
            point = nearest(drawing.trees, drawing.spans, one, drawing.buckets, drawing.banned, patience)
            if point < 0:
                break
            reach(drawing.trees, drawing.spans, one, point)
        if point >= 0:
            drawing.drawn[1] += 1
            gave_up = 0
        else:
            _undo(drawing, first)
            gave_up += 1
    return True


@compiled(makes_arrays=False)
def least_excess_of(shares: Shares, inside: Counts, left: Counts, size: int, fractions: Shares) -> float:
    """The least that a class of so many records can have too much of."""
    return least_excess(shares, inside, left, NOWHERE, size, fractions)


def surround(scales: Scales, places: Places, spans: Spans, classes: Positions) -> None:
    """Make the spans those of the classes of these points."""
    order = np.argsort(classes, kind="stable")
    order = order[np.searchsorted(classes[order], 0) :]  # those of no class lie before all others
    if not len(order):
        return
    starts = np.flatnonzero(np.diff(classes[order], prepend=NOWHERE))
    found = classes[order[starts]]
    low, high = (extreme.reduceat(places[order], starts) for extreme in (np.minimum, np.maximum))
    spans.low[found], spans.high[found] = low, high
    spans.sizes[found] = np.diff(starts, append=len(order))
    for column in range(places.shape[1]):
        spans.losses[found] += penalties(scales, column, low[:, column], high[:, column])


@compiled(makes_arrays=False)
def rehouse(
    trees: Trees,
    spans: Spans,
    classes: Positions,
    room: Room,
    order: Positions,
    starts: Positions,
    hosts: Positions,
    patience: int,
) -> None:
    """Points that are a class, or of none, join others that have room, each the one whose loss it raises least.

    `order` has them part after part, and one begins at each of `starts`. A class is no more where its records lose less in others;
    where not, all stay. `hosts` is as long as the largest part; the last span is a place to work in.
    """
    for number in range(len(starts) - 1):
        first, size = starts[number], starts[number + 1] - starts[number]
        one = classes[order[first]]
        own = np.inf
        if one >= 0:
            own = spans.sizes[one] * spans.losses[one]
            if own == 0 or spans.sizes[one] != size:  # nothing to win, or it has taken in others
                continue
            spans.sizes[one] = 0
        for at in range(first, first + size):
            classes[order[at]] = NOWHERE
        if _lodged(trees, spans, classes, room, order, first, size, own, hosts, patience):
            for guest in range(size):
                classes[order[first + guest]] = hosts[guest]
                reach(trees, spans, hosts[guest], order[first + guest])
        elif one >= 0:
            spans.sizes[one] = size
            for at in range(first, first + size):
                classes[order[at]] = one
    spans.sizes[-1] = 0


@compiled(makes_arrays=False)
def merge(
    trees: Trees, spans: Spans, classes: Positions, room: Room, guests: Positions, patience: int
) -> None:
    """Each of these classes joins the one with which it loses least more."""
    for guest in guests:
        if spans.sizes[guest]:
            one, _ = host(trees, spans, classes, guest, room, NOWHERE, patience, np.inf)
            if one >= 0:
                unite(trees.scales, spans, guest, one)


@inner
def _lodged(
    trees: Trees,
    spans: Spans,
    classes: Positions,
    room: Room,
    order: Positions,
    first: int,
    size: int,
    own: float,
    hosts: Positions,
    patience: int,
) -> bool:
    """Find hosts for so many points with which they lose less than `own` together; whether there are any."""
    elsewhere, placed = 0.0, 0
    while placed < size:
        point = order[first + placed]
        bucket = room.buckets[point]
        begin(trees, spans, len(spans.sizes) - 1, point)
        enough = own - elsewhere
        other, more = host(trees, spans, classes, len(spans.sizes) - 1, room, bucket, patience, enough)
        if other < 0:
            break
        elsewhere += more
        hosts[placed] = other
        placed += 1
        room.inside[other, bucket] += 1
    if placed == size:
        return True
    for guest in range(placed):
        room.inside[hosts[guest], room.buckets[order[first + guest]]] -= 1
    return False


@inner
def _largest(drawing: Drawing, l: int, size: int) -> int:
    """The largest bucket, where l buckets are not empty and hold as many records as a class has."""
    largest, filled, records = 0, 0, 0
    for bucket in range(len(drawing.in_bucket)):
        filled += drawing.in_bucket[bucket] > 0
        records += drawing.in_bucket[bucket]
        if drawing.in_bucket[bucket] > drawing.in_bucket[largest]:
            largest = bucket
    return largest if filled >= l and records >= size else NOWHERE


@inner
def _lift_bans(drawing: Drawing) -> None:
    for bucket in range(len(drawing.banned)):
        drawing.banned[bucket] = NOWHERE


@inner
def _first(drawing: Drawing, bucket: int) -> int:
    """The next in a bucket's queue of whom something is left."""
    while drawing.left[drawing.queue[drawing.front[bucket]]] == 0:
        drawing.front[bucket] += 1
    return drawing.queue[drawing.front[bucket]]


@inner
def _ban(drawing: Drawing, shares: Shares, excess: float, missing: int, one: int) -> None:
    """Ban the buckets of which a record more would leave a class that cannot be filled up within the excess."""
    inside, left, fractions = drawing.inside, drawing.in_bucket, drawing.fractions
    for bucket in range(len(shares)):
        if drawing.banned[bucket] != one:
            inside[bucket] += 1
            if (
                left[bucket] == 0
                or least_excess(shares, inside, left, bucket, missing - 1, fractions) > excess + ROUNDING
            ):
                drawing.banned[bucket] = one
            inside[bucket] -= 1


@inner
def least_excess(
    shares: Shares, inside: Counts, left: Counts, bucket: int, missing: int, fractions: Shares
) -> float:
    """The least that a class can have too much of when it is filled up from what is left but for a record of this bucket.

    `fractions` is a place to work in, one for each bucket.
    """
    size, excess = missing, 0.0
    for other in range(len(shares)):
        size += inside[other]
    # whole records up to the part of each bucket cost nothing; then the cheapest fractions; then each costs 1
    number, free, dear = 0, 0, 0
    for other in range(len(shares)):
        part = size * shares[other]
        excess += max(inside[other] - part, 0.0)
        available = left[other] - (other == bucket)
        whole = min(max(np.int64(np.floor(part + ROUNDING)) - inside[other], 0), available)
        free += whole
        available -= whole
        over = inside[other] + whole + 1 - part
        if available > 0 and over < 1:
            _put_in(fractions, number, max(over, 0.0))
            number += 1
            available -= 1
        dear += available
    missing -= free
    if missing <= 0:
        return excess
    if missing > number + dear:
        return np.inf
    for other in range(min(missing, number)):
        excess += fractions[other]
    return excess + max(missing - number, 0)


@inner
def _put_in(ordered: Shares, number: int, one: float) -> None:
    """Put one more among so many that are in order: they are few, and numba's sort takes a second to compile."""
    at = number
    while at > 0 and ordered[at - 1] > one:
        ordered[at] = ordered[at - 1]
        at -= 1
    ordered[at] = one


@inner
def _undo(drawing: Drawing, first: int) -> None:
    """The records of a class that was not filled up are where they were."""
    for number in range(first, drawing.drawn[0]):
        point = drawing.points[number]
        if drawing.left[point] == 0:
            put_back(drawing.trees, point)
        drawing.left[point] += 1
        drawing.in_bucket[drawing.buckets[point]] += 1
    drawing.drawn[0] = first
    drawing.spans.sizes[drawing.drawn[1]] = 0
    _lift_bans(drawing)


@inner
def _draw(drawing: Drawing, point: int, one: int) -> None:
    """A record of this point is drawn into a class."""
    drawing.left[point] -= 1
    drawing.in_bucket[drawing.buckets[point]] -= 1
    if drawing.left[point] == 0:
        take_out(drawing.trees, point)
    drawing.points[drawing.drawn[0]], drawing.classes[drawing.drawn[0]] = point, one
    drawing.drawn[0] += 1
