"""Records drawn from buckets of sensitive values into classes, from near one another: what CLDPP, SABRE and others share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.clusters import NOWHERE, Drawing, draw_close, draw_diverse, least_excess_of
from aramis.tables.frequency import Codes, Counts
from aramis.tables.interpreted import when_it_pays
from aramis.tables.models.distances import Equal, Hierarchical, Line
from aramis.tables.models.model import TOLERANCE
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.nearest import Positions, no_spans, one_leaf, searching
from aramis.tables.recoding import Recoding
from aramis.tables.settling import PATIENCE, Shape, points_of, settled

AT_ONCE = 1_000  # records between two words on how far it has come
UNTIL_THE_END = "nothing to release before the last"
CHOICE = 6  # records of a class that need not be what its shares ask for: what is near can go together


class Pieces(NamedTuple):
    """Some of the records of a tuple each, all in one bucket."""

    tuples: Codes  # (pieces,)
    counts: Counts  # (pieces,)
    buckets: Positions  # (pieces,)


def diverse(task: Task, buckets: Positions, l: int, size: int) -> Recoding:
    """Classes of so many records, from `l` different buckets each. A bucket for each tuple."""
    return _diverse(task, _whole(task, buckets), l, size)


def one_of_each_slice(task: Task, model: TCloseness, number: int) -> Recoding:
    """Classes with a record from each of so many equal slices of the table, sorted by a sensitive column."""
    return _diverse(task, _slices(task, model, number), number, number)


def within(task: Task, buckets: Positions, slack: float, size: int) -> Recoding:
    """Classes of so many records and more, which have of no buckets, all in all, more than a share `slack` too much."""
    pieces = _whole(task, buckets)
    if size >= task.frequency.rows:
        everything = np.repeat(pieces.tuples, pieces.counts)
        return settled(task, everything, np.zeros(len(everything), np.int64))
    drawing = _begun(task, pieces, size, of_bucket=False)
    shares = drawing.in_bucket / task.frequency.rows
    draw = searching(draw_close, drawing.trees, task.frequency.rows)
    _draw_all(
        task, drawing, lambda records: draw(drawing, shares, slack, size, PATIENCE, records), UNTIL_THE_END
    )
    return _settled(task, pieces, drawing, Shape(buckets, slack))


def slices_needed(task: Task, model: TCloseness, least: int) -> int:
    """How few slices are enough for classes with one record from each to be t-close, whichever records they are."""
    rows, fails, holds = task.frequency.rows, least - 1, least
    while holds < rows and _worst(task, model, holds) > model.t + TOLERANCE:
        fails, holds = holds, min(2 * holds, rows)
    while holds - fails > 1:
        middle = (holds + fails) // 2
        if _worst(task, model, middle) > model.t + TOLERANCE:
            fails = middle
        else:
            holds = middle
    return holds


def size_within(task: Task, buckets: Positions, slack: float, least: int) -> int:
    """How many records a class has at first.

    The fewest that need no more than half of the slack, or up to twice as many, so that some records may be of any bucket. The
    whole table where there are no such classes.
    """
    counts = np.bincount(buckets, task.frequency.counts).astype(np.int64)
    nothing, rows, size = np.zeros_like(counts), task.frequency.rows, max(least, 2)
    shares, fractions = counts / rows, np.zeros(len(counts))
    excess = when_it_pays(least_excess_of, len(counts))
    while size < rows and excess(shares, nothing, counts, size, fractions) > slack * size / 2 + TOLERANCE:
        size += max(size // 16, 1)
    return min(max(size, min(2 * size, int(CHOICE / max(slack, CHOICE / rows)))), rows)


def _diverse(task: Task, pieces: Pieces, l: int, size: int) -> Recoding:
    drawing = _begun(task, pieces, size, of_bucket=True)
    draw = searching(draw_diverse, drawing.trees, task.frequency.rows)
    try:
        _draw_all(
            task,
            drawing,
            lambda records: draw(drawing, l, size, PATIENCE, records),
            "the rest would join them",
        )
    except KeyboardInterrupt:  # another record never harms a class that has l values
        return _settled(task, pieces, drawing, complete=False)
    return _settled(task, pieces, drawing)


def _whole(task: Task, buckets: Positions) -> Pieces:
    """Every tuple as it is."""
    return Pieces(np.arange(len(buckets), dtype=np.int32), task.frequency.counts, buckets)


def _begun(task: Task, pieces: Pieces, size: int, *, of_bucket: bool) -> Drawing:
    """Nothing is drawn yet; there is a queue of each bucket, or one of all, in an order drawn at random."""
    scales, places = points_of(task)
    points, rows = places[pieces.tuples], int(pieces.counts.sum())
    queue = task.random().permutation(np.repeat(np.arange(len(points)), pieces.counts))
    if of_bucket:
        queue = queue[np.argsort(pieces.buckets[queue], kind="stable")]
    in_bucket = np.bincount(pieces.buckets, pieces.counts).astype(np.int64)
    return Drawing(
        trees=one_leaf(scales, points, together=of_bucket),
        spans=no_spans(rows // size + 1, points.shape[1]),
        buckets=pieces.buckets,
        left=pieces.counts.copy(),
        in_bucket=in_bucket,
        queue=queue,
        front=np.cumsum(in_bucket) - in_bucket,
        banned=np.full(len(in_bucket), NOWHERE),
        inside=np.zeros_like(in_bucket),
        fractions=np.zeros(len(in_bucket)),
        points=np.empty(rows, np.int64),
        classes=np.empty(rows, np.int64),
        drawn=np.zeros(2, np.int64),
    )


def _draw_all(task: Task, drawing: Drawing, draw: Callable[[int], bool], otherwise: str) -> None:
    """Draw classes until there are no more, and tell how far it has come, and what if it went no further."""
    while draw(int(drawing.drawn[0]) + AT_ONCE):
        task.tell(int(drawing.drawn[0]), len(drawing.points), f"{drawing.drawn[1]:,} classes; {otherwise}")


def _settled(
    task: Task, pieces: Pieces, drawing: Drawing, shape: Shape | None = None, *, complete: bool = True
) -> Recoding:
    records = drawing.drawn[0]
    rest = np.repeat(np.arange(len(drawing.left)), drawing.left)
    classes = np.append(drawing.classes[:records], np.full(len(rest), NOWHERE))
    tuples = pieces.tuples[np.append(drawing.points[:records], rest)]
    return settled(task, tuples, classes, shape, complete=complete)


def _order(task: Task, model: TCloseness) -> Positions:
    """The values of a sensitive column so that those that are near lie beside one another."""
    if isinstance(model.ground, Hierarchical):
        return np.lexsort(model.ground.codes)
    if isinstance(model.ground, Equal):
        return np.argsort(-task.frequency.records_of(model.column), kind="stable")
    return np.arange(len(task.frequency.domains[model.column]))


def _slices(task: Task, model: TCloseness, number: int) -> Pieces:
    """The table sorted by a sensitive column, in so many equal slices."""
    frequency = task.frequency
    rank = np.argsort(_order(task, model), kind="stable")
    order = np.argsort(rank[frequency.codes_of(model.column)], kind="stable")
    records = np.repeat(order, frequency.counts[order])
    slices = np.arange(len(records)) * number // len(records)
    pieces, counts = np.unique(records * number + slices, return_counts=True)
    return Pieces((pieces // number).astype(np.int32), counts.astype(np.int64), pieces % number)


def _worst(task: Task, model: TCloseness, number: int) -> float:
    """How far a class with one record from each slice may be from the whole table: as its records, on the mean, from their slices."""
    order, counts = _order(task, model), task.frequency.records_of(model.column)
    ends = np.cumsum(counts[order])
    edges = np.arange(number + 1) * ends[-1] / number
    first = np.searchsorted(ends, edges[:-1], side="right")
    last = np.searchsorted(ends, edges[1:], side="left")
    total = 0.0
    for one in np.flatnonzero(first < last):  # in the others all records are alike
        places = np.arange(first[one], last[one] + 1)
        values = order[places].astype(np.int32)
        starts = ends[places] - counts[values]
        weights = np.minimum(ends[places], edges[one + 1]) - np.maximum(starts, edges[one])
        farthest = values[[0, -1]] if isinstance(model.ground, Line) else values
        total += max(
            float(model.ground.apart(np.full_like(values, value), values) @ weights) for value in farthest
        )
    return total / float(ends[-1])
