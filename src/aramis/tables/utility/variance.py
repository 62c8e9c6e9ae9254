"""What means no longer show: the spread of the numbers inside the classes.

Domingo-Ferrer, Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure control", TKDE 2002.
"""

import numpy as np

from aramis.tables.utility.cells import as_numbers
from aramis.tables.utility.pair import Pair


def variance_lost(pair: Pair) -> dict[str, float]:
    """Column -> SSE / SST, of the quasi-identifiers that are released as numbers, and not as they were.

    The squared distances of the records from what is said of them, over those from the mean of all. Where a class says
    its mean these are 1 - variance after / variance before, whichever record is whose. Suppressed records had a share in
    the variance that nobody knows, so nothing is told where there are any.
    """
    if pair.suppressed:
        return {}
    lost = {}
    for column, cells in zip(pair.before.quasi, pair.cells, strict=True):
        numbers = as_numbers(pair.before.domains[column]) if column in pair.before.ordered else None
        if numbers is not None and cells.own is not None:
            before = _variance(numbers, pair.before.records_of(column))
            after = _variance(cells.own, pair.labels(column))
            if before > 0 and not np.isclose(after, before, rtol=1e-12):
                lost[column] = max(1 - after / before, 0.0)
    return lost


def _variance(numbers: np.ndarray, records: np.ndarray) -> float:
    known = ~np.isnan(numbers)
    numbers, records = numbers[known], records[known]
    if not records.sum():
        return 0.0
    mean = np.average(numbers, weights=records)
    return float(np.average((numbers - mean) ** 2, weights=records))
