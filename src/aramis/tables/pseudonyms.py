"""Identifying columns made into pseudonyms: a keyed hash, the same for the same value wherever the same key is used.

HMAC-SHA-256 (RFC 2104). Without the key nobody can try out names; whoever has it can, so it stays with the owner of the
table and is not released. Pseudonymous data are still personal data (GDPR recital 26).
"""

import hmac
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import narwhals as nw
import polars as pl

from aramis.errors import BadInput
from aramis.tables.counting import without_objects
from aramis.tables.hierarchy import text
from aramis.tables.source import Source

SHORTEST = 16  # bytes of a key
LENGTH = 32  # hexadecimal digits of a pseudonym: 128 bits, so that no two values share one


def read_key(path: Path) -> bytes:
    """The key in a file, without the line's end."""
    make = f"make one with: head -c 32 /dev/urandom | base64 > {path}"
    if not path.is_file():
        raise BadInput(f"there is no key file {path}; {make}")
    key = path.read_bytes().strip()
    if len(key) < SHORTEST:
        raise BadInput(f"the key in {path} has {len(key)} bytes, and {SHORTEST} are the least; {make}")
    return key


def without_identity(source: Source, columns: Sequence[str], key: bytes | None) -> Source:
    """The table without these columns, or with pseudonyms in them where there is a key."""
    if not columns:
        return source
    if key is None:
        return replace(source, frame=source.frame.drop(columns))
    if source.frame.implementation.is_duckdb() or source.frame.implementation.is_spark_like():
        raise BadInput("pseudonyms are made on frames and files; in a database leave identifying columns out")
    native = source.frame.to_native()
    if not isinstance(native, pl.LazyFrame):  # pandas, pyarrow: it is in memory anyway
        native = without_objects(source.frame).collect().to_polars().lazy()
    return replace(source, frame=nw.from_native(_pseudonymized(native, columns, key)))


def pseudonym(value: str, key: bytes) -> str:
    """The pseudonym of one value."""
    return hmac.digest(key, value.encode(), "sha256").hex()[:LENGTH]


def _pseudonymized(frame: pl.LazyFrame, columns: Sequence[str], key: bytes) -> pl.LazyFrame:
    """A pseudonym in place of each value; what is missing stays missing."""

    def pseudonyms(column: pl.Series) -> pl.Series:
        values = column.unique().drop_nulls()
        return column.replace_strict(
            values, [pseudonym(text(value), key) for value in values], default=None, return_dtype=pl.String
        )

    return frame.with_columns(
        pl.col(name).map_batches(pseudonyms, return_dtype=pl.String, is_elementwise=True) for name in columns
    )
