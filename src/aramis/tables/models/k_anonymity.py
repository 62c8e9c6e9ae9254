"""k-anonymity: nobody stands alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares


@dataclass(frozen=True, slots=True)
class KAnonymity:
    """Every class has k records or more.

    Level of a class: its records. Sweeney, "k-anonymity: a model for protecting privacy", 2002.
    """

    k: int = 1

    column = None
    name = "k"
    monotone = True
    larger_is_safer = True

    @property
    def wanted(self) -> float:
        return self.k

    def levels(self, classes: Classes) -> Shares:
        return classes.sizes.astype(np.float64)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels >= self.k

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.where(self.holds(levels), 0, classes.sizes)
