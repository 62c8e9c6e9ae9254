"""t-closeness: a class tells little that the whole table does not tell, as the earth mover's distance sees it.

Li, Li, Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and l-diversity", ICDE 2007.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.distances import Ground
from aramis.tables.models.model import TOLERANCE


@dataclass(frozen=True, slots=True)
class TCloseness:
    """Every class is within t of the reference, for a stated ground distance.

    Level of a class: EMD(P, Q). The same distance may hide very different gains: (0.01, 0.99) to (0.11, 0.89) and
    (0.4, 0.6) to (0.5, 0.5) are both 0.1 apart, and the first makes a value 11 times as likely. So every answer shows
    max p/q and the divergences of the worst class beside its t.
    """

    column: str
    ground: Ground
    t: float = 1.0

    name = "t"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.t

    def levels(self, classes: Classes) -> Shares:
        return self.ground.emd(classes)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels <= self.t + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        # with r of n records gone: (n - r) (P' - Q) = n (P - Q) - r (R - Q), whose norms are distances, at most 1
        t = self.t + drift + TOLERANCE
        if t >= 1:
            return np.zeros_like(classes.sizes)
        return np.maximum(np.ceil(classes.sizes * (levels - t) / (1 - t) - TOLERANCE), 0).astype(np.int64)
