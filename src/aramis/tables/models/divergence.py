"""How much a class tells that its earth mover's distance does not show.

(0.01, 0.99) to (0.11, 0.89) and (0.4, 0.6) to (0.5, 0.5) are both 0.1 apart; the first makes a value 11 times as likely.
"""

import numpy as np

from aramis.tables.frequency import Shares


def kullback_leibler(p: Shares, q: Shares) -> float:
    """Sum of p log2(p/q), in bits."""
    if np.any((p > 0) & (q == 0)):
        return float("inf")
    present = p > 0
    return float(np.sum(p[present] * np.log2(p[present] / q[present])))


def jensen_shannon(p: Shares, q: Shares) -> float:
    """The mean divergence of both from their middle, in bits: 0 for the same, 1 for nothing in common."""
    middle = (p + q) / 2
    return (kullback_leibler(p, middle) + kullback_leibler(q, middle)) / 2
