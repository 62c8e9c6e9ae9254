import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aramis.cli.main import app

RECORD = {
    "image": "street\x1b[31m.jpg",
    "width": 1000,
    "height": 1000,
    "carriers": [{"kind": "person", "box": [100, 100, 300, 600], "score": 0.9, "orientation": "front"}],
}


@pytest.fixture
def release(tmp_path: Path) -> str:
    (tmp_path / "records.jsonl").write_text(json.dumps(RECORD))
    return str(tmp_path)


def test_a_leak_is_named_and_the_exit_status_is_1(release: str) -> None:
    done = CliRunner().invoke(app, ["assess", release])
    assert done.exit_code == 1
    assert "PARAM 1.000" in done.stdout
    assert "street\\x1b[31m.jpg: person 0 at 100,100 to 300,600, scored 0.90" in done.stdout


def test_every_threshold_is_an_option(release: str) -> None:
    done = CliRunner().invoke(app, ["assess", release, "--face-floor-px", "500", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["thresholds"]["face_floor_px"] == 500
    assert json.loads(done.stdout)["people"]["PARAM"] == 0


def test_thresholds_may_stand_in_a_file(release: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("face-floor-px = 500")
    assert CliRunner().invoke(app, ["assess", release, "--config", str(tmp_path / "a.toml")]).exit_code == 0


def test_a_threshold_out_of_range_is_refused(release: str) -> None:
    assert CliRunner().invoke(app, ["assess", release, "--small-area", "3"]).exit_code == 2
