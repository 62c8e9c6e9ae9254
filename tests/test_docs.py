"""Documentation that cannot lie: every command, option, plugin and rule is named in docs/, and examples run."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from aramis.cli.main import app

ROOT = Path(__file__).parents[1]


def commands(group: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, object]]:
    for name, command in getattr(group, "commands", {}).items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join(("aramis", *path, name)), command


COMMANDS = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_a_command_and_its_options_are_in_the_reference(name: str, command: object) -> None:
    reference = (ROOT / "docs" / "reference" / "commands.md").read_text()
    assert f"## {name}\n" in reference
    section = reference.split(f"## {name}\n")[1].split("\n## ")[0]
    for parameter in command.params:  # type: ignore[attr-defined]
        if parameter.name != "help" and not getattr(parameter, "hidden", False):
            assert max(parameter.opts, key=len) in section, f"{name}: {parameter.opts} is not documented"
            assert getattr(parameter, "help", None), f"{name}: {parameter.opts} has no help"
    assert "Example:" in (command.help or "") + (command.epilog or ""), f"{name} --help shows no example"  # type: ignore[attr-defined]


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example), run_name="__main__")
