from pathlib import Path

from typer.testing import CliRunner

from aramis.cli.main import app
from aramis.errors import BadInput


def test_coco_is_written_and_named(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text('{"image": "a.jpg", "width": 9, "height": 9}')
    done = CliRunner().invoke(app, ["export", str(tmp_path), "--coco", str(tmp_path / "my.json")])
    assert (done.exit_code, done.stdout.strip()) == (0, str(tmp_path / "my.json"))


def test_a_format_must_be_named(tmp_path: Path) -> None:
    assert isinstance(CliRunner().invoke(app, ["export", str(tmp_path)]).exception, BadInput)
