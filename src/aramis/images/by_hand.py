"""What a person says beforehand: regions to hide in any case, zones and faces to spare, what another tool found.

Each function takes targets and gives targets. What is spared stays in the record, says why, and is not hidden: so it
is judged and reported like anything else that can be seen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Annotated

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from aramis.images.geometry import centre, is_inside, is_within
from aramis.images.records import Box, ImageRecord, Point, Target

Pixels = NDArray[np.uint8]
Detect = Callable[[Pixels], Sequence[Target]]
Embed = Callable[[Pixels, Target], NDArray[np.float32] | None]
"""What makes a face somebody's, as numbers of length one; None where it cannot be told."""

FOUND_BY = "by hand"
SAME_PERSON = 0.6  # cosine; see docs/measurements.md: a stranger must not be spared, a friend may be hidden


class Region(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of one image, of some, or of all; of a video also for a time only."""

    image: str = "*"  # a path below the source; * and ? stand for anything
    box: Box | None = None
    polygon: Annotated[tuple[Point, ...], msgspec.Meta(min_length=3)] | None = None
    start: float | None = msgspec.field(default=None, name="from")  # seconds of a video
    end: float | None = msgspec.field(default=None, name="to")
    kind: str | None = None  # of a zone: only such targets are spared
    note: str = ""  # for people


class Regions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `--regions` names: to be hidden in any case."""

    regions: tuple[Region, ...]


class Ignored(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `--ignore` names: zones in which nothing is hidden, and photographs of faces that are not."""

    zones: tuple[Region, ...] = ()
    faces: tuple[str, ...] = ()  # photographs, each of one face; paths as seen from this file


@dataclass(frozen=True, slots=True)
class ByHand:
    """All that a person has said beforehand about a run."""

    regions: tuple[Region, ...] = ()
    zones: tuple[Region, ...] = ()
    known: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)  # faces to spare
    embed: Embed | None = field(default=None, repr=False)  # every run has its own
    elsewhere: Mapping[tuple[str, int | None], tuple[Target, ...]] = field(default_factory=dict)
    only_elsewhere: bool = False  # our own detectors are left out

    def found(
        self, detect: Detect, pixels: Pixels, image: str, frame: int | None = None
    ) -> tuple[Target, ...]:
        """What is found in a picture: by our detectors, by another tool, those to be spared marked."""
        ours = () if self.only_elsewhere else tuple(detect(pixels))
        both = ours + self.elsewhere.get((image, frame), ())
        return spare_faces(both, self.known, self.embed, pixels) if self.embed else both

    def finished(
        self, targets: Iterable[Target], image: str, seconds: float | None = None
    ) -> tuple[Target, ...]:
        """What is in a picture in the end: targets in a zone to ignore marked, regions to hide added."""
        return spare_zones(targets, self.zones, image, seconds) + drawn(self.regions, image, seconds)


NOTHING_SAID = ByHand()


def outline(region: Region) -> tuple[Point, ...]:
    """The corners of a region, clockwise."""
    if region.polygon is not None:
        return region.polygon
    assert region.box is not None, "a region that was read has a box or a polygon"
    x1, y1, x2, y2 = region.box
    return (x1, y1), (x2, y1), (x2, y2), (x1, y2)


def holds(region: Region, image: str, seconds: float | None = None) -> bool:
    """Whether a region is meant for an image, or for a video at a time."""
    if not fnmatchcase(image, region.image):
        return False
    if seconds is None:
        return True
    return (region.start is None or seconds >= region.start) and (region.end is None or seconds < region.end)


def drawn(regions: Iterable[Region], image: str, seconds: float | None = None) -> tuple[Target, ...]:
    """The regions to hide in an image, as targets.

    >>> drawn([Region(image="a/*", box=(0, 0, 9, 9))], "a/1.jpg")[0].kind
    'region'
    """
    return tuple(_as_target(region) for region in regions if holds(region, image, seconds))


def spare_zones(
    targets: Iterable[Target], zones: Sequence[Region], image: str, seconds: float | None = None
) -> tuple[Target, ...]:
    """Mark the targets whose middle lies in a zone as spared."""
    here = [zone for zone in zones if holds(zone, image, seconds)]
    return tuple(
        _spared(target, "in a zone to ignore") if any(_lies_in(target, zone) for zone in here) else target
        for target in targets
    )


def spare_faces(
    targets: Iterable[Target], known: Mapping[str, NDArray[np.float32]], embed: Embed, pixels: Pixels
) -> tuple[Target, ...]:
    """Mark the faces that are one of those known, which bear the names of their photographs."""
    return tuple(
        _spared(target, f"the face in {name}") if (name := _known(target, known, embed, pixels)) else target
        for target in targets
    )


def is_spared(target: Target) -> bool:
    """Whether somebody asked that this target be left as it is."""
    return "spared" in target.extra


def found_elsewhere(records: Iterable[ImageRecord]) -> dict[tuple[str, int | None], tuple[Target, ...]]:
    """What another tool found, by image and frame."""
    found: dict[tuple[str, int | None], tuple[Target, ...]] = {}
    for record in records:
        theirs = tuple(replace(t, id=-1, method=None) for t in record.targets)
        found[record.image, record.frame] = found.get((record.image, record.frame), ()) + theirs
    return found


def _as_target(region: Region) -> Target:
    points = outline(region)
    xs, ys = zip(*points, strict=True)
    box = (min(xs), min(ys), max(xs), max(ys))
    return Target(kind="region", box=box, polygon=region.polygon, found_by=FOUND_BY)


def _lies_in(target: Target, zone: Region) -> bool:
    if zone.kind is not None and zone.kind != target.kind:
        return False
    if zone.polygon is not None:
        return is_within(centre(target.box), zone.polygon)
    return zone.box is not None and is_inside(centre(target.box), zone.box)


def _known(
    target: Target, known: Mapping[str, NDArray[np.float32]], embed: Embed, pixels: Pixels
) -> str | None:
    if target.kind != "face" or not known:
        return None
    here = embed(pixels, target)
    if here is None:
        return None
    name, likeness = max(((name, float(here @ one)) for name, one in known.items()), key=lambda pair: pair[1])
    return PurePath(name).name if likeness >= SAME_PERSON else None


def _spared(target: Target, why: str) -> Target:
    return replace(target, extra={**target.extra, "spared": why})
