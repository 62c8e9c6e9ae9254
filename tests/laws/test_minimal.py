"""Incognito's generalizations are those that looking at every node of the lattice finds, for every model."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.test_search import HIERARCHIES, MODELS, Row, counted, kept_rows, recoded, rows

from aramis.errors import Unreachable
from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.anonymizers.incognito import incognito
from aramis.tables.goals import Goals
from aramis.tables.rollup import Node


def by_brute_force(table: list[Row], goals: Goals) -> set[Node]:
    good = [
        node
        for node in product(*(range(one.levels) for one in HIERARCHIES))
        if kept_rows(table, recoded(table, node), goals).count(False) <= goals.allowed(len(table))
    ]
    return {node for node in good if not any(is_finer(other, node) for other in good)}


def is_finer(one: Node, other: Node) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def by_incognito(table: list[Row], goals: Goals) -> set[Node]:
    given = dict(zip("abc", HIERARCHIES, strict=True))
    try:
        found = incognito(Task(counted(table), goals, given))
    except Unreachable:
        return set()
    return {tuple(node.values()) for node in found.minimal or ()}


@pytest.mark.parametrize("model", MODELS)
@given(
    table=rows, suppress=st.sampled_from([0.0, 0.1, 0.3]), reference=st.sampled_from(["released", "original"])
)
@settings(max_examples=12, deadline=None)
def test_all_minimal_generalizations_are_found(
    model: str, table: list[Row], suppress: float, reference: str
) -> None:
    goals = Goals((MODELS[model],), suppress, reference)
    assert by_incognito(table, goals) == by_brute_force(table, goals)
