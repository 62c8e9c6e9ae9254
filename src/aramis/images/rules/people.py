"""Rules for people: which of them hold no recognisable face."""

from aramis.images.records import Carrier, Orientation
from aramis.images.rules.either import low_score, overlapped, small_in_image
from aramis.images.rules.scene import Excuse, Rule, Scene


def turned_away(_: Scene, person: Carrier) -> Excuse | None:
    """The person shows the camera their back.

    Why: from behind there is no face to recognise.
    Example: a pedestrian who walks ahead of the car.
    """
    if person.orientation is Orientation.BACK:
        return Excuse("turned-away", "seen from behind")
    return None


PUBLISHED: tuple[Rule, ...] = (turned_away, small_in_image, overlapped, low_score)
