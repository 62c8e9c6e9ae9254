"""The trees and numpy find what a look at one record after another finds."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aramis
from aramis.tables.clusters import NOWHERE, surround
from aramis.tables.nearest import (
    LEAF,
    Room,
    Spans,
    Trees,
    begin,
    grow,
    host,
    host_in_tree,
    nearest,
    nearest_in_tree,
    no_spans,
    one_leaf,
    reach,
    take_out,
)
from aramis.tables.scales import penalty, placed, scales_of

PLACES = {"*": {"north": {"coast": ["n1", "n2"], "hills": ["n3"]}, "south": ["s1", "s2"]}}
ALL_LEAVES = 10**9

rows = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(["n1", "n2", "n3", "s1", "s2"]), st.sampled_from("abc")),
    min_size=4,
    max_size=60,
)


def planted_with(table: list[tuple[int, str, str]]) -> Trees:
    data = pl.DataFrame(table, schema=["age", "place", "job"], orient="row")
    given_ = aramis.table(data, quasi=["age", "place", "job"], hierarchies={"place": PLACES})
    scales, places = scales_of(given_.frequency, given_.hierarchies)
    points = np.ascontiguousarray(placed(places, given_.frequency.codes).T)
    trees = one_leaf(scales, points)
    grow(trees)
    return trees


def loss(trees: Trees, points: list[int]) -> float:
    """What a class of these points loses, by the definition."""
    inside = trees.places[points]
    spans = zip(inside.min(axis=0).tolist(), inside.max(axis=0).tolist(), strict=True)
    return len(points) * sum(penalty(trees.scales, column, *span) for column, span in enumerate(spans))


def class_of(trees: Trees, spans: Spans, number: int, points: list[int]) -> None:
    begin(trees, spans, number, points[0])
    for point in points[1:]:
        reach(trees, spans, number, point)


@given(table=rows)
def test_every_leaf_of_a_tree_has_few_points_and_every_point_lies_in_one(
    table: list[tuple[int, str, str]],
) -> None:
    trees = planted_with(table)
    leaves = np.unique(trees.leaves)
    assert (trees.left[leaves] == -1).all()
    assert sorted(trees.order.tolist()) == list(range(len(trees.places)))
    for leaf in leaves:
        points = trees.order[trees.starts[leaf] : trees.ends[leaf]]
        assert 0 < len(points) <= LEAF
        assert (trees.leaves[points] == leaf).all()
        node = leaf
        while node >= 0:  # every box above has room for them
            inside = trees.places[points]
            assert (trees.low[node] <= inside).all()
            assert (inside <= trees.high[node]).all()
            node = trees.parents[node]


def test_in_large_trees_points_at_the_same_places_lie_together_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = planted_with([(age, "n1", job) for age in range(5) for job in "ab"])
    leaves_of_each = {}
    monkeypatch.setattr("aramis.tables.nearest.LARGE", 0)
    for together in (False, True):
        trees = one_leaf(few.scales, np.repeat(few.places, 20, axis=0), together=together)
        grow(trees)
        assert sorted(trees.order.tolist()) == list(range(200))
        pairs = np.column_stack([np.repeat(np.arange(10), 20), trees.leaves])
        leaves_of_each[together] = len(np.unique(pairs, axis=0)) / 10
    assert leaves_of_each[True] < leaves_of_each[False]


@pytest.mark.parametrize("look", [nearest, nearest_in_tree])
@given(table=rows, size=st.integers(1, 3), banned=st.integers(0, 2))
def test_the_nearest_record_is_the_one_that_loses_least(
    look: Callable[..., Any], table: list[tuple[int, str, str]], size: int, banned: int
) -> None:
    trees = planted_with(table)
    number = len(trees.places)
    size = min(size, number)
    spans, tags = no_spans(1, 3), np.arange(number) % 3
    class_of(trees, spans, 0, list(range(size)))
    for point in range(size):
        take_out(trees, point)
    stamps = np.array([0 if tag == banned else -1 for tag in range(3)])
    found = look(trees, spans, 0, tags, stamps, ALL_LEAVES)
    losses = {
        point: loss(trees, [*range(size), point]) for point in range(size, number) if tags[point] != banned
    }
    assert (found == -1) == (not losses)
    assert not losses or np.isclose(losses[found], min(losses.values()))


def partition(number: int, classes: int) -> Iterator[list[int]]:
    return (list(range(one, number, classes)) for one in range(min(classes, number)))


@pytest.mark.parametrize("look", [host, host_in_tree])
@given(table=rows, classes=st.integers(2, 6), slack=st.sampled_from([0.1, 0.4, 1.0]))
def test_the_host_of_a_class_is_the_one_that_loses_least_more_and_has_room(
    look: Callable[..., Any], table: list[tuple[int, str, str]], classes: int, slack: float
) -> None:
    trees = planted_with(table)
    parts = list(partition(len(trees.places), classes))
    spans, of_point = no_spans(len(parts), 3), np.arange(len(trees.places)) % classes
    buckets, inside = np.arange(len(of_point)) * 5 % 3, np.zeros((len(parts), 3), np.int64)
    np.add.at(inside, (of_point, buckets), 1)
    room = Room(buckets, np.bincount(buckets, minlength=3) / len(buckets), inside, slack)
    for number, points in enumerate(parts):
        class_of(trees, spans, number, points)
    found, more = look(trees, spans, of_point, 0, room, 1, ALL_LEAVES, np.inf)
    raised = {
        number: loss(trees, parts[0] + points) - loss(trees, parts[0]) - loss(trees, points)
        for number, points in enumerate(parts)
        if number and excess([*inside[number]], room.shares) <= slack + 1e-9
    }
    assert (found == -1) == (not raised)
    if raised:
        assert np.isclose(more, raised[found])
        assert np.isclose(more, min(raised.values()))


def excess(inside: list[int], shares: Any) -> float:
    """What a class has too much of with one record more of bucket 1, as a share of it."""
    inside[1] += 1
    return float(np.maximum(np.divide(inside, sum(inside)) - shares, 0).sum())


@given(table=rows, number=st.integers(1, 4))
def test_spans_of_all_classes_at_once_are_those_record_by_record(
    table: list[tuple[int, str, str]], number: int
) -> None:
    trees = planted_with(table)
    classes = np.arange(len(trees.places)) % (number + 1) + NOWHERE  # some records are of none
    together, one_by_one = no_spans(number, 3), no_spans(number, 3)
    surround(trees.scales, trees.places, together, classes)
    for one in set(classes.tolist()) - {NOWHERE}:
        class_of(trees, one_by_one, one, np.flatnonzero(classes == one).tolist())
    for found, wanted in zip(together, one_by_one, strict=True):
        np.testing.assert_array_equal(found, wanted)
