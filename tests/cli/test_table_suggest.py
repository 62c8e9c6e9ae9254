"""`aramis table suggest`: parts with reasons, as text, as JSON, as a schema."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aramis.cli.main import app


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("email,age,disease\na@b.org,31,flu\nc@d.org,47,flu\n")
    return path


def said(*words: str) -> str:
    done = CliRunner().invoke(app, ["table", "suggest", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_each_column_has_a_line(people: Path) -> None:
    text = said(str(people))
    assert (
        "email    identifying  2         100.0%       100.0%       its values look like email addresses"
        in text
    )
    assert "100.0% of the rows are unique by age together" in text
    assert "  email addresses: email\n" in text
    assert "of 16 no column was found" in text


def test_the_answer_is_one_json_object(people: Path) -> None:
    found = json.loads(said(str(people), "--json"))
    assert [column["part"] for column in found["columns"]] == ["identifying", "quasi", "sensitive"]
    assert found["hipaa"]["email addresses"] == ["email"]


def test_the_schema_it_writes_is_one_that_check_reads(people: Path, tmp_path: Path) -> None:
    said(str(people), "--schema", str(tmp_path / "people.toml"))
    words = ["table", "check", str(people), "--schema", str(tmp_path / "people.toml"), "--json"]
    found = json.loads(CliRunner().invoke(app, words, catch_exceptions=False).stdout)
    assert found["quasi"] == ["age"]
    assert list(found["sensitive"]) == ["disease"]
