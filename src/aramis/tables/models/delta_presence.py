"""delta-presence: whether a person is in the table at all is neither too sure nor too unlikely.

Nergiz, Atzori, Clifton, "Hiding the presence of individuals from shared databases", SIGMOD 2007.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.model import TOLERANCE

OUTSIDE, INSIDE = (
    0,
    1,
)  # the two values whose counts the model reads: of the population, not released and released


@dataclass(frozen=True, slots=True)
class DeltaPresence:
    """For every class of the population, low <= P(released | class) <= high.

    Level of a class: the share of its people who are in the release. Its classes are those of the population, also of
    people of whom nobody was released, with the counts of who is `INSIDE` and who is `OUTSIDE`.
    """

    low: float = 0.0
    high: float = 1.0

    column = None
    name = "presence"
    monotone = True
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return self.high

    def levels(self, classes: Classes) -> Shares:
        inside = np.where(classes.values == INSIDE, classes.counts, 0)
        return np.add.reduceat(inside, classes.starts[:-1]) / classes.sizes

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return (levels >= self.low - TOLERANCE) & (levels <= self.high + TOLERANCE)

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.zeros_like(classes.sizes)  # what a finer class of the population has is not known here
