"""SABRE under the condition that no class discriminates: it draws from buckets of decision and group.

How far the shares of a class may be from those of the whole table follows from the wanted measures: as far as the worst class of
such shares still has them. So the decision is close to the whole table's among the protected and among the others, which is what
bounds every measure of discrimination.
"""

from collections.abc import Sequence

import numpy as np

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.drawing import size_within, within
from aramis.tables.frequency import JOINT, Shares
from aramis.tables.models.discrimination import Protection
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding

STEPS = 30  # of halving
FINE = 1e6  # records, so that shares are measured as counts are


def _recode(task: Task) -> Recoding:
    frequency, models = task.frequency, task.goals.models
    whole_must_be_good(frequency, task.goals)
    wanted = [model for model in models if isinstance(model, Protection)]
    of_cell = np.bincount(wanted[0].cells, frequency.records_of(JOINT), 4) / frequency.rows
    slack = _slack(wanted, of_cell)
    buckets = wanted[0].cells[frequency.codes_of(JOINT)].astype(np.int64)
    if close := [model.t for model in models if isinstance(model, TCloseness)]:
        slack, buckets = min(slack, *close), frequency.codes_of(JOINT).astype(np.int64)
    buckets = np.unique(buckets, return_inverse=True)[1].astype(np.int64)
    return within(task, buckets, slack, size_within(task, buckets, slack, task.goals.least))


def _slack(wanted: Sequence[Protection], shares: Shares) -> float:
    """How much of a class may be in another cell than it is in the whole table."""
    good, bad = 0.0, 1.0
    for _ in range(STEPS):
        middle = (good + bad) / 2
        if _all_hold(wanted, shares, middle):
            good = middle
        else:
            bad = middle
    return good


def _all_hold(wanted: Sequence[Protection], shares: Shares, moved: float) -> bool:
    """Whether the measures hold wherever so much is moved from one cell to another."""
    classes = np.array(
        [_moved(shares, moved, one, other) for one in range(4) for other in range(4) if one != other]
    )
    return all(bool(model.holds(model.of_counts(np.rint(classes * FINE))).all()) for model in wanted)


def _moved(shares: Shares, moved: float, one: int, other: int) -> Shares:
    found, moved = shares.copy(), min(moved, shares[one])
    found[one] -= moved
    found[other] += moved
    return found


dsabre = Anonymizer(
    name="dsabre",
    recode=_recode,
    guarantee="as sabre, of decision and group; in no class is the protected group denied more often than the wanted measure of "
    "discrimination allows; what it allows, the whole table must have; nothing is suppressed",
    paper="Ruggieri, Using t-closeness anonymity to control for non-discrimination, Transactions on Data Privacy 7, 2014",
    needs=("protection",),
    reusable=False,
)
