"""From records drawn into classes to a recoding of which every class, as it is released, satisfies the models."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.clusters import NOWHERE, merge, rehouse, surround
from aramis.tables.frequency import Codes
from aramis.tables.goals import Goals, is_counted, satisfying
from aramis.tables.local import local
from aramis.tables.nearest import Positions, Room, Spans, Trees, grow, no_spans, one_leaf, searching
from aramis.tables.parts import Parts
from aramis.tables.recoding import Recoding
from aramis.tables.scales import Places, Scales, placed, scales_of

PATIENCE = 250  # leaves of a tree that are looked into for one record, at most
AT_ONCE = 1_000  # records between two words on how far it has come
ROUNDS = 2  # of dissolving: where classes were dissolved others have become larger, and lie better


def points_of(task: Task) -> tuple[Scales, Places]:
    """(tuples, quasi) where each tuple lies, and the scales that it lies on."""
    scales, places = scales_of(task.frequency, task.given)
    return scales, np.ascontiguousarray(placed(places, task.frequency.codes).T)


@dataclass(frozen=True, slots=True)
class Shape:
    """How far classes may be from the whole table in buckets of sensitive values, and always satisfy the models."""

    buckets: Positions  # (tuples,)
    slack: float


def settled(
    task: Task,
    tuples: Codes,
    classes: Positions,
    shape: Shape | None = None,
    *,
    dissolves: bool = True,
    complete: bool = True,
) -> Recoding:
    """The recoding of these records, each of a tuple, drawn into these classes; those of no class yet join one.

    Where no model can fail by it (there is none of what classes have too much, or a shape says how much that may be), classes
    whose records lose less in others are no more. A class that does not satisfy the
    models, as it will be released, joins the one with which it loses least more; the whole table, which satisfies them, would
    be the last. Interrupted, or where it is not `complete` before, records join at once what is about as near.
    """
    settling = _Settling(task, tuples, classes, shape)
    try:
        if complete:
            settling.adopt()
        if complete and dissolves and (shape or all(is_counted(model) for model in task.goals.models)):
            for _ in range(ROUNDS):
                settling.dissolve()
    except KeyboardInterrupt:
        complete = False
    if not complete:
        settling.adopt_at_once()
    settling.forget_shape()
    settling.adopt()
    while len(failing := settling.failing()):
        task.tell(settling.number - len(failing), settling.number, f"{len(failing):,} classes join others")
        settling.merge(failing)
    return replace(settling.recoding(), complete=complete)


class _Settling:
    """Records and their classes."""

    def __init__(self, task: Task, tuples: Codes, classes: Positions, shape: Shape | None) -> None:
        self.task, self.tuples, self.classes = task, tuples, classes
        self.together = shape is None
        scales, points = points_of(task)
        self.scales, self.points = scales, points[tuples]
        self.spans: Spans = no_spans(int(classes.max()) + 2, points.shape[1])
        surround(scales, self.points, self.spans, classes)
        self.room = _room(shape, tuples, classes) if shape else self._no_room()

    @cached_property
    def trees(self) -> Trees:
        """Where the records lie: wanted only where one has to look for a class."""
        return one_leaf(self.scales, self.points, together=self.together)

    @property
    def number(self) -> int:
        """How many classes there are."""
        return int(np.count_nonzero(self.spans.sizes))

    def adopt(self) -> None:
        """Every record that has no class joins one."""
        homeless = np.flatnonzero(self.classes == NOWHERE)
        self._rehouse(homeless, np.arange(len(homeless) + 1))

    def adopt_at_once(self) -> None:
        """Every record that has no class joins that of the one before it in the order of a tree, which is near."""
        if self.trees.left[0] < 0:
            grow(self.trees)
        of_each = self.classes[self.trees.order]
        housed = np.flatnonzero(of_each != NOWHERE)
        if not len(housed):
            of_each[:], housed = 0, np.zeros(1, np.int64)
        before = np.searchsorted(housed, np.arange(len(of_each)), side="right") - 1
        self.classes[self.trees.order] = of_each[housed[np.maximum(before, 0)]]
        self.spans = no_spans(int(self.classes.max()) + 2, self.points.shape[1])
        surround(self.scales, self.points, self.spans, self.classes)

    def forget_shape(self) -> None:
        """From now on every class has room."""
        self.room = self._no_room()

    def _no_room(self) -> Room:
        one = np.zeros(len(self.tuples), np.int64)
        return Room(one, np.ones(1), np.zeros((len(self.spans.sizes), 1), np.int64), 1.0)

    def dissolve(self) -> None:
        """Classes that lose much more together than their records do elsewhere are no more, the worst first."""
        rank = np.empty(len(self.spans.sizes), np.int64)
        rank[np.argsort(-self.spans.losses, kind="stable")] = np.arange(len(rank))
        order = np.flatnonzero(self.classes != NOWHERE)
        order = order[np.argsort(rank[self.classes[order]], kind="stable")]
        starts = np.append(np.flatnonzero(np.diff(self.classes[order], prepend=NOWHERE)), len(order))
        self._rehouse(order, starts)

    def _rehouse(self, order: Positions, starts: Positions) -> None:
        """The points of every part join other classes, as far as that is wanted."""
        if not len(order):
            return
        loop, hosts = searching(rehouse, self.trees, len(order)), np.empty(len(order), np.int64)
        parts = max(AT_ONCE * (len(starts) - 1) // len(order), 1)
        for first in range(0, len(starts) - 1, parts):
            some = starts[first : first + parts + 1]
            loop(self.trees, self.spans, self.classes, self.room, order, some, hosts, PATIENCE)
            self.task.tell(int(some[-1]), len(order), f"{self.number:,} classes; records move to nearer ones")

    def failing(self) -> Positions:
        """Of each set of classes that are released as one and do not satisfy the models, the first; the smallest before others."""
        _, of_record = np.unique(self.classes, return_inverse=True)
        first = np.unique(self.classes)
        released = of_record
        if not all(model.monotone for model in self.task.goals.models):
            recoding = self.recoding()
            alike = np.unique(recoding.cells, axis=0, return_inverse=True)[1].ravel()
            released = alike[of_record]
            first = first[np.unique(alike, return_index=True)[1]]
        good = are_good(self.task, self.task.goals, self.tuples, released)
        sizes = np.bincount(released)
        return first[~good][np.argsort(sizes[~good], kind="stable")]

    def merge(self, failing: Positions) -> None:
        """Each of these classes joins another one."""
        loop = searching(merge, self.trees, len(failing))
        loop(self.trees, self.spans, self.classes, self.room, failing, PATIENCE)
        into = self.spans.into
        while not np.array_equal(into, into[into]):
            into = into[into]
        self.classes = into[self.classes]

    def recoding(self) -> Recoding:
        """What every class says."""
        number = np.unique(self.classes, return_inverse=True)[1].astype(np.int32)
        return local(self.task, self.tuples, np.ones(len(self.tuples), np.int64), number)


def _room(shape: Shape, tuples: Codes, classes: Positions) -> Room:
    buckets = shape.buckets[tuples]
    number = int(buckets.max()) + 1
    inside = np.zeros((int(classes.max()) + 2, number), np.int64)
    drawn = classes != NOWHERE
    np.add.at(inside, (classes[drawn], buckets[drawn]), 1)
    return Room(buckets, np.bincount(buckets) / len(buckets), inside, shape.slack)


def are_good(task: Task, goals: Goals, tuples: Codes, classes: Positions) -> NDArray[np.bool_]:
    """Which of these classes of records satisfy the models."""
    return satisfying(Parts(task.frequency, classes, tuples, np.ones(len(tuples), np.int64)), goals)
