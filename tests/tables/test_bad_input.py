"""What people really hand over: each is either counted as what it is, or refused in a sentence that says what to do."""

import math
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import polars as pl
import pytest

import aramis

LATE = 20_000  # rows after which something odd comes: far beyond what is looked at first


def levels(data: Any, **options: Any) -> tuple[int, int, float, str]:
    """k, and l, t and the ground distance of column b."""
    found = aramis.table(data, quasi=["a"], sensitive=["b"], **options).check()
    b = found.sensitive["b"]
    return found.k, b.l_distinct, b.t, b.distance


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"a": [None, None], "b": [None, None]}, (2, 1, 0, "equal")),  # nothing but missing values
        ({"a": [1.0, None, math.nan], "b": [1, 2, 2]}, (1, 1, 2 / 3, "ordered")),  # NaN is missing
        ({"a": [1], "b": [2]}, (1, 1, 0, "ordered")),  # one row
        ({"a": [1, 1, 2], "b": [7, 7, 7]}, (1, 1, 0, "ordered")),  # a constant
        ({"a": [1, 1], "b": [math.inf, -math.inf]}, (2, 2, 0, "ordered")),
        ({"a": [1, 2], "b": [2**63, 0]}, (1, 1, 0.5, "ordered")),  # beyond 64 bits with a sign
        ({"a": ["é", "é"], "b": ["", None]}, (2, 2, 0, "equal")),  # empty text is not missing
    ],
)
def test_odd_values_are_counted(columns: dict[str, list[Any]], expected: tuple[Any, ...]) -> None:
    assert levels(pl.DataFrame(columns)) == pytest.approx(expected[:3] + expected[3:])


@pytest.mark.parametrize("distance", ["equal", "ordered", "numeric"])
@pytest.mark.parametrize(("values", "t"), [([7, 7], 0), ([None, None], 0), ([7, None], 0.5)])
def test_a_constant_has_a_distance(distance: str, values: list[int | None], t: float) -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": values}, schema={"a": pl.Int8, "b": pl.Int8})
    assert levels(frame, distances={"b": distance}) == (1, 1, t, distance)


@pytest.mark.parametrize("name", ["__joint", "joint", "all together", "__n"])
def test_no_name_of_a_column_is_one_of_ours(name: str) -> None:
    frame = pl.DataFrame({"a": [1, 1, 2], name: ["x", "y", "x"], "c": [1, 2, 2]})
    for quasi, sensitive in (["a", [name, "c"]], [name, ["a", "c"]]):
        found = aramis.table(frame, quasi=quasi, sensitive=sensitive).check()
        assert list(found.sensitive) == sensitive
        assert found.joint is not None
        assert found.joint.levels.l_distinct == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            '{"a": 1}\n{oops\n',
            "line 2 is no JSON: Expecting property name enclosed in double quotes at character 2",
        ),
        ('{"a": 1}\n\n{"a": \n', "line 3 is no JSON: Expecting value at character 7"),
        ("[1, 2]\n", 'line 1 has no object like {"age": 30}'),
    ],
)
def test_which_line_is_no_json_is_said(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "people.jsonl").write_text(content)
    with pytest.raises(aramis.BadInput) as caught:
        levels(tmp_path / "people.jsonl")
    assert str(caught.value) == f"{tmp_path / 'people.jsonl'} cannot be read: {sentence}"


def test_a_million_distinct_values_are_counted() -> None:
    numbers = pl.int_range(1_000_000, eager=True)
    frame = pl.DataFrame({"a": numbers, "b": numbers.cast(pl.String)})
    assert levels(frame) == (1, 1, 0.999999, "equal")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n1,x\nx,2\n3.5,1\n", (1, 1, 2 / 3, "equal")),  # several types in a column: text
        ("a,b\n" + "1,2\n" * LATE + "4e,x\n", (1, 1, LATE / (LATE + 1), "equal")),
        ("a,b\n1,2\n1,3\n01,3\n", (1, 1, 1 / 3, "ordered")),  # 01 is a code, so 1 is one too
        ("a,b\n1,2.5\n1,-3e2\n", (2, 2, 0, "ordered")),
        ("a,b\n1,2024-05-01\n1,2023-01-01\n", (2, 2, 0, "ordered")),
        ("a,b\n1,2024-02-30\n1,2023-01-01\n", (2, 2, 0, "equal")),  # there is no such day
        ("a,b\n1,1\n1,1.0\n", (2, 2, 0, "equal")),  # two texts, one number: kept apart
        ("a,b,c\n1\n1,2\n", (2, 2, 0, "ordered")),  # a short line lacks values
        ("a,b\n\n1,2\n\n1,2\n,\n\n", (2, 1, 0, "ordered")),  # a blank line is no record
        ("a, b\n1, 2\n1, 3\n", (2, 2, 0, "ordered")),
        ("'a';'b'\n'1;1';'x'\n'1;1';'y'\n", (2, 2, 0, "equal")),
        ("a\tb\r\n1\t2\r\n", (1, 1, 0, "ordered")),
        ("a;b\r1;2\r", (1, 1, 0, "ordered")),
        ("\ufeffa,b\n1,2\n", (1, 1, 0, "ordered")),
        ("a,b\n1,?\n1,2\n", (2, 2, 0, "ordered")),  # with --missing ?
        ('a,b\n"1\n2",x\n"1\n2","y ""z"""\n', (2, 2, 0, "equal")),
    ],
)
def test_any_dialect_of_text_is_read(tmp_path: Path, content: str, expected: tuple[Any, ...]) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content.encode())
    assert levels(path, missing=["?"]) == pytest.approx(expected[:3] + expected[3:])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_encoding_is_found_out_and_said(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "cities.csv"
    path.write_bytes("a,b\nMünchen,1\nKöln,2\n".encode(encoding))
    table = aramis.table(path, quasi=["a"], sensitive=["b"])
    assert table.frequency.domains["a"] == ("Köln", "München")
    assert encoding.removesuffix("-sig") in str(table.source)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", "", "t.csv is empty"),
        ("t.csv", "a,b\n", "the table has no rows"),
        ("t.csv", "a,b,a\n1,2,3\n", "t.csv has two columns called 'a' (columns 1 and 3); rename one"),
        ("t.csv", "a,c\n1,2\n", "t.csv has no column 'b'; it has 'a', 'c'"),
        ("t.csv", "a,b\n1,2\n1,2,3\n", "t.csv cannot be read: line 3 has 3 values, and there are 2 columns"),
        ("t.csv", "a,b\n" + "1,2\n" * LATE + "1,2,3\n", f"line {LATE + 2} has 3 values, and there are 2 columns"),
        ("t.csv", 'a,b\n1,"2\n3,4\n', "in line 2 a quote is opened and not closed where the value ends"),
        ("t.csv", "a,b\n1,\0\n2,3\n", "t.csv is not text: it has zero bytes. Where it is UTF-16, say --encoding utf-16-le"),
        ("t.csv", b"a,b\n" + b"x,1\n" * LATE + b"K\xf6ln,2\n", "it is not utf-8 from line"),
        ("t.csv", b"a,b\nx,1\n\x81,2\n", "t.csv is not cp1252: byte 8 does not fit; another may be named with --encoding"),
        ("t.jsonl", '{"a": 1, "b": 2}\n{"a":\n', "t.jsonl cannot be read: "),
        ("t.jsonl", '{"a": [1], "b": 2}\n', "column 'a' has lists in its cells; a table is counted by single values"),
        ("t.jsonl", '{"a": {"x": 1}, "b": 2}\n', "column 'a' has records in its cells"),
        ("t.parquet", "PAR1 nothing", "t.parquet cannot be read: "),
        ("t.arrow", "ARROW1 nothing", "t.arrow cannot be read: "),
        ("t.csv.gz", "no gzip", "t.csv.gz cannot be opened: Not a gzipped file"),
        ("t.docx", "PK", "t.docx: a table ends in .csv, .tsv"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_table_is_refused(
    tmp_path: Path, name: str, content: str | bytes, sentence: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(aramis.BadInput) as caught:
        levels(path)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("peopel.csv", "; near it lies people.csv"), (".", " is a folder; a table is a file"), ("x/y.csv", ", nor a folder")],
)  # fmt: skip
def test_a_file_that_is_not_there_is_named_with_its_neighbours(
    tmp_path: Path, name: str, sentence: str
) -> None:
    (tmp_path / "people.csv").write_text("a,b\n1,2\n")
    with pytest.raises(aramis.BadInput) as caught:
        levels(tmp_path / name)
    assert sentence in str(caught.value)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "growing.csv"
    path.write_text("a,b\n1,2\n")
    table = aramis.table(path, quasi=["a"])
    with path.open("a") as file:
        file.write("1,2\n")
    with pytest.raises(aramis.BadInput, match=r"growing.csv changed while it was read; make a copy"):
        table.check()


def test_a_file_that_somebody_writes_to_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "growing.csv"
    path.write_text("a,b\n" + "1,2\n" * 100_000)
    done = Event()

    def write() -> None:
        with path.open("a") as file:
            while not done.is_set():
                file.write("3,4\n")
                file.flush()

    writer = Thread(target=write)
    writer.start()
    try:
        with pytest.raises(aramis.BadInput, match=r"growing.csv (changed while it was|cannot be) read"):
            levels(path)
    finally:
        done.set()
        writer.join()


@pytest.mark.parametrize("data", [{"a": [1]}, [1, 2], 3])
def test_what_is_no_table_is_said_to_be_none(data: Any) -> None:
    with pytest.raises(
        aramis.BadInput, match=rf"a {type(data).__name__} is no table; a path is one, and a frame of"
    ):
        levels(data)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([1, "1"], "column 'a' has values of several types, or of none that can be counted; make them text"),
        ([object(), object()], "column 'a' has values of several types, or of none that can be counted"),
    ],
)
def test_a_column_of_several_types_is_named(values: list[Any], sentence: str) -> None:
    pandas = pytest.importorskip("pandas")
    for frame in (
        pandas.DataFrame({"a": values, "b": [1, 2]}),
        pl.DataFrame({"a": pl.Series(values, dtype=pl.Object), "b": [1, 2]}),
    ):
        with pytest.raises(aramis.BadInput) as caught:
            levels(frame)
        assert sentence in str(caught.value)


def test_two_columns_of_one_name_are_named() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(aramis.BadInput, match="the table has two columns called 'a'; rename one"):
        levels(pandas.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]))


def test_infinity_has_no_numeric_distance() -> None:
    with pytest.raises(
        aramis.BadInput, match="b has an infinite value, and numeric distances to it mean nothing"
    ):
        levels(pl.DataFrame({"a": [1, 1], "b": [1.0, math.inf]}), distances={"b": "numeric"})


def test_random_bytes_are_refused_or_counted_but_never_crash(tmp_path: Path) -> None:
    path = tmp_path / "noise.csv"
    for size in (1, 10, 1000, 100_000):
        path.write_bytes(Random(size).randbytes(size))
        with pytest.raises(aramis.BadInput):
            levels(path)
