"""Nothing: the target is recorded and left as it is."""

from aramis.images.records import Target
from aramis.images.redact.regions import Pixels


def none(pixels: Pixels, target: Target, strength: float = 1.0) -> Pixels:
    """The pixels, unchanged."""
    return pixels
