"""How much of what columns tell of one another is still there: Cramer's V of every pair, before and after."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Counts, FrequencySet, Shares
from aramis.tables.utility.pair import Pair


@dataclass(frozen=True, slots=True)
class Association:
    """Cramer's V of two columns: 0 nothing in common, 1 one is a function of the other."""

    columns: tuple[str, str]
    before: float
    after: float


def associations(pair: Pair) -> tuple[Association, ...]:
    """Every pair of columns that are looked at, the strongest in the original first."""
    columns = (*pair.before.quasi, *pair.before.sensitive)
    found = [
        Association((one, other), cramers_v(pair.before, one, other), cramers_v(pair.after, one, other))
        for one, other in combinations(columns, 2)
    ]
    return tuple(sorted(found, key=lambda association: -association.before))


def cramers_v(frequency: FrequencySet, one: str, other: str) -> float:
    """Cramer's V, corrected for the number of values (Bergsma, 2013), so that many labels do not look like a bond."""
    sizes = len(frequency.domains[one]), len(frequency.domains[other])
    key = frequency.codes_of(one).astype(np.int64) * sizes[1] + frequency.codes_of(other)
    cells, counts = _added_up(key, frequency.counts, sizes[0] * sizes[1])
    rows, columns, n = frequency.records_of(one), frequency.records_of(other), float(frequency.rows)
    expected = rows[cells // sizes[1]] * columns[cells % sizes[1]] / n
    chi2 = float(n * ((counts * counts / expected).sum() / n - 1))
    r, c = _present(rows), _present(columns)
    if min(r, c, n) < 2:
        return 0.0
    phi2 = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
    width = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return float(min(np.sqrt(phi2 / width), 1.0)) if width > 0 else 0.0


def _added_up(key: NDArray[np.int64], counts: Counts, space: int) -> tuple[NDArray[np.intp], Shares]:
    """The keys that occur, all below `space`, and the sum of the counts of each."""
    if space <= 4 * len(key):  # a place for every key: nothing has to be sorted
        whole = np.bincount(key, counts, space).astype(np.float64)
        present = np.flatnonzero(whole)
        return present, whole[present]
    present, where = np.unique(key.astype(np.intp), return_inverse=True)
    return present, np.bincount(where, counts).astype(np.float64)


def _present(records: Counts) -> int:
    return int(np.count_nonzero(records))
