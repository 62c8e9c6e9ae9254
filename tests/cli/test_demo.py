"""`aramis demo` does the main job on real photographs, and does nothing twice."""

from pathlib import Path

from typer.testing import CliRunner

from aramis.cli.main import app


def test_the_demo_releases_photographs_and_says_where_to_look(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = CliRunner().invoke(app, ["demo", str(out), "--quiet"])
    assert first.exit_code == 0, first.output
    assert "PARAM" in first.output
    assert str(out / "report.html") in first.output
    assert sorted(path.name for path in (out / "media").iterdir()) == [
        "astronaut.png",
        "motorway.jpeg",
        "street.png",
    ]
    released = {path.name: path.stat().st_mtime_ns for path in (out / "media").iterdir()}
    second = CliRunner().invoke(app, ["demo", str(out), "--quiet"])
    assert second.exit_code == 0
    assert {path.name: path.stat().st_mtime_ns for path in (out / "media").iterdir()} == released
