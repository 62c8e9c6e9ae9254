"""Vehicles in a picture, with their class."""

from aramis.images.records import Carrier
from aramis.images.surroundings.seen import LABELS, PERSON, Seen, chosen, without_doubles

OVERLAP = 0.6  # of two boxes that overlap more, the better one stays, whichever class each is of


def vehicles(seen: Seen, found_by: str) -> list[Carrier]:
    """The vehicles among what was seen, each once."""
    found = without_doubles(chosen(seen, seen.labels != PERSON), OVERLAP)
    return [
        Carrier(
            kind="vehicle",
            label=LABELS[label],
            box=tuple(box.tolist()),
            score=float(score),
            found_by=found_by,
        )
        for box, score, label in zip(found.boxes, found.scores, found.labels, strict=True)
    ]
