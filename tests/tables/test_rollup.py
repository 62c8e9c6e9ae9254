"""A node computed from a finer one is the node counted from the table."""

from itertools import pairwise, product

import numpy as np
import pytest

from aramis.tables import rollup as module
from aramis.tables.frequency import FrequencySet
from aramis.tables.hierarchy import Hierarchy, hierarchy
from aramis.tables.rollup import Grouping, Rollup

VALUES = 40


def numbers(column: str) -> Hierarchy:
    return hierarchy(column, [[str(i), str(i // 5), str(i // 20), "*"] for i in range(VALUES)])


def many(columns: int = 3, rows: int = 6_000) -> tuple[FrequencySet, list[Hierarchy]]:
    names = tuple(f"q{i}" for i in range(columns))
    random = np.random.default_rng(1)
    drawn = np.column_stack([random.integers(0, VALUES, (rows, columns)), random.integers(0, 6, rows)])
    codes, counts = np.unique(drawn, axis=0, return_counts=True)
    domains: dict[str, tuple[object, ...]] = {name: tuple(range(VALUES)) for name in names}
    domains["ill"] = tuple(range(6))
    frequency = FrequencySet(names, ("ill",), domains, np.asfortranarray(codes.astype(np.int32)), counts)
    return frequency, [numbers(name) for name in names]


def content(grouping: Grouping, rollup: Rollup) -> dict[tuple[int, ...], tuple[int, tuple[int, ...]]]:
    """The generalized values of each class, its records, and its counts of the sensitive values."""
    ill = grouping.classes("ill")
    cells = rollup.cells(grouping.node, grouping.members)
    found = {}
    for cell, size, (start, end) in zip(cells, grouping.sizes, pairwise(ill.starts), strict=True):
        counts = np.zeros(6, np.int64)
        counts[ill.values[start:end]] = ill.counts[start:end]
        found[tuple(map(int, cell))] = (int(size), tuple(map(int, counts)))
    return found


def counted(
    frequency: FrequencySet, rollup: Rollup, node: tuple[int, ...]
) -> dict[tuple[int, ...], tuple[int, tuple[int, ...]]]:
    found: dict[tuple[int, ...], list[int]] = {}
    for row, count in zip(frequency.codes, frequency.counts, strict=True):
        cell = tuple(
            int(levels[level][code]) for levels, level, code in zip(rollup.maps, node, row, strict=False)
        )
        found.setdefault(cell, [0] * 6)[row[-1]] += int(count)
    return {cell: (sum(counts), tuple(counts)) for cell, counts in found.items()}


@pytest.mark.parametrize("are_compiled", [True, False], ids=["compiled", "numpy"])
def test_rolling_up_equals_counting(are_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module._Keys, "are_compiled", are_compiled)
    frequency, hierarchies = many()
    rollup = Rollup(frequency, hierarchies, ("ill",))
    for node in [(2, 1, 0), (0, 0, 0), (3, 3, 3), (2, 2, 1), (1, 3, 3), (3, 1, 2)]:
        assert content(rollup.at(node), rollup) == counted(frequency, rollup, node)


@pytest.mark.parametrize("are_compiled", [True, False], ids=["compiled", "numpy"])
def test_more_combinations_than_an_integer_holds_are_told_apart(
    are_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module._Keys, "are_compiled", are_compiled)
    frequency, hierarchies = many(columns=14, rows=300)
    rollup = Rollup(frequency, hierarchies, ("ill",))
    for node in [(0,) * 14, (1,) * 14, (0, 3) * 7]:
        assert content(rollup.at(node), rollup) == counted(frequency, rollup, node)


def test_what_was_forgotten_is_grouped_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    frequency, hierarchies = many()
    monkeypatch.setattr(module, "MOST_KEPT", 3 * len(frequency.counts))
    rollup, kept = Rollup(frequency, hierarchies, ("ill",)), 0
    for node in product(range(4), repeat=3):
        assert content(rollup.at(node), rollup) == counted(frequency, rollup, node)
        kept = max(kept, len(rollup._kept))
    assert kept < 64
    assert rollup.bottom.node == (0, 0, 0)


def test_every_class_of_the_table_knows_its_class_at_a_node() -> None:
    frequency, hierarchies = many()
    rollup = Rollup(frequency, hierarchies)
    node = (2, 1, 3)
    class_of, grouping = rollup.class_of(node), rollup.at(node)
    sizes = np.bincount(class_of, rollup.bottom.sizes)
    assert sizes.tolist() == grouping.sizes.tolist()
    everyone = np.arange(len(class_of), dtype=np.int32)
    assert np.array_equal(rollup.cells(node, grouping.members)[class_of], rollup.cells(node, everyone))
