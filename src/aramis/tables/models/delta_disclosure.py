"""delta-disclosure: no value becomes much more, or much less, likely in a class than it is in the whole table.

Brickell, Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data publishing", KDD 2008.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares


@dataclass(frozen=True, slots=True)
class DeltaDisclosure:
    """In every class |ln(p/q)| < delta for every value of the reference.

    Level of a class: its largest |ln(p/q)|. A value that the class does not have makes it infinite.
    """

    column: str
    delta: float = np.inf

    name = "delta"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.delta

    def levels(self, classes: Classes) -> Shares:
        known = classes.reference > 0
        if known.all():
            complete = np.diff(classes.starts) == len(known)
        else:
            complete = np.add.reduceat(known[classes.values], classes.starts[:-1]) == np.count_nonzero(known)
        furthest = np.maximum.reduceat(np.abs(np.log(classes.gains)), classes.starts[:-1])
        return np.where(complete, furthest, np.inf)

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels < self.delta

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        if drift:  # a value that the class does not have may vanish from the reference
            return np.zeros_like(classes.sizes)
        return np.where(np.isinf(levels), classes.sizes, ~self.holds(levels))
