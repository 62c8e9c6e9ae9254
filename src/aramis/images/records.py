"""The nouns of the picture wing.

ImageRecord   one image, or one frame of a video: its size, its targets, its carriers
├── Target    personal data itself: a face, a plate, a region that a person drew
├── Carrier   what usually bears a target but is not personal data: a person, a vehicle
└── Finding   what a check found in the released pixels, by the name of the check

Coordinates are pixels of the image as displayed (EXIF orientation applied), origin top left; x2 and y2 are exclusive.
Rules and measures read these and nothing else, so a record that any other tool wrote can be judged.
"""

from enum import StrEnum
from typing import Annotated, Literal

import msgspec

Box = tuple[float, float, float, float]
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Score = Annotated[float, msgspec.Meta(ge=0, le=1)]
Pixels = Annotated[int, msgspec.Meta(ge=1)]
CarrierKind = Literal["person", "vehicle"]


class Verdict(StrEnum):
    """What the rules say of a carrier. Green, blue, red wherever it is drawn."""

    ANONYMIZED = "anonymized"
    UNRECOGNISABLE = "unrecognisable"
    LEAK = "leak"


class Orientation(StrEnum):
    """Which side of a carrier faces the camera. `UNKNOWN` never excuses a carrier."""

    FRONT = "front"
    SIDE = "side"
    BACK = "back"
    UNKNOWN = "unknown"


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Personal data found in an image. `corners` (a plate's) run clockwise from the top left."""

    id: int = -1  # its place in the record; given by unify
    kind: str  # face, plate, region
    box: Box
    corners: Corners | None = None
    polygon: tuple[Point, ...] | None = None  # where a person drew one
    score: Score | None = None
    found_by: str = ""
    votes: dict[str, Score] | None = None  # how sure each network was that found it
    track: int | None = (
        None  # the same number in every frame of a video in which it is the same face or plate
    )
    method: str | None = None  # how it was hidden; None: not hidden
    changed: bool | None = (
        None  # whether its pixels really are others in the released file; None: not checked
    )
    extra: dict[str, object] = msgspec.field(default_factory=dict)  # keys of other tools, kept


class Carrier(msgspec.Struct, frozen=True, kw_only=True):
    """A person or a vehicle, and what the rules said of it."""

    id: int = -1
    kind: CarrierKind
    label: str | None = msgspec.field(default=None, name="class")  # car, van, truck, bus, motorcycle, bicycle
    box: Box
    score: Score
    orientation: Orientation = Orientation.UNKNOWN
    orientation_score: Score | None = None  # how sure that is; None: not said
    head: Orientation | None = (
        None  # of a person: which side of the head is seen (back: no face to see); None: not said
    )
    head_score: Score | None = None
    head_box: Box | None = None  # of a person: where the head is, also where it lies beyond the image
    found_by: str = ""
    track: int | None = None
    verdict: Verdict | None = None
    target: int | None = None  # the id of the target assigned to it
    reasons: tuple[str, ...] = ()  # codes, one for each rule that excuses it
    why: tuple[str, ...] = ()  # the same in sentences, with what was measured
    extra: dict[str, object] = msgspec.field(default_factory=dict)


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a check of the released pixels found in one place. Each check says what its `value` is, and what a leak."""

    kind: str  # face, plate, text; of metadata what it is
    box: Box | None = None
    target: int | None = None  # the id of the target that lies there
    carrier: int | None = None  # the id of the carrier that it was asked about
    value: float | None = None
    votes: dict[str, Score] | None = None  # of a detector: how sure each of its networks was
    sharpness: float | None = None  # of the original there, from 0 to about 1
    leak: bool = False
    why: str = ""  # a sentence with what was measured


class ImageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of one image or frame after both passes."""

    image: str  # the path below the source folder, with forward slashes
    frame: Annotated[int, msgspec.Meta(ge=0)] | None = None
    width: Pixels
    height: Pixels
    sha256: str | None = None  # of the source file
    inspected: bool | None = None  # False: a frame in which nobody looked for carriers
    targets: tuple[Target, ...] = ()
    carriers: tuple[Carrier, ...] = ()
    checks: dict[str, tuple[Finding, ...]] | None = (
        None  # by check, what it found; a check that is not here did not run
    )
    extra: dict[str, object] = msgspec.field(default_factory=dict)
