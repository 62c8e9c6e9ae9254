"""Votes: what several looks propose, brought together where they mean the same thing, and weighed.

Each look gives a score from 0 to 1; a logistic sum of their log-odds says how sure all of them together are. A look
that has not seen a thing adds nothing. The weights were chosen by what they find (docs/measurements.md), not guessed.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Floats, joined, nothing
from aramis.images.geometry import iou_matrix

SAME = 0.3  # candidates that overlap more than this mean the same thing
AT_ONCE = 256  # candidates compared with all others at a time: crowds have thousands
LOWEST, HIGHEST = 0.01, 0.99  # scores beyond these say no more than these


def together(looks: Sequence[Candidates]) -> tuple[Candidates, Floats]:
    """One candidate for each thing, its box and points the weighted mean of its best in each look; and the votes.

    The votes are (n, looks): the best score that each look gave it, 0 where it did not see it.
    """
    every = joined(looks)
    who = np.repeat(np.arange(len(looks)), [len(look.scores) for look in looks])
    groups = list(_groups(every, who, len(looks)))
    if not groups:
        return nothing(every.points.shape[1]), np.zeros((0, len(looks)))
    places, votes = np.array([g for g, _ in groups]), np.array([v for _, v in groups])
    share = votes / votes.sum(axis=1, keepdims=True)
    boxes = np.einsum("nl,nlk->nk", share, every.boxes[places])
    points = np.einsum("nl,nlkd->nkd", share, every.points[places])
    return Candidates(boxes, votes.max(axis=1), points), votes


def log_odds(votes: Floats) -> Floats:
    """Scores as log-odds above the lowest there is, so that no vote counts 0."""
    clipped = np.clip(votes, LOWEST, HIGHEST)
    odds: Floats = np.log(clipped / (1 - clipped)) - np.log(LOWEST / (1 - LOWEST))
    return odds


def _groups(
    every: Candidates, who: NDArray[np.intp], looks: int
) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    """For each thing, the best first: the place of each look's best candidate, and its score (0: none)."""
    left = np.ones(len(who), bool)
    best_first = np.argsort(-every.scores, kind="stable")
    for start in range(0, len(who), AT_ONCE):
        seeds = best_first[start : start + AT_ONCE]
        alike = iou_matrix(every.boxes[seeds], every.boxes) > SAME
        alike[np.arange(len(seeds)), seeds] = True  # also where the box is empty and overlaps nothing
        for seed, row in zip(seeds, alike, strict=True):
            if left[seed]:
                same = left & row
                left &= ~same
                yield _best(np.nonzero(same)[0], every.scores, who, looks)


def _best(
    members: NDArray[np.intp], scores: Floats, who: NDArray[np.intp], looks: int
) -> tuple[NDArray[np.intp], Floats]:
    places, votes = np.full(looks, members[0]), np.zeros(looks)
    for member in members[np.argsort(scores[members], kind="stable")]:  # the best comes last and stays
        places[who[member]], votes[who[member]] = member, scores[member]
    return places, votes
