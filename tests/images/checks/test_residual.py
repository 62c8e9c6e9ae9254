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
        ((25, 25, 30, 30), 7),  # an eye of it
        ((0, 0, 60, 60), 7),  # the head around it
        ((41, 20, 61, 40), None),  # a neighbour
        ((60, 60, 90, 90), None),
    ],
)
def test_what_is_found_where_nothing_was_hidden_is_a_leak(found: Box, target: int | None) -> None:
    check = residual(lambda _: [Target(kind="face", box=found, score=0.31, found_by="a network")])
    (finding,) = check(PICTURE, PICTURE, RECORD)
    assert (finding.target, finding.leak, finding.value) == (target, target is None, 0.31)


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
