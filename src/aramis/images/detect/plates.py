"""Pixels → licence plates with four corners: personal data itself, to be hidden."""

from pathlib import Path
from typing import NamedTuple

from aramis.errors import BadInput
from aramis.images import cards
from aramis.images.candidates import Candidates, joined, suppressed
from aramis.images.detect.family import SAME, Eye, plate_eye, with_corners
from aramis.images.detect.scales import at_scale
from aramis.images.geometry import clip, iou
from aramis.images.network import Pixels
from aramis.images.passes import Detect
from aramis.images.records import Corners, Target

PROFILES = {"default": {"aramis-plates": 0.45}, "strong": {"aramis-plates": 0.45, "platedet": 0.25}}
"""Which networks look, and the lowest score of each that counts. At ours less than one photograph in three without plates has
a false one; see docs/measurements.md."""
OWN_FLOOR = 0.3  # of a file of the user's


class Looker(NamedTuple):
    """A network with a name and the lowest score of it that counts."""

    name: str
    eye: Eye
    floor: float


def plates(
    models: str = "default", threads: int = 1, floor: float | None = None, file: Path | None = None
) -> Detect:
    """A detector of plates, as `aramis.release` uses it. `floor` is the lowest score that counts, of whichever network;
    `file` holds weights of the user's own, of one of the families that family.py knows.
    """
    floors = {file.name: OWN_FLOOR} if file else _profile(models)
    lookers = [
        Looker(name, plate_eye(file or cards.path(name), threads), usual if floor is None else floor)
        for name, usual in floors.items()
    ]

    def detect(pixels: Pixels) -> list[Target]:
        height, width = pixels.shape[:2]
        if not height or not width:
            return []
        found: list[Target] = []
        for looker in lookers:
            seen = _looked(looker, pixels)
            plates = [_target(seen, place, width, height, looker.name) for place in range(len(seen.scores))]
            found += [plate for plate in plates if not any(iou(plate.box, one.box) > SAME for one in found)]
        return found

    return detect


def names(models: str) -> tuple[str, ...]:
    """The models of a profile."""
    return tuple(_profile(models))


def _profile(models: str) -> dict[str, float]:
    if models not in PROFILES:
        raise BadInput(f"no profile of models is called {models}; there are {', '.join(PROFILES)}")
    return PROFILES[models]


def _looked(looker: Looker, pixels: Pixels) -> Candidates:
    """What is seen in tiles of the picture; and in a large one as a whole, where no cut runs through a large plate."""
    (look, tile), floor, longest = looker.eye, looker.floor, max(pixels.shape[:2])
    if longest <= tile:
        return with_corners(look(pixels, floor))
    sizes = [at_scale(look, pixels, scale, floor, tile) for scale in (1.0, tile / longest)]
    return with_corners(suppressed(joined(sizes), SAME))


def _target(found: Candidates, place: int, width: int, height: int, name: str) -> Target:
    """Corners may lie outside the picture, where a plate is cut off; the box does not."""
    a, b, c, d = ((float(x), float(y)) for x, y in found.points[place])
    corners: Corners = a, b, c, d
    x1, y1, x2, y2 = (float(side) for side in found.boxes[place])
    return Target(
        kind="plate",
        box=clip((x1, y1, x2, y2), width, height),
        corners=corners,
        score=float(found.scores[place]),
        found_by=name,
    )
