"""The search finds what looking at every node of the lattice finds, for every model and every loss."""

from collections import Counter
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aramis.tables.frequency import FrequencySet, classes_of
from aramis.tables.goals import Goals
from aramis.tables.hierarchy import Hierarchy, hierarchy
from aramis.tables.losses import LOSSES, loss_of
from aramis.tables.models.alpha import Alpha
from aramis.tables.models.beta_likeness import BetaLikeness
from aramis.tables.models.delta_disclosure import DeltaDisclosure
from aramis.tables.models.discrimination import Protection
from aramis.tables.models.distances import Equal, hierarchical, ordered
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL, EntropyL, RecursiveCL
from aramis.tables.models.model import Model
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.rollup import Node, Rollup
from aramis.tables.search import least_loss

MODELS: dict[str, Model] = {
    "k": KAnonymity(3),
    "l_distinct": DistinctL("ill", 2),
    "l_entropy": EntropyL("ill", 1.8),
    "l_recursive": RecursiveCL("ill", 2, 2),
    "t_equal": TCloseness("ill", Equal(), 0.3),
    "t_ordered": TCloseness("ill", ordered(4), 0.2),
    "t_hierarchical": TCloseness(
        "ill", hierarchical(np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0] * 4], np.int32)), 0.25
    ),
    "alpha": Alpha("ill", 0.6),
    "beta": BetaLikeness("ill", 0.8),
    "beta_enhanced": BetaLikeness("ill", 0.8, enhanced=True),
    "delta": DeltaDisclosure("ill", 1.5),
    # the four values as the cells of a measure: protected and denied, protected and granted, others so
    "protection_RD": Protection("ill", np.arange(4, dtype=np.int32), "RD", 0.3),
    "protection_RC": Protection("ill", np.arange(4, dtype=np.int32), "RC", 0.6),
}
HIERARCHIES = [
    hierarchy("a", [["0", "low", "any"], ["1", "low", "any"], ["2", "high", "any"], ["3", "odd", "other"]]),
    hierarchy("b", [["0", "x", "*"], ["1", "x", "*"], ["2", "y", "*"], ["9", "z", "*"]]),
    hierarchy("c", [["0", "*"], ["1", "*"]]),
]
Row = tuple[int, ...]

rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)),
    min_size=1,
    max_size=30,
)


def counted(table: list[Row]) -> FrequencySet:
    """A frequency set whose columns are a, b, c and the sensitive ill, each with the values 0 to 3 or fewer."""
    found = sorted(Counter(table).items())
    codes = np.asfortranarray(np.array([row for row, _ in found], np.int32))
    domains: dict[str, tuple[object, ...]] = {
        "a": (0, 1, 2, 3),
        "b": (0, 1, 2),
        "c": (0, 1),
        "ill": (0, 1, 2, 3),
    }
    return FrequencySet(("a", "b", "c"), ("ill",), domains, codes, np.array([n for _, n in found], np.int64))


def recoded(table: list[Row], node: Node) -> list[tuple[Any, ...]]:
    return [
        tuple(
            one.labels[level][one.codes[level][one.labels[0].index(str(value))]]
            for one, level, value in zip(HIERARCHIES, node, row, strict=False)
        )
        for row in table
    ]


def kept_rows(table: list[Row], cells: list[tuple[Any, ...]], goals: Goals) -> list[bool]:
    """Which rows are released: classes that fail go, and where that moves the reference, again."""
    kept = [True] * len(table)
    while True:
        groups = sorted({cell for cell, keep in zip(cells, kept, strict=True) if keep})
        if not groups:
            return kept
        number = {cell: i for i, cell in enumerate(groups)}
        of_class, ill = zip(
            *((number[c], row[3]) for c, row, k in zip(cells, table, kept, strict=True) if k), strict=True
        )
        original = np.bincount([row[3] for row in table], minlength=4) / len(table)
        reference = original if goals.reference == "original" else None
        classes = classes_of(
            np.array(of_class), np.array(ill, np.int32), np.ones(len(ill), np.int64), 4, reference
        )
        good = np.all([model.holds(model.levels(classes)) for model in goals.models], axis=0)
        now = [keep and bool(good[number[cell]]) for cell, keep in zip(cells, kept, strict=True)]
        if now == kept:
            return kept
        kept = now
        if goals.reference == "original":
            return kept


def share(label: str, one: Hierarchy, level: int) -> int:
    return sum(1 for leaf in range(one.codes.shape[1]) if one.labels[level][one.codes[level][leaf]] == label)


def lost(name: str, table: list[Row], cells: list[tuple[Any, ...]], kept: list[bool], node: Node) -> float:
    """The definitions, row by row."""
    n, m = len(table), len(HIERARCHIES)
    if name == "discernibility":
        sizes = Counter(cell for cell, keep in zip(cells, kept, strict=True) if keep)
        return sum(size**2 for size in sizes.values()) + n * kept.count(False)
    if name == "class-size":
        return n / (len({cell for cell, keep in zip(cells, kept, strict=True) if keep}) + (not all(kept)))
    if name == "entropy":
        total = bits = 0.0
        for i in range(m):
            values, labels = Counter(row[i] for row in table), Counter(cell[i] for cell in cells)
            gone = Counter(cell[i] for cell, keep in zip(cells, kept, strict=True) if not keep)
            total += sum(log2(n / values[row[i]]) for row in table)
            bits += sum(
                log2(labels[cell[i]] / values[row[i]]) for cell, row in zip(cells, table, strict=True)
            )
            bits += sum(many * log2(gone.total() / many) for many in gone.values())
        return bits / total if total else 0.0
    total = 0.0
    for cell, keep in zip(cells, kept, strict=True):
        for label, one, level in zip(cell, HIERARCHIES, node, strict=True):
            total += cost(name, share(label, one, level), level, one) if keep else 1
    return total / (n * m)


def cost(name: str, leaves: int, level: int, one: Hierarchy) -> float:
    whole = len(one.labels[0])
    if name == "loss":
        return (leaves - 1) / (whole - 1)
    if name == "ncp":
        return leaves / whole if leaves > 1 else 0.0
    return level / (one.levels - 1)


def brute_force(table: list[Row], goals: Goals, loss: str) -> float | None:
    found = []
    for node in product(*(range(one.levels) for one in HIERARCHIES)):
        cells = recoded(table, node)
        kept = kept_rows(table, cells, goals)
        if kept.count(False) <= goals.allowed(len(table)):
            found.append(lost(loss, table, cells, kept, node))
    return min(found, default=None)


def searched(table: list[Row], goals: Goals, loss: str) -> float | None:
    rollup = Rollup(counted(table), HIERARCHIES, goals.columns)
    best = least_loss(rollup, goals, loss_of(loss, rollup, HIERARCHIES), lambda *_: None).best
    return best.loss if best else None


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("model", MODELS)
@given(
    table=rows, suppress=st.sampled_from([0.0, 0.1, 0.3]), reference=st.sampled_from(["released", "original"])
)
@settings(max_examples=12, deadline=None)
def test_the_optimum_is_that_of_all_nodes(
    model: str, loss: str, table: list[Row], suppress: float, reference: str
) -> None:
    goals = Goals((MODELS[model],), suppress, reference)
    assert searched(table, goals, loss) == pytest.approx(brute_force(table, goals, loss), abs=1e-12)


@given(
    table=rows,
    models=st.lists(st.sampled_from(sorted(MODELS)), min_size=2, max_size=3, unique=True),
    suppress=st.sampled_from([0.0, 0.2]),
    reference=st.sampled_from(["released", "original"]),
)
@settings(max_examples=60, deadline=None)
def test_the_optimum_of_several_models_is_that_of_all_nodes(
    table: list[Row], models: list[str], suppress: float, reference: str
) -> None:
    goals = Goals(tuple(MODELS[model] for model in models), suppress, reference)
    assert searched(table, goals, "loss") == pytest.approx(brute_force(table, goals, "loss"), abs=1e-12)
