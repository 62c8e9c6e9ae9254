"""Do detectors still find a face or a plate in the released picture?

They look again, with a lower floor. What they find where nothing was hidden, nobody has hidden: a leak, if it is large enough to
know anybody by. What they find
where something was hidden says little: a blurred face is still shaped like one, so it is listed only; whether anybody could
be known by it is for re-identification and legibility to say.
"""

from collections.abc import Callable, Sequence

from aramis.images.by_hand import is_spared
from aramis.images.checks.check import Check
from aramis.images.checks.sharpness import sharpness
from aramis.images.geometry import centre, is_inside
from aramis.images.network import Pixels
from aramis.images.records import Box, Finding, ImageRecord, Target
from aramis.images.rules.thresholds import Thresholds

FLOORS = {"face": 0.3, "plate": 0.35}
"""Lower than the detectors' own: docs/measurements.md says what that finds, and how often it is wrong."""


LEGIBLE_PX = {"face": Thresholds().face_floor_px, "plate": Thresholds().plate_floor_px}
"""Height of a face, width of a plate: by a smaller one nobody is known, and the rules do not flag it either."""


def residual(detect: Callable[[Pixels], Sequence[Target]]) -> Check:
    """The check with these detectors; `value` is their score."""

    def check(original: Pixels, released: Pixels, record: ImageRecord) -> list[Finding]:  # noqa: ARG001  # it has the shape of a check
        return [_finding(found, record.targets, released) for found in detect(released)]

    return check


def at_hidden(found: Target, targets: Sequence[Target]) -> Target | None:
    """The target that lies where something was found, and was hidden or left open on purpose."""
    settled = (one for one in targets if one.method is not None or is_spared(one))
    return next((one for one in settled if same_place(found.box, one.box)), None)


def same_place(one: Box, other: Box) -> bool:
    """Whether one of two boxes holds the middle of the other."""
    return is_inside(centre(one), other) or is_inside(centre(other), one)


def _finding(found: Target, targets: Sequence[Target], released: Pixels) -> Finding:
    at = at_hidden(found, targets)
    where = f"at target {at.id}" if at else "where nothing was hidden"
    small = "" if is_legible(found) else ", too small to know anybody by"
    return Finding(
        kind=found.kind,
        box=found.box,
        target=at.id if at else None,
        value=found.score,
        votes=found.votes,
        sharpness=None if at else sharpness(released, found.box),
        leak=at is None and is_legible(found),
        why=f"{found.found_by or 'the detector'} finds a {found.kind} {where}"
        + (f", scored {found.score:.2f}" if found.score is not None else "")
        + small,
    )


def is_legible(found: Target) -> bool:
    """Whether it is large enough for somebody to be known by it."""
    x1, y1, x2, y2 = found.box
    return (x2 - x1 if found.kind == "plate" else y2 - y1) >= LEGIBLE_PX.get(found.kind, 0.0)
