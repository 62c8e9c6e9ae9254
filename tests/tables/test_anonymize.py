"""A release is read back and asked before it is put in its place; whatever fails leaves nothing behind."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis import plugins
from aramis.errors import BadInput, Unreachable
from aramis.tables import anonymize
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, full_domain
from aramis.tables.recoding import Recoding
from aramis.tables.sink import WRITERS

ROWS = {
    "row": range(6),
    "age": [31, 34, 52, 38, 55, 90],
    "zip": ["01749", "01748", "01749", None, "01748", "01749"],
    "ill": ["flu", "a;b", 'q"t', "flu", "cold", "new\nline"],
}


def people() -> Any:
    return aramis.table(
        pl.DataFrame(ROWS), quasi=["age", "zip"], sensitive=["ill"], hierarchies={"age": "intervals:10,20"}
    )


def nothing_done(task: Task) -> Recoding:
    """What a wrong anonymizer does: it says that every class is good."""
    node = task.rollup.bottom.node
    return full_domain(task, node, np.ones(len(task.rollup.bottom.sizes), dtype=bool))


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Anonymizer(name="wrong", recode=nothing_done, guarantee="none", paper="")
    monkeypatch.setattr(plugins, "find", lambda kind, name: found)


@pytest.mark.usefixtures("wrong")
@pytest.mark.parametrize("ending", [*WRITERS, None])
@pytest.mark.parametrize("star", [False, True])
def test_a_release_that_does_not_have_what_is_wanted_is_never_left(
    tmp_path: Path, ending: str | None, star: bool
) -> None:
    out = tmp_path / f"out{ending}" if ending else None
    with pytest.raises(
        Unreachable, match=r"was read back and has k = 1, where k = 2 is wanted; it was removed"
    ):
        people().anonymize(k=2, out=out, star=star)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("star", [False, True])
def test_every_kind_of_file_holds_the_same_release(tmp_path: Path, ending: str, star: bool) -> None:
    out = tmp_path / f"out{ending}"
    found = people().anonymize(k=2, suppress=0.2, loss="loss", out=out, star=star)
    frame = people().anonymize(k=2, suppress=0.2, loss="loss", star=star).frame
    again = aramis.table(out, quasi=["age", "zip"], sensitive=["ill"]).source.frame.collect().to_polars()
    assert found.check.k >= 2
    assert found.check.source.startswith("the release")
    assert again.cast(pl.String).equals(frame.cast(pl.String))
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("step", ["read", "compare", "_must_hold"])
@pytest.mark.parametrize("error", [BadInput("broken"), KeyboardInterrupt()])
def test_whatever_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise error

    out = tmp_path / "out.csv"
    out.write_text("mine")
    monkeypatch.setattr(anonymize, step, fails)
    with pytest.raises(type(error)):
        people().anonymize(k=2, out=out, overwrite=True, save_recoding=tmp_path / "levels.json")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert out.read_text() == "mine"


def test_nt_closeness_is_checked_and_not_searched_for() -> None:
    with pytest.raises(BadInput, match="to anonymize ask for t"):
        people().anonymize(t=0.5, n=3)


def test_a_place_that_turns_out_to_be_full_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(frame: pl.LazyFrame, path: Path, separator: str) -> None:
        path.write_text("half of")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(WRITERS, ".csv", full)
    with pytest.raises(BadInput, match=r"the release cannot be written there: .*No space left on device"):
        people().anonymize(k=2, out=tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_more_records_than_excel_has_room_for_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aramis.tables.sink.EXCEL_ROWS", 5)
    with pytest.raises(BadInput, match="Excel has room for 5 records; the release has 6"):
        people().anonymize(k=2, out=tmp_path / "out.xlsx")
    assert not list(tmp_path.iterdir())
