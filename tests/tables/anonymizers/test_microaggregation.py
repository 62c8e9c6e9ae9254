"""Microaggregation groups as MDAV does, says means, and is t-close first where that is wanted."""

import datetime as dt
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import aramis
from aramis.errors import BadInput


def mdav(points: NDArray[np.float64], k: int) -> list[set[int]]:
    """By the words of Domingo-Ferrer and Mateo-Sanz, without any haste."""

    def apart(center: NDArray[np.float64], among: list[int]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = ((points[among] - center) ** 2).sum(axis=1)
        return found

    def nearest(center: int, among: list[int]) -> set[int]:
        order = np.argsort(apart(points[center], among), kind="stable")
        return {among[at] for at in order[:k]}

    left, groups = list(range(len(points))), []
    while len(left) >= 2 * k:
        far = left[int(np.argmax(apart(points[left].mean(axis=0), left)))]
        opposite = left[int(np.argmax(apart(points[far], left)))]
        for center in (far, opposite):
            if len(left) >= 2 * k or center == far:
                groups.append(nearest(center, left))
                left = [one for one in left if one not in groups[-1]]
    return [*groups, set(left)] if left else groups


@given(seed=st.integers(0, 10_000), rows=st.integers(4, 40), k=st.integers(2, 5))
@settings(max_examples=25)
def test_groups_are_those_of_mdav(seed: int, rows: int, k: int) -> None:
    points = np.random.default_rng(seed).random((max(rows, k), 2))  # no two are equally far apart
    table = aramis.table(pl.DataFrame(points, schema=["x", "y"]), quasi=["x", "y"])
    frame = table.anonymize(algorithm="microaggregation", k=k, seed=1).frame
    span = np.ptp(points, axis=0)
    expected = mdav((points - points.min(axis=0)) / span, k)
    for group in expected:
        inside = frame[sorted(group)]
        assert inside.n_unique() == 1
        assert inside.row(0) == pytest.approx(points[sorted(group)].mean(axis=0))
    assert frame.n_unique() == len(expected)


def test_numbers_say_their_mean_and_other_values_what_they_have_in_common() -> None:
    data = pl.DataFrame(
        {
            "age": [20, 21, 50, 53],
            "weight": [1.5, 2.5, 8.0, 8.5],
            "town": ["a", "b", "c", "c"],
            "ill": list("xyxy"),
        }
    )
    found = aramis.table(data, quasi=["age", "weight", "town"], sensitive="ill").anonymize(
        algorithm="microaggregation", k=2
    )
    assert found.frame.rows() == [
        (20, 2.0, "{a, b}", "x"),
        (20, 2.0, "{a, b}", "y"),
        (52, 8.25, "c", "x"),
        (52, 8.25, "c", "y"),
    ]
    assert found.frame.schema["age"] == pl.Int64
    spans = [(1 / 33 + 3 / 33) / 2, (1 / 7 + 0.5 / 7) / 2, (2 / 3 + 0) / 2]
    assert found.utility.ncp == pytest.approx(sum(spans) / 3)
    # the ages vary no less after their means were rounded: 20.5 to 20, 51.5 to 52
    assert found.utility.variance_lost == {"age": 0, "weight": pytest.approx(0.625 / 39.6875)}


def test_a_class_with_a_missing_number_has_no_mean() -> None:
    data = pl.DataFrame({"age": [20, 22, 80, None]})
    found = aramis.table(data, quasi="age").anonymize(algorithm="microaggregation", k=2)
    assert found.frame["age"].to_list() == [21, 21, None, None]


@pytest.mark.parametrize("t", [0.05, 0.2])
def test_with_a_wanted_t_a_class_has_a_record_from_each_slice(t: float) -> None:
    random = np.random.default_rng(4)
    data = pl.DataFrame({"x": random.random(120), "y": random.random(120), "pay": random.permutation(120)})
    found = aramis.table(data, quasi=["x", "y"], sensitive="pay").anonymize(
        algorithm="microaggregation", t=t, k=3, seed=1
    )
    assert found.check.holds
    slices = max(round(1 / (2 * t)), 3)
    for _, rows in found.frame.group_by("x", "y"):
        assert set((rows["pay"].to_numpy() * slices // 120).tolist()) == set(range(slices))


@pytest.mark.parametrize("more", [{"l": 2}, {"alpha": 0.6}, {"beta": 1.5}, {"t": 0.3, "l": 2}])
def test_other_models_hold_as_well(more: dict[str, Any]) -> None:
    random = np.random.default_rng(4)
    data = pl.DataFrame({"x": random.random(90), "ill": random.choice(list("abc"), 90)})
    table = aramis.table(data, quasi="x", sensitive="ill")
    assert table.anonymize(algorithm="microaggregation", k=2, **more).check.holds


def test_there_is_no_mean_of_words_or_days() -> None:
    data = pl.DataFrame({"town": ["a", "b"], "born": [dt.date(2000, 1, 1), dt.date(2001, 1, 1)]})
    with pytest.raises(BadInput, match="none of town, born has numbers"):
        aramis.table(data, quasi=["town", "born"]).anonymize(algorithm="microaggregation", k=2)
