"""Write docs/reference/commands.md from the commands themselves: `make docs`."""

import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import typer

from aramis.cli.main import app

REFERENCE = Path(__file__).parent / "reference" / "commands.md"
HEAD = "# Commands\n\nWritten from `--help` by `make docs`; a test holds the two together.\n"


def commands(group: Any = None, path: str = "aramis") -> Iterator[tuple[str, Any]]:
    """Every command with the words that call it."""
    for name, command in (group or typer.main.get_command(app)).commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield f"{path} {name}", command
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def parameters(command: Any) -> Iterator[tuple[str, str]]:
    """What a command takes: the words to type, and what they mean."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            words = parameter.metavar or parameter.name.upper()
        else:
            words = ", ".join((*parameter.opts, *parameter.secondary_opts))
        default = f" Default: {parameter.default}." if _is_worth_saying(parameter.default) else ""
        yield words, f"{parameter.help or ''}{default}"


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(name, command) for name, command in commands())])


def section(name: str, command: Any) -> str:
    rows = "\n".join(
        f"| `{words}` | {text.replace('|', chr(92) + '|')} |" for words, text in parameters(command)
    )
    help_text = cleandoc(command.help or "").replace("\b\n", "")
    return f"## {name}\n\n{help_text}\n\n| | |\n| --- | --- |\n{rows}\n"


def _is_worth_saying(default: object) -> bool:
    return default is not None and default is not False and default != () and not callable(default)


if __name__ == "__main__":
    REFERENCE.write_text(reference())
    print(f"wrote {len(list(commands()))} commands to {REFERENCE.name}", file=sys.stderr)
