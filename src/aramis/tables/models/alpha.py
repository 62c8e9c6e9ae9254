"""(alpha, k)-anonymity: beside k, no value makes up too much of a class.

Wong, Li, Fu, Wang, "(alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data publishing", KDD 2006.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.model import TOLERANCE


@dataclass(frozen=True, slots=True)
class Alpha:
    """In every class p <= alpha for each of the stated values; of all where none is stated. The k is `KAnonymity`'s.

    Level of a class: its largest p of such a value.
    """

    column: str
    alpha: float = 1.0
    values: Sequence[int] | None = None  # codes of the values that must not be frequent
    stated: str = ""  # those values, in words

    name = "alpha"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.alpha

    def levels(self, classes: Classes) -> Shares:
        if self.values is None:
            return classes.largest / classes.sizes
        p = np.where(np.isin(classes.values, self.values), classes.shares, 0.0)
        return np.maximum.reduceat(p, classes.starts[:-1])

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels <= self.alpha + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        # with r of n records gone, all of them of the one value: p n - r <= alpha (n - r)
        if self.alpha >= 1:
            return np.zeros_like(classes.sizes)
        excess = classes.sizes * (levels - self.alpha - TOLERANCE) / (1 - self.alpha)
        return np.maximum(np.ceil(excess - TOLERANCE), 0).astype(np.int64)
