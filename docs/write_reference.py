"""Write the pages of docs/reference from what they describe: `make docs`."""

import json
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
import typer

from aramis.cli.main import app
from aramis.images.by_hand import Ignored, Regions
from aramis.images.records import ImageRecord
from aramis.images.risk.assessment import Assessment
from aramis.images.rules.explained import explained
from aramis.images.rules.judge import RULE_SETS
from aramis.images.rules.scene import code
from aramis.images.rules.thresholds import described

FOLDER = Path(__file__).parent / "reference"
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


def commands_page() -> str:
    """Every command, its help and its options."""
    return "\n".join([HEAD, *(section(name, command) for name, command in commands())])


def section(name: str, command: Any) -> str:
    rows = "\n".join(
        f"| `{words}` | {text.replace('|', chr(92) + '|')} |" for words, text in parameters(command)
    )
    help_text = cleandoc(command.help or "").replace("\b\n", "")
    return f"## {name}\n\n{help_text}\n\n| | |\n| --- | --- |\n{rows}\n"


def _is_worth_saying(default: object) -> bool:
    return default is not None and default is not False and default != () and not callable(default)


RULES_HEAD = """# The rules

Written from the rules themselves by `make docs`. A carrier (a person, a vehicle) to which a hidden target (a face, a plate) belongs is
*anonymized*. Otherwise it is *unrecognisable* where one of the rules below holds, and every one that holds is given as a
reason, with what was measured. Otherwise it is a *leak*, for a person to look at. `aramis assess --rules NAME` chooses the rules, an
option of a threshold's name changes it, and the report shows the measures under every rule set.
"""


def rules_page() -> str:
    """Every rule set, rule and threshold, in the words of their docstrings."""
    sets = [_rule_set(rules) for rules in RULE_SETS]
    rules = {code(rule): rule for rules in RULE_SETS for rule in rules.rules}
    each = [f"### {name}\n\n{_explained(rule)}" for name, rule in rules.items()]
    rows = "\n".join(
        f"| `{name}` | {one['default']} | {one['description']} |" for name, one in described().items()
    )
    table = f"| threshold | default | why |\n| --- | --- | --- |\n{rows}\n"
    return "\n".join([RULES_HEAD, *sets, "## Each rule\n", *each, "## Thresholds\n", table])


def _rule_set(rules: Any) -> str:
    lists = [
        f"- a {kind}: {', '.join(f'`{code(rule)}`' for rule in own)}" for kind, own in rules.excuses.items()
    ]
    heading = (
        f"## Rule set `{rules.name}`\n\nWhich target belongs to which carrier: {_explained(rules.assign)}"
    )
    return f"{heading}\nUnrecognisable is\n\n" + "\n".join(lists) + "\n"


def _explained(rule: Any) -> str:
    parts = explained(rule)
    return f"{parts.what} *Why:* {parts.why} *Example:* {parts.example}\n"


def schema(struct: type[msgspec.Struct]) -> str:
    """The JSON schema of what we write and read. Keys of other tools are welcome at every level, so `extra` has none."""
    whole = msgspec.json.schema(struct, schema_hook=lambda _: {"description": "any value"})
    for one in whole["$defs"].values():
        one.get("properties", {}).pop("extra", None)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}, indent=2) + "\n"


PAGES = {
    "commands.md": commands_page,
    "rules.md": rules_page,
    "records.schema.json": lambda: schema(ImageRecord),
    "regions.schema.json": lambda: schema(Regions),
    "ignore.schema.json": lambda: schema(Ignored),
    "assessment.schema.json": lambda: schema(Assessment),
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())
    print(f"wrote {', '.join(PAGES)}", file=sys.stderr)
