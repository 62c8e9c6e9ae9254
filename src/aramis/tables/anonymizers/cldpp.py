"""Clustering for l-diversity: each class takes its records from buckets of different sensitive values, near one another."""

from dataclasses import replace

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.clusters import NOWHERE, Drawing, draw_diverse
from aramis.tables.interpreted import when_it_pays
from aramis.tables.models.l_diversity import DistinctL
from aramis.tables.nearest import no_spans, planted
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding
from aramis.tables.settling import PATIENCE, points_of, settled

AT_ONCE = 10_000  # classes between two words on how far it has come


def _recode(task: Task) -> Recoding:
    goals = replace(task.goals, suppress=0.0)
    whole_must_be_good(task.frequency, goals)
    diverse = max((model for model in goals.models if isinstance(model, DistinctL)), key=lambda one: one.l)
    drawing = _begun(task, diverse.column, goals.least)
    draw = when_it_pays(draw_diverse, task.frequency.rows)
    l = int(np.ceil(diverse.l))
    while draw(drawing, l, goals.least, PATIENCE, int(drawing.drawn[1]) + AT_ONCE):
        task.tell(int(drawing.drawn[0]), task.frequency.rows, f"{drawing.drawn[1]:,} classes")
    records = drawing.drawn[0]
    rest = np.repeat(np.arange(len(drawing.left)), drawing.left)
    tuples = np.append(drawing.points[:records], rest).astype(np.int32)
    classes = np.append(drawing.classes[:records], np.full(len(rest), NOWHERE))
    return settled(task, tuples, classes)


def _begun(task: Task, column: str, size: int) -> Drawing:
    """All records in their buckets, one for each value of a column."""
    frequency = task.frequency
    scales, points = points_of(task)
    buckets = frequency.codes_of(column).astype(np.int64)
    queue = task.random().permutation(np.repeat(np.arange(len(points)), frequency.counts))
    queue = queue[np.argsort(buckets[queue], kind="stable")]
    in_bucket = frequency.records_of(column)
    return Drawing(
        trees=when_it_pays(planted, frequency.rows)(scales, points, np.array([0, len(points)])),
        spans=no_spans(frequency.rows // size + 1, points.shape[1]),
        buckets=buckets,
        left=frequency.counts.copy(),
        in_bucket=in_bucket,
        queue=queue,
        front=np.cumsum(in_bucket) - in_bucket,
        banned=np.full(len(in_bucket), NOWHERE),
        points=np.empty(frequency.rows, np.int64),
        classes=np.empty(frequency.rows, np.int64),
        drawn=np.zeros(2, np.int64),
    )


cldpp = Anonymizer(
    name="cldpp",
    recode=_recode,
    guarantee="every class has l different sensitive values and satisfies all other models; it says what its own records have in "
    "common; nothing is suppressed",
    paper="Malaisamy, Kavitha, A clustering-based approach to l-diversity privacy preservation (CLDPP), 2018",
    needs=("l_distinct",),
)
