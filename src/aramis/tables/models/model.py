"""What every privacy model is: a question about the classes of a table."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares

TOLERANCE = 1e-12  # a level is a sum of fractions; what misses the wanted one by less than this meets it


class Model(Protocol):
    """A privacy model with the level that is wanted of it.

    A level is a number per class; what it takes to reach a wanted one depends on the model. The level of a table is
    that of its worst class.
    """

    @property
    def name(self) -> str:
        """Its key in every answer: k, l_distinct, t, ..."""
        ...

    @property
    def column(self) -> str | None:
        """The sensitive column whose counts it reads; None where the sizes of the classes are enough."""
        ...

    @property
    def wanted(self) -> float:
        """The level that is wanted: its k, its l, its t, ..."""
        ...

    @property
    def monotone(self) -> bool:
        """Whether a table that satisfies it still does when its quasi-identifiers become coarser."""
        ...

    @property
    def larger_is_safer(self) -> bool:
        """Whether the worst class is the one of least level (k, l) or of highest (t)."""
        ...

    def levels(self, classes: Classes) -> Shares:
        """The level of each class."""
        ...

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        """Whether each of these levels is as good as the wanted one."""
        ...

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        """How many records of each class have to be suppressed, at least, however the class is divided.

        A search asks it of a coarse class, to know how many records any finer recoding has to give up. `drift` is how
        far the reference may move from the one of `classes`, in total variation.
        """
        ...
