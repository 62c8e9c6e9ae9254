"""How many were never seen, told from who was seen by whom: capture-recapture with several sources.

A *history* says which of the sources saw something; how many have each history is all that is needed. What no source saw has
the history that cannot be observed, and its number is what is asked for. Every estimator says what it assumes:

chapman            two sources that miss independently of each other
sample_coverage    three sources, dependent in pairs; what the three share (small, dark, odd things that all miss) is beyond it
log_linear         as many; which pairs are dependent is chosen by how well that explains what was seen (AIC)
lower_bound        nothing: fewer than this were missed only by chance

Where the sources share a blind spot, all of them tell too few. docs/measurements.md says by how much, on annotated photographs.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import exp, isfinite, log, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STEPS, NEAR = 30, 1e-4  # of Newton's method; it is mostly there after six
MOST = 40.0  # the largest logarithm of a count that is gone to
Z = 1.959964  # of 95 %
RAISED = 1 / 32  # of one that was seen
AKAIKE = 2.0  # what a parameter must be worth
DRAWN_AGAIN = 3.0  # the same for counts that were drawn again from others: they vary more, and would choose too many parameters


@cache
def histories(sources: int) -> tuple[tuple[bool, ...], ...]:
    """Every history that can be observed, all sources first; counts are given in this order."""
    return tuple(one for one in product((True, False), repeat=sources) if any(one))


def chapman(first: float, second: float, both: float) -> float:
    """How many neither of two independent sources saw.

    Chapman, "Some properties of the hypergeometric distribution with applications to zoological sample censuses", 1951.
    """
    return (first + 1) * (second + 1) / (both + 1) - 1 - (first + second - both)


def lower_bound(counts: Floats, sources: int) -> Floats:
    """At least how many no source saw, however much things differ in how easily they are seen.

    From those that one source saw, and two: Chao, "Estimating the population size for capture-recapture data with unequal
    catchability", Biometrics 1987, with the correction for small counts. Sources that see together make it too low.
    """
    seen_by = np.array([sum(one) for one in histories(sources)])
    once, twice = counts[..., seen_by == 1].sum(axis=-1), counts[..., seen_by == 2].sum(axis=-1)
    return np.asarray((sources - 1) / sources * once * np.maximum(once - 1, 0) / (2 * (twice + 1)))


def sample_coverage(counts: Sequence[float]) -> tuple[float, float, float]:
    """How many three sources would find in all: if independent; if dependent in pairs; the same in one step.

    Chao, Tsay, Lin, Shau, Chao, "The applications of capture-recapture models to epidemiological data", Statistics in
    Medicine 2001, equations 8, 11 and 12. The one step is surer where little was seen by several sources.
    """
    z = dict(zip(histories(3), counts, strict=True))
    n = [sum(many for one, many in z.items() if one[source]) for source in range(3)]
    alone = [z[tuple(place == source for place in range(3))] for source in range(3)]
    if not all(n):  # a source that saw nothing tells nothing
        return (float("inf"),) * 3
    covered = 1 - sum(a / m for a, m in zip(alone, n, strict=True)) / 3
    known = sum(counts) - sum(alone) / 3
    if covered <= 0:
        return (float("inf"),) * 3
    pairs = []
    for a, b in combinations(range(3), 2):
        (c,) = {0, 1, 2} - {a, b}
        both = sum(many for one, many in z.items() if one[a] and one[b])
        without = sum(many * (one[a] + one[b]) for one, many in z.items() if not one[c])
        pairs.append((both / (n[a] * n[b]), without))

    def more(total: float) -> float:
        """What dependence adds, if there are so many in all."""
        return sum(without * (total * share - 1) for share, without in pairs) / (3 * covered)

    independent = known / covered
    slope = sum(without * share for share, without in pairs) / (3 * covered)
    dependent = (independent + more(0.0)) / (1 - slope) if slope < 1 else float("inf")
    return independent, dependent, independent + more(independent + more(independent))


def log_linear(counts: Floats, sources: int, price: float = AKAIKE) -> Floats:
    """How many no source saw, for each row of counts, under the model that explains the row best (AIC).

    Models: all sources independent, or dependent in any of the pairs but one. Fienberg, "The multiple recapture census for
    closed populations and incomplete 2^k contingency tables", Biometrika 1972. Every count is raised a little, lest an empty
    one make another run away.
    """
    raised = np.asarray(counts, np.float64).reshape(-1, counts.shape[-1]) + RAISED
    fits = [_fitted(raised, design, price) for design in _designs(sources)]
    best = np.argmin([criterion for _, criterion in fits], axis=0)
    return np.asarray(np.choose(best, [unseen for unseen, _ in fits])).reshape(counts.shape[:-1])


@cache
def _designs(sources: int) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """For each model a row for each history: 1, who saw it, which of the dependent pairs saw it."""
    pairs = list(combinations(range(sources), 2))
    chosen = [some for size in range(len(pairs)) for some in combinations(pairs, size)]
    return tuple(
        tuple(
            (1.0, *map(float, one), *(float(one[a] and one[b]) for a, b in some))
            for one in histories(sources)
        )
        for some in chosen
    )


def _fitted(counts: Floats, rows: Sequence[Sequence[float]], price: float) -> tuple[Floats, Floats]:
    """The count of what nobody saw and Akaike's criterion, for each row of counts: Poisson regression by Newton's method."""
    design = np.array(rows)
    size = design.shape[1]
    eta = np.log(counts + 0.5)
    for _ in range(STEPS):
        before, mean = eta, np.exp(eta)
        working = eta + (counts - mean) / mean
        left = np.einsum("cp,bc,cq->bpq", design, mean, design) + 1e-9 * np.eye(size)
        right = np.einsum("cp,bc->bp", design, mean * working)
        solved = np.linalg.solve(left, right[..., None])[..., 0]
        eta = np.clip(solved @ design.T, -MOST, MOST)
        if np.abs(eta - before).max(initial=0.0) < NEAR:
            break
    likely = (counts * eta - np.exp(eta)).sum(axis=1)
    return np.exp(np.clip(solved[:, 0], -MOST, MOST)), price * size - 2 * likely


def spread(again: Floats) -> float:
    """The standard deviation of what came out of drawing again, told from its middle two thirds: a few draws in which the
    model runs away say nothing."""
    low, high = np.quantile(again, [0.1587, 0.8413])
    return float(high - low) / 2


def interval(unseen: float, variance: float) -> tuple[float, float]:
    """The 95 % interval of a count that varies by this much: that of the logarithmic normal distribution (Chao 1987), which
    never reaches 0; it begins there where chance alone (Poisson) leaves none in more than 2.5 % of cases."""
    if unseen <= 0:
        return 0.0, Z * sqrt(variance)
    if not isfinite(unseen + variance):
        return 0.0, float("inf")
    spread = exp(Z * sqrt(log(1 + variance / unseen**2)))
    return 0.0 if exp(-unseen) > 0.025 else unseen / spread, unseen * spread
