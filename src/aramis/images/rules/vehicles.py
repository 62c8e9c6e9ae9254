"""Rules for vehicles: which of them hold no recognisable licence plate."""

from aramis.images.records import Carrier, Orientation
from aramis.images.rules.either import low_score, overlapped, too_small
from aramis.images.rules.scene import Rule, Scene


def side_on(_: Scene, vehicle: Carrier) -> str | None:
    """The vehicle shows the camera its side.

    Why: plates are mounted in front and at the back; from the side they cannot be read.
    Example: a car that crosses the junction ahead.
    """
    if vehicle.orientation is Orientation.SIDE:
        return "seen from the side"
    return None


PUBLISHED: tuple[Rule, ...] = (side_on, too_small, overlapped, low_score)
