"""The full-domain recoding of least loss."""

from dataclasses import replace

from aramis.errors import Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, full_domain
from aramis.tables.goals import kept_classes
from aramis.tables.reach import must_be_possible, within_reach
from aramis.tables.recoding import Recoding
from aramis.tables.search import least_loss


def _recode(task: Task) -> Recoding:
    must_be_possible(task.frequency, task.goals)
    found = least_loss(task.rollup, task.goals, task.loss_over(task.rollup), task.tell)
    if found.best is None:
        raise Unreachable(within_reach(task.rollup, task.goals))
    kept = kept_classes(task.rollup.at(found.best.node), task.goals)
    recoding = full_domain(task, found.best.node, kept)
    return replace(recoding, checked=found.checked, complete=found.complete)


optimal = Anonymizer(
    name="optimal",
    recode=_recode,
    guarantee="no choice of one level for each quasi-identifier that satisfies the models loses less",
    paper="in the manner of Kohlmayer et al., Flash: efficient, stable and optimal k-anonymity, 2012",
)
