"""What every detector must do, whichever it is: ours come through the same door as anybody else's."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.passes import Detect
from aramis.plugins import find, names

RANDOM = np.random.default_rng(5)
PICTURES = {
    "1x1": np.zeros((1, 1, 3), np.uint8),
    "one row": np.full((1, 700, 3), 128, np.uint8),
    "one column": np.full((700, 1, 3), 128, np.uint8),
    "odd sides": RANDOM.integers(0, 256, (37, 101, 3), dtype=np.uint8),
    "black": np.zeros((240, 320, 3), np.uint8),
    "white": np.full((240, 320, 3), 255, np.uint8),
    "grey noise": np.repeat(RANDOM.integers(0, 256, (480, 640, 1), dtype=np.uint8), 3, axis=2),
    "huge": np.full((2500, 4200, 3), 90, np.uint8),
    "no pixels": np.zeros((0, 10, 3), np.uint8),
}


@pytest.fixture(scope="module", params=names("detector"))
def detect(request: pytest.FixtureRequest) -> Detect:
    made: Detect = find("detector", request.param)(models="default", threads=1)
    return made


@pytest.mark.parametrize("what", [name for name in PICTURES if name != "grey noise"])
def test_nothing_is_found_where_nothing_is(detect: Detect, what: str) -> None:
    assert list(detect(PICTURES[what])) == []


def test_noise_gives_little(detect: Detect) -> None:
    assert len(detect(PICTURES["grey noise"])) <= 1


def test_targets_lie_in_the_picture_and_say_what_they_are(detect: Detect, street: NDArray[Any]) -> None:
    height, width = street.shape[:2]
    for target in detect(street):
        x1, y1, x2, y2 = target.box
        assert 0 <= x1 < x2 <= width
        assert 0 <= y1 < y2 <= height
        assert target.kind in {"face", "plate"}
        assert target.found_by
        assert target.score is not None
        assert 0 <= target.score <= 1


def test_the_same_picture_gives_the_same_targets(detect: Detect, street: NDArray[Any]) -> None:
    assert list(detect(street)) == list(detect(street))


def test_the_picture_stays_as_it_was(detect: Detect, street: NDArray[Any]) -> None:
    before = street.copy()
    detect(street)
    assert np.array_equal(before, street)


def test_part_of_a_picture_is_a_picture(detect: Detect, street: NDArray[Any]) -> None:
    part = street[10:300, 20:401]  # not contiguous in memory
    assert list(detect(part)) == list(detect(part.copy()))
