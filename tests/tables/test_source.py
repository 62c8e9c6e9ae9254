"""One table in every kind of file is the same table; sheets of a workbook."""

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import aramis

PEOPLE = pl.DataFrame({"zip": ["01", "01", "02"], "age": [30, 31, None], "ill": ["flu", None, "flu"]})


def compressed(frame: pl.DataFrame, path: Path) -> None:
    path.write_bytes(gzip.compress(frame.write_csv().encode()))


WRITERS: dict[str, tuple[Callable[[pl.DataFrame, Path], object], str]] = {
    "csv": (pl.DataFrame.write_csv, "comma-separated, utf-8"),
    "tsv": (lambda frame, path: frame.write_csv(path, separator="\t"), "tab-separated, utf-8"),
    "csv.gz": (compressed, "comma-separated, utf-8"),
    "parquet": (pl.DataFrame.write_parquet, "Parquet"),
    "arrow": (pl.DataFrame.write_ipc, "Arrow"),
    "feather": (pl.DataFrame.write_ipc, "Arrow"),
    "jsonl": (pl.DataFrame.write_ndjson, "JSON Lines"),
    "xlsx": (pl.DataFrame.write_excel, "Excel"),
}


@pytest.mark.parametrize("ending", WRITERS)
def test_a_table_is_the_same_in_every_kind_of_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people.{ending}"
    write, form = WRITERS[ending]
    write(PEOPLE, path)
    found = aramis.table(path, quasi=["zip"], sensitive=["ill", "age"]).check()
    assert (found.source, found.rows, found.k) == (f"people.{ending} ({form})", 3, 1)
    assert found.missing == {"ill": 1, "age": 1}
    assert found.sensitive["age"].domain == (30, 31, None)
    assert (found.sensitive["ill"].distance, found.sensitive["age"].distance) == ("equal", "ordered")


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    import xlsxwriter  # type: ignore[import-untyped]

    path = tmp_path / "people.xlsx"
    sheets: dict[str, list[list[object]]] = {
        "read me": [["hello"]],
        "2026": [["a", "b"], [1, 2]],
        "twice": [["a", "a"], [1, 2]],
    }
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    return path


def test_a_sheet_is_named_behind_a_hash(workbook: Path) -> None:
    found = aramis.table(f"{workbook}#2026", quasi=["a"], sensitive=["b"]).check()
    assert (found.source, found.k) == ("people.xlsx#2026 (Excel)", 1)


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        ("", "people.xlsx#read me has no column 'a'; it has 'hello'"),
        ("#2025", "people.xlsx has no sheet '2025'; it has 'read me', '2026', 'twice'"),
        ("#twice", "people.xlsx has two columns called 'a' (columns 1 and 2); rename one"),
    ],
)
def test_what_a_workbook_lacks_is_said(workbook: Path, sheet: str, sentence: str) -> None:
    with pytest.raises(aramis.BadInput) as caught:
        aramis.table(f"{workbook}{sheet}", quasi=["a"])
    assert str(caught.value).endswith(sentence)


def test_the_first_of_several_sheets_is_said_to_be_it(workbook: Path) -> None:
    found = aramis.table(workbook, quasi=["hello"])
    assert str(found.source) == (
        "people.xlsx#read me (Excel, the first of its sheets 'read me', '2026', 'twice')"
    )


def test_a_file_may_have_a_hash_in_its_name(tmp_path: Path) -> None:
    PEOPLE.write_excel(tmp_path / "a.xlsx#b.xlsx")
    assert aramis.table(tmp_path / "a.xlsx#b.xlsx", quasi=["zip"]).check().rows == 3


def test_the_names_of_a_text_file_are_those_that_it_means(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text('"say ""a""", b ,"c\nd"\n1,2,3\n1,2,4\n')
    table = aramis.table(tmp_path / "odd.csv", quasi=['say "a"', " b "], sensitive=["c\nd"])
    assert table.check().sensitive["c\nd"].l_distinct == 2
