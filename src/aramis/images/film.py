"""A video as frames in which its targets are known: detection on some frames, following through all of them.

The file is read twice at once: one reader looks ahead by as far as following must see, the other writes behind it.
So nothing is kept but a few seconds of boxes, however long the video.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from aramis.images import motion
from aramis.images.files import video
from aramis.images.files.video import Frame, Pixels
from aramis.images.records import Target
from aramis.images.tracking import USUAL, Habits, Seen, follow

Detect = Callable[[Pixels], Sequence[Target]]


def targets_by_frame(
    path: Path, detect: Detect, *, every: int = 1, habits: Habits = USUAL
) -> Iterator[tuple[Target, ...]]:
    """For each frame of a video in turn, its targets, seen or inferred. Every `every`th frame is looked at."""
    about = video.probe(path)
    seen = watch(video.frames(path), detect, (about.width, about.height), every)
    return follow(seen, float(about.rate), (about.width, about.height), habits)


def watch(frames: Iterator[Frame], detect: Detect, size: tuple[int, int], every: int = 1) -> Iterator[Seen]:
    """What is seen of each frame: targets where it is looked at, the sweep of the camera, the scene.

    The first frame of a scene is looked at too.
    """
    x = y = 0.0
    scene, looked_at = 0, 0
    before = None
    for frame in frames:
        small = frame.small(*motion.small_size(*size))
        step = motion.step(before, small) if before is not None else motion.Step(is_cut=True)
        if step.is_cut:
            x, y, scene = 0.0, 0.0, scene + 1
        x, y, before = x + step.sweep[0] * size[0], y + step.sweep[1] * size[1], small
        due = step.is_cut or frame.index - looked_at >= every
        looked_at = frame.index if due else looked_at
        yield Seen(frame.index, detect(frame.pixels) if due else None, (x, y), scene)
