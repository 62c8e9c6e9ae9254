"""Anatomy releases two tables: people with their group, and what each group has."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aramis
from aramis.errors import BadInput, Unreachable

PEOPLE = pl.DataFrame(
    {
        "name": list("abcdefgh"),
        "age": [23, 27, 35, 59, 61, 65, 65, 70],
        "zip": ["11", "13", "59", "12", "54", "25", "25", "30"],
        "ill": ["pneumonia", "dyspepsia", "dyspepsia", "pneumonia", "flu", "gastritis", "flu", "bronchitis"],
    }
)


def people() -> Any:
    return aramis.table(PEOPLE, quasi=["age", "zip"], sensitive="ill")


def test_the_tables_of_the_paper() -> None:
    """Xiao 2006, tables 1 and 3: eight patients in two groups; here in as many as have two values each."""
    found = people().anonymize(algorithm="anatomy", l=2, seed=1)
    assert found.frame.drop("group").equals(PEOPLE.drop("ill"))
    assert found.frame["group"].value_counts()["count"].to_list() == [2] * 4
    assert found.beside.columns == ["group", "ill", "count"]
    assert found.beside["count"].to_list() == [1] * 8
    assert (found.utility.ncp, found.check.k, found.check.holds) == (0, 2, True)
    in_two = people().anonymize(algorithm="anatomy", l=2, k=4, seed=1)
    assert sorted(in_two.frame["group"].unique()) == [1, 2]


def test_they_are_written_beside_one_another_and_read_back(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    PEOPLE.write_csv(tmp_path / "in.csv")
    table = aramis.table(tmp_path / "in.csv", quasi=["age", "zip"], sensitive="ill")
    found = table.anonymize(algorithm="anatomy", l=2, out=out, seed=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv", "out.sensitive.csv"]
    joined = pl.read_csv(out).join(pl.read_csv(tmp_path / "out.sensitive.csv"), on="group")
    assert found.check.holds
    assert joined.group_by("name").agg(pl.col("ill").n_unique()).select(pl.col("ill").min()).item() == 2
    true = joined.join(PEOPLE.select("name", "ill"), on=["name", "ill"])
    assert true.height == 8  # what somebody has is among what the group has
    with pytest.raises(BadInput, match=r"out.csv exists"):
        table.anonymize(algorithm="anatomy", l=2, out=out)
    out.unlink()
    with pytest.raises(BadInput, match=r"out.sensitive.csv exists"):
        table.anonymize(algorithm="anatomy", l=2, out=out)


@given(ills=st.lists(st.integers(0, 4), min_size=2, max_size=40), l=st.integers(2, 4), seed=st.integers(0, 3))
@settings(max_examples=40)
def test_every_group_has_l_values_and_none_twice_where_that_can_be(
    ills: list[int], l: int, seed: int
) -> None:
    table = aramis.table(pl.DataFrame({"x": range(len(ills)), "ill": ills}), quasi="x", sensitive="ill")
    if len(set(ills)) < l:
        with pytest.raises(Unreachable, match=f"l = {l} of ill is out of reach"):
            table.anonymize(algorithm="anatomy", l=l)
        return
    found = table.anonymize(algorithm="anatomy", l=l, seed=seed)
    groups = found.beside.group_by("group").agg(pl.col("ill").n_unique(), pl.col("count").max())
    assert groups["ill"].min() >= l
    assert found.beside["count"].sum() == len(ills)
    if np.bincount(ills).max() <= len(ills) // l:  # the paper's condition
        assert groups["count"].max() == 1
        assert groups.height == len(ills) // l


@pytest.mark.parametrize("more", [{"t": 0.2}, {"alpha": 0.4}, {"k": 5, "beta": 1.0}])
def test_groups_are_put_together_until_other_models_hold(more: dict[str, float]) -> None:
    assert people().anonymize(algorithm="anatomy", l=2, seed=1, **more).check.holds
