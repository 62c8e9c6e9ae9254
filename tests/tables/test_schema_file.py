"""A schema file says what the columns of a table are; what it cannot say is refused."""

from pathlib import Path

import pytest

import aramis

SCHEMA = """
quasi = ["age"]
sensitive = ["grade"]
identifying = ["name"]
missing = ["?"]
separator = ";"
[hierarchies]
age = "ages.csv"
[distances]
grade = "ordered"
[orders]
grade = ["low", "middle", "high"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.toml").write_text(SCHEMA)
    (tmp_path / "ages.csv").write_text("30,<40,*\n31,<40,*\n50,>=40,*\n")
    (tmp_path / "people.csv").write_text("name;age;grade\nAna;30;low\nBea;31;high\nCem;50;?\nDan;50;middle\n")
    return tmp_path


def test_a_table_is_read_as_its_schema_says(folder: Path) -> None:
    table = aramis.table(folder / "people.csv", schema=folder / "people.toml")
    found = table.check()
    assert found.quasi == ("age",)
    assert found.missing == {"grade": 1}
    assert found.sensitive["grade"].domain == ("low", "middle", "high", None)
    assert found.sensitive["grade"].distance == "ordered"
    assert table.hierarchies["age"].labels[1] == ("<40", ">=40")
    assert table.source.frame.collect_schema().names() == ["age", "grade"]


def test_what_is_given_beside_a_schema_goes_before_it(folder: Path) -> None:
    table = aramis.table(
        folder / "people.csv", schema=folder / "people.toml", quasi=["grade"], sensitive="age"
    )
    assert table.check().quasi == ("grade",)


def test_an_order_makes_a_column_ordered(folder: Path) -> None:
    table = aramis.table(
        folder / "people.csv",
        quasi="name",
        sensitive="grade",
        orders={"grade": ["?", "high", "middle", "low"]},
    )
    assert table.check().sensitive["grade"].distance == "ordered"
    assert table.frequency.domains["grade"] == ("?", "high", "middle", "low")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("quasi", "is not TOML"),
        ('quazi = ["age"]', "says quazi; it may say quasi, sensitive, identifying, missing, hierarchies"),
        ('quasi = "age"', "quasi is a list, not 'age'"),
        ('distances = ["age"]', "distances is a table, not ['age']"),
        ('quasi = ["age"]\nidentifying = ["age"]', "'age' is named as quasi-identifier and as identifying"),
        ('quasi = ["age"]\nidentifying = ["nmae"]', "people.csv has no column 'nmae'; did you mean 'name'?"),
        ('quasi = ["age"]\nsensitive = ["grade"]\norders = {grade = ["low"]}', "the order of grade lacks '?'; it has 'low'"),
    ],
)  # fmt: skip
def test_a_schema_that_cannot_be_followed_is_refused(folder: Path, text: str, sentence: str) -> None:
    (folder / "people.toml").write_text(text)
    with pytest.raises(aramis.BadInput) as caught:
        aramis.table(folder / "people.csv", schema=folder / "people.toml").check()
    assert sentence in str(caught.value)


def test_a_schema_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(aramis.BadInput, match="there is no schema"):
        aramis.table(folder / "people.csv", schema=folder / "other.toml")
