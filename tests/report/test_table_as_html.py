"""The page of a table: what it says, and that nothing in a table can break out of it."""

import re
from datetime import date
from html import escape
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aramis

HOSTILE = "<script>alert(1)</script>\"' {{ 7 * 7 }}"


def page(folder: Path, frame: pl.DataFrame, sensitive: list[str], **wanted: Any) -> str:
    table = aramis.table(frame, quasi=["zip"], sensitive=sensitive)
    found = table.check(**wanted)
    written = aramis.write_table_report(
        found, folder / "page.html", hierarchies=table.hierarchies, on=date(2026, 1, 2)
    )
    return written.read_text()


@pytest.fixture
def people() -> pl.DataFrame:
    return pl.DataFrame({"zip": ["1", "1", "2"], "ill": ["flu", "cold", "flu"], "pay": [1, 2, 9]})


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))


def test_a_page_says_what_fails_and_for_how_many(tmp_path: Path, people: pl.DataFrame) -> None:
    said = text_of(page(tmp_path, people, ["ill", "pay"], k=2, t=0.9))
    assert "1 of 3 wanted levels does not hold" in said
    assert "k = 2 1 does not hold 1 (33.3 %)" in said
    assert "1 stand alone" in said
    assert "by the ground distance ordered" in said
    assert "by the ground distance equal" in said


def test_a_value_that_the_reference_does_not_have_is_said_to_occur(
    tmp_path: Path, people: pl.DataFrame
) -> None:
    found = aramis.table(people, quasi="zip", sensitive="ill").check(reference={"ill": {"cold": 1}})
    html = aramis.write_table_report(found, tmp_path / "page.html").read_text()
    assert "there, flu occurs, which the distribution given does not have" in text_of(html)


def test_a_page_without_wanted_levels_says_so(tmp_path: Path, people: pl.DataFrame) -> None:
    assert "No level was wanted" in text_of(page(tmp_path, people, ["ill"]))


def test_a_table_without_sensitive_columns_has_a_page(tmp_path: Path, people: pl.DataFrame) -> None:
    assert "Classes by size" in page(tmp_path, people, [])


def test_nothing_in_a_table_breaks_out_of_the_page(tmp_path: Path) -> None:
    frame = pl.DataFrame({"zip": [HOSTILE, "2"], HOSTILE: [HOSTILE, "b"]})
    html = page(tmp_path, frame, [HOSTILE])
    assert "<script" not in html
    assert escape(HOSTILE, quote=False).split('"', maxsplit=1)[0] in html
    assert "7 * 7" in html


def test_a_page_needs_nothing_but_itself(tmp_path: Path, people: pl.DataFrame) -> None:
    assert not re.search(r'(src|href)="(?!#)|url\(|@import', page(tmp_path, people, ["ill"]))


def test_a_page_asks_what_may_stand_for_no_value(tmp_path: Path) -> None:
    frame = pl.DataFrame({"zip": ["1", "?", "?"], "ill": ["flu", "cold", "flu"]})
    said = text_of(page(tmp_path, frame, ["ill"]))
    assert "zip is ? in 2: counted as a value like others; does it stand for none?" in said
