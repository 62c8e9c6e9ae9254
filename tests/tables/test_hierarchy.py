"""Hierarchies: what they must be, and what is said of one that is not."""

from datetime import date

import pytest

from aramis.errors import BadInput
from aramis.tables.hierarchy import hierarchy, text

AGE = hierarchy("age", [["29", "2*", "*"], ["22", "2*", "*"], ["31", "3*", "*"]])


def test_a_leaf_knows_its_label_at_every_level() -> None:
    assert AGE.labels == (("29", "22", "31"), ("2*", "3*"), ("*",))
    assert AGE.codes.tolist() == [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    assert AGE.leaves(1).tolist() == [2, 1]


def test_values_of_a_table_find_their_codes() -> None:
    assert AGE.over([22, 31.0]).tolist() == [[1, 2], [0, 1], [0, 0]]


def test_a_missing_value_stays_apart_until_the_top() -> None:
    covering = AGE.covering([22, None])
    assert covering.labels == (("29", "22", "31", ""), ("2*", "3*", ""), ("*",))
    assert covering.over([None]).tolist() == [[3], [2], [0]]
    assert AGE.covering([22]) is AGE


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "the hierarchy of zip is empty"),
        ([["1", "*"], ["2"]], "the hierarchy of zip has 1 levels for '2', and 2 for '1'"),
        ([["1", "*"], ["1", "*"]], "the hierarchy of zip has '1' twice"),
        (
            [["1", "a", "x"], ["2", "a", "y"]],
            "the hierarchy of zip puts 'a' (level 1) under both 'x' and 'y' (level 2)",
        ),
    ],
)
def test_what_is_no_hierarchy_is_refused_by_value_and_level(rows: list[list[str]], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        hierarchy("zip", rows)
    assert str(caught.value) == sentence


def test_a_value_that_is_not_covered_is_named() -> None:
    with pytest.raises(BadInput, match="does not have '99', '98', a missing value; it has 3 values"):
        AGE.covering([99, 98, None])


@pytest.mark.parametrize(
    ("value", "written"),
    [(39, "39"), (39.0, "39"), (2.5, "2.5"), (None, ""), (date(2024, 5, 1), "2024-05-01")],
)
def test_a_value_is_written_as_a_hierarchy_has_it(value: object, written: str) -> None:
    assert text(value) == written
