"""A sheet of a workbook (Excel, OpenDocument): the first, or the one named behind a #, as in people.xlsx#2026."""

from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl

from aramis.errors import BadInput, Unavailable
from aramis.tables.dialect import must_be_distinct
from aramis.tables.schema import listed

ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def named_sheet(path: Path) -> tuple[Path, str]:
    """The file and the sheet that a path means; a file may have a # in its name."""
    file, _, sheet = str(path).rpartition("#")
    return (Path(file), sheet) if not path.is_file() and file.lower().endswith(ENDINGS) else (path, "")


def sheet(path: Path, name: str = "") -> tuple[pl.LazyFrame, str, str]:
    """The rows of a sheet, what it is called, and in words which one it is."""
    workbook = _opened(path)
    sheets: list[str] = workbook.sheet_names
    if name and name not in sheets:
        raise BadInput(f"{path} has no sheet {name!r}; it has {listed(sheets)}")
    chosen = name or sheets[0]
    frame = _rows(path, workbook, chosen)
    several = len(sheets) > 1
    which = f", the first of its sheets {listed(sheets)}" if several and not name else ""
    return frame, f"{path.name}#{chosen}" if several else path.name, f"Excel{which}"


def _rows(path: Path, workbook: Any, name: str) -> pl.LazyFrame:
    try:
        head = workbook.load_sheet(name, header_row=None, n_rows=1, dtypes="string").to_polars()
        frame = pl.read_excel(path, sheet_name=name)
    except Exception as error:  # noqa: BLE001  # the reader has errors of its own, which are of no common kind
        raise BadInput(f"{path} cannot be read: {str(error).splitlines()[0]}") from None
    # the reader gives the second column of a name another one
    names = [f"column {place}" if name is None else str(name) for place, name in enumerate(head.row(0))]
    must_be_distinct(path, tuple(names))
    return frame.lazy()


def _opened(path: Path) -> Any:
    fastexcel = _fastexcel()
    try:
        return fastexcel.read_excel(path)
    except Exception as error:  # noqa: BLE001  # as above
        raise BadInput(f"{path} cannot be read: {str(error).splitlines()[0]}") from None


def _fastexcel() -> ModuleType:
    try:
        import fastexcel
    except ModuleNotFoundError:
        raise Unavailable("reading Excel needs one more package: pip install 'aramis[excel]'") from None
    return fastexcel
