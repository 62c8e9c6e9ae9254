"""One answer on every engine: polars, pandas, pyarrow, DuckDB, Spark."""

import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.tables.answer import answer
from aramis.tables.hierarchy import text

Engine = Callable[[pl.DataFrame], Any]

PEOPLE = pl.DataFrame(
    {
        "zip": ["01749", "01749", "01748", None, None, "01748"],
        "age": [30, 31, 30, 30, None, 30],
        "height": [1.5, math.nan, 1.5, None, 1.75, math.inf],
        "born": [date(1990, 1, 1), date(1990, 1, 1), None, date(1990, 1, 1), date(1999, 9, 9), None],
        "smokes": [True, False, True, None, None, True],
        "pay": [Decimal("1.50"), Decimal("2.50"), Decimal("1.50"), Decimal("2.50"), None, Decimal("9.00")],
        "ill": ["flu", "cold", "flu", "Flu", "flu", None],
    }
)


def test_levels_and_distributions_are_the_same(engine: Engine) -> None:
    found = aramis.table(engine(PEOPLE), quasi=["zip"], sensitive=["ill", "age"]).check(k=3)
    assert (found.rows, found.classes, found.k) == (6, 3, 2)
    assert found.missing == {"zip": 2, "ill": 1, "age": 1}
    ill, age = found.sensitive["ill"], found.sensitive["age"]
    assert ill.domain == ("Flu", "cold", "flu", None)
    assert (ill.distance, age.distance) == ("equal", "ordered")
    assert ill.t_of_class == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert age.domain == (30, 31, None)
    assert found.wanted[0].failing_records == 6


def test_the_whole_answer_is_the_same(engine: Engine) -> None:
    """Of some hundred random people, with missing values in every column."""
    chance = Random(7)
    values: dict[str, list[Any]] = {
        "zip": ["a", "b", None],
        "age": [30, 40, None],
        "ill": ["flu", "cold", None],
        "pay": [1.0, 2.5, 4.0, None],
    }
    frame = pl.DataFrame({name: chance.choices(some, k=300) for name, some in values.items()})
    told = [
        answer(
            aramis.table(one, quasi=["zip", "age"], sensitive=["ill", "pay"]).check(k=5, l=2, t=0.3, beta=1)
        )
        for one in (frame, engine(frame))
    ]
    assert told[0] == told[1]


def test_a_text_may_stand_for_no_value(engine: Engine) -> None:
    frame = engine(PEOPLE.with_columns(pl.col("zip").fill_null("?"), pl.col("ill").fill_null("NA")))
    found = aramis.table(frame, quasi=["zip"], sensitive=["ill"], missing=["?"]).check()
    assert found.missing == {"zip": 2}
    assert found.placeholders == {"ill": {"NA": 1}}


@pytest.mark.parametrize(
    ("column", "domain", "ordered"),
    [
        ("zip", ("01748", "01749", None), False),
        ("age", (30, 31, None), True),
        ("height", (1.5, 1.75, math.inf, None), True),
        ("born", (date(1990, 1, 1), date(1999, 9, 9), None), True),
        ("smokes", (False, True, None), False),
        ("pay", (Decimal("1.50"), Decimal("2.50"), Decimal("9.00"), None), True),
    ],
)
def test_a_column_has_the_same_values_in_the_same_order(
    engine: Engine, column: str, domain: tuple[object, ...], ordered: bool
) -> None:
    found = aramis.table(engine(PEOPLE), quasi=[column]).frequency
    assert list(map(text, found.domains[column])) == list(map(text, domain))
    assert (column in found.ordered) == ordered
    assert found.counts.sum() == 6


@pytest.mark.parametrize("name", ["__n", "0", 'say "a"', "it's", "a;b, c", "a.b", "`a`", "select", "ü", " "])
def test_a_column_may_have_any_name(engine: Engine, name: str) -> None:
    frame = pl.DataFrame({name: [1, 1, 2], "ill": ["a", "b", "a"]})
    assert aramis.table(engine(frame), quasi=[name], sensitive=["ill"]).check().k == 1


def test_a_table_without_rows_is_refused(engine: Engine) -> None:
    with pytest.raises(aramis.BadInput, match="the table has no rows"):
        aramis.table(engine(PEOPLE.clear()), quasi=["zip"]).check()


def test_a_column_that_is_missing_is_named_with_its_neighbours(engine: Engine) -> None:
    with pytest.raises(aramis.BadInput, match="has no column 'Zip'; did you mean 'zip'"):
        aramis.table(engine(PEOPLE), quasi=["Zip"])
