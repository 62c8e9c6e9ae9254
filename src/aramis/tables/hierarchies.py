"""From what a user gives to a hierarchy: a file, rows, a tree, or a builder by its name."""

import csv
import io
import json
import tomllib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

from aramis.errors import BadInput
from aramis.tables.builders import TOP, Builder, builder
from aramis.tables.dialect import dialect_of
from aramis.tables.hierarchy import Hierarchy, hierarchy, text

Given = Any
"""A `Hierarchy`, a builder, a path, rows of labels, a tree, or words such as `intervals:5,10`."""


def hierarchy_of(column: str, given: Given) -> Hierarchy | Builder:
    """The hierarchy that is given for a column, or the builder that makes it once its values are known."""
    if isinstance(given, Hierarchy) or callable(given):
        return given
    if isinstance(given, Mapping):
        return hierarchy(column, tree_rows(column, given))
    if isinstance(given, str | Path):
        return builder(str(given)) or read_hierarchy(column, Path(given))
    return hierarchy(column, [[str(label) for label in row] for row in given])


def read_hierarchy(column: str, path: Path) -> Hierarchy:
    """A hierarchy from a file: a row a value and a column a level (.csv), or a tree (.toml, .json)."""
    if not path.is_file():
        raise BadInput(
            f"there is no file {path} with the hierarchy of {column}, and no builder of that name; "
            "a builder is written like intervals:5,10,20"
        )
    if path.stat().st_size == 0:
        raise BadInput(f"the hierarchy of {column}, {path}, is empty")
    try:
        if path.suffix == ".toml":
            return hierarchy(column, tree_rows(column, tomllib.loads(path.read_text())))
        if path.suffix == ".json":
            return hierarchy(column, tree_rows(column, json.loads(path.read_text())))
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"the hierarchy of {column}, {path}, cannot be read: {error}") from None
    return hierarchy(column, csv_rows(path))


def hierarchies_in(folder: Path, table: str = "", columns: Container[str] | None = None) -> dict[str, Path]:
    """The files of a folder that are named `..._hierarchy_COLUMN.csv`, by column.

    Where several are of one column, the one that bears the name of the table is meant: adult_hierarchy_age.csv for
    adult.csv.
    """
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder} of hierarchies")
    of_column: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*hierarchy_*.csv")):
        of_column.setdefault(path.stem.split("hierarchy_", 1)[1], []).append(path)
    if not of_column:
        raise BadInput(f"{folder} has no file named like adult_hierarchy_age.csv")
    return {
        column: _meant(column, paths, Path(table).stem)
        for column, paths in of_column.items()
        if columns is None or column in columns
    }


def csv_rows(path: Path) -> list[list[str]]:
    """The rows of a small text file in any dialect, the first line too."""
    dialect = dialect_of(path)
    try:
        content = path.read_bytes().decode(dialect.encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not {dialect.encoding}: byte {error.start} does not fit") from None
    rows = csv.reader(io.StringIO(content), delimiter=dialect.separator, quotechar=dialect.quote)
    return [row for row in rows if row]


def _meant(column: str, paths: Sequence[Path], table: str) -> Path:
    named = [path for path in paths if path.stem == f"{table}_hierarchy_{column}"] or paths
    if len(named) > 1:
        raise BadInput(
            f"{paths[0].parent} has several hierarchies of {column}: {', '.join(path.name for path in paths)}; "
            f"name the one that is meant with --hierarchy {column}=FILE"
        )
    return named[0]


def tree_rows(column: str, tree: Mapping[str, Any]) -> list[list[str]]:
    """A tree as rows: a mapping has branches, a list has values. A value that hangs higher than others stays itself
    until the level of its parent.
    """
    if not tree:
        raise BadInput(f"the hierarchy of {column} is empty")
    ((root, below),) = tree.items() if len(tree) == 1 else {TOP: tree}.items()
    return _climbing(str(root), below)


def _climbing(name: str, below: Any) -> list[list[str]]:
    """Each value under a branch with its labels from the value itself up to the branch."""
    branches = _branches(below)
    if not branches:
        return [[name]]
    rows = [row for branch, lower in branches for row in _climbing(branch, lower)]
    height = max(map(len, rows))
    return [[*row, *[row[-1]] * (height - len(row)), name] for row in rows]


def _branches(below: Any) -> list[tuple[str, Any]]:
    if isinstance(below, Mapping):
        return [(str(name), lower) for name, lower in below.items()]
    leaves = below if isinstance(below, list | tuple) else [below]
    return [(text(leaf), None) for leaf in leaves if leaf is not None]
