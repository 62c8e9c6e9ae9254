"""Frames of pandas, whose columns may be of any type and called anything."""

from datetime import date
from typing import Any

import pytest

import aramis

pandas = pytest.importorskip("pandas")


def the_column(values: Any) -> tuple[str, tuple[object, ...]]:
    """The ground distance of a column beside a category with a missing value, and its values."""
    frame = pandas.DataFrame({"zip": pandas.Categorical(["a", "b", None]), "x": values}, index=[5, 5, 0])
    found = aramis.table(frame, quasi=["zip"], sensitive=["x"]).check()
    assert (found.k, found.rows) == (1, 3)
    return found.sensitive["x"].distance, found.sensitive["x"].domain


def test_intervals_are_texts_in_their_order() -> None:
    values = pandas.cut([100, 9, 101], [0, 10, 100, 200])
    assert the_column(values) == ("ordered", ("(0, 10]", "(10, 100]", "(100, 200]"))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("numbers", [[10, 9], [10.5, 9.0]])
def test_categories_that_are_numbers_are_numbers(numbers: list[float], ordered: bool) -> None:
    values = pandas.Categorical([*numbers, None], categories=numbers, ordered=ordered)
    assert the_column(values) == ("ordered", (*sorted(numbers), None))


def test_categories_keep_their_order() -> None:
    values = pandas.Categorical(["low", "high", "low"], categories=["low", "high"], ordered=True)
    assert the_column(values) == ("ordered", ("low", "high"))


def test_days_are_days_beside_categories() -> None:
    assert the_column([date(2020, 1, 2), None, date(2020, 1, 1)]) == (
        "ordered",
        (date(2020, 1, 1), date(2020, 1, 2), None),
    )


@pytest.mark.parametrize("columns", [[0, 1], pandas.MultiIndex.from_tuples([("a", "b"), ("a", "c")])])
def test_columns_that_are_not_called_by_text_are_refused(columns: Any) -> None:
    with pytest.raises(aramis.BadInput, match="columns are called by text, and this one by"):
        aramis.table(pandas.DataFrame([[1, 2]], columns=columns), quasi=["a"])
