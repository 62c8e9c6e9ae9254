"""SABRE's buckets: nodes of a hierarchy or stretches of an order, as wide as they say and no wider."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.tables.bucketing import buckets_for, width
from aramis.tables.models.distances import Equal, Ground, Hierarchical, hierarchical, numeric, ordered

TREE = hierarchical(
    np.array([[0, 1, 2, 3, 4, 5], [0, 0, 1, 2, 2, 2], [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0]], np.int32)
)
GROUNDS = [TREE, ordered(6), numeric([1, 2, 4, 8, 16, 40]), Equal()]

counts = st.lists(st.integers(1, 9), min_size=6, max_size=6).map(np.array)


@pytest.mark.parametrize("ground", GROUNDS)
@given(table=counts)
def test_a_bucket_is_as_wide_as_the_worst_value_that_all_of_it_can_get(
    ground: Ground, table: np.ndarray
) -> None:
    shares = table / table.sum()
    worst = max(float(ground.between(one, shares)) for one in np.eye(6))
    assert width(ground, np.arange(6, dtype=np.int32), shares) == pytest.approx(worst)


@pytest.mark.parametrize("ground", GROUNDS)
@given(table=counts, t=st.floats(0, 1))
def test_whichever_value_stands_for_each_bucket_the_class_is_near(
    ground: Ground, table: np.ndarray, t: float
) -> None:
    shares = table / table.sum()
    for way in buckets_for(ground, shares, t):
        assert way.width <= t + 1e-9
        for chosen in product(*(np.flatnonzero(way.of_value == one) for one in np.unique(way.of_value))):
            of_class = np.zeros(6)
            of_class[list(chosen)] = np.bincount(way.of_value, shares)
            assert float(ground.between(of_class, shares)) <= way.width + 1e-9


@pytest.mark.parametrize("ground", GROUNDS)
@given(table=counts, of_class=counts, t=st.floats(0, 1))
def test_what_a_class_has_too_much_of_adds_to_it_once(
    ground: Ground, table: np.ndarray, of_class: np.ndarray, t: float
) -> None:
    shares, has = table / table.sum(), of_class / of_class.sum()
    for way in buckets_for(ground, shares, t):
        excess = np.bincount(way.of_value, has) - np.bincount(way.of_value, shares)
        assert float(ground.between(has, shares)) <= way.width + np.maximum(excess, 0).sum() + 1e-9


@given(table=counts, t=st.floats(0, 1))
def test_buckets_go_down_the_hierarchy(table: np.ndarray, t: float) -> None:
    """Each is all that lies under one node."""
    assert isinstance(TREE, Hierarchical)
    nodes = {tuple(np.flatnonzero(level == label)) for level in TREE.codes for label in level} | {
        tuple(range(6))
    }
    for way in buckets_for(TREE, table / table.sum(), t):
        assert {tuple(np.flatnonzero(way.of_value == one)) for one in way.of_value} <= nodes


def test_the_widest_is_parted_first() -> None:
    """{2} for {0, 1} is two levels of three away, {3} for {4, 5} one: 2/9 2/3 and 4/9 1/3, the same; then {0} for {1}."""
    ways = buckets_for(TREE, np.array([1, 1, 1, 2, 2, 2]) / 9, 0.3)
    assert [way.width for way in ways] == pytest.approx([8 / 27, 4 / 27, 1 / 27, 0])
    assert [len(set(way.of_value.tolist())) for way in ways] == [2, 4, 5, 6]
