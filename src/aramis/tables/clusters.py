"""Classes drawn record by record from near one another, and made fewer where that loses less: compiled loops."""

from typing import NamedTuple

from numba import njit
from numba.extending import register_jitable

from aramis.tables.frequency import Counts
from aramis.tables.nearest import Positions, Spans, Trees, begin, host, nearest, reach, take_out, unite

NOWHERE = -1


class Drawing(NamedTuple):
    """Records on their way from buckets into classes. A point of the trees is a tuple, which stands for several records."""

    trees: Trees
    spans: Spans
    buckets: Positions  # (points,) the bucket of each
    left: Counts  # (points,) records not yet drawn
    in_bucket: Counts  # (buckets,) records not yet drawn
    queue: Positions  # (records,) points, bucket after bucket, each as often as it has records, in the order in which they begin classes
    front: Positions  # (buckets,) how far the queue of each has come
    banned: Positions  # (buckets,) the last class that wants no more of it
    points: Positions  # (records,) the point of each record drawn
    classes: Positions  # (records,) and its class
    drawn: Positions  # (2,) how many records, and into how many classes


@njit(cache=True, error_model="numpy")
def draw_diverse(drawing: Drawing, l: int, size: int, patience: int, classes: int) -> bool:
    """Draw classes of `size` records from `l` buckets, up to so many classes; whether there may be more.

    A class begins in the largest bucket. It takes in the record that loses least from a bucket that it has none of, until it
    is of l buckets, and then the one that loses least from any.
    """
    while drawing.drawn[1] < classes:
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
                drawing.banned[:] = NOWHERE
            point = nearest(drawing.trees, 0, drawing.spans, one, drawing.buckets, drawing.banned, patience)
            reach(drawing.trees, drawing.spans, one, point)
        drawing.drawn[1] += 1
    return True


@njit(cache=True, error_model="numpy")
def surround(trees: Trees, spans: Spans, classes: Positions) -> None:
    """Make the spans those of the classes of these points."""
    for point in range(len(classes)):
        one = classes[point]
        if one == NOWHERE:
            continue
        if spans.sizes[one]:
            reach(trees, spans, one, point)
        else:
            begin(trees, spans, one, point)


@njit(cache=True, error_model="numpy")
def adopt(trees: Trees, spans: Spans, classes: Positions, guests: Positions, patience: int) -> None:
    """Each of these points, which have no class, joins the one whose loss it raises least. The last span is a place to work in."""
    scratch = len(spans.sizes) - 1
    for point in guests:
        begin(trees, spans, scratch, point)
        one, _ = host(trees, spans, classes, scratch, patience)
        reach(trees, spans, one, point)
        classes[point] = one
    spans.sizes[scratch] = 0


@njit(cache=True, error_model="numpy")
def dissolve(
    trees: Trees, spans: Spans, classes: Positions, order: Positions, starts: Positions, patience: int
) -> None:
    """Classes, in the order of their points, each of whose records loses less in others is no more.

    `order` has the points, class after class, the class that loses most first; it begins in `starts`.
    """
    scratch = len(spans.sizes) - 1
    for number in range(len(starts) - 1):
        points = order[starts[number] : starts[number + 1]]
        one = classes[points[0]]
        own = spans.sizes[one] * spans.losses[one]
        if own == 0:
            break
        if spans.sizes[one] != len(points):  # it has taken in others
            continue
        classes[points] = NOWHERE
        elsewhere = 0.0
        for point in points:
            begin(trees, spans, scratch, point)
            other, more = host(trees, spans, classes, scratch, patience)
            elsewhere += more
            if other < 0 or elsewhere >= own:
                elsewhere = own
                break
        if elsewhere >= own:
            classes[points] = one
            continue
        spans.sizes[one] = 0
        for point in points:
            begin(trees, spans, scratch, point)
            other, _ = host(trees, spans, classes, scratch, patience)
            reach(trees, spans, other, point)
            classes[point] = other
    spans.sizes[scratch] = 0


@njit(cache=True, error_model="numpy")
def merge(trees: Trees, spans: Spans, classes: Positions, guests: Positions, patience: int) -> None:
    """Each of these classes joins the one with which it loses least more."""
    for guest in guests:
        if spans.sizes[guest]:
            one, _ = host(trees, spans, classes, guest, patience)
            if one >= 0:
                unite(trees.scales, spans, guest, one)


@register_jitable
def _largest(drawing: Drawing, l: int, size: int) -> int:
    """The largest bucket, where l buckets are not empty and hold as many records as a class has."""
    largest, filled, records = 0, 0, 0
    for bucket in range(len(drawing.in_bucket)):
        filled += drawing.in_bucket[bucket] > 0
        records += drawing.in_bucket[bucket]
        if drawing.in_bucket[bucket] > drawing.in_bucket[largest]:
            largest = bucket
    return largest if filled >= l and records >= size else NOWHERE


@register_jitable
def _first(drawing: Drawing, bucket: int) -> int:
    """The next in a bucket's queue of whom something is left."""
    while drawing.left[drawing.queue[drawing.front[bucket]]] == 0:
        drawing.front[bucket] += 1
    return drawing.queue[drawing.front[bucket]]


@register_jitable
def _draw(drawing: Drawing, point: int, one: int) -> None:
    """A record of this point is drawn into a class."""
    drawing.left[point] -= 1
    drawing.in_bucket[drawing.buckets[point]] -= 1
    if drawing.left[point] == 0:
        take_out(drawing.trees, point)
    drawing.points[drawing.drawn[0]], drawing.classes[drawing.drawn[0]] = point, one
    drawing.drawn[0] += 1
