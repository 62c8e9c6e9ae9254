"""The three commands over photographs, with passes that find the same in every picture."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.images.fakes import is_hidden, one_face, one_person, photographs
from typer.testing import CliRunner

from aramis.cli.main import app
from aramis.images import pipeline

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def fake_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "detector", lambda *given: one_face)
    monkeypatch.setattr(pipeline, "inspector", lambda *given: one_person)


def aramis(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_release_prints_the_measures_and_where_the_report_lies(tmp_path: Path) -> None:
    done = aramis("release", photographs(tmp_path / "photos"), tmp_path / "out")
    assert done.exit_code == 0
    assert "3 images" in done.stdout
    assert "PARAM 0.000" in done.stdout
    assert done.stdout.rstrip().endswith(f"report: {tmp_path / 'out' / 'report.html'}")
    assert (tmp_path / "out" / "report.html").is_file()


def test_a_leak_is_exit_status_1(tmp_path: Path) -> None:
    done = aramis("release", photographs(tmp_path / "photos"), tmp_path / "out", "--method", "none")
    assert done.exit_code == 1
    assert "look at these first" in done.stdout


def test_a_quarantined_file_is_exit_status_1_and_named_with_control_characters_shown(tmp_path: Path) -> None:
    (photographs(tmp_path / "photos") / "a\x1b[31m\n.jpg").write_text("text")
    for command in ("release", "redact", "inspect"):
        done = aramis(command, tmp_path / "photos", tmp_path / command)
        assert done.exit_code == 1
        assert "not released:\n  a\\x1b[31m\\n.jpg: not a picture" in done.stdout


def test_json_is_one_object_on_standard_output(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    answer = json.loads(aramis("release", source, tmp_path / "a", "--json").stdout)
    assert answer["people"]["PAQ"] == 1.0
    assert answer == json.loads((tmp_path / "a" / "assessment.json").read_text())
    for command in ("redact", "inspect"):
        answer = json.loads(aramis(command, source, tmp_path / command, "--json").stdout)
        assert answer == {"folder": str(tmp_path / command), "images": 3, "quarantined": []}


def test_progress_goes_to_standard_error_and_quiet_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aramis.cli.progress.SECONDS_BETWEEN_LINES", 0)
    source = photographs(tmp_path / "photos")
    assert "releasing: 3 of 3" in aramis("release", source, tmp_path / "a").stderr
    assert aramis("release", source, tmp_path / "b", "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--method", "smear"], "no redactor is called smear; choose one of"),
        (["--method", "image"], "give --picture"),
        (["--colour", "blue"], "not a colour like 1e90ff"),
        (["--rules", "lax"], "there are no rules called lax"),
        (["--workers", "0"], "--workers"),
        (["--models", "weak"], "no profile of models is called weak; there are default, strong"),
        (["--face-model", "no.onnx"], "--face-model: there is no file no.onnx, and no detector of that name"),
        (["--shape", "star"], "choose one of box, ellipse, polygon"),
    ],
)
def test_a_bad_option_is_exit_status_2_and_writes_nothing(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    source = photographs(tmp_path / "photos")
    command = [sys.executable, "-m", "aramis", "release", str(source), str(tmp_path / "out"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_wide())
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_colour_a_picture_and_a_settings_file_are_taken(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    (tmp_path / "aramis.toml").write_text('method = "solid"\ncolour = "#0a0b0c"\nquiet = true\n')
    assert aramis("redact", source, tmp_path / "a", "--config", tmp_path / "aramis.toml").exit_code == 0
    assert all(is_hidden(path) for path in (tmp_path / "a" / "media").rglob("*.png"))
    picture = source / "day 0" / "000.png"
    assert aramis("redact", source, tmp_path / "b", "--method", "image", "--picture", picture).exit_code == 0


def test_an_interruption_is_one_sentence_and_the_next_run_goes_on(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos", 150)
    program = (
        "import sys; from aramis.images import pipeline; from tests.images.fakes import *\n"
        "pipeline.detector, pipeline.inspector = lambda *_: slow_face, lambda *_: one_person\n"
        "from aramis.cli.main import main; main()"
    )
    command = [sys.executable, "-c", program, "release", str(source), str(tmp_path / "out"), "--method=solid"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as running:
        while not list((tmp_path / "out").glob("media/*/*")) and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate()
    assert running.returncode == 130
    assert said.rstrip().endswith(
        "aramis: interrupted. What is done is kept; run the same command again to go on"
    )
    assert 0 < len(list((tmp_path / "out").glob("media/*/*"))) < 150
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def _wide() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "200", "TERM": "dumb"}
