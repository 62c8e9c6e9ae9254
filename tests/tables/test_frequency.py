"""The frequency set: what is counted, in which order, and what a missing value is."""

from typing import Any

import narwhals as nw
import polars as pl
import pytest

from aramis.errors import BadInput
from aramis.tables.counting import frequency_set
from aramis.tables.frequency import FrequencySet


def counted(quasi: list[str], sensitive: list[str], **columns: Any) -> FrequencySet:
    return frequency_set(nw.from_native(pl.DataFrame(columns, strict=False).lazy()), quasi, sensitive)


def test_rows_that_are_alike_are_one_tuple_with_their_count() -> None:
    found = counted(["zip"], ["ill"], zip=["2", "1", "2", "2"], ill=["flu", "flu", "flu", "cold"])
    assert found.domains == {"zip": ("1", "2"), "ill": ("cold", "flu")}
    assert found.codes.tolist() == [[0, 1], [1, 0], [1, 1]]
    assert found.counts.tolist() == [1, 1, 2]
    assert found.rows == 4


def test_missing_is_a_value_and_the_last() -> None:
    found = counted(["age"], ["ill"], age=[30.0, None, float("nan"), 20.5], ill=["flu"] * 4)
    assert found.domains["age"] == (20.5, 30.0, None)
    assert found.counts.tolist() == [1, 1, 2]


@pytest.mark.parametrize("name", ["__n", "0", "1", "", 'say "a"', "a;b, c", "count", "* except"])
def test_a_column_may_have_any_name(name: str) -> None:
    found = counted([name], ["ill"], **{name: [1, 1, 2], "ill": ["a", "b", "a"]})
    assert found.classes().sizes.tolist() == [2, 1]


def test_a_class_knows_its_values_in_order() -> None:
    found = counted(
        ["zip"], ["ill", "pay"], zip=["1", "1", "1", "2"], ill=["b", "a", "b", "a"], pay=[2, 9, 1, 1]
    )
    ill, pay = found.classes("ill"), found.classes("pay")
    assert ill.starts.tolist() == [0, 2, 3]
    assert ill.values.tolist() == [0, 1, 0]
    assert ill.counts.tolist() == [1, 2, 1]
    assert ill.reference.tolist() == [0.5, 0.5]
    assert pay.values.tolist() == [0, 1, 2, 0]
    assert pay.sizes.tolist() == [3, 1]


def test_tuples_are_sorted_where_their_number_does_not_fit_in_an_integer() -> None:
    wide: dict[str, Any] = {str(i): list(range(300)) for i in range(9)}
    found = counted(list(wide), [], **wide)
    assert found.codes.tolist() == [[i] * 9 for i in range(300)]


def test_a_table_without_rows_is_said_to_have_none() -> None:
    with pytest.raises(BadInput, match="the table has no rows"):
        counted(["zip"], [], zip=[])
