"""Rules that hold for people and vehicles alike."""

from math import floor

from aramis.images.geometry import area, intersection
from aramis.images.records import Carrier
from aramis.images.rules.cover import covered_share
from aramis.images.rules.expected import place
from aramis.images.rules.scene import Answer, Scene


def too_small(scene: Scene, carrier: Carrier) -> Answer:
    """The carrier fills a small share of the image.

    Why: what is far away is too small to recognise a face or read a plate.
    Example: a car at the end of the street, 60 x 50 pixels in a Full HD photograph. In a photograph of 8000 x 6000
    pixels a car of 400 x 500 is excused as well, though its plate can be read.
    """
    share = area(carrier.box) / (scene.record.width * scene.record.height)
    least = scene.thresholds.small_area
    return Answer(share < least, f"fills {share:.2%} of the image; small is below {least:.2%}")


def overlapped(scene: Scene, carrier: Carrier) -> Answer:
    """The carrier's box overlaps that of another carrier.

    Why: what stands in front may cover the face or the plate.
    Example: two cars parked one behind the other. Both are excused, also the one that stands in front and hides
    nothing: this is where the published rules hide leaks.
    """
    share = max((_shared(carrier, other) for other in scene.carriers if other is not carrier), default=0.0)
    return Answer(share > scene.thresholds.overlap, f"{share:.0%} of its box lies in another carrier's box")


def low_score(scene: Scene, carrier: Carrier) -> Answer:
    """The detector was unsure of the carrier.

    Why: what a detector is unsure of is often blurred, dark or half hidden, and so is its target.
    Example: a person behind a wet window, scored 0.35.
    """
    low = scene.thresholds.low_score
    return Answer(carrier.score < low, f"scored {carrier.score:.2f}; low is below {low:.2f}")


def covered(scene: Scene, carrier: Carrier) -> Answer:
    """All of the region in which the carrier's target would be lies behind others that are nearer to the camera.

    Why: of two that overlap, only the one behind is hidden, and only where the other one really stands.
    Example: a car behind a car whose roof reaches over its bumper. The nearer car, whose lower edge lies lower in the
    picture, is never excused by the one behind it.
    """
    share = covered_share(place(carrier).room, carrier, scene)
    return Answer(
        share >= scene.thresholds.covered,
        f"{share:.0%} of where its target would be lies behind something nearer",
    )


def surely(score: float | None, least: float) -> tuple[bool, str]:
    """Whether an orientation is sure enough, and the words for it. Rounded down: 0.697 is not said to be 0.70."""
    said = "" if score is None else f", {floor(score * 100) / 100:.2f} sure; sure is {least:.2f}"
    return score is None or score >= least, said


def _shared(carrier: Carrier, other: Carrier) -> float:
    whole = area(carrier.box)
    return intersection(carrier.box, other.box) / whole if whole > 0 else 0.0
