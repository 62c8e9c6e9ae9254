"""Full-domain recoding by one greedy walk up the lattice."""

from dataclasses import replace

import numpy as np

from aramis.errors import Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, full_domain
from aramis.tables.goals import kept_classes
from aramis.tables.reach import must_be_possible, within_reach
from aramis.tables.recoding import Recoding
from aramis.tables.rollup import Grouping, Node, Rollup


def _recode(task: Task) -> Recoding:
    must_be_possible(task.frequency, task.goals)
    rollup, goals = task.rollup, task.goals
    allowed = goals.allowed(task.frequency.rows)
    node, checked = rollup.bottom.node, 1
    while True:
        grouping = rollup.at(node)
        kept = kept_classes(grouping, goals)
        gone = int(grouping.sizes[~kept].sum())
        if gone <= allowed:
            return replace(full_domain(task, node, kept), checked=checked)
        if node == rollup.heights:
            raise Unreachable(within_reach(rollup, goals))
        task.tell(checked, None, f"{gone:,} records still to suppress")
        node, checked = _one_up(rollup, grouping), checked + 1


def _one_up(rollup: Rollup, grouping: Grouping) -> Node:
    """The node above, by the quasi-identifier that has most distinct values of those that can still be generalized."""
    cells = rollup.cells(grouping.node, grouping.members)
    distinct = [
        len(np.unique(cells[:, column])) if level < height else 0
        for column, (level, height) in enumerate(zip(grouping.node, rollup.heights, strict=True))
    ]
    column = int(np.argmax(distinct))
    return (*grouping.node[:column], grouping.node[column] + 1, *grouping.node[column + 1 :])


datafly = Anonymizer(
    name="datafly",
    recode=_recode,
    guarantee="every class satisfies the models; one level for each quasi-identifier, found quickly, rarely the best",
    paper="Sweeney, Datafly: a system for providing anonymity in medical data, 1997",
)
