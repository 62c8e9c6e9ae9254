"""What a class is compared with: the table as it is released, the original it was made from, or what a user gives."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from aramis.errors import BadInput
from aramis.tables.frequency import JOINT, FrequencySet, Shares
from aramis.tables.hierarchies import csv_rows
from aramis.tables.hierarchy import MISSING
from aramis.tables.hierarchy import text as text_of
from aramis.tables.text import typed

Distribution = Mapping[object, float]
"""The share of each value; what it adds up to is taken for all."""


def read_distribution(column: str, path: Path, domain: Sequence[object]) -> Distribution:
    """The share of each value of a column from a file: a value and its share in each line (.csv), or a table of them
    (.toml, .json). Nothing in place of the value is the share of missing ones.
    """
    if not path.is_file():
        raise BadInput(f"there is no file {path} with the shares of {column}")
    rows = _rows(column, path)
    shares = {value: _share(column, path, value, share) for value, share in rows}
    if len(shares) < len(rows):
        twice = next(value for place, (value, _) in enumerate(rows) if value in dict(rows[:place]))
        raise BadInput(f"{path} has two shares of {twice!r}")
    values = {text_of(value): value for value in domain}
    texts = [value for value in shares if value != MISSING]
    if not all(value is None or isinstance(value, str) for value in domain):
        # those that the table does not have are what its own are: numbers, dates
        values = dict(zip(texts, typed(pl.Series(texts, dtype=pl.String)).to_list(), strict=True)) | values
    return {values.get(value, value if value != MISSING else None): share for value, share in shares.items()}


def distribution_of(frequency: FrequencySet, column: str) -> Distribution:
    """The distribution of a column over a whole table."""
    shares = frequency.records_of(column) / frequency.rows
    return dict(zip(frequency.domains[column], shares.tolist(), strict=True))


def compared_with(
    frequency: FrequencySet, references: Mapping[str, Distribution]
) -> tuple[FrequencySet, dict[str, Shares]]:
    """The frequency set with every value of the references in its domains, and the references over those."""
    shares = {}
    for column, given in references.items():
        if column not in frequency.sensitive:
            raise BadInput(
                f"a reference is given of {column}, which is not sensitive; {_named(frequency)} is"
            )
        frequency = frequency.with_values(column, given)
        amounts = np.array([given.get(value, 0.0) for value in frequency.domains[column]], np.float64)
        if not amounts.min() >= 0 or not 0 < amounts.sum() < np.inf:
            raise BadInput(f"the reference of {column} has no shares: they are 0 or more, and not all 0")
        shares[column] = amounts / amounts.sum()
    return frequency, shares


def _rows(column: str, path: Path) -> list[tuple[str, Any]]:
    try:
        if path.suffix in {".toml", ".json"}:
            found = (tomllib if path.suffix == ".toml" else json).loads(path.read_text())
            if not isinstance(found, dict):
                raise BadInput(f"{path} is to be a table: the share of each value of {column}")
            return list(found.items())
        rows = csv_rows(path) if path.stat().st_size else []
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"the shares of {column}, {path}, cannot be read: {error}") from None
    if wrong := [row for row in rows if len(row) != 2]:
        raise BadInput(f"{path}: a line has a value of {column} and its share, and one has {wrong[0]}")
    if rows and not _is_number(rows[0][1]):  # what the columns are called
        rows = rows[1:]
    return [(value, share) for value, share in rows]


def _share(column: str, path: Path, value: str, share: Any) -> float:
    if not _is_number(share):
        raise BadInput(f"{path}: the share of {value!r} of {column} is no number: {share!r}")
    return float(share)


def _is_number(share: Any) -> bool:
    try:
        float(share)
    except (TypeError, ValueError):
        return False
    return True


def _named(frequency: FrequencySet) -> str:
    return ", ".join(column for column in frequency.sensitive if column != JOINT) or "none"
