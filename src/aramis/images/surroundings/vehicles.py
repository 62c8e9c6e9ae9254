"""Vehicles in a picture, with their class and the side of them that is seen."""

from collections.abc import Mapping

import numpy as np

from aramis.images.network import Pixels
from aramis.images.records import Carrier
from aramis.images.surroundings.facing import NOT_KNOWN
from aramis.images.surroundings.seen import LABELS, PERSON, Seen, together
from aramis.images.surroundings.vehicle_facing import Face

OVERLAP = 0.6  # of two boxes that overlap more, the better one stays, whichever class each is of
TURNED = [LABELS.index(name) for name in ("car", "van", "truck", "bus")]
"""Those of which the network knows sides; it has seen no motorcycles."""


def vehicles(pixels: Pixels, several: Mapping[str, Seen], face: Face) -> list[Carrier]:
    """The vehicles among what several networks saw, each once."""
    found, by = together(several, lambda seen: seen.labels != PERSON, OVERLAP)
    faces = iter(face(pixels, found.boxes[np.isin(found.labels, TURNED)]))
    facings = [next(faces) if label in TURNED else NOT_KNOWN for label in found.labels]
    return [
        Carrier(
            kind="vehicle",
            label=LABELS[label],
            box=tuple(box.tolist()),
            score=float(score),
            orientation=facing.orientation,
            orientation_score=facing.score,
            found_by=names,
        )
        for box, score, label, facing, names in zip(*found, facings, by, strict=True)
    ]
