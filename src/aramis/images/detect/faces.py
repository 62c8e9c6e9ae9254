"""Faces: YuNet looks at the picture in full, CenterFace at half its size, and their votes decide.

What each look adds and costs is in docs/measurements.md. In short: at half its size a picture shows CenterFace nearly
all that it finds in full, for a quarter of the time; YuNet in full finds the small ones; together they are surer than
either. Small pictures are enlarged. Large ones are looked at once more as a whole, made small: what fills a large
picture is too large for a network that looks for small faces.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
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
SIZE = 24.0  # a face of this height takes just that
SMALLER, LARGER = 0.34, 0.51  # each halving of it takes so much more, each doubling so much less
DOUBLINGS = 4.0  # what is larger than after so many takes no less
SIDES, TOP, BOTTOM = 0.04, 0.03, 0.12  # how much farther than a network's box people draw a face
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
    "default": {"centerface": (0.5, 0.68), "yunet": (1.0, 0.42)},
    "strong": {"centerface": (0.5, 0.40), "yunet": (1.0, 0.15), "scrfd": (0.8, 0.50)},
}
"""Who votes: at which share of the picture's size, and how much its log-odds weigh."""


def faces(models: str = "default", threads: int = 1, floor: float = 0.5, file: Path | None = None) -> Detect:
    """A detector of faces, as `aramis.release` uses it. `floor` is the lowest score of what it gives; `file` holds
    weights of the user's own, of one of the families that family.py knows.
    """
    if file:
        eye = face_eye(file, threads)
        return detector([Voter(file.name, eye.look, tile=eye.tile)], floor)
    profile = _profile(models)
    with ThreadPoolExecutor(len(profile)) as pool:  # a network takes a fifth of a second to be made ready
        eyes = list(pool.map(lambda name: face_eye(cards.path(name), threads), profile))
    voters = [
        Voter(name, eye.look, scale, weight, eye.tile)
        for (name, (scale, weight)), eye in zip(profile.items(), eyes, strict=True)
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
    """How sure the votes are together; 0.5 is just enough.

    The smaller a face, the more it takes: there is much that looks like a small face, and little that looks like a large
    one. A network that nobody votes with is taken at its word.
    """
    if len(weights) == 1:
        return np.asarray(1 / (1 + np.exp(ENOUGH - log_odds(votes)[:, 0] * weights[0])))
    doublings = np.log2(np.maximum(boxes[:, 3] - boxes[:, 1], 1.0) / SIZE)
    enough = ENOUGH - np.where(doublings < 0, SMALLER, LARGER) * np.minimum(doublings, DOUBLINGS)
    return np.asarray(1 / (1 + np.exp(enough - log_odds(votes) @ np.array(weights))))


def drawn(boxes: Floats, width: int, height: int) -> Floats:
    """Networks' boxes as people draw faces, within the picture; of what lies outside of it nothing is left."""
    low, high = boxes[:, :2], boxes[:, 2:]
    size = high - low
    wider = np.concatenate([low - size * [SIDES, TOP], high + size * [SIDES, BOTTOM]], axis=1)
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
