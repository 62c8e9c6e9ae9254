"""What several looks see is put together without doubles."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from aramis.images.geometry import iou_matrix
from aramis.images.surroundings.seen import PERSON, Seen, clipped, joined, nothing, together, without_doubles


def seen(*boxes: tuple[float, ...], scores: tuple[float, ...] = ()) -> Seen:
    return Seen(
        np.array(boxes, float).reshape(-1, 4), np.array(scores or [0.5] * len(boxes)), np.arange(len(boxes))
    )


def test_nothing_and_nothing_is_nothing() -> None:
    assert len(joined([nothing(), nothing()]).boxes) == 0
    assert len(without_doubles(nothing(), 0.5).boxes) == 0


def test_of_two_that_overlap_the_better_stays() -> None:
    both = seen((0, 0, 10, 10), (1, 0, 11, 10), (50, 50, 60, 60), scores=(0.3, 0.9, 0.5))
    assert without_doubles(both, 0.5).labels.tolist() == [1, 2]


def test_one_that_is_left_out_takes_no_other_with_it() -> None:
    chain = seen((0, 0, 10, 10), (3, 0, 13, 10), (6, 0, 16, 10), scores=(0.9, 0.8, 0.7))
    assert without_doubles(chain, 0.5).labels.tolist() == [0, 2]


def test_boxes_end_with_the_picture() -> None:
    inside = clipped(seen((-5, -5, 10, 10), (90, 90, 300, 300), (200, 0, 300, 10)), 100, 100)
    assert inside.boxes.tolist() == [[0, 0, 10, 10], [90, 90, 100, 100]]


def test_what_two_networks_see_is_one_thing_seen_by_both() -> None:
    several = {
        "one": seen((0, 0, 10, 10), (50, 50, 60, 60), scores=(0.6, 0.5)),
        "other": seen((1, 0, 11, 10), (80, 0, 90, 10), scores=(0.9, 0.4)),
        "blind": nothing(),
    }
    once, by = together(several, lambda each: np.ones(len(each.scores), bool), 0.5)
    assert once.boxes[:, 0].tolist() == [1, 50, 80]
    assert by == ["one, other", "one", "other"]


def test_a_person_and_what_they_ride_are_two() -> None:
    ridden = Seen(np.array([[0, 0, 9, 9], [0, 0, 9, 9]], float), np.array([0.9, 0.8]), np.array([PERSON, 1]))
    once, by = together({"one": ridden}, lambda each: each.labels != PERSON, 0.5)
    assert (once.labels.tolist(), by) == ([1], ["one"])


boxes = st.lists(
    st.tuples(*[st.integers(0, 50)] * 2, *[st.integers(1, 50)] * 2, st.floats(0.01, 1)), max_size=12
)


@given(boxes, boxes, st.floats(0.1, 0.9))
def test_nothing_that_was_seen_is_lost_and_nothing_stays_twice(
    one: list[tuple[float, ...]], other: list[tuple[float, ...]], overlap: float
) -> None:
    several = {
        name: Seen(
            np.array([[x, y, x + width, y + height] for x, y, width, height, _ in each], float).reshape(
                -1, 4
            ),
            np.array([row[4] for row in each], float),
            np.zeros(len(each), np.intp),
        )
        for name, each in (("one", one), ("other", other))
    }
    once, by = together(several, lambda each: np.ones(len(each.scores), bool), overlap)
    among = iou_matrix(once.boxes, once.boxes)
    assert (among[~np.eye(len(among), dtype=bool)] <= overlap).all()
    for each in several.values():
        near = iou_matrix(each.boxes, once.boxes)
        assert ((near > overlap) | (near == 1)).any(axis=1).all()
    assert all(by)
