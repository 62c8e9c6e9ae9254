"""What stands in front of what, told from boxes alone."""

from aramis.images.geometry import intersection, is_inside
from aramis.images.records import Box, Carrier
from aramis.images.rules.scene import Scene

GRID = [(place + 0.5) / 10 for place in range(10)]


def covered_share(room: Box, carrier: Carrier, scene: Scene) -> float:
    """How much of a region of a carrier lies behind carriers that are nearer to the camera."""
    solid = [
        part
        for other in scene.carriers
        if is_nearer(other, carrier)
        for part in solid_parts(other)
        if intersection(part, room) > 0
    ]
    if not solid:
        return 0.0
    x1, y1, x2, y2 = room
    points = [(x1 + (x2 - x1) * across, y1 + (y2 - y1) * down) for across in GRID for down in GRID]
    return sum(any(is_inside(point, part) for part in solid) for point in points) / len(points)


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
