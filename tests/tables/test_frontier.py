"""The frontier: every level is a release of its own, what is out of reach is said, and an interruption keeps what there is."""

from typing import Any

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput
from aramis.tables.anonymized_answer import frontier as answer


def ages() -> Any:
    frame = pl.DataFrame({"age": [21, 23, 24, 31, 32, 38, 52, 57], "ill": ["flu", "cold"] * 4})
    return aramis.table(frame, quasi="age", sensitive="ill", hierarchies={"age": "intervals:5,10,20"})


def test_every_point_is_what_anonymizing_to_its_level_gives() -> None:
    found = ages().frontier(k=[1, 2, 3, 8], l=1, suppress=0.25)
    for point in found.points:
        alone = ages().anonymize(k=point.level, l=1, suppress=0.25)
        assert (point.loss, point.suppressed, point.classes, point.generalization) == (
            alone.loss,
            alone.suppressed,
            alone.check.classes,
            alone.generalization,
        )
    losses = [point.loss for point in found.points]
    assert losses == sorted(losses)
    assert (found.varied, found.others, found.complete) == ("k", {"l": 1}, True)


def test_a_level_out_of_reach_is_said_with_its_reason() -> None:
    found = answer(ages().frontier(t=[0.0, 0.5], k=9 - 1))
    assert [point["level"] for point in found["points"]] == [0.0, 0.5]
    found = answer(ages().frontier(k=[2, 9]))
    assert [point["level"] for point in found["points"]] == [2]
    assert found["out_of_reach"][0]["why"].startswith("k = 9 is out of reach for any recoding")


def test_interrupted_it_tells_what_it_has() -> None:
    def after_two(done: int, total: int | None, best: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    found = ages().frontier(k=[1, 2, 3, 8], tell=after_two)
    assert [point.level for point in found.points] == [1, 2]
    assert not found.complete

    def at_once(done: int, total: int | None, best: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ages().frontier(k=[1, 2], tell=at_once)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"k": 2}, "give it as a list, such as k="),
        ({"k": [2], "t": [0.1]}, "the levels of one of k, l, t"),
        ({"n": [2, 3]}, "the levels of one of k, l, t"),
        ({"k": []}, "the list of k is empty"),
        ({"k": [0]}, "k = 0 means nothing"),
    ],
)
def test_what_is_no_frontier_is_said(wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        ages().frontier(**wanted)
