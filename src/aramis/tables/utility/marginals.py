"""How far the distribution of one column has moved, as an analyst would estimate it from the release."""

import numpy as np

from aramis.tables.utility.pair import Pair


def marginals(pair: Pair) -> dict[str, float]:
    """Column -> half the sum of |p - q| over the original values, each label's records shared out over what it covers."""
    moved = {}
    for column, cells in zip(pair.before.quasi, pair.cells, strict=True):
        original = pair.before.records_of(column)
        moved[column] = _apart(cells.spread(pair.labels(column), original), original)
    for column in pair.before.sensitive:
        original = pair.before.records_of(column)
        moved[column] = _apart(np.bincount(pair.true(column), pair.labels(column), len(original)), original)
    return moved


def _apart(p: np.ndarray, q: np.ndarray) -> float:
    return float(np.abs(p / max(p.sum(), 1) - q / q.sum()).sum() / 2)
