"""What detectors still find: at a hidden target it is listed, anywhere else it is a leak."""

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.checks.residual import residual
from aramis.images.records import Box, ImageRecord, Target

PICTURE = np.zeros((100, 100, 3), np.uint8)
HIDDEN = Target(id=7, kind="face", box=(20, 20, 40, 40), method="blur")
RECORD = ImageRecord(image="a.png", width=100, height=100, targets=(HIDDEN,))


@pytest.mark.parametrize(
    ("found", "target"),
    [
        ((20, 20, 40, 40), 7),
        ((25, 25, 35, 35), 7),  # an eye of it
        ((0, 0, 60, 60), 7),  # the head around it
        ((41, 20, 61, 40), None),  # a neighbour
        ((60, 60, 90, 90), None),
    ],
)
def test_what_is_found_where_nothing_was_hidden_is_a_leak(found: Box, target: int | None) -> None:
    check = residual(lambda _: [Target(kind="face", box=found, score=0.31, found_by="a network")])
    (finding,) = check(PICTURE, PICTURE, RECORD)
    assert (finding.target, finding.leak, finding.value) == (target, target is None, 0.31)


@pytest.mark.parametrize(
    ("kind", "box", "leak"),
    [
        ("face", (60, 60, 66, 69.9), False),
        ("face", (60, 60, 66, 70), True),
        ("plate", (60, 60, 87.9, 90), False),
        ("plate", (60, 60, 88, 68), True),
        ("poster", (60, 60, 61, 61), True),  # of a detector of the user's own: nothing is known of it
    ],
)
def test_what_is_too_small_to_know_anybody_by_is_listed_and_no_leak(kind: str, box: Box, leak: bool) -> None:
    (finding,) = residual(lambda _: [Target(kind=kind, box=box, score=0.5)])(PICTURE, PICTURE, RECORD)
    assert finding.leak is leak
    assert ("too small" in finding.why) is not leak


def test_a_finding_says_who_found_what_and_where() -> None:
    check = residual(lambda _: [Target(kind="plate", box=(60, 60, 90, 70), score=0.31, found_by="a network")])
    (finding,) = check(PICTURE, PICTURE, RECORD)
    assert finding.why == "a network finds a plate where nothing was hidden, scored 0.31"


def test_it_is_the_released_picture_that_is_looked_at() -> None:
    seen = []

    def detect(pixels: NDArray[np.uint8]) -> list[Target]:
        seen.append(int(pixels.max()))
        return []

    assert residual(detect)(PICTURE, PICTURE + 9, RECORD) == []
    assert seen == [9]
