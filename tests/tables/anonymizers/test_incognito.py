"""Incognito tells every minimal generalization; that these are all is a law, in tests/laws/test_minimal.py."""

from typing import Any

import polars as pl
import pytest

import aramis
from aramis.tables.anonymized_answer import answer

PATIENTS = """1976-01-21,male,53715 1986-04-13,female,53715 1976-02-28,male,53703
1976-01-21,male,53703 1986-04-13,female,53706 1976-02-28,female,53706"""
ZIPS = [["53715", "5371*", "537**"], ["53703", "5370*", "537**"], ["53706", "5370*", "537**"]]


def patients() -> Any:
    """Table 1 of the paper, with the hierarchies of its figure 2."""
    rows = [row.split(",") for row in PATIENTS.split()]
    frame = pl.DataFrame(rows, schema=["born", "sex", "zip"], orient="row")
    return aramis.table(frame, quasi=["born", "sex", "zip"], hierarchies={"zip": ZIPS})


def test_the_patients_of_the_paper() -> None:
    found = patients().anonymize(algorithm="incognito", k=2)
    minimal = answer(found)["minimal"]
    assert [tuple(node.values()) for node in minimal] == [(0, 1, 2), (1, 0, 2), (1, 1, 0)]
    assert found.generalization in minimal
    assert found.recoding.remarks == ()


def test_the_one_released_is_the_one_of_least_loss() -> None:
    by_both = [patients().anonymize(algorithm=name, k=2) for name in ("incognito", "optimal")]
    assert by_both[0].loss == by_both[1].loss


def test_it_looks_at_fewer_combinations_than_there_are() -> None:
    """Zip codes alone fail at level 0, so with dates they are not asked for at level 0."""
    found = patients().anonymize(algorithm="incognito", k=2)
    assert found.recoding.checked is not None
    assert found.recoding.checked < 3 * 3 * 4 - 1  # with each column at any level or left out


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"k": 2, "suppress": 0.34}, None),
        ({"l": 2, "suppress": 0.34}, None),
        ({"t": 0.4}, None),
        ({"t": 0.4, "suppress": 0.34}, "every node of the lattice was looked at: t may fail for a class"),
    ],
)
def test_a_full_scan_is_said(wanted: dict[str, Any], why: str | None) -> None:
    frame = patients().source.frame.to_native().with_columns(ill=pl.Series(["flu", "cold"] * 3))
    table = aramis.table(frame, quasi=["born", "sex", "zip"], sensitive="ill", hierarchies={"zip": ZIPS})
    remarks = table.anonymize(algorithm="incognito", **wanted).recoding.remarks
    assert [remark.startswith(why or "") for remark in remarks] == [True] * (why is not None)
