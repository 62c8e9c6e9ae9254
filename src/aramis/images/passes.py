"""One file through both passes: what is found is hidden, what is around is looked at, and one record says both.

 bytes ─▶ decode ─▶ detect ─targets─▶ redact ─▶ encode ─▶ bytes
             └────▶ look ─carriers─▶ unify ─▶ records ◀─findings─ check ◀─ the bytes, decoded again

`look` runs beside the rest and is handed the source's pixels, nothing else: it cannot know what was found or hidden.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.images.by_hand import NOTHING_SAID, ByHand, is_spared
from aramis.images.checks.check import NO_CHECKS, Checks, checked, with_files
from aramis.images.clock import Clock
from aramis.images.files.frame import Frame, Still, frame_rate, plain, seen, with_plain
from aramis.images.files.still import Admit, decode, encode
from aramis.images.filming import USUAL_FILMING, Filming
from aramis.images.records import Carrier, ImageRecord, Target
from aramis.images.redact.regions import Way, covered, redact
from aramis.images.tracking import follow
from aramis.images.unify import unify
from aramis.images.watching import watch

Pixels = NDArray[np.uint8]
"""Height x width x 3, red first."""

Detect = Callable[[Pixels], Sequence[Target]]
Look = Callable[[Pixels], Sequence[Carrier]]


def nothing(pixels: Pixels) -> tuple[()]:  # noqa: ARG001  # it has the shape of a pass
    """A pass that is left out."""
    return ()


@dataclass(frozen=True, slots=True)
class Passes:
    """What is done with every picture."""

    detect: Detect = nothing
    look: Look = nothing
    ways: Mapping[str, Way] = field(default_factory=dict)
    releases: bool = True  # pixels come out, not records only
    masks: bool = False  # and beside them, where they were hidden
    checks: Checks = NO_CHECKS  # what is asked of the released pixels
    by_hand: ByHand = NOTHING_SAID
    filming: Filming = USUAL_FILMING
    megapixels: float = 250  # the largest picture that is opened


@dataclass(frozen=True, slots=True)
class Passed:
    """What came of one file. The records do not name it yet."""

    records: tuple[ImageRecord, ...]
    data: bytes | None
    suffix: str
    masks: tuple[NDArray[np.uint8], ...] = ()


def through_both(
    name: str, data: bytes, passes: Passes, *, beside: Executor, clock: Clock, admit: Admit
) -> Passed:
    """Decode a file, hide what is found in it, look at what is around, and encode it again."""
    with clock("decode"):
        still = decode(data, passes.megapixels, admit)
    looks = [beside.submit(_look, frame, passes.look, clock) for frame in still.frames]
    with clock("detect"):
        found = list(_found_in_each(name, still, passes))
    encoded = _hidden(still, found, passes.ways, clock) if passes.releases else None
    records = list(_records(still, found, [look.result() for look in looks], passes))
    if encoded is not None and passes.checks.names:
        with clock("check"):
            records = _checked(records, still, encoded, passes)
    masks = _masks(still, found, passes) if passes.masks else ()
    return Passed(tuple(records), encoded, still.suffix, tuple(masks))


def _found_in_each(name: str, still: Still, passes: Passes) -> Iterator[tuple[Target, ...]]:
    rate = frame_rate(still)
    if rate is not None:
        return _followed(name, still, rate, passes)
    places = range(len(still.frames)) if len(still.frames) > 1 else [None]
    each = (
        passes.by_hand.found(passes.detect, seen(frame), name, place)
        for place, frame in zip(places, still.frames, strict=True)
    )
    return (passes.by_hand.finished(found, name) for found in each)


def _followed(name: str, still: Still, rate: float, passes: Passes) -> Iterator[tuple[Target, ...]]:
    """What is in each frame of an animation: what is found in some is in those between them too, as in a video."""
    size = still.frames[0].width, still.frames[0].height
    shown = (_Shown(number, frame) for number, frame in enumerate(still.frames))

    def find(pixels: Pixels, place: int) -> tuple[Target, ...]:
        return passes.by_hand.found(passes.detect, pixels, name, place)

    watched = watch(shown, size, passes.filming.every(rate), find)
    starts_ms = accumulate((frame.duration_ms for frame in still.frames), initial=0.0)
    for start_ms, (_, found) in zip(
        starts_ms, follow(watched, rate, size, passes.filming.habits), strict=False
    ):
        yield passes.by_hand.finished(found, name, start_ms / 1000)


@dataclass(frozen=True)
class _Shown:
    """A frame of an animation, as it is watched."""

    index: int
    frame: Frame

    @cached_property
    def pixels(self) -> Pixels:
        return seen(self.frame)

    def small(self, width: int, height: int) -> Pixels:
        grey = cv2.cvtColor(self.pixels, cv2.COLOR_RGB2GRAY)
        return np.asarray(cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _masks(still: Still, found: Sequence[Sequence[Target]], passes: Passes) -> Iterator[NDArray[np.uint8]]:
    for frame, targets in zip(still.frames, found, strict=True):
        yield covered((frame.width, frame.height), to_hide(targets), passes.ways)


def _look(frame: Frame, look: Look, clock: Clock) -> Sequence[Carrier]:
    with clock("look"):
        return look(seen(frame))


def _hidden(still: Still, found: Sequence[Sequence[Target]], ways: Mapping[str, Way], clock: Clock) -> bytes:
    with clock("redact"):
        frames = [_covered(frame, some, ways) for frame, some in zip(still.frames, found, strict=True)]
    with clock("encode"):
        return encode(replace(still, frames=tuple(frames)))


def _covered(frame: Frame, targets: Sequence[Target], ways: Mapping[str, Way]) -> Frame:
    hidden = to_hide(targets)
    return with_plain(frame, redact(plain(frame), hidden, ways)) if hidden else frame


def _records(
    still: Still, found: Sequence[Sequence[Target]], around: Sequence[Sequence[Carrier]], passes: Passes
) -> Iterator[ImageRecord]:
    for number, (frame, targets, carriers) in enumerate(zip(still.frames, found, around, strict=True)):
        yield unify(
            "",
            frame.width,
            frame.height,
            frame=number if len(still.frames) > 1 else None,
            targets=[as_hidden(target, passes) for target in targets],
            carriers=carriers,
        )


def to_hide(targets: Sequence[Target]) -> list[Target]:
    """All but those that somebody asked to be left as they are."""
    return [target for target in targets if not is_spared(target)]


def _checked(
    records: Sequence[ImageRecord], still: Still, encoded: bytes, passes: Passes
) -> list[ImageRecord]:
    """The records with what the checks found in the file as it is released; what is in it besides pixels stands in the first."""
    released = decode(encoded, passes.megapixels)
    first, *rest = (
        checked(record, seen(before), seen(after), passes.checks.pixels)
        for record, before, after in zip(records, still.frames, released.frames, strict=True)
    )
    return [with_files(first, encoded, passes.checks.files), *rest]


def as_hidden(target: Target, passes: Passes) -> Target:
    """The target, saying how it was hidden, if it was."""
    way = passes.ways.get(target.kind)
    hidden = passes.releases and way is not None and way.name != "none" and not is_spared(target)
    return msgspec.structs.replace(target, method=way.name if way and hidden else None)
