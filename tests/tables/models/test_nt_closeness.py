"""(n,t)-closeness: the nearest large group that a class belongs to."""

import math
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput

# The case that Li, Li, Venkatasubramanian 2010 argue with: two small classes that together are half and half.
PATIENTS = pl.DataFrame(
    [
        (code, age, ill)
        for code, age, counts in [
            ("47696", "29", {"pneumonia": 100}),
            ("47647", "21", {"flu": 100}),
            ("47602", "28", {"pneumonia": 200}),
            ("47606", "23", {"flu": 200}),
            ("47952", "49", {"pneumonia": 100}),
            ("47909", "48", {"flu": 900}),
            ("47906", "47", {"pneumonia": 100}),
            ("47907", "45", {"flu": 900}),
            ("47603", "33", {"pneumonia": 100}),
            ("47601", "30", {"flu": 100}),
            ("47608", "35", {"pneumonia": 100}),
            ("47606", "36", {"flu": 100}),
        ]
        for ill, times in counts.items()
        for _ in range(times)
    ],
    schema=["zip", "age", "ill"],
    orient="row",
)
ANONYMIZED = PATIENTS.with_columns(pl.col("zip").str.head(3) + "**", pl.col("age").str.head(1) + "*")


def test_a_class_far_from_the_table_may_be_near_to_a_thousand_people() -> None:
    zips = [["476**", "47***"], ["479**", "47***"]]
    ages = [["2*", "<40"], ["3*", "<40"], ["4*", ">=40"]]
    table = aramis.table(
        ANONYMIZED, quasi=["zip", "age"], sensitive="ill", hierarchies={"zip": zips, "age": ages}
    )
    assert table.check().sensitive["ill"].t_of_class == pytest.approx([4 / 15, 4 / 15, 2 / 15])
    assert not table.check(t=0.1).holds
    assert table.check(n=1000, t=0.1).wanted[0].level == pytest.approx(0)


@pytest.mark.parametrize(("n", "level"), [(1, 0), (2, 0), (4, 0), (5, 0.25), (8, 0.25), (9, math.inf)])
def test_the_level_is_the_distance_to_the_nearest_group_that_is_large_enough(n: int, level: float) -> None:
    frame = pl.DataFrame({"zip": [*"aabbcccc"], "ill": [*"xyxyxxxx"]})
    zips = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]]
    table = aramis.table(frame, quasi="zip", sensitive="ill", hierarchies={"zip": zips})
    assert table.check(n=n, t=1).wanted[0].level == pytest.approx(level)


@pytest.mark.parametrize("wanted", [{"n": 5}, {"n": 0, "t": 0.1}])
def test_n_needs_t_and_means_records(wanted: dict[str, Any]) -> None:
    frame = pl.DataFrame({"zip": [1, 2], "ill": [1, 2]})
    with pytest.raises(BadInput):
        aramis.table(frame, quasi="zip", sensitive="ill").check(**wanted)
