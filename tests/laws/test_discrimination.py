"""What t-closeness of a decision does for those who are protected: Ruggieri's bounds, and that they are reached."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.tables.models.discrimination import MEASURES, RC, bound, measured

Counts = list[tuple[int, int, int, int]]
tables = st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=8)


def shares(table: Counts) -> tuple[float, float]:
    """The share of a table that is denied, and how far any group of any class is from it."""
    groups = np.array(table).reshape(-1, 2)
    sizes = groups.sum(axis=1)
    whole = groups[:, 0].sum() / sizes.sum()
    return float(whole), float(np.abs(groups[sizes > 0, 0] / sizes[sizes > 0] - whole).max())


@pytest.mark.parametrize("measure", MEASURES)
@given(table=tables.filter(lambda table: sum(map(sum, table)) > 0))
def test_no_class_is_worse_than_its_t_allows(measure: str, table: Counts) -> None:
    denied, t = shares(table)
    found = measured(measure, np.array(table))
    limit = bound(measure, t, denied)
    judged = found[~np.isnan(found)]
    assert np.all(judged >= limit - 1e-9) if measure == RC else np.all(judged <= limit + 1e-9)


@given(denied=st.floats(0.05, 0.95), share=st.floats(0.01, 0.99))
def test_the_bounds_are_those_of_the_paper(denied: float, share: float) -> None:
    t = share * min(denied, 1 - denied)
    ratio, chance = (denied + t) / (denied - t), (1 - denied - t) / (1 - denied + t)
    found = [bound(measure, t, denied) for measure in MEASURES]
    assert found == pytest.approx([2 * t, 2 * t, ratio, ratio, chance, ratio / chance], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("measure", ["RD", "RR", "RC", "OR"])
def test_a_class_may_be_as_bad_as_its_bound(measure: str) -> None:
    """Of the protected 3 of 10 are denied, of the others 1 of 10; of all in the table 2 of 10."""
    table = [(3, 7, 1, 9)]
    denied, t = shares(table)
    assert [denied, t] == pytest.approx([0.2, 0.1])
    assert measured(measure, np.array(table))[0] == pytest.approx(bound(measure, t, denied))
