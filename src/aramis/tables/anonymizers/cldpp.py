"""Clustering for l-diversity: each class takes its records from buckets of different sensitive values, near one another."""

from math import ceil

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.drawing import diverse
from aramis.tables.models.l_diversity import DistinctL
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding


def _recode(task: Task) -> Recoding:
    whole_must_be_good(task.frequency, task.goals)
    wanted = max(
        (model for model in task.goals.models if isinstance(model, DistinctL)), key=lambda one: one.l
    )
    buckets = task.frequency.codes_of(wanted.column).astype(np.int64)
    return diverse(task, buckets, ceil(wanted.l), task.goals.least)


cldpp = Anonymizer(
    name="cldpp",
    recode=_recode,
    guarantee="every class has l different sensitive values and satisfies all other models; it says what its own records have in "
    "common; nothing is suppressed",
    paper="Malaisamy, CLDPP, 2018",
    needs=("l_distinct",),
    reusable=False,
)
