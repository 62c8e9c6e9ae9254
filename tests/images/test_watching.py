"""Watching with several looks at once comes to the same as one look after another, in the same order."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.records import Target
from aramis.images.watching import AHEAD, watch

if TYPE_CHECKING:
    from aramis.images.tracking import Seen

SIZE = (64, 48)
SCENES = [np.random.default_rng(seed).integers(0, 255, (48, 64, 3), np.uint8) for seed in (1, 2)]


@dataclass(frozen=True)
class Picture:
    index: int

    @property
    def pixels(self) -> NDArray[np.uint8]:
        return SCENES[self.index >= 30]

    def small(self, width: int, height: int) -> NDArray[np.uint8]:
        return np.ascontiguousarray(self.pixels[:height, :width, 0])


def find(pixels: NDArray[np.uint8], index: int) -> list[Target]:
    time.sleep(0.004 * (index % 3))  # later looks may be ready before earlier ones
    return [Target(kind="face", box=(index, 0, index + 9, 9), score=0.5)]


@pytest.mark.parametrize("every", [1, 4])
def test_looks_beside_one_another_come_in_order(every: int) -> None:
    frames = [Picture(index) for index in range(60)]
    alone = list(watch(frames, SIZE, every, find))
    with ThreadPoolExecutor(3) as beside:
        assert list(watch(frames, SIZE, every, find, beside)) == alone
    looked_at = {*range(0, 30, every), 29, *range(30, 60, every), 59}  # and the last of each scene
    assert [seen.index for seen in alone if seen.found is not None] == sorted(looked_at)
    assert {seen.scene for seen in alone} == {1, 2}


def test_no_more_than_a_few_frames_are_on_their_way() -> None:
    read: list[int] = []

    def frames() -> Iterator[Picture]:
        for index in range(60):
            read.append(index)
            yield Picture(index)

    with ThreadPoolExecutor(2) as beside:
        given: list[Seen] = []
        for seen in watch(frames(), SIZE, 2, find, beside):
            given.append(seen)
            assert len(read) - len(given) <= AHEAD + 1


def test_what_goes_wrong_in_a_look_is_raised() -> None:
    def failing(pixels: NDArray[np.uint8], index: int) -> list[Target]:
        raise ValueError(f"frame {index}")

    with ThreadPoolExecutor(2) as beside, pytest.raises(ValueError, match="frame 0"):
        list(watch([Picture(0)], SIZE, 1, failing, beside))
