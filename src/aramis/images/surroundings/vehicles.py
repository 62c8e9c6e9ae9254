"""Vehicles in a picture, with their class."""

from collections.abc import Mapping

from aramis.images.records import Carrier
from aramis.images.surroundings.seen import LABELS, PERSON, Seen, together

OVERLAP = 0.6  # of two boxes that overlap more, the better one stays, whichever class each is of


def vehicles(several: Mapping[str, Seen]) -> list[Carrier]:
    """The vehicles among what several networks saw, each once."""
    found, by = together(several, lambda seen: seen.labels != PERSON, OVERLAP)
    return [
        Carrier(
            kind="vehicle",
            label=LABELS[label],
            box=tuple(box.tolist()),
            score=float(score),
            found_by=names,
        )
        for box, score, label, names in zip(*found, by, strict=True)
    ]
