"""Vehicles are put together from what networks saw, each with the side that is seen."""

import numpy as np

from aramis.images.network import Pixels
from aramis.images.records import Orientation
from aramis.images.surroundings.facing import Facing
from aramis.images.surroundings.seen import LABELS, Floats, Seen
from aramis.images.surroundings.vehicles import vehicles

PIXELS = np.zeros((100, 100, 3), np.uint8)


def by_place(_: Pixels, boxes: Floats) -> list[Facing]:
    """Those on the left show their front, the others their side."""
    return [Facing(Orientation.FRONT if box[0] < 50 else Orientation.SIDE, 0.9) for box in boxes]


def test_each_vehicle_gets_its_own_side_and_a_motorcycle_none() -> None:
    boxes = np.array([[60, 0, 90, 20], [0, 0, 30, 30], [0, 50, 30, 90], [0, 0, 99, 99]], float)
    labels = np.array([LABELS.index(name) for name in ("bus", "motorcycle", "car", "person")])
    seen = {"one": Seen(boxes, np.array([0.9, 0.8, 0.7, 0.9]), labels)}
    found = vehicles(PIXELS, seen, by_place)
    assert [(each.label, each.orientation, each.orientation_score) for each in found] == [
        ("bus", Orientation.SIDE, 0.9),
        ("motorcycle", Orientation.UNKNOWN, 0.0),
        ("car", Orientation.FRONT, 0.9),
    ]
    assert {each.found_by for each in found} == {"one"}
