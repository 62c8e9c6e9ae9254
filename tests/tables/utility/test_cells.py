"""What a label of a release covers, ours or that of any other tool."""

import datetime as dt

import numpy as np
import pytest

from aramis.errors import BadInput
from aramis.tables.frequency import FrequencySet
from aramis.tables.hierarchy import hierarchy
from aramis.tables.utility.cells import Cells, cells_of

AGES = hierarchy("age", [[str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*"] for age in range(20, 60)])


def of(
    domain: tuple[object, ...], labels: list[object], *, ordered: bool = False, hierarchical: bool = False
) -> Cells:
    codes = np.arange(len(domain), dtype=np.int32)[:, None]
    frequency = FrequencySet(
        ("age",),
        (),
        {"age": domain},
        codes,
        np.ones(len(domain), np.int64),
        ordered=frozenset(["age"] if ordered else []),
    )
    return cells_of("age", labels, frequency, AGES if hierarchical else None)


@pytest.mark.parametrize(
    ("label", "covered", "ncp"),
    [
        (30, [1], 0),
        ("30", [1], 0),
        ("[20, 45)", [0, 1, 2], 20 / 30),
        ("[20, 45]", [0, 1, 2, 3], 25 / 30),
        ("[44.5, 99)", [3, 4], 5 / 30),
        ("{20, 50}", [0, 4], 1),
        (43.2, [3], 0),
        ("25", [0], 0),
        ("*", [0, 1, 2, 3, 4], 1),
    ],
)
def test_labels_of_numbers(label: object, covered: list[int], ncp: float) -> None:
    cells = of((20, 30, 40, 45, 50), [label], ordered=True)
    assert cells.values.tolist() == covered
    assert cells.ncp.tolist() == [pytest.approx(ncp)]
    assert cells.loss.tolist() == [pytest.approx((len(covered) - 1) / 4)]


def test_labels_of_a_hierarchy_count_its_leaves_and_know_their_level() -> None:
    cells = of((20, 30, 31, 45), ["30-39", "*", 45], ordered=True, hierarchical=True)
    assert cells.under.tolist() == [10, 40, 1]
    assert cells.values.tolist() == [1, 2, 0, 1, 2, 3, 3]
    assert cells.ncp.tolist() == [0.25, 1, 0]
    assert cells.loss.tolist() == [9 / 39, 1, 0]
    assert cells.height is not None
    assert cells.height.tolist() == [0.5, 1, 0]


def test_a_set_may_hold_values_with_commas() -> None:
    assert of(("a", "b, c", "d"), ["{a, b, c}"]).values.tolist() == [0, 1]


def test_an_interval_of_dates_ends_at_dates() -> None:
    days = tuple(dt.date(2024, 5, day) for day in (1, 2, 11))
    cells = of(days, ["[2024-05-01, 2024-05-11)"], ordered=True)
    assert cells.values.tolist() == [0, 1]
    assert cells.ncp.tolist() == [0.1]


def test_a_missing_value_among_numbers_is_as_far_as_can_be() -> None:
    cells = of((20, 30, None), ["*", "", 20], ordered=True)
    assert cells.ncp.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("young", "'young' of age is no value of the original"),
        ("41", "'41' of age is no value of the original"),
        ("nan", "'nan' of age is no value of the original"),
        ("[60, 70)", "covers no value"),
        ("[a, b)", "no number"),
        ("{20, 21}", "'21', which is no value"),
    ],
)
def test_a_label_that_stands_for_nothing_is_refused(label: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        of((20, 30, 40), [label], ordered=True)


def test_an_interval_of_what_has_no_numbers_is_refused() -> None:
    with pytest.raises(BadInput, match="has no numbers"):
        of(("a", "b"), ["[a, b)"])
