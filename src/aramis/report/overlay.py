"""A part of a released picture with the verdicts drawn over it: green, blue, red, and a letter and a line of its own for
those who cannot tell the colours apart.

The pixels are those of the released file, never of an original.
"""

import warnings
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from aramis.errors import Unreadable
from aramis.images.files import video
from aramis.images.geometry import clip, grow, intersection
from aramis.images.records import Box, Carrier, Finding, ImageRecord, Target, Verdict

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST = 480  # pixels of a picture's longer side in the report
SMALLEST_VIEW = 120  # pixels of the released picture, so that a small case has something around it
NO_FILE = "there is no released file of this name"

LETTERS = {Verdict.ANONYMIZED: "A", Verdict.UNRECOGNISABLE: "U", Verdict.LEAK: "L", None: "?"}


class Mark(msgspec.Struct, frozen=True):
    """A box to draw: what it is called in the style sheet, its letter, and whether it is what the picture is about."""

    style: str
    letter: str
    box: Box
    chief: bool


class Overlay(msgspec.Struct, frozen=True):
    """A view of a picture, in the picture's pixels, and what is drawn over it. `pixels` is a data: address."""

    view: Box
    marks: tuple[Mark, ...]
    pixels: str | None
    missing: str | None  # why there are no pixels

    @property
    def width(self) -> float:
        return self.view[2] - self.view[0]

    @property
    def height(self) -> float:
        return self.view[3] - self.view[1]


class Shot(NamedTuple):
    """A part of one frame of a released video."""

    video: str
    frame: int
    view: Box


class Part(NamedTuple):
    """A part of a released picture as a data: address, or why there is none."""

    pixels: str | None
    missing: str | None


About = Carrier | Target | Finding


def overlay(media: Path, record: ImageRecord, about: About, shots: Mapping[Shot, Part]) -> Overlay:
    """The surroundings of a carrier, a target or a finding in the released file below the folder `media`.

    What is in a video was taken out of it beforehand: see `taken`.
    """
    view = _view(record, about)
    shot = _shot(record, about)
    part = shots[shot] if shot else _part(media / record.image, record, view)
    return Overlay(view, tuple(_marks(record, about, view)), *part)


def taken(media: Path, wanted: Iterable[tuple[ImageRecord, About]]) -> dict[Shot, Part]:
    """Out of each released video the parts that are wanted, in one pass that ends with the last of them."""
    by_video: dict[str, set[Shot]] = {}
    for shot in (_shot(record, about) for record, about in wanted):
        if shot:
            by_video.setdefault(shot.video, set()).add(shot)
    return {shot: part for name, shots in by_video.items() for shot, part in _out_of(media / name, shots)}


def _shot(record: ImageRecord, about: About) -> Shot | None:
    """Where a case is in a video; None where it is in a photograph or an animation."""
    if record.frame is None or Path(record.image).suffix.lower() not in video.SUFFIXES:
        return None
    return Shot(record.image, record.frame, _view(record, about))


def _out_of(path: Path, shots: set[Shot]) -> Iterator[tuple[Shot, Part]]:
    from PIL import Image

    left = set(shots)
    is_there = path.is_file()
    why = "the released video has no such frame" if is_there else NO_FILE
    try:
        for frame in video.frames(path) if is_there else ():
            for shot in [one for one in left if one.frame == frame.index]:
                left.remove(shot)
                yield shot, Part(_encoded(Image.fromarray(frame.pixels).crop(shot.view)), None)
            if not left:
                return
    except Unreadable as error:
        why = f"the released video cannot be read: {error}"
    yield from ((shot, Part(None, why)) for shot in left)


def _marks(record: ImageRecord, about: About, view: Box) -> list[Mark]:
    """Hidden regions below, other carriers above them, what the picture is about on top."""
    found = [Mark("leak", "L", about.box, True)] if isinstance(about, Finding) and about.box else []
    targets = [Mark("target", "", target.box, target is about) for target in record.targets]
    carriers = [
        Mark(str(carrier.verdict or "unjudged"), LETTERS[carrier.verdict], carrier.box, carrier is about)
        for carrier in record.carriers
    ]
    seen = [mark for mark in targets + carriers + found if intersection(mark.box, view) > 0]
    return sorted(seen, key=lambda mark: mark.chief)


def _view(record: ImageRecord, about: About) -> Box:
    box = about.box or (0, 0, record.width, record.height)
    width, height = box[2] - box[0], box[3] - box[1]
    wider = max(0.25, (SMALLEST_VIEW - width) / 2 / max(width, 1))
    taller = max(0.25, (SMALLEST_VIEW - height) / 2 / max(height, 1))
    x1, y1, x2, y2 = clip(grow(box, wider, taller), record.width, record.height)
    return int(x1), int(y1), int(x2 + 0.999), int(y2 + 0.999)


def _part(path: Path, record: ImageRecord, view: Box) -> Part:
    from PIL import Image

    try:
        with (
            warnings.catch_warnings(action="error", category=Image.DecompressionBombWarning),
            Image.open(path) as image,
        ):
            image.seek(record.frame or 0)
            if image.size != (record.width, record.height):
                return Part(None, "the released file has another size than its record")
            return Part(_encoded(image.crop(view)), None)
    except FileNotFoundError:
        return Part(None, NO_FILE)
    except Image.DecompressionBombWarning:
        return Part(None, "too large to show here")
    except (OSError, SyntaxError, ValueError, EOFError) as error:  # what Pillow cannot decode
        return Part(None, f"the released file cannot be read: {error}")


def _encoded(part: "Image") -> str:
    shown = part.convert("RGB")
    shown.thumbnail((LARGEST, LARGEST))
    encoded = BytesIO()
    shown.save(encoded, "JPEG", quality=82)
    return f"data:image/jpeg;base64,{b64encode(encoded.getvalue()).decode()}"
