"""Records that may become classes together: what a local recoding asks the models about before it divides."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Codes, Counts, FrequencySet, Shares, classes_of


@dataclass(frozen=True)
class Parts:
    """Pieces of tuples, each in the part of its number. Parts may share records; every part has some."""

    frequency: FrequencySet
    of_part: NDArray[np.intp]  # (pieces,)
    tuples: Codes  # (pieces,) which tuple of the frequency set
    counts: Counts  # (pieces,) how many of its records

    @cached_property
    def sizes(self) -> Counts:
        """How many records each part has."""
        return np.bincount(self.of_part, self.counts).astype(np.int64)

    def classes(self, column: str | None, reference: Shares | None = None) -> Classes:
        """The parts as a model of this column sees them: compared with the whole table where nothing else is given."""
        if column is None:
            return Classes(self.sizes)
        if reference is None:
            records = self.frequency.records_of(column)
            reference = records / records.sum()
        values = self.frequency.codes_of(column)[self.tuples]
        return classes_of(self.of_part, values, self.counts, len(reference), reference)
