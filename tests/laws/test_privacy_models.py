"""What holds for every table: each model against its definition written out, distances against other people's solvers."""

import math
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance  # type: ignore[import-untyped]

import aramis
from aramis.tables.frequency import Classes, classes_of
from aramis.tables.models.beta_likeness import BetaLikeness
from aramis.tables.models.distances import Equal, Hierarchical, hierarchical, numeric, ordered
from aramis.tables.models.joint import Joint, transport
from aramis.tables.wanted import all_models

VALUES = 6
Rows = list[tuple[int, int]]  # class, value
rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, VALUES - 1)), min_size=1, max_size=30)
shares = st.lists(st.integers(0, 9), min_size=VALUES, max_size=VALUES).filter(any)
levels_of_a_tree = st.lists(st.integers(1, 4), min_size=1, max_size=3)


def classes(rows: Rows, reference: list[int] | None = None) -> Classes:
    order = sorted(rows)
    of_class = np.unique([one for one, _ in order], return_inverse=True)[1]
    q = None if reference is None else np.array(reference) / sum(reference)
    codes = np.array([value for _, value in order], np.int32)
    return classes_of(of_class, codes, np.ones(len(order), np.int64), VALUES, q)


def tree(widths: list[int]) -> Hierarchical:
    levels = [np.arange(VALUES)]
    for width in widths:
        levels.append(levels[-1] // (width + 1))
    return hierarchical(np.array([*levels, np.zeros(VALUES)], np.int32))


def by_class(rows: Rows) -> list[list[int]]:
    return [[value for other, value in rows if other == one] for one in sorted({one for one, _ in rows})]


def definitions(values: list[int], q: list[float]) -> dict[str, float]:
    """The models of one class, from the words of their papers."""
    counts = sorted(Counter(values).values(), reverse=True)
    p = [values.count(value) / len(values) for value in range(VALUES)]
    gains = [(a - b) / b if b else math.inf for a, b in zip(p, q, strict=True) if a > b]
    tail = sum(counts[1:])
    return {
        "l_distinct": len(set(values)),
        "l_entropy": math.exp(-sum(a * math.log(a) for a in p if a)),
        "l_recursive": counts[0] / tail if tail else math.inf,
        "t": sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2,
        "alpha": max(p),
        "beta": max(gains, default=0.0),
        "delta": max(
            abs(math.log(a / b)) if a and b else math.inf for a, b in zip(p, q, strict=True) if a or b
        ),
    }


@given(rows, st.none() | shares)
def test_a_model_gives_what_its_definition_says(rows: Rows, reference: list[int] | None) -> None:
    of_table = classes(rows, reference)
    q = of_table.reference.tolist()
    for model in all_models("ill", Equal()):
        if model.name == "beta_enhanced":
            continue
        expected = [definitions(values, q)[model.name] for values in by_class(rows)]
        assert model.levels(of_table) == pytest.approx(expected, abs=1e-9), model.name


@given(rows, shares, st.floats(0.01, 5))
def test_enhanced_likeness_bounds_the_gain_of_what_is_frequent(
    rows: Rows, reference: list[int], beta: float
) -> None:
    of_table = classes(rows, reference)
    model = BetaLikeness("ill", beta, enhanced=True)
    for values, holds in zip(by_class(rows), model.holds(model.levels(of_table)), strict=True):
        expected = True
        for value, q in enumerate(of_table.reference):
            p = values.count(value) / len(values)
            if p > q:
                expected &= bool(q > 0 and (p - q) / q <= min(beta, -math.log(q)) + 1e-9)
        assert holds == expected


@given(rows, shares, levels_of_a_tree, st.lists(st.integers(1, 50), min_size=5, max_size=5))
def test_sparse_distances_are_those_of_whole_distributions(
    rows: Rows, reference: list[int], widths: list[int], gaps: list[int]
) -> None:
    of_table = classes(rows, reference)
    p = np.array(
        [[values.count(value) / len(values) for value in range(VALUES)] for values in by_class(rows)]
    )
    for ground in (Equal(), ordered(VALUES), numeric(np.cumsum([0, *gaps]).tolist()), tree(widths)):
        assert ground.emd(of_table) == pytest.approx(ground.between(p, of_table.reference[None]), abs=1e-12)


@settings(max_examples=30)
@given(rows, shares, levels_of_a_tree, st.lists(st.integers(1, 50), min_size=5, max_size=5))
def test_closed_forms_are_what_a_linear_program_finds(
    rows: Rows, reference: list[int], widths: list[int], gaps: list[int]
) -> None:
    of_table = classes(rows, reference)
    for ground in (Equal(), ordered(VALUES), numeric(np.cumsum([0, *gaps]).tolist()), tree(widths)):
        every = np.arange(VALUES, dtype=np.int32)
        cost = np.array([ground.apart(np.full_like(every, one), every) for one in every])
        for found, values in zip(ground.emd(of_table), by_class(rows), strict=True):
            p = np.array([values.count(value) / len(values) for value in range(VALUES)])
            assert found == pytest.approx(transport(cost, p, of_table.reference), abs=1e-9)


@given(rows, st.lists(st.integers(1, 50), min_size=5, max_size=5))
def test_numeric_distance_is_scipys_wasserstein_over_the_range(rows: Rows, gaps: list[int]) -> None:
    points = np.cumsum([0, *gaps]).astype(float)
    everything = [points[value] for _, value in rows]
    found = numeric(points.tolist()).emd(classes(rows))
    for distance, values in zip(found, by_class(rows), strict=True):
        expected = wasserstein_distance(points[values], everything) / (points[-1] - points[0])
        assert distance == pytest.approx(expected, abs=1e-12)


@given(rows, shares, levels_of_a_tree)
def test_a_hierarchical_distance_is_what_the_paper_adds_up_over_the_inner_nodes(
    rows: Rows, reference: list[int], widths: list[int]
) -> None:
    of_table, ground = classes(rows, reference), tree(widths)
    height = len(ground.codes)
    for found, values in zip(ground.emd(of_table), by_class(rows), strict=True):
        extra = [values.count(value) / len(values) - of_table.reference[value] for value in range(VALUES)]
        cost, below = 0.0, {value: extra[value] for value in range(VALUES)}
        levels = [*ground.codes, np.zeros(VALUES, np.int32)]
        for level, (lower, upper) in enumerate(pairwise(levels), start=1):
            nodes: dict[int, list[float]] = {}
            for node, parent in sorted(set(zip(lower.tolist(), upper.tolist(), strict=True))):
                nodes.setdefault(parent, []).append(below[node])
            for children in nodes.values():
                positive = sum(child for child in children if child > 0)
                negative = -sum(child for child in children if child < 0)
                cost += level / height * min(positive, negative)
            below = {node: sum(children) for node, children in nodes.items()}
        assert found == pytest.approx(cost, abs=1e-9)


pairs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from("xyz")), min_size=1, max_size=20
)


@settings(max_examples=30)
@given(pairs, st.floats(0.1, 5))
def test_the_joint_distance_is_what_a_linear_program_finds_over_all_combinations(
    rows: list[tuple[int, int, str]], weight: float
) -> None:
    frame = pl.DataFrame(rows, schema=["zip", "pay", "ill"], orient="row")
    table = aramis.table(frame, quasi=["zip"], sensitive=["pay", "ill"], weights={"pay": weight})
    found = table.check(joint=True, t=1)
    assert found.joint
    assert found.joint.t_mean
    combinations = sorted({(pay, ill) for _, pay, ill in rows})
    steps = max(len({pay for pay, _ in combinations}) - 1, 1)
    place = {pay: step for step, pay in enumerate(sorted({pay for pay, _ in combinations}))}
    cost = np.array(
        [
            [(weight * abs(place[a] - place[c]) / steps + (b != d)) / (weight + 1) for c, d in combinations]
            for a, b in combinations
        ]
    )
    whole = np.array([sum((pay, ill) == one for _, pay, ill in rows) for one in combinations]) / len(rows)
    levels = []
    for code in {one for one, _, _ in rows}:
        members = [(pay, ill) for other, pay, ill in rows if other == code]
        levels.append(
            transport(cost, np.array([members.count(one) for one in combinations]) / len(members), whole)
        )
    low, high = found.joint.t_mean
    assert low == high == pytest.approx(max(levels), abs=1e-9)
    assert found.wanted[0].level == pytest.approx(max(levels), abs=1e-9)


def test_bounds_decide_a_class_of_one_combination_without_a_program() -> None:
    ground = Joint((ordered(2), Equal()), (0.5, 0.5), np.array([[0, 0], [0, 1], [1, 1]], np.int32))
    below, above = ground.bounds(
        classes_of(np.array([0, 1, 1]), np.array([0, 1, 2], np.int32), np.array([4, 1, 1]), 3)
    )
    assert below[0] == above[0] == pytest.approx((0 * 4 + 0.5 + 1) / 6)
    assert below[1] <= above[1]


@given(rows, st.integers(0, 3), st.integers(0, 3))
def test_merging_two_classes_never_makes_a_monotone_model_worse(rows: Rows, one: int, other: int) -> None:
    merged = classes([(other if of == one else of, value) for of, value in rows], None)
    before = classes(rows)
    for ground in (Equal(), ordered(VALUES), tree([1, 1])):
        for model in all_models("ill", ground):
            assert model.monotone
            good = -1 if model.larger_is_safer else 1
            assert max(good * model.levels(merged)) <= max(good * model.levels(before)) + 1e-9, model.name


@given(rows, st.permutations(range(VALUES)), st.randoms())
def test_order_of_rows_and_names_of_values_change_nothing(rows: Rows, names: list[int], random: Any) -> None:
    shuffled = [(of + 10, names[value]) for of, value in rows]
    random.shuffle(shuffled)
    for model in all_models("ill", Equal()):
        assert sorted(model.levels(classes(rows))) == pytest.approx(sorted(model.levels(classes(shuffled))))


@given(rows, st.integers(0, 3))
def test_a_value_may_as_well_be_missing(rows: Rows, which: int) -> None:
    def levels(replace: bool) -> dict[str, Any]:
        frame = pl.DataFrame(
            {
                "zip": [None if replace and of == which else of for of, _ in rows],
                "ill": [None if replace and value == which else str(value) for _, value in rows],
            },
            schema={"zip": pl.Int64, "ill": pl.String},
        )
        found = aramis.table(frame, quasi=["zip"], sensitive=["ill"]).check()
        return {
            "k": found.k,
            "t": pytest.approx(found.sensitive["ill"].t),
            "l": found.sensitive["ill"].l_distinct,
        }

    assert levels(replace=True) == levels(replace=False)


@given(rows, st.data())
def test_one_row_whose_value_goes_missing_stands_alone(rows: Rows, data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(rows) - 1))
    frame = pl.DataFrame(
        {"zip": [None if i == which else of for i, (of, _) in enumerate(rows)]}, {"zip": pl.Int64}
    )
    assert aramis.table(frame, quasi=["zip"]).check().k == 1


@given(rows, st.integers(1, 5))
def test_coarser_values_never_lower_k(rows: Rows, width: int) -> None:
    fine = pl.DataFrame({"age": [of for of, _ in rows], "ill": [value for _, value in rows]})
    coarse = fine.with_columns(pl.col("age") // width)
    k = [aramis.table(frame, quasi=["age", "ill"]).check().k for frame in (fine, coarse)]
    assert k[1] >= k[0]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=25))
def test_what_is_left_when_another_column_is_known(rows: list[tuple[int, int, int]]) -> None:
    frame = pl.DataFrame(rows, schema=["zip", "ill", "pay"], orient="row")
    found = aramis.table(frame, quasi=["zip"], sensitive=["ill", "pay"]).check()
    known = {(of, pay) for of, _, pay in rows}
    expected = min(
        len({ill for other in rows for ill in [other[1]] if (other[0], other[2]) == one}) for one in known
    )
    assert found.sensitive["ill"].l_distinct_others == expected
