"""What a table is read from: a file, a database, a frame. All become a lazy frame; nothing is read before it is counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from aramis.errors import BadInput
from aramis.tables.dialect import dialect_of, must_be_distinct


@dataclass(frozen=True, slots=True)
class Source:
    """A table before it is counted."""

    frame: nw.LazyFrame[Any]
    name: str = "the table"
    form: str = ""  # what was found out on reading, in words
    text: bool = False  # every value is text, as in a CSV file: `text.typed` decides what it stands for
    path: Path | None = None
    stamp: tuple[int, int] = (0, 0)  # size and time of the last change when it was opened

    def __str__(self) -> str:
        return f"{self.name} ({self.form})" if self.form else self.name

    def unchanged(self) -> None:
        """Raise where the file has changed since it was opened: what was counted is then neither old nor new."""
        if self.path and _stamp(self.path) != self.stamp:
            raise BadInput(f"{self.path} changed while it was read; make a copy that stays as it is")


def read(
    data: Any, *, separator: str | None = None, encoding: str | None = None, missing: Sequence[str] = ()
) -> Source:
    """A table from a path, or from any dataframe that narwhals knows.

    `separator` and `encoding` are found out where they are not given. `missing`: texts that stand for no value.
    """
    if not isinstance(data, str | Path):
        return Source(_frame(data))
    path = Path(data)
    if not path.is_file():
        raise BadInput(f"there is no file {path}{_near(path)}")
    kind = path.suffix.lower()
    if kind not in READERS:
        raise BadInput(
            f"{path}: a table ends in {', '.join(READERS)}; {kind or 'no ending'} is not one of them"
        )
    if path.stat().st_size == 0:
        raise BadInput(f"{path} is empty")
    return READERS[kind](path, separator, encoding, tuple(missing))


def _frame(data: Any) -> nw.LazyFrame[Any]:
    try:
        return nw.from_native(data).lazy()
    except nw.exceptions.DuplicateError as error:
        raise BadInput(f"the table has two columns of one name: {error}") from None
    except TypeError:
        raise BadInput(
            f"a {type(data).__name__} is no table; a path is one, and a frame of polars, pandas, pyarrow, DuckDB, PySpark"
        ) from None


def _csv(path: Path, separator: str | None, encoding: str | None, missing: tuple[str, ...]) -> Source:
    dialect = dialect_of(path, separator, encoding)
    must_be_distinct(path, dialect.header)
    options: dict[str, Any] = {
        "separator": dialect.separator,
        "quote_char": dialect.quote,
        "infer_schema": False,
        "null_values": ["", *missing],
    }
    if dialect.encoding == "utf-8":
        frame = pl.scan_csv(path, **options)
    else:
        frame = pl.read_csv(path, encoding=dialect.encoding, **options).lazy()
    if dialect.padded:
        frame = frame.select(pl.all().str.strip_chars_start().name.map(str.lstrip))
    return _of_file(path, frame, str(dialect), text=True)


def _parquet(path: Path, *_: Any) -> Source:
    return _of_file(path, pl.scan_parquet(path), "Parquet")


def _arrow(path: Path, *_: Any) -> Source:
    return _of_file(path, pl.scan_ipc(path), "Arrow")


def _json_lines(path: Path, *_: Any) -> Source:
    return _of_file(path, pl.scan_ndjson(path, infer_schema_length=None), "JSON Lines")


def _excel(path: Path, *_: Any) -> Source:
    return _of_file(path, pl.read_excel(path).lazy(), "Excel")


def _of_file(path: Path, frame: pl.LazyFrame, form: str, *, text: bool = False) -> Source:
    return Source(nw.from_native(frame), path.name, form, text, path, _stamp(path))


Reader = Callable[[Path, str | None, str | None, tuple[str, ...]], Source]
READERS: dict[str, Reader] = {
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _csv,
    ".data": _csv,
    ".parquet": _parquet,
    ".pq": _parquet,
    ".arrow": _arrow,
    ".feather": _arrow,
    ".ipc": _arrow,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".xlsx": _excel,
    ".xls": _excel,
    ".ods": _excel,
}


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _near(path: Path) -> str:
    from difflib import get_close_matches

    if not path.parent.is_dir():
        return f", nor a folder {path.parent}"
    near = get_close_matches(path.name, [other.name for other in path.parent.iterdir()], n=3, cutoff=0.6)
    return f"; near it lies {', '.join(near)}" if near else ""
