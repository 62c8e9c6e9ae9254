"""Frames in turn → what is seen of each: targets where it is looked at, the sweep of the camera, the scene it is of."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aramis.images import motion
from aramis.images.records import Target
from aramis.images.tracking import Seen

Pixels = NDArray[np.uint8]
Find = Callable[[Pixels, int], Sequence[Target]]
"""What is in a frame, and which frame it is → its targets."""
Found = Future[Sequence[Target] | None]

AHEAD = 8  # frames that are on their way: enough to keep every core busy, few enough to be held


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
    find: Find,
    beside: Executor | None = None,
) -> Iterator[Seen]:
    """What is seen of each frame. One in `every` is looked at, and the first and the last of each scene.

    With an executor several frames are looked at beside one another, `AHEAD` of the one that is given.
    """
    waiting: deque[tuple[Seen, Found]] = deque()
    for seen, pixels in _looks(frames, size, every):
        waiting.append((seen, _begun(find, pixels, seen.index, beside)))
        if len(waiting) > (AHEAD if beside else 0):
            yield _with_found(*waiting.popleft())
    for one in waiting:
        yield _with_found(*one)


def _looks(
    frames: Iterable[Shown], size: tuple[int, int], every: int
) -> Iterator[tuple[Seen, Pixels | None]]:
    """Each frame's camera and scene, and its pixels where it is to be looked at: given once the next one is known."""
    x = y = 0.0
    scene, looked_at = 0, 0
    before: tuple[Pixels, Shown, Seen, bool] | None = None
    for frame in frames:
        grey = frame.small(*motion.small_size(*size))
        step = motion.step(before[0], grey) if before else motion.Step(is_cut=True)
        if before:
            yield _look(*before[1:], is_last=step.is_cut)
        if step.is_cut:
            x, y, scene = 0.0, 0.0, scene + 1
        x, y = x + step.sweep[0] * size[0], y + step.sweep[1] * size[1]
        is_due = step.is_cut or frame.index - looked_at >= every
        if is_due:
            looked_at = frame.index
        before = grey, frame, Seen(frame.index, None, (x, y), scene, grey), is_due
    if before:
        yield _look(*before[1:], is_last=True)


def _look(frame: Shown, seen: Seen, is_due: bool, *, is_last: bool) -> tuple[Seen, Pixels | None]:
    return seen, frame.pixels if is_due or is_last else None


def _begun(find: Find, pixels: Pixels | None, index: int, beside: Executor | None) -> Found:
    if pixels is not None and beside is not None:
        return beside.submit(find, pixels, index)
    done: Found = Future()
    done.set_result(None if pixels is None else find(pixels, index))
    return done


def _with_found(seen: Seen, look: Found) -> Seen:
    return replace(seen, found=look.result())
