"""What a review proves: held against counting every possible sample."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aramis.images.records import Carrier, ImageRecord
from aramis.images.risk.review import (
    Unit,
    certified,
    certified_by_units,
    sample_size,
    sample_sizes,
    units,
)


def by_counting(images: int, leaking: int, drawn: int, seen: int) -> float:
    """The share of all samples of this size in which no more than so many leaks are seen."""
    samples = list(combinations(range(images), drawn))
    return sum(sum(one < leaking for one in sample) <= seen for sample in samples) / len(samples)


@pytest.mark.parametrize(("images", "rate"), [(8, 0.25), (9, 0.3), (10, 0.2), (7, 0.01)])
def test_the_sample_size_is_the_least_that_counting_allows(images: int, rate: float) -> None:
    leaking = max(1, -int(-rate * images // 1))
    size = sample_size(images, rate)
    assert by_counting(images, leaking, size, 0) <= 0.05
    assert size == 0 or by_counting(images, leaking, size - 1, 0) > 0.05


@pytest.mark.parametrize(("reviewed", "seen"), [(3, 0), (5, 0), (5, 1), (8, 2), (9, 0)])
def test_what_is_certified_is_what_counting_says(reviewed: int, seen: int) -> None:
    images = 9
    possible = [
        leaking / images
        for leaking in range(seen, images - reviewed + seen + 1)
        if by_counting(images, leaking, reviewed, seen) > 0.05
    ]
    assert certified(reviewed, seen, images).leak_rate_at_most == max(possible)


def test_textbook_figures() -> None:
    assert sample_size(10**9, 0.01) == 299  # the rule of three: 300
    assert certified(10, 0).leak_rate_at_most == pytest.approx(
        0.2589, abs=1e-4
    )  # Clopper and Pearson, one-sided
    assert certified(100, 5).leak_rate_at_most == pytest.approx(0.1022, abs=2e-4)
    assert [one.images for one in sample_sizes(120)] == [47, 93, 114]
    assert [(one.images, one.tracks) for one in sample_sizes(120, 9)] == [(47, 9), (93, 9), (114, 9)]
    assert sample_sizes(0) == ()


@given(st.integers(1, 400), st.floats(0.001, 1))
def test_who_reviews_as_many_as_are_asked_for_certifies_the_rate(images: int, rate: float) -> None:
    size = sample_size(images, rate)
    assert 0 <= size <= images
    leaks = certified(size, 0, images).leak_rate_at_most
    assert leaks < rate or leaks == 0


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 200))
def test_reviewing_all_leaves_no_doubt_and_a_part_of_many_as_much_as_a_part_of_infinitely_many(
    reviewed: int, seen: int, more: int
) -> None:
    seen = min(seen, reviewed)
    assert certified(reviewed, seen, reviewed).leak_rate_at_most == seen / reviewed
    assert (
        certified(reviewed, seen, reviewed + more).leak_rate_at_most
        <= certified(reviewed, seen).leak_rate_at_most + 1e-9
    )


def test_the_frames_of_one_track_count_once() -> None:
    frames = [
        (Unit("ride.mp4", "person", track), track == 3 and frame == 7)
        for track in range(10)
        for frame in range(30)
    ]
    told = certified_by_units(frames)
    assert (told.reviewed, told.with_leaks) == (10, 1)
    assert told.leak_rate_at_most == certified(10, 1).leak_rate_at_most > certified(300, 1).leak_rate_at_most
    assert certified_by_units(frames, 12).leak_rate_at_most == certified(10, 1, 12).leak_rate_at_most


def test_a_photograph_is_a_unit_and_of_a_frame_those_who_are_followed_are() -> None:
    man, car = (Carrier(kind=kind, box=(0, 0, 9, 9), score=0.9, track=4) for kind in ("person", "vehicle"))
    passer = Carrier(kind="person", box=(0, 0, 9, 9), score=0.9)
    photograph = ImageRecord(image="a.jpg", width=9, height=9, carriers=(man,))
    frame = ImageRecord(image="a.mp4", frame=3, width=9, height=9, carriers=(man, car, passer))
    assert list(units(photograph)) == [Unit("a.jpg")]
    assert list(units(frame)) == [Unit("a.mp4", "person", 4), Unit("a.mp4", "vehicle", 4)]
