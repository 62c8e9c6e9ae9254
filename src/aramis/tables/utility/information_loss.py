"""What the cells of a release no longer say. Means over all cells of the original; those of suppressed records count 1."""

from collections.abc import Callable

import numpy as np

from aramis.tables.frequency import Counts, Shares
from aramis.tables.utility.cells import Cells
from aramis.tables.utility.pair import Pair


def ncp(pair: Pair) -> float:
    """Normalized certainty penalty. Xu et al., "Utility-based anonymization using local recoding", KDD 2006."""
    return _mean(pair, lambda cells: cells.ncp)


def loss(pair: Pair) -> float:
    """(leaves under a value - 1) / (leaves - 1): ARX's Loss with the arithmetic mean. Iyengar, KDD 2002."""
    return _mean(pair, lambda cells: cells.loss)


def precision(pair: Pair) -> float | None:
    """Level / height: 1 - Prec of Sweeney, 2002. None where a quasi-identifier says what is of no height."""
    if any(cells.height is None for cells in pair.cells):
        return None
    return _mean(pair, lambda cells: np.asarray(cells.height))


def non_uniform_entropy(pair: Pair) -> float:
    """The bits needed to tell the original values from the released ones, over those of a table of stars.

    De Waal, Willenborg, "Information loss through global recoding and local suppression", 1999. Where the labels of
    a column do not overlap this is ARX's definition, suppressed records included; where they do (local recoding), a
    cell needs the entropy of the original values that it covers.
    """
    bits = stars = 0.0
    for column, cells in zip(pair.before.quasi, pair.cells, strict=True):
        original = pair.before.records_of(column)
        stars += _bits(original)
        bits += _bits_needed(cells, pair.labels(column), original)
    return bits / stars if stars else 0.0


def _mean(pair: Pair, cost: Callable[[Cells], Shares]) -> float:
    total = sum(
        float(cost(cells) @ pair.labels(column))
        for column, cells in zip(pair.before.quasi, pair.cells, strict=True)
    )
    columns = len(pair.cells)
    return (total + pair.suppressed * columns) / (pair.before.rows * columns)


def _bits_needed(cells: Cells, released: Counts, original: Counts) -> float:
    covered = original[cells.values]
    of_label = np.repeat(np.arange(len(released)), np.diff(cells.starts))
    among = np.add.reduceat(covered, cells.starts[:-1])
    inside = np.bincount(of_label, covered * np.log2(among[of_label] / np.maximum(covered, 1)), len(released))
    if len(np.unique(cells.values)) < len(cells.values):
        suppressed = original.sum() - released.sum()
        return float(released @ (inside / among)) + suppressed * _bits(original) / float(original.sum())
    # the label that a suppressed record would have had, and which of them it was; values that are in no label had
    # their own
    unseen = np.delete(original, cells.values)
    return float(inside.sum()) + _bits(np.concatenate([among - released, unseen]))


def _bits(counts: Counts) -> float:
    """n times the entropy of these frequencies."""
    counts = counts[counts > 0]
    return float(counts @ np.log2(counts.sum() / counts)) if len(counts) else 0.0
