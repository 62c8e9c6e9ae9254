"""Which side of a vehicle is seen, by a network that was trained here: training/vehicle_orientation.

A vehicle seen askew shows front or back as long as a plate there could be read; its side is seen where no plate can.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Network, Pixels
from aramis.images.records import Orientation
from aramis.images.surroundings.facing import NOT_KNOWN, Facing
from aramis.images.surroundings.letterbox import letterboxed
from aramis.images.surroundings.seen import Floats

ANSWERS = (Orientation.FRONT, Orientation.SIDE, Orientation.BACK)
SIDE = 192
GREY = 114
AROUND = 0.05  # of its width and height, that a crop shows on each side of a box
DOUBT = 0.55  # what is less likely than this is not known

Face = Callable[[Pixels, Floats], list[Facing]]
"""Vehicles' boxes (n, 4) → the side of each that is seen."""


def vehicle_facing(weights: Path, threads: int = 1) -> Face:
    """The orientation of each of the boxes, all crops in one batch."""
    network = Network(weights, threads=threads, fixed=True)

    def face(pixels: Pixels, boxes: Floats) -> list[Facing]:
        if not len(boxes):
            return []
        given = network(np.stack([crop(pixels, box) for box in boxes]))
        return [facing(chances) for chances in given["chances"]]

    return face


def facing(chances: NDArray[np.float32]) -> Facing:
    """The likeliest of the answers, where it is likely enough."""
    best = int(chances.argmax())
    return Facing(ANSWERS[best], float(chances[best])) if chances[best] >= DOUBT else NOT_KNOWN


def crop(pixels: Pixels, box: Floats) -> Pixels:
    """A vehicle as the network sees it: what the picture has of its box, a little grown, and of its own shape."""
    limit = np.array(pixels.shape[1::-1])
    margin = AROUND * (box[2:] - box[:2])
    low = np.clip(np.floor(box[:2] - margin), 0, limit - 1).astype(int)
    high = np.clip(np.ceil(box[2:] + margin), low + 1, limit).astype(int)
    return letterboxed(pixels[low[1] : high[1], low[0] : high[0]], SIDE, GREY)[0]
