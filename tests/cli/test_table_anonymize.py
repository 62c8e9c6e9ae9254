"""`aramis table anonymize` and `compare`: the answer, the file, and what is said of what cannot be done."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from aramis import plugins
from aramis.cli.main import app
from aramis.errors import AramisError

ROWS = "".join(
    f"{20 + i};{1000 + i % 3};{('flu', 'cold', 'ulcer')[(7 * i + i // 4) % 3]}\n" for i in range(12)
)
AGES = ["-q", "age", "-q", "zip", "-s", "ill", "--hierarchy", "age=intervals:4,12"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age;zip;ill\n" + ROWS)
    return path


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["table", *map(str, words)], catch_exceptions=False)


def answer(*words: Any) -> dict[str, Any]:
    done = run(*words, "--json", "--quiet")
    assert done.exit_code == 0
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_answer_says_what_was_done_and_what_the_release_has(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    found = answer("anonymize", people, out, *AGES, "--k", 3, "--l", 2)
    assert found["algorithm"] == "optimal"
    assert set(found["generalization"]) == {"age", "zip"}
    assert (found["loss"]["name"], found["suppressed"], found["complete"]) == ("ncp", 0, True)
    assert found["loss"]["value"] == found["utility"]["ncp"]
    assert found["check"]["rows"] == 12
    assert found["check"]["wanted"]["k"]["holds"]
    assert found["nodes_checked"] >= 1
    assert list(found["seconds"]) == ["read", "search", "write", "check", "compare"]
    assert out.read_text().startswith("age;zip;ill\n")


def test_the_same_in_words(people: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = run(
        "anonymize", people, tmp_path / "out.csv", *AGES, "--k", 3, "--t", 0.9, "--report", page, "--quiet"
    )
    assert "t of ill is by the ground distance equal" in done.stdout
    assert "What was done to the table" in page.read_text()
    assert "12 rows in" in done.stdout
    assert "read back, the release has k = " in done.stdout
    assert "counting queries" in done.stdout


def test_levels_are_saved_and_applied_to_other_records(people: Path, tmp_path: Path) -> None:
    levels, first, second = (tmp_path / name for name in ("levels.json", "first.csv", "second.csv"))
    answer("anonymize", people, first, *AGES, "--k", 3, "--save-recoding", levels)
    found = answer("anonymize", people, second, "--reuse", levels)
    assert (found["algorithm"], found["check"]["wanted"]["k"]["wanted"]) == ("optimal, reused", 3)
    assert second.read_text() == first.read_text()
    with pytest.raises(AramisError, match=r"levels\.json exists; nothing is overwritten"):
        run("anonymize", people, tmp_path / "x.csv", *AGES, "--k", 3, "--save-recoding", levels)


def test_help_says_what_each_algorithm_guarantees() -> None:
    said = " ".join(run("anonymize", "--help").stdout.split())
    for name in plugins.names("anonymizer"):
        found: Any = plugins.find("anonymizer", name)
        assert f"{name}: {found.guarantee}." in said


def test_what_has_no_height_has_no_precision(people: Path, tmp_path: Path) -> None:
    found = answer(
        *("anonymize", people, tmp_path / "out.csv", "-q", "age", "-q", "zip", "-s", "ill"),
        *("--k", 5, "--algorithm", "mondrian", "--loss", "precision"),
    )
    assert found["loss"] == {"name": "precision", "value": None}


def test_a_release_is_compared_with_its_original(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    made = answer("anonymize", people, out, *AGES, "--k", 3)
    found = answer_of_compare("compare", people, out, *AGES, "--label", "ill")
    assert found["ncp"] == pytest.approx(made["loss"]["value"])
    assert 0 <= found["classifier"]["after"] <= 1
    assert set(found["marginals"]) == {"age", "zip", "ill"}


def answer_of_compare(*words: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    return found


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--k", "50"], "k = 50 is out of reach for any recoding: the whole table as one class has 12"),
        (["--l", "4"], "l = 4 of ill is out of reach for any recoding: the whole table as one class has 3"),
        (["--k", "2", "--suppress", "1.5"], "suppress = 1.5 means nothing"),
        (["--k", "2", "--suppress", "-0.1"], "suppress = -0.1 means nothing"),
        (["--k", "0"], "k = 0 means nothing"),
        (["--t", "2"], "t = 2 means nothing"),
        (["--l", "2", "--alpha", "0.2"], "alpha = 0.2 of ill is out of reach for any recoding"),
        ([], "nothing is wanted"),
        (["--k", "2", "--algorithm", "magic"], "no anonymizer is called magic; choose one of"),
        (["--k", "2", "--loss", "pain"], "there is no loss pain; choose one of ncp"),
        (["--k", "2", "--reference", "mine"], "there is no reference mine"),
        (["--k", "2", "--hierarchy", "age=intervals:4,6"], "must nest"),
        (["--l", "2", "--c", "3"], "recursive"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(
    people: Path, tmp_path: Path, options: list[str], why: str
) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(AramisError, match=why) as raised:
        run("anonymize", people, out, "-q", "age", "-q", "zip", "-s", "ill", *options, "--quiet")
    assert "\n" not in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_hierarchy_that_lacks_a_value_is_named_with_it(people: Path, tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("".join(f"{age};*\n" for age in range(20, 31)))
    hierarchy = f"age={tmp_path / 'ages.csv'}"
    with pytest.raises(AramisError, match="the hierarchy of age does not have '31'"):
        run("anonymize", people, tmp_path / "out.csv", "-q", "age", "--hierarchy", hierarchy, "--k", 2)


def test_a_goal_out_of_reach_says_what_is_in_reach(people: Path, tmp_path: Path) -> None:
    (tmp_path / "zips.csv").write_text("1000;10\n1001;10\n1002;x\n")
    options = ["-q", "zip", "--hierarchy", f"zip={tmp_path / 'zips.csv'}", "--k", "6", "--suppress", "0.1"]
    with pytest.raises(
        AramisError, match=r"k = 6 needs 33.3 % .* suppressed; 10 % is allowed; k = 4 is in reach"
    ):
        run("anonymize", people, tmp_path / "out.csv", *options, "--quiet")


def test_what_lies_there_is_not_overwritten(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine")
    with pytest.raises(AramisError, match="exists; nothing is overwritten"):
        run("anonymize", people, out, *AGES, "--k", 2)
    assert out.read_text() == "mine"
    assert run("anonymize", people, out, *AGES, "--k", 2, "--overwrite", "--quiet").exit_code == 0
    assert out.read_text() != "mine"


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("out.doc", "a table is written to .csv"),
        ("nowhere/out.csv", "there is no folder"),
        ("out", "no ending"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_said_before_anything_is_done(
    people: Path, tmp_path: Path, out: str, why: str
) -> None:
    with pytest.raises(AramisError, match=why):
        run("anonymize", people, tmp_path / out, *AGES, "--k", 2)


def test_a_label_that_is_not_of_the_original_is_said(people: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("age;zip;ill\nyoung;1000;flu\n")
    with pytest.raises(AramisError, match="'young' of age is no value of the original"):
        run("compare", people, tmp_path / "other.csv", *AGES)


def test_out_of_reach_is_exit_status_2_and_no_traceback(people: Path, tmp_path: Path) -> None:
    words = ["table", "anonymize", str(people), str(tmp_path / "out.csv"), "-q", "age", "--k", "50"]
    code = f"import sys; from aramis.cli.main import main; sys.argv[1:] = {words!r}; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == "aramis: k = 50 is out of reach for any recoding: the whole table as one class has 12\n"
    )


def test_a_frontier_tells_what_each_level_costs_and_draws_it(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "k.html"
    done = run("anonymize", people, out, *AGES, "--l", 2, "--frontier", "k=2,3,50", "--quiet")
    assert done.stdout.splitlines()[0] == f"what each k costs, by optimal; drawn in {out}"
    assert "50 is out of reach: k = 50 is out of reach for any recoding" in done.stdout
    assert out.read_text().count("<circle") == 2
    found = answer("anonymize", people, out, *AGES, "--frontier", "t=0.1,0.5")
    assert [point["level"] for point in found["points"]] == [0.1, 0.5]


@pytest.mark.parametrize(
    ("out", "frontier", "why"),
    [
        ("k.csv", "k=2", "ends in .html"),
        ("k.html", "k", "--frontier k: it is written COL=VALUE"),
        ("k.html", "k=2,many", "--frontier many: it is a number"),
        ("k.html", "zip=2", "a frontier goes over the levels of one of k"),
    ],
)
def test_what_is_no_frontier_is_said_in_one_sentence(
    people: Path, tmp_path: Path, out: str, frontier: str, why: str
) -> None:
    with pytest.raises(AramisError, match=why):
        run("anonymize", people, tmp_path / out, *AGES, "--frontier", frontier, "--quiet")


@pytest.mark.parametrize("option", ["--reuse", "--save-recoding", "--report"])
def test_a_frontier_releases_nothing(people: Path, tmp_path: Path, option: str) -> None:
    levels = tmp_path / "levels.json"
    answer("anonymize", people, tmp_path / "out.csv", *AGES, "--k", 2, "--save-recoding", levels)
    with pytest.raises(AramisError, match=f"with --frontier nothing is released; leave {option} out"):
        run("anonymize", people, tmp_path / "k.html", *AGES, "--frontier", "k=2", option, levels, "--quiet")


INTERRUPTED = """
import os, signal, sys
import aramis.cli.progress
from aramis.cli.main import main

def interrupt(title):
    def tell(done, total, best):
        if {when}:
            os.kill(os.getpid(), signal.SIGINT)
    return tell

aramis.cli.progress._lines = interrupt
sys.argv[1:] = {words!r}
main()
"""


@pytest.mark.parametrize(
    ("algorithm", "when"),
    [("optimal", "best.startswith('loss')"), ("incognito", "best.endswith(' 1 found')")],
)
def test_control_c_writes_the_best_release_so_far(
    people: Path, tmp_path: Path, algorithm: str, when: str
) -> None:
    found = interrupted(people, tmp_path, algorithm, ["--k", "3"], INTERRUPTED, when=when)
    assert (found.returncode, found.stderr) == (0, "")
    told = json.loads(found.stdout)
    assert told["complete"] is False
    assert told["check"]["wanted"]["k"]["holds"]
    assert (tmp_path / "out.csv").is_file()


@pytest.mark.parametrize("algorithm", ["optimal", "incognito", "datafly"])
def test_control_c_before_there_is_a_release_leaves_none(
    people: Path, tmp_path: Path, algorithm: str
) -> None:
    found = interrupted(people, tmp_path, algorithm, ["--k", "3"], INTERRUPTED, when="True")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("aramis: interrupted before a release")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


BETWEEN = """
import os, signal, sys
import aramis.tables.{module} as module
from aramis.cli.main import main

module.AT_ONCE = 3
done, calls = module.{name}, []

def interrupt(*given):
    calls.append(1)
    for _ in range({times} * (len(calls) == 1)):
        os.kill(os.getpid(), signal.SIGINT)
    return done(*given)

module.{name} = interrupt
sys.argv[1:] = {words!r}
main()
"""


@pytest.mark.parametrize(
    ("algorithm", "module", "name"),
    [
        ("mondrian", "anonymizers.mondrian", "ranges"),
        ("cldpp", "drawing", "Pieces"),
        ("cldpp", "settling", "no_spans"),
    ],
)
def test_control_c_within_a_step_is_taken_after_it(
    people: Path, tmp_path: Path, algorithm: str, module: str, name: str
) -> None:
    """What a step had half done was released, or nothing at all."""
    wanted = ["--k", "2", "--l", "2"]
    found = interrupted(people, tmp_path, algorithm, wanted, BETWEEN, module=module, name=name, times=1)
    assert (found.returncode, found.stderr) == (0, "")
    told = json.loads(found.stdout)
    assert told["complete"] is False
    assert told["check"]["rows"] == 12
    assert all(wanted["holds"] for wanted in told["check"]["wanted"].values())


def test_control_c_in_what_has_nothing_before_its_end_says_so(people: Path, tmp_path: Path) -> None:
    words = ["--k", "2", "--t", "0.5"]
    found = interrupted(
        people, tmp_path, "sabre", words, BETWEEN, module="drawing", name="searching", times=1
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("aramis: interrupted before a release")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_control_c_twice_gives_up_at_once(people: Path, tmp_path: Path) -> None:
    found = interrupted(
        people,
        tmp_path,
        "mondrian",
        ["--k", "2"],
        BETWEEN,
        module="anonymizers.mondrian",
        name="ranges",
        times=2,
    )
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("aramis: interrupted twice")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def interrupted(
    people: Path, tmp_path: Path, algorithm: str, wanted: list[str], code: str, **how: Any
) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, which gets a real SIGINT from within its search."""
    words = ["table", "anonymize", str(people), str(tmp_path / "out.csv"), *AGES, *wanted]
    words += ["--algorithm", algorithm, "--seed", "1", "--json"]
    code = code.format(words=words, **how)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
