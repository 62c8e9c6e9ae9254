"""A part of a released picture with the verdicts drawn over it: green, blue, red, and a letter and a line of its own for
those who cannot tell the colours apart.

The pixels are those of the released file, never of an original.
"""

import warnings
from base64 import b64encode
from io import BytesIO
from pathlib import Path

import msgspec

from aramis.images.geometry import clip, grow, intersection
from aramis.images.records import Box, Carrier, Finding, ImageRecord, Target, Verdict

LARGEST = 480  # pixels of a picture's longer side in the report
SMALLEST_VIEW = 120  # pixels of the released picture, so that a small case has something around it

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


def overlay(media: Path, record: ImageRecord, about: Carrier | Target | Finding) -> Overlay:
    """The surroundings of a carrier, a target or a finding in the released file below the folder `media`."""
    view = _view(about.box or (0, 0, record.width, record.height), record)
    pixels, missing = _pixels(media / record.image, record, view)
    return Overlay(view, tuple(_marks(record, about, view)), pixels, missing)


def _marks(record: ImageRecord, about: Carrier | Target | Finding, view: Box) -> list[Mark]:
    """Hidden regions below, other carriers above them, what the picture is about on top."""
    found = [Mark("leak", "L", about.box, True)] if isinstance(about, Finding) and about.box else []
    targets = [Mark("target", "", target.box, target is about) for target in record.targets]
    carriers = [
        Mark(str(carrier.verdict or "unjudged"), LETTERS[carrier.verdict], carrier.box, carrier is about)
        for carrier in record.carriers
    ]
    seen = [mark for mark in targets + carriers + found if intersection(mark.box, view) > 0]
    return sorted(seen, key=lambda mark: mark.chief)


def _view(box: Box, record: ImageRecord) -> Box:
    width, height = box[2] - box[0], box[3] - box[1]
    wider = max(0.25, (SMALLEST_VIEW - width) / 2 / max(width, 1))
    taller = max(0.25, (SMALLEST_VIEW - height) / 2 / max(height, 1))
    x1, y1, x2, y2 = clip(grow(box, wider, taller), record.width, record.height)
    return int(x1), int(y1), int(x2 + 0.999), int(y2 + 0.999)


def _pixels(path: Path, record: ImageRecord, view: Box) -> tuple[str | None, str | None]:
    from PIL import Image

    if record.frame is not None:
        return None, "a frame of a video"
    try:
        with (
            warnings.catch_warnings(action="error", category=Image.DecompressionBombWarning),
            Image.open(path) as image,
        ):
            if image.size != (record.width, record.height):
                return None, "the released file has another size than its record"
            part = image.crop(view).convert("RGB")
    except FileNotFoundError:
        return None, "there is no released file of this name"
    except Image.DecompressionBombWarning:
        return None, "too large to show here"
    except (OSError, SyntaxError, ValueError) as error:  # what Pillow raises for a file it cannot decode
        return None, f"the released file cannot be read: {error}"
    part.thumbnail((LARGEST, LARGEST))
    encoded = BytesIO()
    part.save(encoded, "JPEG", quality=82)
    return f"data:image/jpeg;base64,{b64encode(encoded.getvalue()).decode()}", None
