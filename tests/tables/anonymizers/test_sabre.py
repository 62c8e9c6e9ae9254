"""SABRE's classes have about as much of every sensitive value as the whole table, whatever the distance."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis.errors import BadInput
from aramis.tables.anonymizers.anonymizer import Task
from aramis.tables.drawing import slices_needed
from aramis.tables.goals import Goals
from aramis.tables.hierarchy import hierarchy


def people(rows: int = 300, **columns: Any) -> Any:
    random = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "age": random.integers(20, 70, rows),
            "height": random.integers(150, 200, rows),
            "ill": random.choice(["flu", "cold", "ulcer"], rows, p=[0.5, 0.3, 0.2]),
            "pay": np.arange(rows),
        }
    )
    return aramis.table(frame, quasi=["age", "height"], **columns)


@pytest.mark.parametrize("t", [0.1, 0.3])
def test_several_columns_are_t_close_each(t: float) -> None:
    found = people(sensitive=["ill", "pay"]).anonymize(algorithm="sabre", t={"ill": t, "pay": 0.4}, seed=1)
    assert found.check.holds
    assert found.check.classes > 1


def test_it_loses_less_than_mondrian_where_what_is_sensitive_goes_with_age() -> None:
    """Nobody can be cut off by age; a class of both ages that is near in height can be drawn."""
    random = np.random.default_rng(3)
    old, height = random.integers(0, 2, 400), random.integers(150, 200, 400)
    frame = pl.DataFrame(
        {
            "old": old,
            "height": height,
            "weight": height // 2,
            "ill": np.where(random.random(400) < 0.2, 1 - old, old),
        }
    )
    table = aramis.table(
        frame, quasi=["old", "height", "weight"], sensitive="ill", distances={"ill": "equal"}
    )
    ncp = {
        name: table.anonymize(algorithm=name, t=0.05, seed=1).utility.ncp for name in ("sabre", "mondrian")
    }
    assert ncp["sabre"] < ncp["mondrian"]


@pytest.mark.parametrize(("t", "slices"), [(0.5, 1), (0.25, 2), (0.1, 5), (0.05, 10)])
def test_as_many_slices_are_needed_as_the_paper_of_microaggregation_says(t: float, slices: int) -> None:
    """Soria-Comas 2015, proposition 2: n different values in k slices are (n - k) / (2 (n - 1) k)-close."""
    table = people(sensitive="pay")
    (model,) = table.models(t=t)
    found = slices_needed(Task(table.counted, Goals((model,))), model, 1)
    assert found == slices
    assert (300 - found) / (2 * 299 * found) <= t + 1e-9


def test_where_nothing_may_differ_the_table_is_one_class_or_classes_that_are_like_it() -> None:
    found = people(sensitive="ill").anonymize(algorithm="sabre", t=0, seed=1)
    assert found.check.sensitive["ill"].t == 0


def test_where_a_hierarchy_tells_near_values_from_far_ones_its_nodes_are_the_buckets() -> None:
    """Two branches of fifty values each: with one bucket for each of a hundred values a class would be nearly all of the table."""
    random = np.random.default_rng(3)
    ills = [f"{branch}{number}" for branch in "ab" for number in range(50)]
    frame = pl.DataFrame({"age": random.integers(20, 70, 500), "ill": random.choice(ills, 500)})
    rows = [[ill, f"{ill[0]}{'-' * (int(ill[1:]) % 2)}", ill[0], "*"] for ill in ills]
    found = {}
    for distance, hierarchies in (("hierarchical", {"ill": hierarchy("ill", rows)}), ("equal", {})):
        table = aramis.table(
            frame, quasi="age", sensitive="ill", hierarchies=hierarchies, distances={"ill": distance}
        )
        found[distance] = table.anonymize(algorithm="sabre", t=0.7, seed=1)
        assert found[distance].check.holds
    assert found["hierarchical"].check.classes > 5 * found["equal"].check.classes


def test_it_is_not_run_without_t() -> None:
    with pytest.raises(BadInput, match="sabre is built on t"):
        people(sensitive="ill").anonymize(algorithm="sabre", k=5)
