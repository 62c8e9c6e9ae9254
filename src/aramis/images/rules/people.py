"""Rules for people: which of them hold no recognisable face."""

from aramis.images.records import Carrier, Orientation
from aramis.images.rules.either import low_score, overlapped, too_small
from aramis.images.rules.scene import Rule, Scene


def turned_away(_: Scene, person: Carrier) -> str | None:
    """The person shows the camera their back.

    Why: from behind there is no face to recognise.
    Example: a pedestrian who walks ahead of the car.
    """
    if person.orientation is Orientation.BACK:
        return "seen from behind"
    return None


PUBLISHED: tuple[Rule, ...] = (turned_away, too_small, overlapped, low_score)
