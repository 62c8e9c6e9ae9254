"""`aramis sample`, then `aramis assess --review`, as somebody who looks uses them."""

import json
from pathlib import Path

from typer.testing import CliRunner

from aramis.cli.main import app


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.stdout


def test_a_review_from_the_sample_to_what_it_certifies(tmp_path: Path) -> None:
    records = [{"image": f"{number}.jpg", "width": 640, "height": 480} for number in range(50)]
    (tmp_path / "records.jsonl").write_text("\n".join(map(json.dumps, records)))
    run("assess", str(tmp_path))
    status, said = run("sample", str(tmp_path), "--leak-rate", "0.1")
    assert status == 0
    assert "22 images and 0 people and vehicles in videos to look at, 0 answered already" in said
    sheet = tmp_path / "private" / "review.csv"
    assert f"sheet: {sheet}" in said
    sheet.write_text(sheet.read_text().replace(",\n", ",no\n"))
    status, said = run("assess", str(tmp_path), "--review", str(sheet))
    assert status == 0
    assert "0 of 22 images that were looked at leak: with 95% confidence no more than 8.00% of all do" in said
    assert json.loads(run("sample", str(tmp_path), "--leak-rate", "0.1", "--json")[1])["answered"] == 22


def test_a_release_that_nobody_has_judged_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["sample", str(tmp_path)])
    assert "assessment.json" in str(done.exception)
