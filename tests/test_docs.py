"""Documentation that cannot lie: the reference is what the code says, and the examples run."""

import importlib.util
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("write_reference", ROOT / "docs" / "write_reference.py")
assert SPEC
assert SPEC.loader
write_reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(write_reference)
COMMANDS = list(write_reference.commands())


@pytest.mark.parametrize("page", write_reference.PAGES)
def test_a_page_of_the_reference_says_what_is(page: str) -> None:
    written = (ROOT / "docs" / "reference" / page).read_text()
    assert written == write_reference.PAGES[page](), "something has changed: run `make docs`"


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_a_command_explains_itself_and_every_option(name: str, command: Any) -> None:
    assert f"{name} " in (command.help or ""), f"{name} --help shows no example"
    unexplained = [words for words, text in write_reference.parameters(command) if not text]
    assert not unexplained


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
