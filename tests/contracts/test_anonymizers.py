"""What every anonymizer does, whichever it is: new ones are found by their entry point and held to it."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis import plugins
from aramis.errors import Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer

EVERY = plugins.names("anonymizer")


def people(rows: int = 240) -> pl.DataFrame:
    """A small town: numbers, categories with and without a hierarchy, a missing value, and a column that is nobody's."""
    random = np.random.default_rng(7)
    age = random.integers(20, 60, rows)
    return pl.DataFrame(
        {
            "row": range(rows),
            "age": age,
            "zip": [
                None if one == "0" else str(one)
                for one in random.choice(["1010", "1020", "1021", "2010", "0"], rows)
            ],
            "job": random.choice(["cook", "clerk", "nurse"], rows),
            "ill": random.choice(["flu", "cold", "ulcer", "gastritis"], rows, p=[0.4, 0.3, 0.2, 0.1]),
            "denied": random.choice(["yes", "no"], rows, p=[0.3, 0.7]),
        }
    )


ZIPS = {"*": {"1": ["1010", "1020", "1021"], "2": ["2010"]}}


def town(frame: pl.DataFrame | None = None) -> Any:
    return aramis.table(
        people() if frame is None else frame,
        quasi=["age", "zip", "job"],
        sensitive=["ill"],
        hierarchies={"age": "intervals:5,10,20", "zip": ZIPS},
    )


@pytest.fixture(params=EVERY)
def algorithm(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_it_says_what_it_guarantees(algorithm: str) -> None:
    found = plugins.find("anonymizer", algorithm)
    assert isinstance(found, Anonymizer)
    assert found.name == algorithm
    assert found.guarantee
    assert found.paper


def test_the_release_has_what_is_wanted_and_accounts_for_every_row(algorithm: str) -> None:
    found = town().anonymize(algorithm=algorithm, k=4, l=2)
    assert found.check.holds
    assert found.check.k >= 4
    assert found.frame.height + found.suppressed == 240
    assert found.frame.columns == people().columns
    assert (found.utility.suppressed, found.check.rows) == (found.suppressed, found.frame.height)


def test_what_is_neither_quasi_identifier_nor_sensitive_stays(algorithm: str) -> None:
    frame = town().anonymize(algorithm=algorithm, k=4, l=2).frame
    kept = people().filter(pl.col("row").is_in(frame["row"].implode()))
    assert frame.select("row", "denied").equals(kept.select("row", "denied"))


def test_the_same_seed_gives_the_same(algorithm: str) -> None:
    first, second = (town().anonymize(algorithm=algorithm, k=4, l=2, seed=3).frame for _ in range(2))
    assert first.equals(second)


def test_the_table_stays_as_it_is(algorithm: str) -> None:
    given = people()
    town(given).anonymize(algorithm=algorithm, k=4, l=2)
    assert given.equals(people())


def test_a_table_of_one_class_is_left_alone(algorithm: str) -> None:
    same = pl.DataFrame(
        {"age": [30] * 6, "zip": ["1010"] * 6, "job": ["cook"] * 6, "ill": ["flu", "cold"] * 3}
    )
    found = town(same).anonymize(algorithm=algorithm, k=3, l=2)
    assert found.frame.height == 6
    assert found.utility.ncp == 0


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"k": 500}, "k = 500 is out of reach .*240"),
        ({"k": 4, "l": 9}, "l = 9 of ill is out of reach .*has 4"),
    ],
)
def test_a_goal_that_no_recoding_reaches_is_said_to_be_out_of_reach(
    algorithm: str, wanted: dict[str, Any], why: str
) -> None:
    with pytest.raises(Unreachable, match=why):
        town().anonymize(algorithm=algorithm, **wanted)
