"""What a class is compared with: the table as it is released, the original it was made from, or what a user gives."""

from collections.abc import Mapping

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import FrequencySet, Shares

Distribution = Mapping[object, float]
"""The share of each value; what it adds up to is taken for all."""


def distribution_of(frequency: FrequencySet, column: str) -> Distribution:
    """The distribution of a column over a whole table."""
    shares = frequency.records_of(column) / frequency.rows
    return dict(zip(frequency.domains[column], shares.tolist(), strict=True))


def compared_with(
    frequency: FrequencySet, references: Mapping[str, Distribution]
) -> tuple[FrequencySet, dict[str, Shares]]:
    """The frequency set with every value of the references in its domains, and the references over those."""
    shares = {}
    for column, given in references.items():
        frequency = frequency.with_values(column, given)
        amounts = np.array([given.get(value, 0.0) for value in frequency.domains[column]], np.float64)
        if not amounts.min() >= 0 or not 0 < amounts.sum() < np.inf:
            raise BadInput(f"the reference of {column} has no shares: they are 0 or more, and not all 0")
        shares[column] = amounts / amounts.sum()
    return frequency, shares
