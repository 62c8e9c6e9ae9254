"""Pixels → licence plates with four corners: personal data itself, to be hidden."""

from aramis.images import cards
from aramis.images.candidates import Candidates
from aramis.images.detect.plate_net import plate_net
from aramis.images.geometry import clip
from aramis.images.network import Pixels
from aramis.images.passes import Detect
from aramis.images.records import Corners, Target

MODEL = "aramis-plates"
FLOOR = 0.45
"""At this score less than one photograph in three without plates has a false one; see docs/measurements.md."""


def plates(models: str = "default", threads: int = 1, floor: float = FLOOR) -> Detect:  # noqa: ARG001 - one profile
    """A detector of plates, as `aramis.release` uses it. `floor` is the lowest score that counts."""
    look = plate_net(cards.path(MODEL), threads)

    def detect(pixels: Pixels) -> list[Target]:
        height, width = pixels.shape[:2]
        found = look(pixels, floor)
        return [_target(found, place, width, height) for place in range(len(found.scores))]

    return detect


def _target(found: Candidates, place: int, width: int, height: int) -> Target:
    """Corners may lie outside the picture, where a plate is cut off; the box does not."""
    a, b, c, d = ((float(x), float(y)) for x, y in found.points[place])
    corners: Corners = a, b, c, d
    x1, y1, x2, y2 = (float(side) for side in found.boxes[place])
    return Target(
        kind="plate",
        box=clip((x1, y1, x2, y2), width, height),
        corners=corners,
        score=float(found.scores[place]),
        found_by=MODEL,
    )
