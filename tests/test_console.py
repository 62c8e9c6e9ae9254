"""Every ```console block of the README and of the guides is typed in, every >>> run, and what comes out is what the page says.

A page's blocks run one after the other in one empty folder with `photos/` (the demo's photographs) and `examples/`. In what
a page says, `...` stands for anything; white space does not count. A block may show `$ echo $?` to tell an exit status.
"""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aramis.images import cards

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if BLOCK.search(page.read_text())
]
ALIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the commands run."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "photos").mkdir()
    for name, path in cards.photographs().items():
        shutil.copy(path, tmp_path / "photos" / f"{name}{path.suffix}")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_is_printed(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    status = 0
    for block in BLOCK.findall(page.read_text()):
        for command, said in COMMAND.findall(block):
            if command == "echo $?":
                assert said.strip() == str(status)
                continue
            status, printed = typed(command)
            assert doctest.OutputChecker().check_output(said, printed, ALIKE), f"$ {command}\n{printed}"
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=ALIKE)
    assert not failed


def typed(command: str) -> tuple[int, str]:
    program, *words = shlex.split(command)
    assert program == "aramis", f"pages show what aramis does, not {program}"
    # what goes to the terminal is the answer, then what is said of it; progress is for people who wait
    done = subprocess.run(
        [sys.executable, "-m", "aramis", *words], capture_output=True, text=True, check=False
    )
    talk = [line for line in done.stderr.splitlines(keepends=True) if line.startswith("aramis: ")]
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + "".join(talk)
