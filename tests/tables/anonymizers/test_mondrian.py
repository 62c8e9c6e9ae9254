"""Mondrian cuts where its paper does, says what its classes have in common, and stops where nothing can be cut."""

import polars as pl
import pytest

import aramis
from aramis.errors import Unreachable
from aramis.tables.interpreted import COMPILED_FROM

PATIENTS = pl.DataFrame(
    {
        "age": [25, 25, 26, 27, 27, 28],
        "sex": ["Male", "Female", "Male", "Male", "Female", "Male"],
        "zip": [53711, 53712, 53711, 53710, 53712, 53711],
    }
)


def test_the_example_of_the_paper() -> None:
    """LeFevre 2006, figure 4: two men of 25 and 26, two of 27 and 28, two women."""
    found = aramis.table(PATIENTS, quasi=PATIENTS.columns).anonymize(k=2, algorithm="mondrian").frame
    assert found.rows() == [
        ("[25, 26]", "Male", "53711"),
        ("[25, 27]", "Female", "53712"),
        ("[25, 26]", "Male", "53711"),
        ("[27, 28]", "Male", "[53710, 53711]"),
        ("[25, 27]", "Female", "53712"),
        ("[27, 28]", "Male", "[53710, 53711]"),
    ]


def test_relaxed_divides_people_with_the_same_number() -> None:
    ages = aramis.table(pl.DataFrame({"age": [30, 40, 40, 40, 40, 50]}), quasi=["age"])
    strict = ages.anonymize(k=3, algorithm="mondrian")
    relaxed = ages.anonymize(k=3, algorithm="mondrian-relaxed")
    assert strict.frame["age"].to_list() == ["[30, 50]"] * 6
    assert relaxed.frame["age"].to_list() == ["[30, 40]"] * 3 + ["[40, 50]"] * 3


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("numbers", [1, 2, 8, 9.5], ["[1, 2]", "[1, 2]", "[8, 9.5]", "[8, 9.5]"]),
        ("numbers, one missing", [1, 2, 8, None], ["[1, 2]", "[1, 2]", "*", "*"]),
        ("words", ["a", "b", "c", "d"], ["{a, b}", "{a, b}", "{c, d}", "{c, d}"]),
        ("words, one missing", ["a", "b", "c", None], ["{a, b}", "{a, b}", "{c, }", "{c, }"]),
        ("one word", ["a", "a", "b", "b"], ["a", "a", "b", "b"]),
    ],
)
def test_a_class_says_what_its_records_have_in_common(
    column: str, values: list[object], said: list[str]
) -> None:
    table = aramis.table(pl.DataFrame({"x": values}, strict=False), quasi=["x"])
    found = table.anonymize(k=2, algorithm="mondrian")
    assert found.frame["x"].to_list() == said
    assert table.compare(found.frame).ncp == found.utility.ncp


def test_a_value_with_a_hierarchy_says_the_lowest_label_above_its_class() -> None:
    ill = {"*": {"lung": ["flu", "cold"], "stomach": {"upper": ["ulcer"], "lower": ["colitis", "typhus"]}}}
    values = ["flu", "cold", "ulcer", "ulcer", "colitis", "typhus"]
    table = aramis.table(pl.DataFrame({"x": values}), quasi=["x"], hierarchies={"x": ill})
    two = table.anonymize(k=2, algorithm="mondrian").frame["x"].to_list()
    assert two == ["lung", "lung", "ulcer", "ulcer", "lower", "lower"]


def test_large_tables_are_cut_by_the_same_loops_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(i * 7 % 31, "abc"[i * 5 % 3], f"{i % 13}") for i in range(300)]
    table = aramis.table(pl.DataFrame(rows, schema=["a", "b", "c"], orient="row"), quasi=["a", "b", "c"])
    interpreted = table.anonymize(k=4, algorithm="mondrian").frame
    monkeypatch.setattr("aramis.tables.interpreted.COMPILED_FROM", 0)
    assert COMPILED_FROM > 300
    assert table.anonymize(k=4, algorithm="mondrian").frame.equals(interpreted)


def test_nothing_is_suppressed_so_that_a_table_which_fails_as_a_whole_is_out_of_reach() -> None:
    data = pl.DataFrame({"x": [1, 2, 3, 4], "ill": ["flu"] * 3 + ["cold"]})
    table = aramis.table(data, quasi=["x"], sensitive=["ill"])
    with pytest.raises(Unreachable, match=r"alpha = 0.6 of ill is out of reach .* has 0.75"):
        table.anonymize(alpha=0.6, suppress=0.5, algorithm="mondrian")


def test_interrupted_it_releases_the_classes_that_it_has() -> None:
    def interrupt(done: int, total: int | None, best: str) -> None:
        if total == 4:
            raise KeyboardInterrupt

    table = aramis.table(pl.DataFrame({"x": range(64)}), quasi=["x"])
    found = table.anonymize(k=2, algorithm="mondrian", tell=interrupt)
    assert (found.check.classes, found.check.k, found.recoding.complete) == (4, 16, False)
