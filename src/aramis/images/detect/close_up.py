"""A face in a part of a picture that was cut out and enlarged: two networks look once, at the size they are given.

It takes the vote of one of them: what is asked about is a single head, which somebody else has found.
"""

import numpy as np

from aramis.images import cards
from aramis.images.candidates import Floats
from aramis.images.detect.centerface import centerface
from aramis.images.detect.votes import together
from aramis.images.detect.yunet import yunet
from aramis.images.network import Pixels
from aramis.images.passes import Detect
from aramis.images.records import Target

LOWEST = 0.1
FLOOR = 0.6
"""Of the surer of the two: docs/measurements.md says what that finds, and how often it is wrong."""


def close_up(threads: int = 1, floor: float = FLOOR) -> Detect:
    """A detector of faces in a small picture."""
    names = "yunet", "centerface"
    looks = [yunet(cards.path("yunet"), threads), centerface(cards.path("centerface"), threads)]

    def detect(pixels: Pixels) -> list[Target]:
        seen, votes = together([look(pixels, LOWEST) for look in looks])
        sure = votes.max(axis=1, initial=0.0)
        return [
            _target(box, said, names)
            for box, said in zip(seen.boxes[sure >= floor], votes[sure >= floor], strict=True)
        ]

    return detect


def _target(box: Floats, votes: Floats, names: tuple[str, ...]) -> Target:
    x1, y1, x2, y2 = (float(side) for side in box)
    said = {name: round(float(vote), 3) for name, vote in zip(names, votes, strict=True) if vote > 0}
    return Target(
        kind="face",
        box=(x1, y1, x2, y2),
        score=round(float(np.max(votes)), 3),
        found_by=" and ".join(said),
        votes=said,
    )
