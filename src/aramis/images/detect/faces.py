"""Faces: YuNet looks at the picture in full, CenterFace at half its size, and their votes decide.

What each look adds and costs is in docs/measurements.md. In short: at half its size a picture shows CenterFace nearly
all that it finds in full, for a quarter of the time; YuNet in full finds the small ones; together they are surer than
either. Small pictures are enlarged. Large ones are looked at once more as a whole, made small: what fills a large
picture is too large for a network that looks for small faces.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from aramis.errors import BadInput
from aramis.images import cards
from aramis.images.candidates import Candidates, Floats, Look, joined
from aramis.images.detect.family import face_eye
from aramis.images.detect.scales import TILE, at_scale
from aramis.images.detect.votes import log_odds, together
from aramis.images.network import Pixels
from aramis.images.passes import Detect
from aramis.images.records import Target

ENLARGED = 500_000  # pixels to which a small picture is enlarged
MOST = 2.0  # but no more than this: what is not there cannot be seen
COARSE = 640  # the longer side of a large picture made small
LARGE = 2 * COARSE  # from this side on, a picture is looked at made small as well
LOWEST = 0.05  # a candidate with a lower score has no vote
ENOUGH = 3.8  # what the weighed log-odds must come to: the point chosen in docs/measurements.md
ALONE = ENOUGH / float(
    log_odds(np.array(0.5))
)  # of a network that nobody votes with: believed from a score of 0.5 on
SMALL, SMALLER = 24.0, 0.75  # below this height, in pixels, each halving takes so much more
SIDES, BOTTOM = 0.04, 0.09  # how much wider and lower than a network's box a face is, as people draw it
NARROWEST = (
    0.85  # width to height: a narrower box holds a face in profile, of which networks mark the front only
)


class Voter(NamedTuple):
    """A look that has a vote: at which share of the picture's size, and how much its log-odds weigh."""

    name: str
    look: Look
    scale: float = 1.0
    weight: float = ALONE
    tile: int = TILE


PROFILES = {
    "default": {"centerface": (0.5, 0.70), "yunet": (1.0, 0.55)},
    "strong": {"centerface": (0.5, 0.38), "yunet": (1.0, 0.30), "scrfd": (0.8, 0.53)},
}
"""Who votes: at which share of the picture's size, and how much its log-odds weigh."""


def faces(models: str = "default", threads: int = 1, floor: float = 0.5, file: Path | None = None) -> Detect:
    """A detector of faces, as `aramis.release` uses it. `floor` is the lowest score of what it gives; `file` holds
    weights of the user's own, of one of the families that family.py knows.
    """
    if file:
        eye = face_eye(file, threads)
        return detector([Voter(file.name, eye.look, tile=eye.tile)], floor)
    voters = [
        Voter(name, eye.look, scale, weight, eye.tile)
        for name, (scale, weight) in _profile(models).items()
        for eye in [face_eye(cards.path(name), threads)]
    ]
    return detector(voters, floor)


def detector(voters: Sequence[Voter], floor: float) -> Detect:
    """A detector of faces from looks that vote; each face says how sure each of them was."""
    names = [voter.name for voter in voters]

    def detect(pixels: Pixels) -> list[Target]:
        height, width = pixels.shape[:2]
        if not height or not width:
            return []
        seen, votes = together([looked(voter, pixels) for voter in voters])
        scores = sure(votes, seen.boxes, [voter.weight for voter in voters])
        boxes = drawn(seen.boxes, width, height)
        found = (scores >= floor) & (boxes[:, 2:] > boxes[:, :2]).all(axis=1)
        return [
            _target(box, score, dict(zip(names, said, strict=True)))
            for box, score, said in zip(boxes[found], scores[found], votes[found], strict=True)
        ]

    return detect


def looked(voter: Voter, pixels: Pixels) -> Candidates:
    """All that one voter sees: in the picture at its scale, and in a large picture made small."""
    height, width = pixels.shape[:2]
    enlarged = min(MOST, max(1.0, (ENLARGED / (height * width)) ** 0.5))
    scales = [enlarged]
    if max(height, width) * enlarged > min(LARGE, voter.tile):
        scales.append(COARSE / max(height, width))
    return joined([at_scale(voter.look, pixels, scale * voter.scale, LOWEST, voter.tile) for scale in scales])


def sure(votes: Floats, boxes: Floats, weights: Sequence[float]) -> Floats:
    """How sure the votes are together; 0.5 is just enough. The smaller a face, the more it takes."""
    height = np.maximum(boxes[:, 3] - boxes[:, 1], 1.0)
    enough = ENOUGH + SMALLER * np.maximum(0.0, np.log2(SMALL / height))
    return np.asarray(1 / (1 + np.exp(enough - log_odds(votes) @ np.array(weights))))


def drawn(boxes: Floats, width: int, height: int) -> Floats:
    """Networks' boxes as people draw faces, within the picture; of what lies outside of it nothing is left."""
    low, high = boxes[:, :2], boxes[:, 2:]
    size = high - low
    wider = np.concatenate([low - size * [SIDES, 0], high + size * [SIDES, BOTTOM]], axis=1)
    wanting = np.maximum(0, NARROWEST * (wider[:, 3] - wider[:, 1]) - (wider[:, 2] - wider[:, 0])) / 2
    wider += wanting[:, None] * [-1, 0, 1, 0]
    return np.asarray(np.clip(wider, 0, [width, height, width, height]))


def names(models: str) -> tuple[str, ...]:
    """The models that vote in a profile."""
    return tuple(_profile(models))


def _profile(models: str) -> dict[str, tuple[float, float]]:
    if models not in PROFILES:
        raise BadInput(f"no profile of models is called {models}; there are {', '.join(PROFILES)}")
    return PROFILES[models]


def _target(box: Floats, score: float, votes: dict[str, float]) -> Target:
    x1, y1, x2, y2 = (round(float(side), 1) for side in box)
    said = {name: round(float(vote), 3) for name, vote in votes.items() if vote > 0}
    return Target(
        kind="face",
        box=(x1, y1, x2, y2),
        score=round(float(score), 3),
        found_by=" and ".join(votes),
        votes=said,
    )
