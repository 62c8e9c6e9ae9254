"""What a table is read from: a file, a database, a frame. All become a lazy frame; nothing is read before it is counted."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from aramis.errors import BadInput
from aramis.tables.database import is_url, relation
from aramis.tables.dialect import Dialect, dialect_of, fault, first_without_json, must_be_distinct
from aramis.tables.workbook import ENDINGS as WORKBOOKS
from aramis.tables.workbook import named_sheet, sheet


@dataclass(frozen=True, slots=True)
class Source:
    """A table before it is counted."""

    frame: nw.LazyFrame[Any]
    name: str = "the table"
    form: str = ""  # what was found out on reading, in words
    dialect: Dialect | None = (
        None  # of a text file: every value is text, and `text.typed` decides what it stands for
    )
    path: Path | None = None
    stamp: tuple[int, int] = (0, 0)  # size and time of the last change when it was opened
    missing: tuple[str, ...] = ()  # the texts that stand for no value
    in_memory: bool = False  # a frame of polars whose rows are there already

    def __str__(self) -> str:
        return f"{self.name} ({self.form})" if self.form else self.name

    def unchanged(self) -> None:
        """Raise where the file has changed since it was opened: what was counted is then neither old nor new."""
        if self.path and _stamp(self.path) != self.stamp:
            raise BadInput(f"{self.path} changed while it was read; make a copy that stays as it is")


def read(
    data: Any, *, separator: str | None = None, encoding: str | None = None, missing: Sequence[str] = ()
) -> Source:
    """A table from a path, a database's URL, or any dataframe that narwhals knows.

    `separator` and `encoding` are found out where they are not given. `missing`: texts that stand for no value.
    """
    found = replace(_read(data, separator, encoding, missing), missing=tuple(missing))
    if not missing or found.dialect:  # the reader of text knows already
        return found
    return replace(found, frame=_without(found.frame, missing))


def _read(data: Any, separator: str | None, encoding: str | None, missing: Sequence[str]) -> Source:
    if not isinstance(data, str | Path):
        return Source(_frame(data), in_memory=isinstance(data, pl.DataFrame))
    if is_url(data):
        found, name = relation(str(data))
        return Source(nw.from_native(found).lazy(), name, "read by DuckDB")
    path, name_of_sheet = named_sheet(Path(data))
    if path.is_dir():
        raise BadInput(f"{path} is a folder; a table is a file")
    if not path.is_file():
        raise BadInput(f"there is no file {path}{_near(path)}")
    kind = (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()
    if kind not in (*TEXT, *READERS, *WORKBOOKS):
        endings = ", ".join((*TEXT, *READERS, *WORKBOOKS))
        raise BadInput(f"{path}: a table ends in {endings}; {kind or 'no ending'} is not one of them")
    if path.stat().st_size == 0:
        raise BadInput(f"{path} is empty")
    stamp = _stamp(path)
    if kind in TEXT:
        dialect = dialect_of(path, separator, encoding)
        return Source(_text(path, dialect, missing), path.name, str(dialect), dialect, path, stamp)
    if kind in WORKBOOKS:
        rows, name, form = sheet(path, name_of_sheet)
        return Source(nw.from_native(rows), name, form, None, path, stamp)
    form, reader = READERS[kind]
    with readable(path):
        frame = reader(path)
        frame.collect_schema()
    return Source(nw.from_native(frame), path.name, form, None, path, stamp)


FAULTS: tuple[type[Exception], ...] = (pl.exceptions.ComputeError, pl.exceptions.NoDataError, OSError)


@contextmanager
def readable(path: Path | None, dialect: Dialect | None = None, name: str = "") -> Iterator[None]:
    """Say in a sentence what is wrong with a file, or a table called `name`, whose reader found out only while reading."""
    try:
        yield
    except (*FAULTS, *_of_databases()) as error:
        why = _fault(path, dialect) if path else None
        raise BadInput(f"{path or name} cannot be read: {why or str(error).splitlines()[0]}") from None


def _fault(path: Path, dialect: Dialect | None) -> str | None:
    """What is wrong with a text file, by its line; None where its reader knows better."""
    if dialect:
        return fault(path, dialect)
    return first_without_json(path) if path.suffix in JSON_LINES else None


def _of_databases() -> tuple[type[Exception], ...]:
    """What DuckDB raises, where it is in use."""
    duckdb: Any = sys.modules.get("duckdb")
    return (duckdb.Error,) if duckdb else ()


def _frame(data: Any) -> nw.LazyFrame[Any]:
    if nw.dependencies.is_pandas_dataframe(data):
        data = _of_pandas(data)
    try:
        return nw.from_native(data).lazy()
    except nw.exceptions.DuplicateError as error:
        twice = [str(name) for name, times in Counter(map(str, data.columns)).items() if times > 1]
        raise BadInput(
            f"the table has two columns called {', '.join(map(repr, twice))}; rename one"
        ) from error
    except TypeError:
        raise BadInput(
            f"a {type(data).__name__} is no table; a path is one, and a frame of polars, pandas, pyarrow, DuckDB, PySpark"
        ) from None


def _of_pandas(frame: Any) -> Any:
    """Categories that are no texts, as `pandas.cut` makes them, become texts in their order, or the numbers they are."""
    for name in frame.columns:
        if not isinstance(name, str):
            raise BadInput(f"columns are called by text, and this one by {name!r}; name it first")
    plain = {}
    for name in frame.columns.unique():
        categories = getattr(getattr(frame[name], "dtype", None), "categories", None)
        if categories is not None and categories.dtype.kind in "iuf":
            plain[name] = frame[name].astype("Float64" if categories.dtype.kind == "f" else "Int64")
        elif categories is not None and not all(isinstance(one, str) for one in categories):
            plain[name] = frame[name].cat.rename_categories([str(one) for one in categories])
    return frame.assign(**plain) if plain else frame


def _without(frame: nw.LazyFrame[Any], missing: Sequence[str]) -> nw.LazyFrame[Any]:
    """No value where these texts stand."""
    of_text = [name for name, dtype in frame.collect_schema().items() if dtype == nw.String]
    return frame.with_columns(
        nw.when(~nw.col(name).is_in(missing)).then(nw.col(name)).alias(name) for name in of_text
    )


def _text(path: Path, dialect: Dialect, missing: Sequence[str]) -> nw.LazyFrame[Any]:
    must_be_distinct(path, dialect.header)
    with readable(path, dialect):
        frame = _csv(path, dialect, list(missing))
        frame.collect_schema()
    return nw.from_native(frame)


def _csv(path: Path, dialect: Dialect, missing: list[str]) -> pl.LazyFrame:
    options: dict[str, Any] = {
        "separator": dialect.separator,
        "quote_char": dialect.quote,
        "eol_char": dialect.line_end,
        "infer_schema": False,
        "null_values": ["", *missing],
    }
    if dialect.encoding == "utf-8":
        frame = pl.scan_csv(path, **options)
    else:
        frame = pl.read_csv(path, encoding=dialect.encoding, **options).lazy()
    if dialect.padded:
        frame = frame.select(pl.all().str.strip_chars_start())
    # the reader leaves spaces before names, and quotes in them twice
    renamed = {
        name: meant
        for name, meant in zip(frame.collect_schema().names(), dialect.header, strict=False)
        if name != meant
    }
    if renamed:
        frame = frame.rename(renamed)
    # a blank line is no record, though the reader makes one of it; nor is a line of separators, as spreadsheets leave them
    return frame.filter(pl.any_horizontal(pl.all().is_not_null()))


JSON_LINES = (".jsonl", ".ndjson")
TEXT = (".csv", ".tsv", ".txt", ".data")
READERS: dict[str, tuple[str, Callable[[Path], pl.LazyFrame]]] = {
    ".parquet": ("Parquet", pl.scan_parquet),
    ".pq": ("Parquet", pl.scan_parquet),
    ".arrow": ("Arrow", pl.scan_ipc),
    ".feather": ("Arrow", pl.scan_ipc),
    ".ipc": ("Arrow", pl.scan_ipc),
    **dict.fromkeys(JSON_LINES, ("JSON Lines", partial(pl.scan_ndjson, infer_schema_length=None))),
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
