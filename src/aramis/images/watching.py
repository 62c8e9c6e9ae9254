"""Frames in turn → what is seen of each: targets where it is looked at, the sweep of the camera, the scene it is of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.images import motion
from aramis.images.records import Target
from aramis.images.tracking import Seen

Pixels = NDArray[np.uint8]


class Shown(Protocol):
    """A frame of a video or an animation."""

    @property
    def index(self) -> int: ...
    @property
    def pixels(self) -> Pixels: ...
    def small(self, width: int, height: int) -> Pixels:
        """Grey, shrunk to this size: to compare frames with."""
        ...


def watch(
    frames: Iterable[Shown],
    size: tuple[int, int],
    every: int,
    find: Callable[[Pixels, int], Sequence[Target]],
) -> Iterator[Seen]:
    """What is seen of each frame. One in `every` is looked at, and the first of each scene."""
    x = y = 0.0
    scene, looked_at = 0, 0
    before = None
    for frame in frames:
        small = frame.small(*motion.small_size(*size))
        step = motion.step(before, small) if before is not None else motion.Step(is_cut=True)
        if step.is_cut:
            x, y, scene = 0.0, 0.0, scene + 1
        x, y, before = x + step.sweep[0] * size[0], y + step.sweep[1] * size[1], small
        found = None
        if step.is_cut or frame.index - looked_at >= every:
            looked_at = frame.index
            found = find(frame.pixels, frame.index)
        yield Seen(frame.index, found, (x, y), scene)
