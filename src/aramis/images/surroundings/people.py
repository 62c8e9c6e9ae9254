"""People in a picture, with the way they face."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.facing import body, head, head_box
from aramis.images.surroundings.pose import Pose
from aramis.images.surroundings.seen import PERSON, Floats, Seen, together

OVERLAP = 0.5  # of two boxes of two networks that overlap more, the better one stays


def people(pixels: Pixels, several: Mapping[str, Seen], pose: Pose) -> list[Carrier]:
    """The people among what several networks saw, each once."""
    persons, by = together(several, lambda seen: seen.labels == PERSON, OVERLAP)
    points = pose(pixels, persons.boxes)
    return [
        _person(box, score, its, names)
        for box, score, its, names in zip(persons.boxes, persons.scores, points, by, strict=True)
    ]


def _person(box: Floats, score: float, points: NDArray[np.float64], found_by: str) -> Carrier:
    seen_body, seen_head = body(points), head(points)
    return Carrier(
        kind="person",
        box=tuple(box.tolist()),
        score=float(score),
        orientation=seen_body.orientation,
        orientation_score=seen_body.score,
        head=seen_head.orientation,
        head_score=seen_head.score,
        head_box=head_box(points),
        found_by=found_by,
    )
