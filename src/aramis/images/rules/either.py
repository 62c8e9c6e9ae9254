"""The published rules that hold for people and vehicles alike."""

from aramis.images.geometry import area, intersection
from aramis.images.records import Carrier
from aramis.images.rules.scene import Scene


def too_small(scene: Scene, carrier: Carrier) -> str | None:
    """The carrier fills a small share of the image.

    Why: what is far away is too small to recognise a face or read a plate.
    Example: a car at the end of the street, 60 x 50 pixels in a Full HD photograph.
    """
    share = area(carrier.box) / (scene.record.width * scene.record.height)
    if share < scene.thresholds.small_area:
        return f"fills {share:.2%} of the image, below {scene.thresholds.small_area:.2%}"
    return None


def overlapped(scene: Scene, carrier: Carrier) -> str | None:
    """The carrier's box overlaps that of another carrier.

    Why: what stands in front may cover the face or the plate.
    Example: two cars parked one behind the other. Both are excused, also the one that stands in front and hides
    nothing: this is where the published rules hide leaks.
    """
    others = [other for other in scene.carriers if other is not carrier]
    share = max((_shared(carrier, other) for other in others), default=0.0)
    if share > scene.thresholds.overlap:
        return f"{share:.0%} of its box lies in another carrier's box"
    return None


def low_score(scene: Scene, carrier: Carrier) -> str | None:
    """The detector was unsure of the carrier.

    Why: what a detector is unsure of is often blurred, dark or half hidden, and so is its target.
    Example: a person behind a wet window, scored 0.35.
    """
    if carrier.score < scene.thresholds.low_score:
        return f"scored {carrier.score:.2f}, below {scene.thresholds.low_score:.2f}"
    return None


def _shared(carrier: Carrier, other: Carrier) -> float:
    whole = area(carrier.box)
    return intersection(carrier.box, other.box) / whole if whole > 0 else 0.0
