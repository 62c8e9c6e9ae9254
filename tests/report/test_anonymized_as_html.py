"""The page of an anonymization: what it says, that it shows nothing of the original, and that nothing breaks out of it."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput

HOSTILE = "<script>alert(1)</script>\"' {{ 7 * 7 }}"
ROWS: dict[str, list[Any]] = {
    "age": [31, 34, 38, 52, 57, 58, 93],
    "job": ["cook", "clerk", "cook", "nurse", "nurse", "cook", "diver"],
    "ill": ["flu", "cold", "flu", "cold", "flu", "cold", "rabies"],
}


def page(folder: Path, rows: dict[str, list[Any]] | None = None, **options: Any) -> str:
    table = aramis.table(
        pl.DataFrame(rows or ROWS),
        quasi=["age", "job"],
        sensitive=["ill"],
        hierarchies={"age": "intervals:10,20"},
    )
    found = table.anonymize(**{"k": 3, "l": 2, "suppress": 0.2} | options)
    return aramis.write_release_report(found, folder / "page.html", on=date(2026, 1, 2)).read_text()


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))


def test_a_page_says_what_was_done_what_there_is_and_what_was_lost(tmp_path: Path) -> None:
    said = text_of(page(tmp_path))
    assert "6 of 7 records are released" in said
    assert "1 record (14.3 %) suppressed" in said
    assert "k = 3 3" in said
    assert "ground distance equal" in said
    assert "age 1 2 30-39 50-59" in said
    assert "job 1 1 *" in said
    assert "Cramer's V" in said
    assert "one level throughout" in said


def test_a_page_shows_no_value_of_the_original(tmp_path: Path) -> None:
    said = text_of(page(tmp_path))
    assert not any(value in said for value in ("93", "diver", "rabies", "cook"))


def test_local_recoding_has_labels_of_its_own(tmp_path: Path) -> None:
    said = text_of(page(tmp_path, algorithm="mondrian", suppress=0))
    assert "Every class has labels of its own" in said
    assert "Level" not in said


def test_nothing_in_a_table_breaks_out_of_the_page(tmp_path: Path) -> None:
    html = page(tmp_path, ROWS | {"job": [HOSTILE] * 7})
    assert "<script" not in html
    assert "7 * 7" in html
    assert not re.search(r'(src|href)="(?!#)|url\(|@import', html)


@pytest.mark.parametrize(
    ("name", "why"), [("page.pdf", "ends in .html"), ("no/page.html", "there is no folder")]
)
def test_a_place_that_no_page_can_be_written_to_is_said(tmp_path: Path, name: str, why: str) -> None:
    found = aramis.table(pl.DataFrame(ROWS), quasi="job").anonymize(k=1)
    with pytest.raises(BadInput, match=why):
        aramis.write_release_report(found, tmp_path / name)
