"""Datafly walks as its paper does: the column with most distinct values goes up, what is left over is suppressed."""

import polars as pl
import pytest

import aramis
from aramis.errors import Unreachable

PEOPLE = """black,1965-09-20,male,02141 black,1965-02-14,male,02141 black,1965-10-23,female,02138
black,1965-08-24,female,02138 black,1964-11-07,female,02138 black,1964-12-01,female,02138
white,1964-10-23,male,02138 white,1965-03-15,female,02139 white,1964-08-13,male,02139
white,1964-05-05,male,02139 white,1967-02-13,male,02138 white,1967-03-21,male,02138"""
COLUMNS = ["race", "born", "gender", "zip"]


def people() -> pl.DataFrame:
    rows = [row.split(",") for row in PEOPLE.split()]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def test_the_example_of_the_paper() -> None:
    """Sweeney, "Achieving k-anonymity privacy protection", 2002: born to the year, and two of twelve suppressed."""
    years = [[day, day[:4], "*"] for day in people()["born"]]
    table = aramis.table(people(), quasi=COLUMNS, hierarchies={"born": years})
    found = table.anonymize(algorithm="datafly", k=2, suppress=2 / 12)
    assert found.generalization == {"race": 0, "born": 1, "gender": 0, "zip": 0}
    assert found.suppressed == 2
    assert found.frame.rows() == [
        (race, born[:4], gender, code)
        for race, born, gender, code in people().rows()
        if (race, born[:4], gender, code)
        not in {("white", "1964", "male", "02138"), ("white", "1965", "female", "02139")}
    ]


def test_a_column_at_its_top_goes_no_further() -> None:
    table = aramis.table(people(), quasi=["born", "gender"])
    found = table.anonymize(algorithm="datafly", k=12)
    assert found.generalization == {"born": 1, "gender": 1}


def test_hierarchies_that_end_too_low_are_out_of_reach() -> None:
    parts = {"zip": [["02141", "apart"], ["02138", "together"], ["02139", "together"]]}
    table = aramis.table(people(), quasi=["zip", "gender"], hierarchies=parts)
    with pytest.raises(
        Unreachable, match=r"k = 5 needs 16.7 % of the records suppressed; 0 % is allowed; k = 2 is"
    ):
        table.anonymize(algorithm="datafly", k=5)
