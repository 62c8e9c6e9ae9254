"""YOLOX-tiny for people, trained on photographs and art; suppression of doubles is part of the network.

Ge, Liu, Wang, Li, Sun, "YOLOX: Exceeding YOLO Series in 2021", arXiv:2107.08430.
"""

from pathlib import Path

import numpy as np

from aramis.images.network import Network, Pixels
from aramis.images.surroundings.letterbox import letterboxed
from aramis.images.surroundings.seen import PERSON, See, Seen

SIDE = 416
GREY = 114


def yolox(weights: Path, floor: float, threads: int = 1) -> See:
    """A look with YOLOX at the people who score at least `floor`."""
    network = Network(weights, threads=threads, bgr=True)

    def see(pixels: Pixels) -> Seen:
        square, scale = letterboxed(pixels, SIDE, GREY)
        found = network(square[None])["dets"][0].astype(np.float64)
        found = found[found[:, 4] >= floor]
        return Seen(found[:, :4] / scale, found[:, 4], np.full(len(found), PERSON))

    return see
