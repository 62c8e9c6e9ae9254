"""A second opinion: pyCANON's recorded answers, where it is right and where we differ on purpose.

`benchmarks/pycanon_here.py` records them, for it cannot be installed beside the tests.
"""

import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.tables.check import Checked, Levels

RECORDED = json.loads(Path(__file__).with_name("pycanon.json").read_text())
WRONG = RECORDED["wrong"]
SCHEMA = {"zip": pl.String, "age": pl.Int64, "ill": pl.String, "pay": pl.Int64}


def checked(rows: list[list[Any]], quasi: tuple[str, ...] = ("zip", "age"), **wanted: Any) -> Checked:
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return aramis.table(frame, quasi=quasi, sensitive=["ill", "pay"]).check(**wanted)


@pytest.mark.parametrize("recorded", RECORDED["right"])
def test_the_same_levels_come_out(recorded: dict[str, Any]) -> None:
    found, says = checked(recorded["rows"]), recorded["says"]
    assert found.k == says["k"]
    assert (
        min(found.sensitive[column].l_distinct_others or 0 for column in ("ill", "pay"))
        == (says["l_distinct_others"])
    )
    for column in ("ill", "pay"):
        ours, theirs = found.sensitive[column], says[column]
        assert ours.l_distinct == theirs["l_distinct"]
        assert ours.t == pytest.approx(theirs["t"], abs=1e-12)
        assert ours.alpha == pytest.approx(theirs["alpha"], abs=1e-12)
        assert ours.beta == pytest.approx(theirs["beta"], abs=1e-12)
        assert delta_agrees(ours, theirs["delta"])
        assert theirs["l_entropy"] <= ours.l_entropy <= theirs["l_entropy"] + 1  # theirs is cut


def delta_agrees(ours: Levels, theirs: float) -> bool:
    """Where every class has every value; where one lacks a value ours is infinite, theirs is not."""
    return math.isinf(ours.delta) or ours.delta == pytest.approx(theirs, abs=1e-12)


def test_all_of_them_are_looked_at() -> None:
    assert len(RECORDED["right"]) == 100
    assert sum(math.isfinite(checked(one["rows"]).sensitive["ill"].delta) for one in RECORDED["right"]) >= 3


def test_the_most_frequent_value_is_the_first_in_recursive_diversity() -> None:
    case = WRONG["recursive c takes the rarest value for the most frequent"]
    assert case["says"] == 1
    found = checked(case["rows"], l={"ill": 3}, c={"ill": 2}, l_kind="recursive")
    assert found.sensitive["ill"].l_recursive == 7 / 2
    assert (found.wanted[0].level, found.holds) == (7, False)


def test_entropy_is_not_cut() -> None:
    case = WRONG["entropy l is cut to a whole number"]
    assert (case["says"], checked(case["rows"]).sensitive["ill"].l_entropy) == (2, 3)


def test_a_row_without_a_quasi_identifier_stands_in_a_class() -> None:
    case = WRONG["a row without a quasi-identifier is left out"]
    assert (case["says"], checked(case["rows"], ("zip",)).k) == (2, 1)


def test_a_constant_number_is_zero_close() -> None:
    case = WRONG["a constant number has no t"]
    assert "division by zero" in case["says"]
    assert checked(case["rows"]).sensitive["pay"].t == 0


def test_a_value_that_a_class_lacks_discloses_something() -> None:
    case = WRONG["delta passes over values that a class lacks"]
    assert case["says"] < 1
    assert math.isinf(checked(case["rows"]).sensitive["ill"].delta)


def test_labels_of_the_index_mean_nothing() -> None:
    pandas = pytest.importorskip("pandas")
    case = WRONG["labels of the index are taken for positions"]
    frame = pandas.DataFrame(case["rows"], columns=list(SCHEMA), index=[0, 2, 1, 3])
    found = aramis.table(frame, quasi=["zip", "age"], sensitive=["ill"]).check()
    assert (case["says"], found.sensitive["ill"].l_distinct) == (1, 2)
