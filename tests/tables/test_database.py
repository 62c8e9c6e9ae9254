"""Tables in SQL databases, by their URLs."""

import sqlite3
from pathlib import Path

import pytest

import aramis
from aramis.tables.database import placed

pytest.importorskip("duckdb", reason="databases need the extra sql")

ROWS = [("476", 30, "flu"), ("476", 31, "cold"), ("479", 30, "flu"), (None, 40, None)]


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A SQLite file with two tables."""
    path = tmp_path / "the clinic's.db"
    with sqlite3.connect(path) as database:
        database.execute("create table patients (zip text, age integer, ill text)")
        database.executemany("insert into patients values (?, ?, ?)", ROWS)
        database.execute('create table "two words" ("a ""b""" text)')
    database.close()
    return path


def test_a_table_of_sqlite_is_counted(clinic: Path) -> None:
    table = aramis.table(f"sqlite:///{clinic}#patients", quasi=["zip"], sensitive=["ill", "age"])
    found = table.check()
    assert (found.rows, found.classes, found.k) == (4, 3, 1)
    assert found.missing == {"zip": 1, "ill": 1}
    assert found.sensitive["age"].domain == (30, 31, 40)
    assert found.source == f"sqlite:///{clinic}#main.patients (read by DuckDB)"


def test_a_table_of_duckdb_is_counted(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("create schema ward; create table ward.patients as select 1 as zip from range(7)")
    assert aramis.table(f"duckdb:///{path}", quasi=["zip"]).check().k == 7
    assert aramis.table(f"duckdb:///{path}#ward.patients", quasi=["zip"]).check().k == 7


def test_a_table_of_a_database_is_anonymized(clinic: Path) -> None:
    table = aramis.table(f"sqlite:///{clinic}#patients", quasi=["zip"], sensitive=["ill"])
    assert set(table.anonymize(k=2).frame["zip"]) == {"*"}


def test_a_database_stays_as_it_was(clinic: Path) -> None:
    before = clinic.read_bytes()
    aramis.table(f"sqlite:///{clinic}#patients", quasi=["zip"]).check()
    assert clinic.read_bytes() == before
    assert [file.name for file in clinic.parent.iterdir()] == [clinic.name]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:///{}", "has several tables; name one behind a #: main.patients, main.two words"),
        ("sqlite:///{}#patient", "has no table patient; name one behind a #: main.patients"),
        ("sqlite:///{}x#patients", "there is no file"),
        ("duckdb:///{}#patients", "cannot be read"),
        ("postgresql://me:secret@127.0.0.1:9/clinic#patients", "postgresql://me@127.0.0.1:9/clinic cannot be read"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(clinic: Path, url: str, said: str) -> None:
    with pytest.raises(aramis.BadInput) as raised:
        aramis.table(url.format(clinic), quasi=["zip"]).check()
    assert said in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.db").write_text("no database" * 500)
    with pytest.raises(aramis.BadInput, match="cannot be read"):
        aramis.table(f"sqlite:///{tmp_path / 'notes.db'}", quasi=["zip"])


def test_values_that_do_not_fit_their_column_are_named(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "mixed.db") as database:
        database.execute("create table patients (age integer)")
        database.execute("insert into patients values (30), ('about thirty')")
    database.close()
    with pytest.raises(aramis.BadInput, match="cannot be read"):
        aramis.table(f"sqlite:///{tmp_path / 'mixed.db'}", quasi=["age"]).check()


def test_a_password_is_in_no_name() -> None:
    assert placed("postgresql://me:p%40ss@host/clinic#t").shown == "postgresql://me@host/clinic"
