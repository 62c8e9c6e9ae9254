from pathlib import Path

from typer.testing import CliRunner

from aramis.cli.main import app


def test_the_report_is_written_again_and_named(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text('{"image": "a.jpg", "width": 9, "height": 9}')
    assert CliRunner().invoke(app, ["assess", str(tmp_path)]).exit_code == 0
    done = CliRunner().invoke(app, ["report", str(tmp_path)])
    assert (done.exit_code, done.stdout.strip()) == (0, str(tmp_path / "report.html"))
