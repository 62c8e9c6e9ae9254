"""Where the target of a carrier is expected, and how large it can be.

The figures are those of annotated photographs: of 1,300 faces in people found by the inspection (in crowds, in streets, at home) and of 199
readable plates in vehicles. A face is as wide a part of a bust as of a whole figure, so a person's width says more about it than
their height.
"""

from collections.abc import Sequence
from math import hypot, log

import msgspec

from aramis.images.geometry import centre, is_inside, is_within
from aramis.images.records import Box, Carrier, Point, Target

KNOWN = 2 / 3  # where a head is known, faces lie this much nearer to where they are expected
POINTS = 12  # in a row and in a column, where a share is told from points


class Place(msgspec.Struct, frozen=True):
    """Where a target is expected."""

    centre: Point
    size: float  # pixels that a face is tall, or a plate wide, as a rule
    most: float  # what 19 of 20 stay below
    room: Box  # where it lies, if it is anywhere
    scatter: float = (
        1.0  # how many times more widely such targets lie around their place than faces of people do
    )

    @property
    def likely(self) -> Box:
        """A target of the expected size in the expected place."""
        (x, y), half = self.centre, self.size / 2
        return x - half, y - half, x + half, y + half


def place(carrier: Carrier) -> Place:
    """Where a person's face, or a vehicle's plate, is expected."""
    if carrier.kind == "vehicle":
        return _plate(carrier.box)
    return _face_in_head(carrier.head_box) if carrier.head_box else _face(carrier.box)


def misfit(target: Target, expected: Place) -> float:
    """How ill a target fits: how far it lies from where it is expected, in expected sizes, and the logarithm of how many
    times larger or smaller it is, taken together. 0 fits; a face one face's height away, or 2.7 times too large: 1. Plates
    of vehicles that stand askew lie twice as far from the middle."""
    x, y = centre(target.box)
    size = target.box[2] - target.box[0] if target.kind == "plate" else target.box[3] - target.box[1]
    usual = max(expected.size, 1.0)
    away = hypot(x - expected.centre[0], y - expected.centre[1]) / usual
    return hypot(away, log(max(size, 1.0) / usual)) / expected.scatter


def share_under(box: Box, regions: Sequence[Target]) -> float:
    """How much of a box lies under regions together, along their outlines; told from points, to a few percent."""
    if not regions:
        return 0.0
    x1, y1, x2, y2 = box
    steps = [(step + 0.5) / POINTS for step in range(POINTS)]
    points = [(x1 + across * (x2 - x1), y1 + down * (y2 - y1)) for across in steps for down in steps]
    return sum(any(_lies_in(point, one) for one in regions) for point in points) / len(points)


def _lies_in(point: Point, region: Target) -> bool:
    return is_within(point, region.polygon) if region.polygon else is_inside(point, region.box)


def _face(box: Box) -> Place:
    x1, y1, x2, y2 = box
    width, height = x2 - x1, y2 - y1
    size = min(0.38 * width, 0.42 * height)
    room = x1, y1, x2, y1 + min(0.85 * height, 1.1 * width)
    return Place(((x1 + x2) / 2, y1 + size), size, min(0.6 * width, 0.65 * height), room)


def _face_in_head(head: Box) -> Place:
    x1, y1, x2, y2 = head
    size = 0.8 * (y2 - y1)
    return Place(((x1 + x2) / 2, y2 - size / 2), size, y2 - y1, head, scatter=KNOWN)


def _plate(box: Box) -> Place:
    x1, y1, x2, y2 = box
    width, height = x2 - x1, y2 - y1
    size = min(0.31 * width, 0.4 * height)
    room = x1 + 0.05 * width, y1 + 0.3 * height, x2 - 0.05 * width, y2 - 0.05 * height
    return Place(
        ((x1 + x2) / 2, y1 + 0.58 * height), size, min(0.45 * width, 0.55 * height), room, scatter=2.0
    )
