"""A YOLO for people and vehicles: any file whose classes bear COCO's names."""

from pathlib import Path

import numpy as np

from aramis.errors import BadInput
from aramis.images.network import Pixels
from aramis.images.surroundings.seen import LABELS, See, Seen
from aramis.images.yolo import yolo


def yolo_around(weights: Path, floor: float, threads: int = 1) -> See:
    """A look with YOLO at the people and vehicles that score at least `floor`."""
    net = yolo(weights, threads)
    ours = np.array([LABELS.index(name) if name in LABELS else -1 for name in net.names])
    if ours.max(initial=-1) < 0:
        raise BadInput(f"{weights} knows none of {', '.join(LABELS)}; it knows {', '.join(net.names)}")

    def see(pixels: Pixels) -> Seen:
        found = net.look(pixels, floor)
        labels = ours[found.labels]
        there = labels >= 0
        return Seen(found.candidates.boxes[there], found.candidates.scores[there], labels[there])

    return see
