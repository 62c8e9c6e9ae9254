"""What the report of a table tells: classes by size, and the worst class beside all."""

import numpy as np
import polars as pl
import pytest

import aramis
from aramis.report.table_findings import BRANCHES, RANGES, VALUES, Column, columns, sizes

DISEASES = {
    "respiratory": {"infection": ["flu", "bronchitis"], "vascular": ["embolism"]},
    "digestive": {"stomach": ["ulcer", "gastritis"]},
}


def the_column(ill: list[str], **given: object) -> Column:
    frame = pl.DataFrame({"zip": [number // 2 for number in range(len(ill))], "ill": ill})
    table = aramis.table(frame, quasi=["zip"], sensitive=["ill"], **given)  # type: ignore[arg-type]
    [column] = columns(table.check(), table.hierarchies)
    return column


def test_ranges_of_sizes_double() -> None:
    found = sizes(np.array([1, 1, 2, 3, 4, 5, 8, 9, 100]))
    assert [(one.low, one.high, one.classes, one.records) for one in found] == [
        (1, 1, 2, 2),
        (2, 2, 1, 2),
        (3, 4, 2, 7),
        (5, 8, 2, 13),
        (9, 9, 1, 9),
        (100, 100, 1, 100),
    ]


def test_a_class_stands_beside_all_value_by_value() -> None:
    column = the_column(["flu", "flu", "flu", "ulcer", "flu", "flu"])
    assert [bar.label for bar in column.bars] == ["flu", "ulcer"]
    assert [bar.in_class for bar in column.bars] == [0.5, 0.5]
    assert [bar.in_all for bar in column.bars] == pytest.approx([5 / 6, 1 / 6])
    assert [bar.gain for bar in column.bars] == pytest.approx([3 / 5, 3])
    assert column.by_l == ((1, 2), (2, 1))
    assert column.curve[0] == (0.0, 3)
    assert column.curve[-1] == pytest.approx((1 / 3, 1))


def test_values_stand_under_their_branches() -> None:
    column = the_column(
        ["flu", "bronchitis", "ulcer", "ulcer"],
        hierarchies={"ill": DISEASES},
        distances={"ill": "hierarchical"},
    )
    assert [(bar.depth, bar.label, bar.in_all) for bar in column.bars] == [
        (0, "respiratory", 0.5),
        (1, "infection", 0.5),
        (2, "flu", 0.25),
        (2, "bronchitis", 0.25),
        (0, "digestive", 0.5),
        (1, "stomach", 0.5),
        (2, "ulcer", 0.5),
    ]


def test_of_many_values_those_that_depart_most_are_shown_and_the_rest_is_added_up() -> None:
    column = the_column([f"ill {number}" for number in range(1000)])
    assert len(column.bars) == VALUES + 1
    assert column.bars[-1].label == f"{1000 - VALUES} more values"
    assert sum(bar.in_class for bar in column.bars) == pytest.approx(1)
    assert sum(bar.in_all for bar in column.bars) == pytest.approx(1)


def test_of_a_large_hierarchy_the_finest_levels_are_left_out() -> None:
    tree = {f"group {group}": [f"ill {group} {number}" for number in range(50)] for group in range(20)}
    column = the_column(
        [ill for group in tree.values() for ill in group],
        hierarchies={"ill": tree},
        distances={"ill": "hierarchical"},
    )
    assert len(column.bars) == 20 <= BRANCHES
    assert {bar.depth for bar in column.bars} == {0}


def test_many_numbers_are_shown_in_ranges_of_about_equal_shares() -> None:
    frame = pl.DataFrame({"zip": [n // 50 for n in range(200)], "pay": [None, *range(1, 200)]})
    [column] = columns(aramis.table(frame, quasi=["zip"], sensitive=["pay"]).check(), {})
    assert len(column.bars) == RANGES + 1
    assert [bar.label for bar in column.bars[:2]] == ["1 to 17", "18 to 33"]
    assert column.bars[-1].label == "(missing)"
    assert sum(bar.in_class for bar in column.bars) == pytest.approx(1)
    assert sum(bar.in_all for bar in column.bars) == pytest.approx(1)
    assert all(0.07 < bar.in_all < 0.09 for bar in column.bars[:-1])
