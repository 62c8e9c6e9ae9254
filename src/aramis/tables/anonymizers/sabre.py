"""Classes that have about as much of every sensitive value as the whole table, drawn from near one another.

The sensitive values are parted into buckets, down their hierarchy or along their order, and a class draws from each about as much
as the whole table has of it. How wide the buckets are and how much it may have too much of them are t, together; of several ways to
spend it the one is taken that makes the smallest classes. Where an order needs only a few equal slices for a record of each to be t-close, they
are the buckets.
"""

from typing import NamedTuple

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.bucketing import buckets_for
from aramis.tables.drawing import one_of_each_slice, size_within, slices_needed, within
from aramis.tables.models.distances import Hierarchical
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.nearest import Positions
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding

RIGID = 6  # a class of slices has no choice of values, and loses as much as one that is so many times larger


class _Way(NamedTuple):
    """Buckets, and the classes that they make."""

    size: int
    buckets: Positions  # (tuples,)
    slack: float  # what a class may have too much of them


def _recode(task: Task) -> Recoding:
    whole_must_be_good(task.frequency, task.goals)
    wanted = min((one for one in task.goals.models if isinstance(one, TCloseness)), key=lambda one: one.t)
    least = task.goals.least
    way = min(_ways(task, wanted, least), key=lambda one: one.size)
    if not isinstance(wanted.ground, Hierarchical):
        slices = slices_needed(task, wanted, least)
        if RIGID * slices < way.size:
            return one_of_each_slice(task, wanted, slices)
    return within(task, way.buckets, way.slack, way.size)


def _ways(task: Task, wanted: TCloseness, least: int) -> list[_Way]:
    """Those with more buckets first."""
    codes = task.frequency.codes_of(wanted.column)
    shares = task.frequency.records_of(wanted.column) / task.frequency.rows
    ways = []
    for way in reversed(buckets_for(wanted.ground, shares, wanted.t)):
        buckets, slack = way.of_value[codes].astype(np.int64), max(wanted.t - way.width, 0.0)
        ways.append(_Way(size_within(task, buckets, slack, least), buckets, slack))
    return ways


sabre = Anonymizer(
    name="sabre",
    recode=_recode,
    guarantee="every class is t-close by the way it is drawn, and satisfies all other models; it says what its own records have in "
    "common; nothing is suppressed",
    paper="Cao, Karras, Kalnis, Tan, SABRE: a sensitive attribute bucketization and redistribution framework for t-closeness, "
    "VLDB Journal 20, 2011",
    needs=("t",),
    reusable=False,
)
