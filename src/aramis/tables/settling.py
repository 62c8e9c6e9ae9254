"""From records drawn into classes to a recoding of which every class, as it is released, satisfies the models."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.clusters import NOWHERE, adopt, dissolve, merge, surround
from aramis.tables.frequency import Codes
from aramis.tables.goals import Goals, is_counted, satisfying
from aramis.tables.interpreted import when_it_pays
from aramis.tables.local import local
from aramis.tables.nearest import Positions, Spans, Trees, no_spans, planted
from aramis.tables.parts import Parts
from aramis.tables.recoding import Recoding
from aramis.tables.scales import Places, Scales, placed, scales_of

PATIENCE = 300  # leaves of a tree that are looked into for one record, at most


def points_of(task: Task) -> tuple[Scales, Places]:
    """(tuples, quasi) where each tuple lies, and the scales that it lies on."""
    scales, places = scales_of(task.frequency, task.given)
    return scales, np.ascontiguousarray(placed(places, task.frequency.codes).T)


def settled(task: Task, tuples: Codes, classes: Positions) -> Recoding:
    """The recoding of these records, each of a tuple, drawn into these classes; those of no class yet join one.

    Where no model can fail by it, classes whose records lose less in others are no more. A class that does not satisfy the
    models, as it will be released, joins the one with which it loses least more; the whole table, which satisfies them, would
    be the last.
    """
    settling = _Settling(task, tuples, classes)
    settling.adopt()
    if all(is_counted(model) for model in task.goals.models):
        settling.dissolve()
    while len(failing := settling.failing()):
        task.tell(settling.number - len(failing), settling.number, f"{len(failing):,} classes join others")
        settling.merge(failing)
    return settling.recoding()


class _Settling:
    """Records and their classes."""

    def __init__(self, task: Task, tuples: Codes, classes: Positions) -> None:
        self.task, self.tuples, self.classes = task, tuples, classes
        scales, points = points_of(task)
        everything = np.array([0, len(tuples)])
        self.trees: Trees = self._loop(planted)(scales, points[tuples], everything)
        self.spans: Spans = no_spans(int(classes.max()) + 2, points.shape[1])
        self._loop(surround)(self.trees, self.spans, classes)

    @property
    def number(self) -> int:
        """How many classes there are."""
        return int(np.count_nonzero(self.spans.sizes))

    def adopt(self) -> None:
        """Every record that has no class joins one."""
        self._loop(adopt)(
            self.trees, self.spans, self.classes, np.flatnonzero(self.classes == NOWHERE), PATIENCE
        )

    def dissolve(self) -> None:
        """Classes that lose much more together than their records do elsewhere are no more, the worst first."""
        rank = np.empty(len(self.spans.sizes), np.int64)
        rank[np.argsort(-self.spans.sizes * self.spans.losses, kind="stable")] = np.arange(len(rank))
        order = np.argsort(rank[self.classes], kind="stable")
        starts = np.append(np.flatnonzero(np.diff(self.classes[order], prepend=NOWHERE)), len(order))
        self._loop(dissolve)(self.trees, self.spans, self.classes, order, starts, PATIENCE)

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
        self._loop(merge)(self.trees, self.spans, self.classes, failing, PATIENCE)
        into = self.spans.into
        while not np.array_equal(into, into[into]):
            into = into[into]
        self.classes = into[self.classes]

    def recoding(self) -> Recoding:
        """What every class says."""
        number = np.unique(self.classes, return_inverse=True)[1].astype(np.int32)
        return local(self.task, self.tuples, np.ones(len(self.tuples), np.int64), number)

    def _loop(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        return when_it_pays(loop, len(self.tuples))


def are_good(task: Task, goals: Goals, tuples: Codes, classes: Positions) -> NDArray[np.bool_]:
    """Which of these classes of records satisfy the models."""
    return satisfying(Parts(task.frequency, classes, tuples, np.ones(len(tuples), np.int64)), goals)
