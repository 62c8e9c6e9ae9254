"""A schema as a small TOML file: what each column of a table is, said once and kept beside the table.

quasi = ["age", "zip"]
sensitive = ["disease", "salary"]
identifying = ["name"]
missing = ["?"]

[hierarchies]
age = "intervals:5,10,20"
zip = "zip.csv"             # beside this file

[distances]
salary = "numeric"

[orders]
grade = ["low", "middle", "high"]
"""

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aramis.errors import BadInput
from aramis.tables.builders import builder
from aramis.tables.suggest import Column, Suggestion

LISTS = ("quasi", "sensitive", "identifying", "missing")
TABLES = ("hierarchies", "distances", "weights", "orders")
WORDS = ("separator", "encoding")


def read_schema(path: Path) -> dict[str, Any]:
    """What a schema file says, as the arguments of `aramis.table`."""
    if not path.is_file():
        raise BadInput(f"there is no schema {path}")
    try:
        found = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"the schema {path} is not TOML: {error}") from None
    for key, value in found.items():
        _must_be_known(path, key, value)
    found["hierarchies"] = {
        column: _beside(path, given) for column, given in found.get("hierarchies", {}).items()
    }
    return found


def write_schema(found: Suggestion, path: Path) -> None:
    """Write a suggestion as a schema, with what speaks for each column; what is there already is not overwritten."""
    if path.exists():
        raise BadInput(f"{path} exists; a schema that somebody may have corrected is not overwritten")
    parts = [_list(part, [one for one in found.columns if one.part == part]) for part in LISTS[:3]]
    others = [
        f"# {column.name!r} is in none of them: {column.why}\n"
        for column in found.columns
        if column.part == "other"
    ]
    path.write_text(
        "".join([f"# Suggested for {found.source}; to be corrected by who knows it.\n", *parts, *others])
    )


def _list(part: str, columns: Sequence[Column]) -> str:
    lines = [f"  {json.dumps(one.name, ensure_ascii=False)}, # {one.why}\n" for one in columns]
    return f"{part} = [\n{''.join(lines)}]\n" if lines else f"{part} = []\n"


def _must_be_known(path: Path, key: str, value: object) -> None:
    if key not in (*LISTS, *TABLES, *WORDS):
        raise BadInput(f"the schema {path} says {key}; it may say {', '.join((*LISTS, *TABLES, *WORDS))}")
    kind, words = (
        (list, "a list") if key in LISTS else (dict, "a table") if key in TABLES else (str, "a text")
    )
    if not isinstance(value, kind):
        raise BadInput(f"the schema {path}: {key} is {words}, not {value!r}")


def _beside(path: Path, given: Any) -> Any:
    """A file that a schema names lies beside it."""
    return given if not isinstance(given, str) or builder(given) else path.parent / given
