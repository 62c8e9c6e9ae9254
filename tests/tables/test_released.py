"""The released table: whose rows, in which order, of which type, and what suppressed ones say."""

import datetime as dt
from typing import Any

import polars as pl
import pytest

import aramis

ROWS = {
    "name": ["a", "b", "c", "d", "e", "f"],
    "age": [31, 34, 52, 38, 55, 90],
    "zip": ["10", None, "10", "10", "20", "30"],
    "ill": ["flu", "cold", "flu", "flu", "cold", "flu"],
}


def released(data: Any, **options: Any) -> Any:
    table = aramis.table(
        data, quasi=["age", "zip"], sensitive=["ill"], hierarchies={"age": "intervals:10,20"}
    )
    return table.anonymize(k=2, suppress=0.2, loss="loss", **options)


def test_rows_keep_their_order_and_columns_theirs() -> None:
    frame = released(pl.DataFrame(ROWS)).frame
    assert frame.columns == ["name", "age", "zip", "ill"]
    assert frame["name"].to_list() == ["a", "b", "c", "d", "e"]
    assert frame["age"].to_list() == ["30-39", "30-39", "50-59", "30-39", "50-59"]
    assert frame["zip"].to_list() == ["*"] * 5


def test_suppressed_rows_may_say_nothing_instead() -> None:
    found = released(pl.DataFrame(ROWS), star=True)
    assert found.frame.row(5) == ("f", "*", "*", "*")
    assert (found.suppressed, found.check.rows, found.check.k) == (1, 5, 2)


def test_rows_may_come_in_an_order_drawn_at_random() -> None:
    shuffled = [
        released(pl.DataFrame(ROWS), shuffle=True, seed=seed).frame["name"].to_list() for seed in range(4)
    ]
    assert all(sorted(names) == ["a", "b", "c", "d", "e"] for names in shuffled)
    assert len({tuple(names) for names in shuffled}) > 1


def test_without_a_seed_nobody_can_draw_the_order_again() -> None:
    many = pl.DataFrame({"age": [30] * 50, "zip": ["10"] * 50, "ill": ["flu"] * 50, "row": range(50)})
    orders = {tuple(released(many, shuffle=True).frame["row"]) for _ in range(3)}
    assert len(orders) == 3


def test_a_column_that_is_not_recoded_keeps_its_type() -> None:
    days = [dt.date(2024, 5, 1), dt.date(2024, 5, 2)] * 3
    data = pl.DataFrame(
        {"day": days, "n": pl.Series([1, 2, 1, 2, 1, 2], dtype=pl.UInt8), "x": [1.5, 2.5] * 3}
    )
    frame = aramis.table(data, quasi=["day", "n", "x"]).anonymize(k=3).frame
    assert frame.schema == data.schema
    assert frame.equals(data)


@pytest.mark.parametrize("of", ["pandas", "pyarrow", "categorical", "csv", "parquet"])
def test_what_the_table_is_read_from_changes_nothing(of: str, tmp_path: Any) -> None:
    frame = pl.DataFrame(ROWS)
    frame.write_csv(tmp_path / "in.csv")
    frame.write_parquet(tmp_path / "in.parquet")
    made: dict[str, Any] = {
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(ROWS),
        "pyarrow": lambda: pytest.importorskip("pyarrow").table(ROWS),
        "categorical": lambda: frame.with_columns(pl.col("zip").cast(pl.Categorical)),
        "csv": lambda: tmp_path / "in.csv",
        "parquet": lambda: tmp_path / "in.parquet",
    }
    data = made[of]()
    assert released(data).frame["age"].to_list() == ["30-39", "30-39", "50-59", "30-39", "50-59"]


@pytest.mark.parametrize("name", ["__class", "____", "0", 'say "a"', "turn"])
def test_a_column_may_have_any_name(name: str) -> None:
    data = pl.DataFrame({name: ["a", "a", "b", "b"], "__key0": [1, 2, 3, 4], "ill": ["x", "y", "x", "y"]})
    frame = aramis.table(data, quasi=[name], sensitive=["ill"]).anonymize(k=2, l=2).frame
    assert frame.equals(data)


def test_missing_values_are_of_a_class_of_their_own_until_the_top() -> None:
    data = pl.DataFrame({"zip": ["1", "1", None, None], "x": [float("nan"), None, 1.0, 1.0]})
    found = aramis.table(data, quasi=["zip", "x"]).anonymize(k=2)
    assert found.frame["zip"].to_list() == ["1", "1", None, None]
    assert found.utility.ncp == 0


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "jsonl"])
def test_a_release_is_written_in_the_format_of_its_name(ending: str, tmp_path: Any) -> None:
    out = tmp_path / f"out.{ending}"
    found = released(pl.DataFrame(ROWS), out=out)
    assert found.frame is None
    back = aramis.table(out, quasi=["age", "zip"], sensitive=["ill"]).check(k=2)
    assert (back.rows, back.holds) == (5, True)
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_several_sensitive_columns_beside_people_alike_in_different_classes() -> None:
    ages = {"age": [30, 40, 40, 40, 40, 50], "ill": ["flu", "cold"] * 3, "pay": [1, 2, 3] * 2}
    table = aramis.table(pl.DataFrame(ages), quasi="age", sensitive=["ill", "pay"])
    found = table.anonymize(k=3, algorithm="mondrian-relaxed")
    assert found.frame.drop("age").equals(pl.DataFrame(ages).drop("age"))
    assert found.check.k == 3
