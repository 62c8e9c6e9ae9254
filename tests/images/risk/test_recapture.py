"""Capture-recapture: the figures of the papers, the truth where its assumptions hold, and by how much it fails where not."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.risk.recapture import (
    DRAWN_AGAIN,
    chapman,
    histories,
    interval,
    log_linear,
    lower_bound,
    sample_coverage,
    spread,
)

HEPATITIS = {"111": 28, "110": 21, "101": 17, "011": 18, "100": 69, "010": 55, "001": 63}
"""Hepatitis A in Taiwan 1995 by three lists: Chao and others 2001, table II. The truth was found to be about 545."""


def counts(table: dict[str, int]) -> NDArray[np.float64]:
    return np.array([table["".join("01"[saw] for saw in one)] for one in histories(3)], np.float64)


def test_sample_coverage_gives_the_figures_of_the_paper() -> None:
    assert [round(one) for one in sample_coverage(counts(HEPATITIS).tolist())] == [407, 971, 508]


def test_a_source_that_saw_nothing_lets_sample_coverage_tell_nothing() -> None:
    assert sample_coverage([0, 4, 0, 2, 0, 1, 0]) == (float("inf"),) * 3


def test_independent_sources_give_what_theory_says_of_them() -> None:
    expected = np.array([1000 * np.prod([0.8 if saw else 0.2 for saw in one]) for one in histories(3)])
    assert log_linear(expected, 3) == pytest.approx(1000 * 0.2**3, rel=0.05)
    assert sample_coverage(expected.tolist()) == pytest.approx((1000, 1000, 1000))


def test_a_pair_that_sees_together_is_told_where_two_sources_alone_are_deceived() -> None:
    """Two sources share half of their sightings; the third is independent of both."""
    rate = {(True, True): 0.45, (True, False): 0.15, (False, True): 0.15, (False, False): 0.25}
    third = {True: 0.6, False: 0.4}
    expected = np.array([2000 * rate[one[0], one[1]] * third[one[2]] for one in histories(3)])
    assert log_linear(expected, 3) == pytest.approx(2000 * 0.25 * 0.4, rel=0.1)
    assert chapman(1200, 1200, 900) < 0.3 * 2000 * 0.25


@pytest.mark.parametrize(("first", "second", "both"), [(0, 0, 0), (10, 0, 0), (9, 9, 9), (40, 30, 20)])
def test_chapman_by_its_formula(first: int, second: int, both: int) -> None:
    assert chapman(first, second, both) == (first + 1) * (second + 1) / (both + 1) - 1 - (
        first + second - both
    )


def test_the_lower_bound_is_that_of_equally_likely_sightings() -> None:
    """With many things that each source sees alike, Chao's bound is what was missed; for two sources it is f1²/4f2."""
    alike = np.array([1e6 * 0.5**3] * 7)
    assert lower_bound(alike, 3) == pytest.approx(1e6 * 0.5**3, rel=1e-4)
    assert lower_bound(np.array([30.0, 20.0, 20.0]), 2) == pytest.approx(0.5 * 40 * 39 / (2 * 31))


def test_nothing_seen_is_nothing_missed_that_could_be_told() -> None:
    nothing = np.zeros(7)
    assert log_linear(nothing, 3) < 0.1
    assert lower_bound(nothing, 3) == 0
    assert interval(0.0, 0.0) == (0, 0)


def test_an_interval_begins_at_nought_only_where_chance_may_have_left_none() -> None:
    assert interval(3.6, 4.0)[0] == 0 < interval(3.6, 4.0)[1]
    assert 0 < interval(3.7, 4.0)[0] < 3.7 < interval(3.7, 4.0)[1]


def test_histories_are_all_but_the_one_that_cannot_be_seen() -> None:
    assert set(histories(3)) == set(product((True, False), repeat=3)) - {(False, False, False)}


def simulated(
    runs: int, chances: tuple[float, float, float], *, differ: float = 0.0, repeated: float = 0.0
) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.float64]]:
    """Of each run how many of about 400 things nobody saw, the counts of who saw what, and those of 60 other draws of its 200 images.

    `differ` is how unlike things are in how easily they are seen, alike for all sources; the second source says what the first said of
    the share `repeated`.
    """
    draw, places, rates = np.random.default_rng(5), np.array([4, 2, 1]), np.array(chances)
    unseen, counts, again = np.zeros(runs), np.zeros((runs, 7)), np.zeros((runs, 60, 7))
    for run in range(runs):
        odds = np.log(rates / (1 - rates)) + differ * draw.normal(size=(draw.poisson(400), 1))
        saw = draw.random(odds.shape) < 1 / (1 + np.exp(-odds))
        saw[:, 1] = np.where(draw.random(len(saw)) < repeated, saw[:, 0], saw[:, 1])
        table = np.zeros((200, 8))
        np.add.at(table, (draw.integers(0, 200, len(saw)), ~saw @ places), 1)
        counts[run], unseen[run] = table[:, :7].sum(axis=0), table[:, 7].sum()
        again[run] = draw.multinomial(200, np.full(200, 1 / 200), 60) @ table[:, :7]
    return unseen, counts, again


def covered(
    unseen: NDArray[Any], counts: NDArray[np.float64], again: NDArray[np.float64]
) -> tuple[float, float]:
    """How often the 95 % interval holds the number that no source saw, and the estimate as a share of it."""
    told = log_linear(counts, 3)
    within = [
        low <= true <= high
        for true, one, draws in zip(unseen, told, log_linear(again, 3, DRAWN_AGAIN), strict=True)
        for low, high in [interval(float(one), spread(draws) ** 2 + float(one))]
    ]
    return float(np.mean(within)), float(told.sum() / unseen.sum())


def test_the_interval_holds_the_truth_in_93_to_97_of_100_runs_where_sources_are_independent() -> None:
    share, ratio = covered(*simulated(800, (0.8, 0.7, 0.6)))
    assert 0.93 <= share <= 0.97
    assert 0.95 < ratio < 1.08


def test_and_where_two_of_them_see_together() -> None:
    share, ratio = covered(*simulated(800, (0.8, 0.7, 0.6), repeated=0.3))
    assert 0.93 <= share <= 0.97
    assert 0.95 < ratio < 1.12


def test_it_holds_less_often_and_tells_too_few_where_all_sources_miss_the_same_things() -> None:
    """As much as the documentation says: things that differ a lot, as faces do."""
    share, ratio = covered(*simulated(300, (0.8, 0.7, 0.6), differ=1.5))
    assert 0.38 < share < 0.56
    assert 0.4 < ratio < 0.55
