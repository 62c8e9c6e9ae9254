"""MASK generalizes without a look at sensitive values, and lends classes that tell too much the shares of others."""

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aramis
from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymizers.mask import _as_in

TOWNS = {
    "a": ["hiv"] * 4,  # tells what all of its people have
    "b": ["flu", "cold", "ulcer", "ache"],
    "c": ["flu", "flu", "cold", "hiv"],
    "d": ["cold", "cold", "flu", "flu"],
}


def people(towns: dict[str, list[str]] | None = None, **more: Any) -> Any:
    rows = [(town, ill) for town, ills in (towns or TOWNS).items() for ill in ills]
    frame = pl.DataFrame(rows, schema=["town", "ill"], orient="row").with_columns(**more)
    return aramis.table(frame, quasi="town", sensitive=["ill", *more])


def shares(frame: pl.DataFrame) -> dict[str, list[int]]:
    return {
        town: sorted(Counter(frame.filter(town=town)["ill"].to_list()).values()) for town in sorted(TOWNS)
    }


@pytest.mark.parametrize("seed", range(6))
def test_a_class_that_tells_too_much_gets_the_shares_of_another_and_no_other_changes(seed: int) -> None:
    found = people().anonymize(algorithm="mask", k=4, alpha=0.5, seed=seed)
    others = pl.col("town") != "a"
    assert found.frame.filter(others).equals(people().source.frame.to_native().collect().filter(others))
    told = shares(found.frame)
    assert told["a"] in [told["b"], told["c"], told["d"]]
    assert found.recoding.distorted == 4 - found.frame.filter(town="a")["ill"].to_list().count("hiv") > 0
    assert found.check.holds


def test_what_is_generalized_does_not_depend_on_what_is_sensitive() -> None:
    """Who knows the algorithm and the quasi-identifiers of all learns nothing from how they were generalized."""
    masked = people().anonymize(algorithm="mask", k=4, alpha=0.5)
    blind = people().anonymize(algorithm="mondrian", k=4)
    assert masked.frame["town"].equals(blind.frame["town"])
    assert masked.utility.ncp == blind.utility.ncp


def test_nothing_is_changed_where_no_class_tells_too_much() -> None:
    found = people({town: TOWNS[town] for town in "bcd"}).anonymize(algorithm="mask", k=4, alpha=0.5)
    assert found.recoding.distorted == 0
    assert found.frame.equals(
        people({town: TOWNS[town] for town in "bcd"}).source.frame.to_native().collect()
    )


def test_other_models_hold_too_beside_the_released_or_the_original_table() -> None:
    for reference in ("released", "original"):
        found = people().anonymize(algorithm="mask", k=4, alpha=0.5, l=2, t=0.55, reference=reference)
        assert found.check.holds
        assert found.check.reference == reference


@pytest.mark.parametrize(
    ("wanted", "error", "why"),
    [
        (
            {"alpha": 0.45},
            Unreachable,
            "3 of 4 classes tell too much, and mask hides each among 2 that do not",
        ),
        ({"alpha": 0.5, "joint": True}, BadInput, "mask changes each sensitive column by itself"),
        ({"l": 2}, BadInput, "mask is built on alpha"),
    ],
)
def test_what_it_cannot_do_is_said(wanted: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        people(pay=pl.Series(range(16)) % 4).anonymize(algorithm="mask", k=4, **wanted)


@given(
    values=st.lists(st.integers(0, 4), min_size=1, max_size=20),
    others=st.lists(st.integers(0, 4), min_size=1, max_size=20),
    seed=st.integers(0, 9),
)
def test_shares_are_taken_over_with_as_few_changes_as_can_be(
    values: list[int], others: list[int], seed: int
) -> None:
    mine, theirs = np.array(values, np.int32), np.array(others, np.int32)
    found = _as_in(mine, theirs, np.random.default_rng(seed))
    have, wanted = Counter(found.tolist()), {value: others.count(value) / len(others) for value in others}
    assert set(have) <= set(wanted)
    assert all(abs(have[value] - share * len(values)) < 1 for value, share in wanted.items())
    changed = int((found != mine).sum())
    assert changed == sum(max(values.count(value) - have[value], 0) for value in set(values))
