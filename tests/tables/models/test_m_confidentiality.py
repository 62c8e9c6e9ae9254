"""m-confidentiality: what the minimality of an algorithm gives away."""

from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.tables.frequency import classes_of
from aramis.tables.models.m_confidentiality import MConfidentiality, credibility


def counted(parts: list[int], sensitive: int, l: int) -> float:
    """By going through all ways to spread the sensitive records."""
    ways = [
        (counts, prod(comb(size, count) for size, count in zip(parts, counts, strict=True)))
        for counts in product(*(range(size + 1) for size in parts))
        if sum(counts) == sensitive
    ]
    needed = [
        (counts, times)
        for counts, times in ways
        if any(count * l > size for size, count in zip(parts, counts, strict=True))
    ]
    chosen = needed or ways
    whole = sum(times for _, times in chosen)
    return max(
        sum(counts[part] / parts[part] * times for counts, times in chosen) / whole
        for part in range(len(parts))
    )


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data(), st.integers(1, 4))
def test_it_is_what_counting_all_possibilities_gives(parts: list[int], data: st.DataObject, l: int) -> None:
    sensitive = data.draw(st.integers(0, sum(parts)))
    assert credibility(parts, sensitive, l) == pytest.approx(counted(parts, sensitive, l))


def test_a_merging_that_was_needed_tells_who_is_ill() -> None:
    """Two of seven are ill; unless both are in the part of two, neither part broke anything."""
    assert credibility([2, 5], 2, l=2) == 1
    assert credibility([7], 2, l=2) == pytest.approx(2 / 7)


def test_a_class_is_as_confidential_as_its_worst_part() -> None:
    classes = classes_of(
        np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1], np.int32), np.array([2, 5, 1, 3]), domain=2
    )
    model = MConfidentiality("ill", m=2, l=2, values=[0], parts=[[2, 5], [4]])
    levels = model.levels(classes)
    assert levels == pytest.approx([1, 0.25])
    assert model.holds(levels).tolist() == [False, True]
    assert not model.monotone
