"""Laws of utility: what a search minimizes is what the release is then said to have lost."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aramis
from aramis.errors import Unreachable
from aramis.tables.losses import LOSSES

rows = st.lists(
    st.tuples(st.integers(20, 39), st.sampled_from("abcd"), st.sampled_from(["flu", "cold", "gout"])),
    min_size=2,
    max_size=40,
)


def town(people: list[tuple[int, str, str]]) -> Any:
    frame = pl.DataFrame(people, schema=["age", "job", "ill"], orient="row")
    return aramis.table(
        frame,
        quasi=["age", "job"],
        sensitive=["ill"],
        hierarchies={"age": "intervals:5,10", "job": {"*": {"x": ["a", "b"], "y": ["c", "d"]}}},
    )


@pytest.mark.parametrize("loss", LOSSES)
@given(people=rows, suppress=st.sampled_from([0.0, 0.3]))
@settings(max_examples=15, deadline=None)
def test_the_loss_of_a_node_is_that_of_its_release(
    loss: str, people: list[tuple[int, str, str]], suppress: float
) -> None:
    table = town(people)
    from aramis.tables.anonymizers.anonymizer import Task
    from aramis.tables.goals import Goals
    from aramis.tables.search import least_loss

    task = Task(table.counted, Goals(table.models(k=2), suppress), table.hierarchies, loss=loss)
    best = least_loss(task.rollup, task.goals, task.loss_over(task.rollup), lambda *_: None).best
    assert best is not None
    found = table.anonymize(k=2, suppress=suppress, loss=loss)
    assert found.loss == pytest.approx(best.loss, abs=1e-12)


@given(people=rows)
@settings(max_examples=30, deadline=None)
def test_a_release_lies_between_the_table_and_its_stars(people: list[tuple[int, str, str]]) -> None:
    try:
        lost = town(people).anonymize(k=3).utility
    except Unreachable:
        return
    for share in (lost.ncp, lost.loss, lost.precision, lost.non_uniform_entropy, *lost.marginals.values()):
        assert -1e-12 <= share <= 1 + 1e-12
    assert lost.rows <= lost.discernibility <= lost.rows**2
