"""People in a picture, with the way they face."""

from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.facing import facing
from aramis.images.surroundings.pose import Pose
from aramis.images.surroundings.seen import PERSON, Seen, chosen, without_doubles

OVERLAP = 0.6  # of two boxes of two networks that overlap more, the better one stays


def people(pixels: Pixels, seen: Seen, pose: Pose, found_by: str) -> list[Carrier]:
    """The people among what was seen, each once."""
    persons = without_doubles(chosen(seen, seen.labels == PERSON), OVERLAP)
    ways = [facing(points) for points in pose(pixels, persons.boxes)]
    return [
        Carrier(
            kind="person",
            box=tuple(box.tolist()),
            score=float(score),
            orientation=way.orientation,
            found_by=found_by,
        )
        for box, score, way in zip(persons.boxes, persons.scores, ways, strict=True)
    ]
