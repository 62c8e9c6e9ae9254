"""The frequency set: what is counted, in which order, and what a missing value is."""

from collections.abc import Callable
from typing import Any

import narwhals as nw
import polars as pl
import pytest

from aramis.errors import BadInput
from aramis.tables.counting import frequency_set
from aramis.tables.frequency import FrequencySet

Counted = Callable[..., FrequencySet]


@pytest.fixture(params=["grouped by the engine", "rows in memory"])
def counted(request: pytest.FixtureRequest) -> Callable[..., FrequencySet]:
    """Both ways to count a frame of polars."""

    def of(quasi: list[str], sensitive: list[str], **columns: Any) -> FrequencySet:
        frame = nw.from_native(pl.DataFrame(columns, strict=False).lazy())
        return frequency_set(frame, quasi, sensitive, in_memory=request.param == "rows in memory")

    return of


def test_rows_that_are_alike_are_one_tuple_with_their_count(counted: Counted) -> None:
    found = counted(["zip"], ["ill"], zip=["2", "1", "2", "2"], ill=["flu", "flu", "flu", "cold"])
    assert found.domains == {"zip": ("1", "2"), "ill": ("cold", "flu")}
    assert found.codes.tolist() == [[0, 1], [1, 0], [1, 1]]
    assert found.counts.tolist() == [1, 1, 2]
    assert found.rows == 4


def test_missing_is_a_value_and_the_last(counted: Counted) -> None:
    found = counted(["age"], ["ill"], age=[30.0, None, float("nan"), 20.5], ill=["flu"] * 4)
    assert found.domains["age"] == (20.5, 30.0, None)
    assert found.counts.tolist() == [1, 1, 2]


@pytest.mark.parametrize("name", ["__n", "0", "1", "", 'say "a"', "a;b, c", "count", "* except"])
def test_a_column_may_have_any_name(counted: Counted, name: str) -> None:
    found = counted([name], ["ill"], **{name: [1, 1, 2], "ill": ["a", "b", "a"]})
    assert found.classes().sizes.tolist() == [2, 1]


def test_a_class_knows_its_values_in_order(counted: Counted) -> None:
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


def test_tuples_are_sorted_where_their_number_does_not_fit_in_an_integer(counted: Counted) -> None:
    wide: dict[str, Any] = {str(i): list(range(300)) for i in range(9)}
    found = counted(list(wide), [], **wide)
    assert found.codes.tolist() == [[i] * 9 for i in range(300)]


def test_rows_that_are_alike_are_counted_where_their_number_does_not_fit_in_an_integer(
    counted: Counted,
) -> None:
    wide: dict[str, Any] = {str(i): [*range(300), *range(299, -1, -1), 7] for i in range(9)}
    found = counted(list(wide), [], **wide)
    assert found.codes.tolist() == [[i] * 9 for i in range(300)]
    assert found.counts.tolist() == [3 if i == 7 else 2 for i in range(300)]


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        (pl.Int8(), -128, 127),
        (pl.Int16(), -32768, 32767),
        (pl.Int64(), -(2**63), 2**63 - 1),
        (pl.UInt64(), 0, 2**64 - 1),
        (pl.Int128(), -(2**127), 2**127 - 1),
        (pl.Float64(), -1e308, 1e308),
    ],
)
def test_the_ends_of_a_type_are_values_like_others(
    counted: Counted, dtype: pl.DataType, low: float, high: float
) -> None:
    found = counted(["value"], [], value=pl.Series([high, low, None, high, low], dtype=dtype))
    assert found.domains["value"] == (low, high, None)
    assert found.counts.tolist() == [2, 2, 1]


def test_a_table_without_rows_is_said_to_have_none(counted: Counted) -> None:
    with pytest.raises(BadInput, match="the table has no rows"):
        counted(["zip"], [], zip=[])
