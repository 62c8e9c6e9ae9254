"""(n,t)-closeness: a class may differ from the whole table if it does not differ from a large group that it is part of.

Li, Li, Venkatasubramanian, "Closeness: a new privacy measure for data publishing", TKDE 2010.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.distances import Ground
from aramis.tables.models.model import TOLERANCE

CELLS = 20_000_000  # classes times values that are held at once
CHUNK = 4_096  # classes compared at once


@dataclass(frozen=True, slots=True)
class NTCloseness:
    """Every class is within t of a natural superset with n records or more: its people and all others who share a
    coarser description with them.

    Level of a class: the distance to the nearest such superset; 0 where the class has n records itself, infinite where
    no superset has.
    """

    column: str
    ground: Ground
    n: int
    t: float
    supersets: Iterable[
        NDArray[np.intp]
    ]  # for each coarser description: the number of the group of each class

    name = "nt"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.t

    def levels(self, classes: Classes) -> Shares:
        values = len(classes.reference)
        if len(classes.sizes) * values > CELLS:
            raise BadInput(
                f"(n,t)-closeness compares {len(classes.sizes)} classes of {values} values, and {CELLS} together are the "
                f"most; ask for t of {self.column} alone, or group its values"
            )
        records = np.zeros((len(classes.sizes), values))
        records[classes.of_class, classes.values] = classes.counts
        best = np.where(classes.sizes >= self.n, 0.0, np.inf)
        for group in self.supersets:
            self._nearer(best, records, group)
        return best

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels <= self.t + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.zeros_like(classes.sizes)  # what a finer class is compared with is not known here

    def _nearer(self, best: Shares, records: Shares, group: NDArray[np.intp]) -> None:
        """Lower the best distances where a group of this description is nearer."""
        of_group = np.zeros((int(group.max()) + 1, records.shape[1]))
        np.add.at(of_group, group, records)
        large = of_group.sum(axis=1) >= self.n
        open_ = np.flatnonzero(large[group] & (best > 0))
        for start in range(0, len(open_), CHUNK):
            these = open_[start : start + CHUNK]
            p = records[these] / records[these].sum(axis=1, keepdims=True)
            q = of_group[group[these]] / of_group[group[these]].sum(axis=1, keepdims=True)
            best[these] = np.minimum(best[these], self.ground.between(p, q))
