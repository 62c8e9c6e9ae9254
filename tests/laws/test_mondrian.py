"""Whatever the table and the goals: Mondrian's classes satisfy the models, and none can be cut in two that do."""

from collections.abc import Iterator
from typing import Any

import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import aramis
from aramis.errors import Unreachable

PLACES = {"*": {"north": {"coast": ["n1", "n2"], "hills": ["n3"]}, "south": ["s1", "s2"]}}
CHILDREN = [
    [{"n1", "n2", "n3"}, {"s1", "s2"}],
    [{"n1", "n2"}, {"n3"}],
    [{"n1"}, {"n2"}],
    [{"s1"}, {"s2"}],
]
GOALS: list[dict[str, Any]] = [
    {"k": 2},
    {"k": 3, "l": 2},
    {"l": 1.7, "l_kind": "entropy"},
    {"l": 2, "c": 3, "l_kind": "recursive"},
    {"t": 0.3},
    {"k": 2, "beta": 1.5},
    {"alpha": 0.6},
    {"delta": 1.2},
]
Row = tuple[int, str, int]

rows = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["n1", "n2", "n3", "s1", "s2"]), st.integers(0, 2)),
    min_size=2,
    max_size=24,
)


def holds(whole: list[Row], part: list[Row], wanted: dict[str, Any]) -> bool:
    """Whether a part of a table may be a class of it."""
    reference: Any = {"ill": {ill: sum(row[2] == ill for row in whole) / len(whole) for _, _, ill in whole}}
    one = pl.DataFrame({"x": ["same"] * len(part), "ill": [ill for _, _, ill in part]})
    return aramis.table(one, quasi=["x"], sensitive=["ill"]).check(reference=reference, **wanted).holds


def cuts(part: list[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """A class divided by age, or by the children of the place that it has in common."""
    for age in sorted({row[0] for row in part})[1:]:
        yield [row for row in part if row[0] < age], [row for row in part if row[0] >= age]
    places = {row[1] for row in part}
    for one, other in CHILDREN:
        if places <= one | other and places & one and places & other:
            yield [row for row in part if row[1] in one], [row for row in part if row[1] in other]


def classes(table: list[Row], frame: pl.DataFrame) -> list[list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row, cells in zip(table, frame.select("age", "place").rows(), strict=True):
        found.setdefault(cells, []).append(row)
    return list(found.values())


@given(table=rows, wanted=st.sampled_from(GOALS))
@settings(max_examples=30, deadline=None)
def test_no_class_can_be_cut(table: list[Row], wanted: dict[str, Any]) -> None:
    data = pl.DataFrame(table, schema=["age", "place", "ill"], orient="row")
    given_ = aramis.table(data, quasi=["age", "place"], sensitive=["ill"], hierarchies={"place": PLACES})
    try:
        found = given_.anonymize(algorithm="mondrian", **wanted)
    except Unreachable:
        assert not holds(table, table, wanted)
        assume(False)
    for part in classes(table, found.frame):
        assert holds(table, part, wanted)
        for left, right in cuts(part):
            assert not (holds(table, left, wanted) and holds(table, right, wanted))
