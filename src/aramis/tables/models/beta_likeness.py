"""beta-likeness: no value becomes much more likely in a class than it is in the whole table.

Cao, Karras, "Publishing microdata with a robust privacy guarantee", VLDB 2012.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.model import TOLERANCE


@dataclass(frozen=True, slots=True)
class BetaLikeness:
    """In every class (p - q)/q <= beta for each value with p > q.

    Level of a class: its largest (p - q)/q. Enhanced: a gain must be at most -ln q as well, so that what is frequent
    anyway does not become certain; the level is infinite where it is not.
    """

    column: str
    beta: float = np.inf
    enhanced: bool = False

    monotone = True
    larger_is_safer = False

    @property
    def name(self) -> str:
        return "beta_enhanced" if self.enhanced else "beta"

    @property
    def wanted(self) -> float:
        return self.beta

    def levels(self, classes: Classes) -> Shares:
        gain = classes.gains - 1
        if self.enhanced:
            with np.errstate(divide="ignore"):  # q = 0 allows any gain, and has an infinite one
                most = -np.log(classes.reference)[classes.values]
            gain[(gain > 0) & (gain > most + TOLERANCE)] = np.inf
        return np.maximum(np.maximum.reduceat(gain, classes.starts[:-1]), 0)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels <= self.beta + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        # a value that is rare in the reference may become frequent in it, and the class would do
        return (~self.holds(levels) & (drift == 0)).astype(np.int64)
