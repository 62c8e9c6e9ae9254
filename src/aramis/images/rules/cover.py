"""What stands in front of what, told from boxes alone."""

from aramis.images.geometry import area, intersection, union_area
from aramis.images.records import Box, Carrier
from aramis.images.rules.scene import Scene


def covered_share(room: Box, carrier: Carrier, scene: Scene) -> float:
    """How much of a region of a carrier lies behind carriers that are nearer to the camera."""
    x1, y1, x2, y2 = room
    solid = [
        (max(left, x1), max(top, y1), min(right, x2), min(bottom, y2))
        for other in scene.carriers
        if is_nearer(other, carrier) and intersection(other.box, room) > 0
        for left, top, right, bottom in solid_parts(other)
    ]
    within = [part for part in solid if part[0] < part[2] and part[1] < part[3]]
    return union_area(within) / area(room) if within else 0.0


def is_nearer(one: Carrier, other: Carrier) -> bool:
    """Whether one stands nearer to the camera: its feet or wheels are lower in the picture.

    Of a person and a vehicle that stand level the person is nearer. Nobody is nearer than themselves, and of two that the
    lower edge of the picture cuts off nothing is known.
    """
    if one.kind == "person" and other.kind == "vehicle":
        return one.box[3] >= other.box[3]
    return one.box[3] > other.box[3]


def solid_parts(carrier: Carrier) -> tuple[Box, ...]:
    """The parts of a carrier's box that nothing shows through: boxes have corners, people and vehicles do not."""
    x1, y1, x2, y2 = carrier.box
    width, height = x2 - x1, y2 - y1
    if carrier.kind == "vehicle":
        return ((x1 + 0.05 * width, y1 + 0.2 * height, x2 - 0.05 * width, y2),)
    shoulders = y1 + min(0.4 * height, 0.5 * width)
    head = (x1 + 0.35 * width, y1, x2 - 0.35 * width, shoulders)
    body = (x1 + 0.2 * width, shoulders, x2 - 0.2 * width, y2)
    return head, body
