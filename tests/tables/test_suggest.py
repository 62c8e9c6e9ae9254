"""What the columns of a table may be."""

from pathlib import Path

import polars as pl
import pytest

import aramis
from aramis.tables.schema_file import read_schema, write_schema

ROWS = 200
PEOPLE = pl.DataFrame(
    {
        "patient": range(ROWS),
        "contact": [f"p{i}@example.org" for i in range(ROWS)],
        "Geburtsjahr year": [1930 + i % 60 for i in range(ROWS)],
        "PLZ": [f"0{1000 + i % 30}" for i in range(ROWS)],
        "seen on": [f"20{10 + i % 9}-05-01" for i in range(ROWS)],
        "reference": [f"X{i:05}" for i in range(ROWS)],
        "Diagnose": ["flu", "cold"] * (ROWS // 2),
        "group": ["a", "b", "c", "d"] * (ROWS // 4),
        "potassium": [i * 0.37 for i in range(ROWS)],
        "running": [float(i) for i in range(ROWS)],  # numbers as pandas writes them
        "country code": ["DE", "AT"] * (ROWS // 2),
        "card": ["4111111111111111"] * ROWS,
        "constant": ["x"] * ROWS,
        "tags": [["a"]] * ROWS,
    }
)
PARTS = {
    "patient": ("identifying", "called patient"),
    "contact": ("identifying", "its values look like email addresses"),
    "Geburtsjahr year": ("quasi", "called year"),
    "PLZ": ("quasi", "called plz"),
    "seen on": ("quasi", "its values look like dates, and ages over 89"),
    "reference": ("identifying", "100% of the rows have a value that nobody else has"),
    "Diagnose": ("sensitive", "called diagnose"),
    "group": ("quasi", "tells 75% of all pairs of rows apart"),
    "potassium": ("other", "nothing speaks for another part; is it known to others, or secret?"),
    "running": ("identifying", "100% of the rows have a value that nobody else has"),
    "country code": ("quasi", "called country"),
    "card": ("identifying", "its values look like account numbers"),
    "constant": ("other", "the same in every row"),
    "tags": ("other", "lists or records in its cells; take them apart to know more"),
}


def test_each_column_has_a_part_and_a_reason() -> None:
    found = aramis.suggest(PEOPLE)
    assert {column.name: (str(column.part), column.why) for column in found.columns} == PARTS


def test_it_tells_how_far_a_column_identifies() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", None], "zip": [1, 2, 3, 4]})
    sex, code = aramis.suggest(frame).columns
    assert (sex.distinct, sex.unique, sex.missing) == (2, 0.5, 1)
    assert sex.separation == pytest.approx(5 / 6)
    assert (code.distinct, code.unique, code.separation) == (4, 1, 1)
    assert aramis.suggest(frame).unique_together == 1


def test_the_check_list_of_hipaa_names_the_columns() -> None:
    listed = aramis.suggest(PEOPLE).hipaa
    assert len(listed) == 18
    assert listed["email addresses"] == ("contact",)
    assert listed["fax numbers"] == ()


def test_a_suggestion_is_written_as_a_schema_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    found = aramis.suggest(PEOPLE)
    write_schema(found, path)
    said = read_schema(path)
    assert said["quasi"] == list(found.of_part("quasi"))
    assert said["sensitive"] == ["Diagnose"]
    assert "# 'potassium' is in none of them" in path.read_text()
    assert aramis.table(PEOPLE, schema=path).check().k >= 1
    with pytest.raises(aramis.BadInput, match="exists; a schema that somebody may have corrected"):
        write_schema(found, path)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(aramis.BadInput, match="the table has no rows"):
        aramis.suggest(PEOPLE.clear())
