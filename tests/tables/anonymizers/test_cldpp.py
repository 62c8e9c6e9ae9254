"""CLDPP's classes are of l values, near one another; what loses more together than elsewhere is no class."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis.errors import BadInput, Unreachable


def people(rows: list[tuple[int, str]]) -> Any:
    return aramis.table(pl.DataFrame(rows, schema=["age", "ill"], orient="row"), quasi="age", sensitive="ill")


def test_a_class_takes_the_nearest_of_another_value() -> None:
    near = people([(20, "flu"), (21, "flu"), (20, "cold"), (50, "flu"), (51, "cold"), (21, "ulcer")])
    found = near.anonymize(algorithm="cldpp", l=2)
    assert found.frame["age"].to_list() in (
        ["20", "21", "20", "[50, 51]", "[50, 51]", "21"],
        ["[20, 21]", "[20, 21]", "[20, 21]", "[50, 51]", "[50, 51]", "[20, 21]"],
    )


def test_a_class_that_costs_more_than_its_records_do_elsewhere_is_dissolved() -> None:
    """Whichever flu begins, one pair would lie at both ends; both of its records are at home in the others."""
    ends = people([(1, "flu"), (1, "cold"), (99, "flu"), (99, "cold"), (1, "flu"), (99, "cold")])
    found = ends.anonymize(algorithm="cldpp", l=2)
    assert found.utility.ncp == 0
    assert found.check.classes == 2


def test_other_models_hold_as_well() -> None:
    rows = [(i * 7 % 41, "abcde"[i * i % 5]) for i in range(150)]
    for more in ({"k": 6}, {"t": 0.2}, {"alpha": 0.5}, {"k": 4, "beta": 1.0}):
        assert people(rows).anonymize(algorithm="cldpp", l=3, **more).check.holds


@pytest.mark.parametrize(
    ("wanted", "error", "why"),
    [
        (
            {"l": 4},
            Unreachable,
            "l = 4 of ill is out of reach for any recoding: the whole table as one class has 3",
        ),
        ({"k": 2}, BadInput, "cldpp is built on l_distinct"),
        ({"l": 2, "l_kind": "entropy"}, BadInput, "cldpp is built on l_distinct"),
        ({"l": 2, "k": 9}, Unreachable, "k = 9 is out of reach"),
    ],
)
def test_what_it_cannot_do_is_said(wanted: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        people([(20, "flu"), (30, "cold"), (40, "ulcer"), (20, "flu")]).anonymize(algorithm="cldpp", **wanted)


def test_another_seed_begins_with_others() -> None:
    rows = [(i * 7 % 41, "abcde"[i * i % 5]) for i in range(90)]
    frames = [people(rows).anonymize(algorithm="cldpp", l=3, seed=seed).frame for seed in (1, 1, 2)]
    assert frames[0].equals(frames[1])
    assert not frames[0].equals(frames[2])


def test_it_loses_less_than_mondrian() -> None:
    random = np.random.default_rng(5)
    columns = {name: random.integers(0, 30, 300) for name in ("age", "height", "weight")}
    data = pl.DataFrame(columns | {"ill": random.choice(list("abcde"), 300)})
    table = aramis.table(data, quasi=list(columns), sensitive="ill")
    ncp = {name: table.anonymize(algorithm=name, l=3).utility.ncp for name in ("cldpp", "mondrian")}
    assert 0 < ncp["cldpp"] < 1.1 * ncp["mondrian"]


@pytest.mark.parametrize(
    "how",
    [
        {"algorithm": "cldpp", "l": 3},
        {"algorithm": "sabre", "t": 0.2},
        {"algorithm": "cldpp", "l": 3, "t": 0.1},
    ],
)
def test_large_tables_are_divided_by_the_same_loops_compiled(
    monkeypatch: pytest.MonkeyPatch, how: dict[str, Any]
) -> None:
    """Of records that lose the same the trees may find another first."""
    random = np.random.default_rng(5)
    columns = {name: random.integers(0, 30, 300) for name in ("age", "height", "weight")}
    data = pl.DataFrame(columns | {"ill": random.choice(list("abcde"), 300)})
    table = aramis.table(data, quasi=list(columns), sensitive="ill")
    interpreted = table.anonymize(**how, seed=1)
    monkeypatch.setattr("aramis.tables.interpreted.COMPILED_FROM", 0)
    compiled = table.anonymize(**how, seed=1)
    assert compiled.check.holds
    assert compiled.utility.ncp == pytest.approx(interpreted.utility.ncp, rel=0.1)
