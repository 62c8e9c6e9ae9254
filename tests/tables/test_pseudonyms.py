"""Identifying columns are left out, or get pseudonyms that only the key's owner can make."""

import hashlib
import hmac
from pathlib import Path

import polars as pl
import pytest

import aramis
from aramis.tables.pseudonyms import pseudonym

PEOPLE = pl.DataFrame({"name": ["Ana", None, "Bea", "Ana"], "mrn": [7, 8, 9, 7], "zip": [1, 1, 2, 2]})
KEY = b"sixteen bytes or more"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(KEY + b"\n")
    return tmp_path / "key"


def test_identifying_columns_are_left_out() -> None:
    table = aramis.table(PEOPLE, quasi="zip", identifying=["name", "mrn"])
    assert table.source.frame.collect_schema().names() == ["zip"]


def test_a_pseudonym_is_the_keyed_hash_of_its_value(key: Path) -> None:
    table = aramis.table(PEOPLE, quasi="zip", identifying=["name", "mrn"], key=key)
    found = table.source.frame.collect().to_native()
    ana = hmac.new(KEY, b"Ana", hashlib.sha256).hexdigest()[:32]
    assert found["name"].to_list() == [ana, None, pseudonym("Bea", KEY), ana]
    assert found["mrn"][0] == pseudonym("7", KEY)
    assert found["zip"].to_list() == [1, 1, 2, 2]


def test_another_key_gives_other_pseudonyms() -> None:
    assert pseudonym("Ana", KEY) != pseudonym("Ana", KEY + b"!")


def test_pseudonyms_stand_in_the_release(key: Path) -> None:
    table = aramis.table(PEOPLE, quasi="zip", identifying=["name", "mrn"], key=key)
    assert table.anonymize(k=2).frame["name"].to_list() == [
        pseudonym("Ana", KEY),
        None,
        pseudonym("Bea", KEY),
        pseudonym("Ana", KEY),
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "there is no key file"),
        (b"short\n", "has 5 bytes, and 16 are the least; make one with: head -c 32"),
    ],
)
def test_a_key_must_be_there_and_long_enough(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    if content:
        (tmp_path / "key").write_bytes(content)
    with pytest.raises(aramis.BadInput, match=sentence):
        aramis.table(PEOPLE, quasi="zip", identifying="name", key=tmp_path / "key")


def test_a_frame_of_pandas_gets_pseudonyms_too(key: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"name": ["Ana", None], "zip": [1, 1], "vip": [True, None]})
    table = aramis.table(frame, quasi="zip", identifying="name", key=key)
    assert table.source.frame.collect()["name"].to_list() == [pseudonym("Ana", KEY), None]
    assert table.check().k == 2


def test_a_database_leaves_columns_out_but_makes_no_pseudonyms(key: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.connect().query("select 'Ana' as name, 1 as zip")
    assert aramis.table(frame, quasi="zip", identifying="name").check().k == 1
    with pytest.raises(aramis.BadInput, match="pseudonyms are made on frames and files; in a database"):
        aramis.table(frame, quasi="zip", identifying="name", key=key)
