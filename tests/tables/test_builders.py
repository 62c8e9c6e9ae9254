"""Hierarchies that are made: what each builder gives, and what it refuses."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from aramis.errors import BadInput
from aramis.tables.builders import builder
from aramis.tables.hierarchy import Hierarchy

DAYS = [date(2019, 12, 31), date(2024, 1, 5), date(2024, 5, 1)]


def built(words: str, values: Sequence[object], records: Sequence[int] = ()) -> Hierarchy:
    make = builder(words)
    assert make
    return make("column", values, np.array(records or [1] * len(values)))


@pytest.mark.parametrize(
    ("words", "values", "levels"),
    [
        ("intervals:5,10", [0, 29, 30], [("0-4", "25-29", "30-34"), ("0-9", "20-29", "30-39")]),
        ("intervals:5", [-1, 4.5], [("[-5, 0)", "[0, 5)")]),
        ("intervals:0.5,1", [0.25, 0.75], [("[0, 0.5)", "[0.5, 1)"), ("[0, 1)",)]),
        ("masks", ["01749", "01748"], [("0174*",), ("017**",), ("01***",), ("0****",)]),
        ("masks", [17, 175], [("17*",), ("1**",)]),
        ("masks:x", ["ab", "cd"], [("ax", "cx")]),
        ("dates:month,year", DAYS, [("2019-12", "2024-01", "2024-05"), ("2019", "2024")]),
        ("dates:month", ["31.12.2019", "2024-05-01 10:30"], [("2019-12", "2024-05")]),
        ("dates:quarter,decade", DAYS, [("2019-Q4", "2024-Q1", "2024-Q2"), ("2010s", "2020s")]),
        ("rounding:1,0", [-0.05, 52.52, 52.58], [("-0.1", "52.5"), ("-1", "52")]),
        ("rounding:1", ["52.52,13.40"], [("52.5,13.4",)]),
        ("quantiles:4,2", [1, 2, 3, 4], [("1-1", "2-2", "3-3", "4-4"), ("1-2", "3-4")]),
    ],
)
def test_a_builder_gives_these_levels(
    words: str, values: list[object], levels: list[tuple[str, ...]]
) -> None:
    assert built(words, values).labels[1:] == (*levels, ("*",))


def test_quantiles_have_about_equally_many_records() -> None:
    assert built("quantiles:2", [1, 2, 3], [98, 1, 1]).labels[1] == ("1-1", "2-3")


def test_rare_values_become_other() -> None:
    found = built("grouping:5,50", ["a", "b", "c"], [100, 10, 1])
    assert found.labels[1:] == (("a", "b", "other"), ("a", "other"), ("*",))


def test_a_missing_value_is_left_to_the_hierarchy() -> None:
    assert built("masks", ["ab", None]).labels[0] == ("ab",)


@pytest.mark.parametrize("words", ["ages.csv", "folder/masks.csv", "interval"])
def test_words_that_name_no_builder_are_a_file(words: str) -> None:
    assert builder(words) is None


@pytest.mark.parametrize(
    ("words", "values", "sentence"),
    [
        ("intervals", [1], "widths are above 0, and there is at least one"),
        ("intervals:5,7", [1], "widths must nest: 7 is not a multiple of 5"),
        ("intervals:five", [1], "intervals:five is not understood; it is written like intervals:5,10,20 or dates:month,year"),
        ("intervals:5", ["x"], "a hierarchy of intervals needs numbers; column has 'x'"),
        ("intervals:5", [float("inf")], "a hierarchy of intervals needs finite numbers; column has inf"),
        ("dates:year,month", DAYS, "dates become coarser by some of day, month, quarter, year, decade, in this order; year, month is not"),
        ("dates:year", [2024], "a hierarchy of dates needs dates; column has 2024"),
        ("rounding:0,1", [1], "rounding keeps fewer decimals at every level; 0, 1 does not"),
        ("grouping:5,5", ["a"], "grouping takes rising numbers of records; 5, 5 do not rise"),
    ],
)  # fmt: skip
def test_what_cannot_be_built_is_said(words: str, values: list[object], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        built(words, values)
    assert str(caught.value) == sentence
