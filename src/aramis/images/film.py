"""One video through both passes, frame by frame, in memory that does not grow with its length.

 reader, ahead ─pixels─▶ detect ─▶ follow ─targets─┐
 reader, behind ─pixels─▶ look ─carriers─▶ unify ◀─┴─▶ redact ─pixels─▶ writer

The file is read twice at once: one reader looks ahead by as far as following must see, the other writes behind it. So
nothing is kept but a few seconds of boxes.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from aramis.images.clock import Clock
from aramis.images.files import video
from aramis.images.files.video import Frame, Pixels, Video
from aramis.images.files.video_out import Sound, mask_writer, rewrite
from aramis.images.passes import Passes, as_hidden, to_hide
from aramis.images.records import Carrier, ImageRecord, Target
from aramis.images.redact.regions import covered, redact
from aramis.images.redact.voice import disguise
from aramis.images.redact.ways import anew
from aramis.images.tracking import Numbers, Seen, follow
from aramis.images.unify import unify
from aramis.images.watching import watch

Tell = Callable[[int, int | None], None]
"""Called with how many frames are done, of how many."""

FRAMES_BETWEEN_WORDS = 25


def through_film(
    path: Path,
    name: str,
    passes: Passes,
    note: Callable[[ImageRecord], None],
    *,
    target: Path | None = None,
    masks: Path | None = None,
    clock: Clock,
    tell: Tell,
    beside: Executor | None = None,
) -> None:
    """Take a video through both passes: write it to `target`, its masks, and note a record of each frame that has one."""
    about = video.probe(path)
    passes = dataclasses.replace(passes, ways=anew(passes.ways))
    with ExitStack() as stack:
        mask = (
            stack.enter_context(mask_writer(masks, about.width, about.height, about.rate)) if masks else None
        )
        film = _Film(
            name,
            about,
            passes,
            clock,
            note,
            tell,
            mask,
            _followed(path, name, about, passes, clock=clock, beside=beside),
        )
        if target is None:
            for frame in video.frames(path):
                film.edited(frame)
        else:
            rewrite(path, target, film.edited, _sound(passes), passes.filming.keep)


@dataclass
class _Film:
    """What is done with each frame in turn."""

    name: str
    about: Video
    passes: Passes
    clock: Clock
    note: Callable[[ImageRecord], None]
    tell: Tell
    mask: Callable[[Pixels], None] | None
    followed: Iterator[tuple[Seen, tuple[Target, ...]]]
    inspected: tuple[int, int] | None = None  # the last frame whose carriers were looked for, and its scene

    def __post_init__(self) -> None:
        self.numbers = Numbers(float(self.about.rate), (self.about.width, self.about.height))

    def edited(self, frame: Frame) -> Pixels | None:
        """The frame with its targets hidden; None where it has none."""
        seen, followed = next(self.followed)
        targets = self.passes.by_hand.finished(followed, self.name, frame.seconds)
        carriers = self._carriers(frame, seen)
        if targets or carriers is not None:
            self.note(self._record(frame, targets, carriers))
        if frame.index % FRAMES_BETWEEN_WORDS == 0:
            self.tell(frame.index, self.about.frames)
        hidden = to_hide(targets)
        with self.clock("redact"):
            if self.mask:
                self.mask(covered((self.about.width, self.about.height), hidden, self.passes.ways))
            return redact(frame.pixels, hidden, self.passes.ways) if hidden else None

    def _carriers(self, frame: Frame, seen: Seen) -> Sequence[Carrier] | None:
        """People and vehicles in a frame that is sampled; None where it is not. It sees the source's pixels only."""
        due = self.passes.filming.sampled(float(self.about.rate))
        if self.inspected and self.inspected[1] == seen.scene and frame.index - self.inspected[0] < due:
            return None
        self.inspected = frame.index, seen.scene
        with self.clock("look"):
            return self.numbers.of(self.passes.look(frame.pixels), seen)

    def _record(
        self, frame: Frame, targets: Sequence[Target], carriers: Sequence[Carrier] | None
    ) -> ImageRecord:
        record = unify(
            self.name,
            self.about.width,
            self.about.height,
            frame=frame.index,
            targets=[as_hidden(target, self.passes) for target in targets],
            carriers=carriers or (),
        )
        return record if carriers is not None else replace(record, inspected=False)


def _sound(passes: Passes) -> Sound:
    return Sound(passes.filming.audio, disguise)


def _followed(
    path: Path, name: str, about: Video, passes: Passes, *, clock: Clock, beside: Executor | None
) -> Iterator[tuple[Seen, tuple[Target, ...]]]:
    rate, size = float(about.rate), (about.width, about.height)

    def find(pixels: Pixels, index: int) -> tuple[Target, ...]:
        with clock("detect"):
            return passes.by_hand.found(passes.detect, pixels, name, index)

    seen = watch(video.frames(path), size, passes.filming.every(rate), find, beside)
    return follow(seen, rate, size, passes.filming.habits)
