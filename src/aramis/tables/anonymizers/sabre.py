"""Classes that have about as much of every sensitive value as the whole table, drawn from near one another.

Two ways to be t-close by construction: with a record from each of so many equal slices of the
sensitive values, in their order, that t is kept whichever records these
are, where that makes much smaller classes; or with shares that differ from those of the whole table
by t at most, all in all, so that a class has more of what is frequent around it.
"""

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.drawing import one_of_each_slice, size_within, slices_needed, within
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding

RIGID = 3  # a class of slices has no choice of values, and loses as much as one that is so many times larger


def _recode(task: Task) -> Recoding:
    whole_must_be_good(task.frequency, task.goals)
    wanted = min((one for one in task.goals.models if isinstance(one, TCloseness)), key=lambda one: one.t)
    buckets, least = task.frequency.codes_of(wanted.column).astype(np.int64), task.goals.least
    size, slices = size_within(task, buckets, wanted.t, least), slices_needed(task, wanted, least)
    if RIGID * slices < size:
        return one_of_each_slice(task, wanted, slices)
    return within(task, buckets, wanted.t, size)


sabre = Anonymizer(
    name="sabre",
    recode=_recode,
    guarantee="every class is t-close by the way it is drawn, and satisfies all other models; it says what its own records have in "
    "common; nothing is suppressed",
    paper="Cao, Karras, Kalnis, Tan, SABRE: a sensitive attribute bucketization and redistribution framework for t-closeness, "
    "VLDB Journal 20, 2011",
    needs=("t",),
)
