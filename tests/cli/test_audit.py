"""`aramis audit` as somebody types it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.images.test_audit import FACES, detect, hidden, look, save, scene
from typer.testing import CliRunner

from aramis.cli.main import app
from aramis.images import audit


@pytest.fixture(autouse=True)
def _eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "detector", lambda *_: detect)
    monkeypatch.setattr(audit, "inspector", lambda *_: look)


def audited(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["audit", *map(str, arguments), "--quiet"])


def test_an_audit_prints_the_measures_and_says_that_there_is_something_to_look_at(tmp_path: Path) -> None:
    save(tmp_path / "a.png", scene(1))
    save(tmp_path / "b.png", hidden(scene(1), FACES[0]))
    found = audited(tmp_path / "a.png", tmp_path / "b.png", tmp_path / "out")
    assert found.exit_code == 1
    assert "ARAM 0.500" in found.stdout
    assert "report: " in found.stdout


def test_all_hidden_is_exit_status_0(tmp_path: Path) -> None:
    save(tmp_path / "a.png", scene(1))
    save(tmp_path / "b.png", hidden(scene(1), *FACES))
    found = audited(tmp_path / "a.png", tmp_path / "b.png", tmp_path / "out", "--json")
    assert (found.exit_code, json.loads(found.stdout)["overall"]["ARAM"]) == (0, 0)


def test_a_dash_stands_for_no_originals(tmp_path: Path) -> None:
    save(tmp_path / "b.png", scene(1))
    found = audited("-", tmp_path / "b.png", tmp_path / "out", "--json")
    assert json.loads(found.stdout)["checks"]["originals"]["more"]["none"] == 1
