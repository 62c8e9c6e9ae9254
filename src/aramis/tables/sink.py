"""Where a released table goes: the counterpart of source."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from aramis.errors import BadInput, Unavailable

EXCEL_ROWS = 2**20 - 1  # below the names of the columns


def must_be_writable(path: Path, *, overwrite: bool = False) -> None:
    """Raise before anything is computed where a table cannot be written to this path."""
    if path.suffix.lower() not in WRITERS:
        raise BadInput(
            f"{path}: a table is written to {', '.join(WRITERS)}; {path.suffix or 'no ending'} is not one of them"
        )
    must_be_free(path, overwrite=overwrite)


def must_be_free(path: Path, *, overwrite: bool = False) -> None:
    """Raise where a file cannot be put at this path, or may not be."""
    if not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}")
    if path.exists() and not overwrite:
        raise BadInput(f"{path} exists; nothing is overwritten unless it is asked for with --overwrite")


def write(frame: pl.LazyFrame, path: Path, *, separator: str = ",") -> str:
    """Write a table in the format of the path's ending, and tell what separates its columns, where that is text."""
    separator = "\t" if path.suffix.lower() == ".tsv" else separator
    try:
        WRITERS[path.suffix.lower()](frame, path, separator)
    except (OSError, pl.exceptions.ComputeError) as error:
        raise BadInput(f"{path.parent}: the release cannot be written there: {_first_line(error)}") from None
    return separator


def _csv(frame: pl.LazyFrame, path: Path, separator: str) -> None:
    frame.sink_csv(path, separator=separator, check_extension=False)


def _parquet(frame: pl.LazyFrame, path: Path, _: str) -> None:
    frame.sink_parquet(path)


def _arrow(frame: pl.LazyFrame, path: Path, _: str) -> None:
    frame.sink_ipc(path)


def _json_lines(frame: pl.LazyFrame, path: Path, _: str) -> None:
    frame.sink_ndjson(path)


def _excel(frame: pl.LazyFrame, path: Path, _: str) -> None:
    rows = frame.collect()
    if rows.height > EXCEL_ROWS:
        raise BadInput(
            f"Excel has room for {EXCEL_ROWS:,} records; the release has {rows.height:,}; write .parquet"
        )
    try:
        rows.write_excel(path, autofit=False)
    except ModuleNotFoundError:
        raise Unavailable("writing Excel needs two more packages: pip install 'aramis[excel]'") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


WRITERS: dict[str, Callable[[pl.LazyFrame, Path, str], None]] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".jsonl": _json_lines,
    ".xlsx": _excel,
}
