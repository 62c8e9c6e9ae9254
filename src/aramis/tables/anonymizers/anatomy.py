"""Two tables in place of one: who is in which group, and what each group has. No quasi-identifier is recoded."""

from math import ceil

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.frequency import Counts
from aramis.tables.models.l_diversity import DistinctL
from aramis.tables.nearest import Positions
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding
from aramis.tables.settling import are_good


def _recode(task: Task) -> Recoding:
    whole_must_be_good(task.frequency, task.goals)
    wanted = max(
        (model for model in task.goals.models if isinstance(model, DistinctL)), key=lambda one: one.l
    )
    tuples, groups = _dealt(task, wanted.column, ceil(wanted.l))
    groups = _merged(task, tuples, groups)
    pieces, counts = np.unique(tuples * (int(groups.max()) + 1) + groups, return_counts=True)
    tuples, groups = np.divmod(pieces, int(groups.max()) + 1)
    return Recoding(
        tuples=tuples.astype(np.int32),
        counts=counts.astype(np.int64),
        classes=groups.astype(np.int32),
        cells=np.zeros((int(groups.max()) + 1, len(task.frequency.quasi)), np.int32),
        labels=((),) * len(task.frequency.quasi),
        separate=True,
    )


def _dealt(task: Task, column: str, l: int) -> tuple[Positions, Positions]:
    """The tuple of every record, and its group: records sorted by value are dealt out like cards.

    As a group gets a value once before any gets it twice, and there are no more groups than have l different values each, no
    group is left without l. The paper draws from the l largest buckets to the same end.
    """
    frequency = task.frequency
    often = frequency.records_of(column)
    number = _groups(often, l)
    rank = np.argsort(np.argsort(-often, kind="stable"))
    values = rank[frequency.codes_of(column)]
    tuples = task.random().permutation(np.repeat(np.arange(len(values)), frequency.counts))
    tuples = tuples[np.argsort(values[tuples], kind="stable")]
    turn = np.arange(len(tuples)) - np.searchsorted(values[tuples], values[tuples])
    tuples = tuples[np.argsort(turn >= number, kind="stable")]  # what no group needs of a value goes last
    return tuples, task.random().permutation(number)[np.arange(len(tuples)) % number]


def _groups(often: Counts, l: int) -> int:
    """The most groups that can have l different values each."""
    few, many = 1, int(often.sum()) // l + 1
    while many - few > 1:
        middle = (few + many) // 2
        if int(np.minimum(often, middle).sum()) >= l * middle:
            few = middle
        else:
            many = middle
    return few


def _merged(task: Task, tuples: Positions, groups: Positions) -> Positions:
    """Groups that do not satisfy the models are put together, two and two: nothing is lost by it but who is with whom."""
    while True:
        groups = np.unique(groups, return_inverse=True)[1]
        failing = ~are_good(task, task.goals, tuples.astype(np.int32), groups)
        if not failing.any():
            return groups
        order = np.argsort(~failing, kind="stable")  # the failing ones first; an odd one joins a good one
        into = np.arange(len(order))
        second = order[1::2][: (int(failing.sum()) + 1) // 2]
        into[second] = order[::2][: len(second)]
        groups = into[groups]


anatomy = Anonymizer(
    name="anatomy",
    recode=_recode,
    guarantee="every group has l different sensitive values and satisfies all other models; quasi-identifiers are released as they are, "
    "in a table without sensitive values, and how often each group has each value in another one. Who is in the table can be seen",
    paper="Xiao, Tao, Anatomy: simple and effective privacy preservation, VLDB 2006",
    needs=("l_distinct",),
    separates=True,
    reusable=False,
)
