"""Whatever the table and the goals: classes that are drawn have what they were drawn for, and all other models."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aramis
from aramis.errors import Unreachable

PLACES = {"*": {"north": {"coast": ["n1", "n2"], "hills": ["n3"]}, "south": ["s1", "s2"]}}
ILLS = {"*": {"lung": ["i0", "i1"], "stomach": ["i2", "i3"]}}
Row = tuple[int, str, int]

rows = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(["n1", "n2", "n3", "s1", "s2"]), st.integers(0, 3)),
    min_size=4,
    max_size=40,
)
seeds = st.integers(0, 3)


def with_rows(table: list[Row], **more: Any) -> Any:
    data = pl.DataFrame(
        [(age, place, f"i{ill}") for age, place, ill in table], schema=["age", "place", "ill"], orient="row"
    )
    return aramis.table(
        data,
        quasi=["age", "place"],
        sensitive="ill",
        hierarchies={"place": PLACES, **more.pop("h", {})},
        **more,
    )


def sensitive_values(frame: pl.DataFrame) -> list[list[str]]:
    return [rows["ill"].to_list() for _, rows in frame.group_by("age", "place")]


@given(table=rows, l=st.integers(2, 4), seed=seeds)
@settings(max_examples=25)
def test_cldpp_leaves_l_values_in_every_class_wherever_the_table_has_them(
    table: list[Row], l: int, seed: int
) -> None:
    if len({row[2] for row in table}) < l:
        with pytest.raises(Unreachable, match=f"l = {l} of ill is out of reach"):
            with_rows(table).anonymize(algorithm="cldpp", l=l, seed=seed)
        return
    found = with_rows(table).anonymize(algorithm="cldpp", l=l, seed=seed)
    assert min(len(set(ills)) for ills in sensitive_values(found.frame)) >= l
    assert found.frame.height == len(table)


@given(
    table=rows,
    t=st.sampled_from([0.1, 0.25, 0.4, 0.7]),
    distance=st.sampled_from(["equal", "ordered", "hierarchical"]),
    k=st.integers(1, 4),
    seed=seeds,
)
@settings(max_examples=30)
def test_sabre_is_t_close_by_every_distance(
    table: list[Row], t: float, distance: str, k: int, seed: int
) -> None:
    given_ = with_rows(
        table, distances={"ill": distance}, h={"ill": ILLS} if distance == "hierarchical" else {}
    )
    found = given_.anonymize(algorithm="sabre", t=t, k=k, seed=seed)
    assert given_.released(aramis.table(found.frame, quasi=["age", "place"]).source).check(t=t, k=k).holds
    if distance == "equal":  # by the definition
        whole = np.bincount([row[2] for row in table], minlength=4) / len(table)
        for ills in sensitive_values(found.frame):
            share = np.bincount([int(ill[1]) for ill in ills], minlength=4) / len(ills)
            assert np.abs(share - whole).sum() / 2 <= t + 1e-9


@given(
    table=st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from(["yes", "no"]), st.sampled_from("fm")),
        min_size=4,
        max_size=40,
    ),
    more=st.floats(0.01, 0.5),
    seed=seeds,
)
@settings(max_examples=25)
def test_dsabre_leaves_no_class_that_discriminates_more_than_is_wanted(
    table: list[tuple[int, str, str]], more: float, seed: int
) -> None:
    def difference(part: list[tuple[str, str]]) -> float | None:
        of = [[credit == "no" for credit, sex in part if sex == one] for one in "fm"]
        return float(np.mean(of[0]) - np.mean(of[1])) if all(of) else None

    whole = difference([row[1:] for row in table])
    if whole is None or len({row[1] for row in table}) < 2:
        return
    data = pl.DataFrame(table, schema=["age", "credit", "sex"], orient="row")
    wanted = max(whole + more, -1.0)
    found = aramis.table(data, quasi="age", sensitive=["credit", "sex"]).anonymize(
        algorithm="dsabre",
        k=2,
        denied={"credit": "no"},
        protected={"sex": "f"},
        protection={"RD": wanted},
        seed=seed,
    )
    for _, part in found.frame.group_by("age"):
        measured = difference(part.select("credit", "sex").rows())
        assert measured is None or measured <= wanted + 1e-9
