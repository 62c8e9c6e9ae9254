"""The page of a frontier: a dot for each level, a line of the table for each, and what is out of reach."""

from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput
from aramis.report.frontier_as_html import BOTTOM, LEFT, RIGHT, dots


def found(levels: list[float], hostile: str = "age") -> Any:
    frame = pl.DataFrame({hostile: [21, 23, 24, 31, 32, 38, 52, 57]})
    table = aramis.table(frame, quasi=hostile, hierarchies={hostile: "intervals:5,10,20"})
    return table.frontier(k=levels)


def test_the_page_tells_every_level(tmp_path: Path) -> None:
    page = aramis.write_frontier(found([2, 3, 9]), tmp_path / "k.html", on=date(2026, 1, 2)).read_text()
    assert page.count("<circle") == 2
    assert "out of reach: k = 9 is out of reach" in page
    assert "Written on 2026-01-02" in page
    assert "http-equiv" in page
    assert "<script" not in page


def test_dots_stand_in_the_order_of_their_levels_and_losses() -> None:
    places = dots(found([8, 2, 3, 1]))
    assert (places[0], places[-1][0]) == ((LEFT, BOTTOM), RIGHT)  # k = 1 loses nothing
    assert all(left[0] < right[0] and left[1] >= right[1] for left, right in pairwise(places))


def test_one_level_and_none_are_drawn_too(tmp_path: Path) -> None:
    assert len(dots(found([2]))) == 1
    assert "out of reach" in aramis.write_frontier(found([9]), tmp_path / "k.html").read_text()


def test_names_of_columns_are_text(tmp_path: Path) -> None:
    page = aramis.write_frontier(found([2], "<b>age</b>"), tmp_path / "k.html").read_text()
    assert "<b>age" not in page


@pytest.mark.parametrize(("name", "why"), [("k.csv", "ends in .html"), ("no/k.html", "there is no folder")])
def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        aramis.write_frontier(found([2]), tmp_path / name)
