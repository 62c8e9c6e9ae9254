"""Does the enlarged head of somebody whom the inspection found show a face that nobody hid?

A face that is too small, too dark or too odd for a look at the whole picture is often seen when the head is cut out and
enlarged. Where a hidden face lies there, all is well; else it is a leak. The head is taken from the original: where nothing
was hidden the release shows the same, and where something was, it says that the inspection and a face network agree.
"""

from collections.abc import Callable, Iterator, Sequence
from math import ceil

import cv2
import numpy as np

from aramis.images.checks.check import Check
from aramis.images.checks.residual import at_hidden, same_place
from aramis.images.checks.sharpness import sharpness
from aramis.images.geometry import clip, grow
from aramis.images.network import Pixels
from aramis.images.records import Carrier, Finding, ImageRecord, Target
from aramis.images.rules.expected import place

AROUND = 0.4  # of the room in which a head may be, on each side
SEEN_AS = 80.0  # pixels that a face is enlarged to
MOST = 4.0  # times; what is not there cannot be seen
SMALLEST = 10.0  # pixels of a face: nobody is known by a smaller one


def heads(detect: Callable[[Pixels], Sequence[Target]]) -> Check:
    """The check with a detector of faces that takes a picture as large as it is; `value` is its score."""

    def check(original: Pixels, released: Pixels, record: ImageRecord) -> list[Finding]:  # noqa: ARG001  # it has the shape of a check
        people = [one for one in record.carriers if one.kind == "person" and place(one).most >= SMALLEST]
        found = [face for person in people for face in _faces(original, person, detect)]
        return [_finding(person, face, record.targets, original) for person, face in without_doubles(found)]

    return check


def without_doubles(found: Sequence[tuple[Carrier, Target]]) -> list[tuple[Carrier, Target]]:
    """Each face once, the surest: neighbours show each other's."""
    kept: list[tuple[Carrier, Target]] = []
    for person, face in sorted(found, key=lambda one: -(one[1].score or 0)):
        if not any(same_place(face.box, other.box) for _, other in kept):
            kept.append((person, face))
    return kept


def _faces(
    pixels: Pixels, person: Carrier, detect: Callable[[Pixels], Sequence[Target]]
) -> Iterator[tuple[Carrier, Target]]:
    expected = place(person)
    height, width = pixels.shape[:2]
    x1, y1, x2, y2 = (round(side) for side in clip(grow(expected.room, AROUND, AROUND), width, height))
    if x2 - x1 < 2 or y2 - y1 < 2:
        return
    scale = min(MOST, SEEN_AS / max(expected.size, 1.0))
    size = ceil((x2 - x1) * scale), ceil((y2 - y1) * scale)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    for face in detect(np.asarray(cv2.resize(pixels[y1:y2, x1:x2], size, interpolation=way), np.uint8)):
        a, b, c, d = face.box
        if d - b < SMALLEST * scale:
            continue
        box = a / scale + x1, b / scale + y1, c / scale + x1, d / scale + y1
        yield person, Target(kind="face", box=box, score=face.score, found_by=face.found_by)


def _finding(person: Carrier, face: Target, targets: Sequence[Target], original: Pixels) -> Finding:
    at = at_hidden(face, targets)
    said = f", scored {face.score:.2f}" if face.score is not None else ""
    return Finding(
        kind="face",
        box=face.box,
        target=at.id if at else None,
        carrier=person.id,
        value=face.score,
        sharpness=None if at else sharpness(original, face.box),
        leak=at is None,
        why=f"the enlarged head of person {person.id} shows a face {'that was hidden' if at else 'that nobody hid'}{said}",
    )
