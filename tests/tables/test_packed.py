"""Tuples of codes in one integer each: what comes out is what counting the tuples one by one gives."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aramis.tables.packed import distinct

SIZES = st.lists(st.sampled_from([1, 2, 3, 7, 1000, 2**20, 2**31 - 1]), min_size=1, max_size=8)


@given(SIZES, st.integers(0, 2**32), st.booleans())
def test_distinct_tuples_are_in_order_with_their_counts(
    sizes: list[int], seed: int, with_times: bool
) -> None:
    random = np.random.default_rng(seed)
    # few rows, each drawn again and again
    few = [random.integers(0, size, 5, dtype=np.int32) for size in sizes]
    drawn = random.integers(0, 5, 40)
    columns = [codes[drawn] for codes in few]
    times = random.integers(1, 9, 40) if with_times else np.ones(40, np.int64)
    wanted: Counter[tuple[int, ...]] = Counter()
    for *row, number in zip(*(codes.tolist() for codes in columns), times.tolist(), strict=True):
        wanted[tuple(row)] += number
    codes, counts = distinct(columns, sizes, times if with_times else None)
    assert [tuple(row) for row in codes.tolist()] == sorted(wanted)
    assert counts.tolist() == [wanted[row] for row in sorted(wanted)]
