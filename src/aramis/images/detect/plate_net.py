"""Our own plate network: pixels in, plates with four corners out. Trained in training/plates, weights in the package.

One map at stride 8: a score that a plate's centre lies in the cell, and its corners relative to the cell. The network
knows plates 16 to 200 pixels wide; larger ones are found in copies of the picture at a half, a quarter, and so on. Each
candidate is then looked at again by itself, from the front and at the size that the network knows best: that takes away what
only looked like a plate, and sets the corners. Where the first look was sure and the second saw nothing, the first corners
may have held a part of a plate only: it is looked for from farther off. Where the second look's plate is only a part of what
the first saw, that may have been two plates.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images.candidates import Candidates, Look, chosen, joined, moved, nothing, suppressed
from aramis.images.network import Network, Pixels, padded

OVERLAP = 0.3
SUSPECT = 2 / 3  # of the floor: what the first look must give, for a second to be worth its time
_STRIDE = 8
_LEAST_SIDE_PX = 64  # a copy whose shorter side is less shows nothing new
_MOST = 60  # candidates of one picture that are, best first
_CLOSE_PX, _WIDE_PX, _TALL_PX = (
    128,
    100,
    62,
)  # the second look: its side, and the size that it shows a plate in
_MOST_ENLARGED = 3.0
_MIDDLE_PX = 24  # a plate's centre lies no farther than this from the second look's
_FARTHER = 2.5  # times as far off, where the second look lost a plate: twice what was first seen is in view
_AROUND_PX = 40  # and its centre no farther than this
_CLOSE_FLOOR = 0.02
_A_PART = 0.7  # of the first look's area, or less: it may have taken two plates for one of two rows
_LEAST_TURN_PX2 = 1.0  # of one side against the next: less is no corner

Matrix = NDArray[np.float64]
Copies = Sequence[tuple[Pixels, float]]


def plate_net(weights: Path, threads: int = 1) -> Look:
    """A look with our plate network; points are corners, clockwise from the top left."""
    return looking(Network(weights, threads=threads))


def looking(network: Network) -> Look:
    """A look with a network of this shape: at several sizes of the picture, then at each candidate."""

    def look(pixels: Pixels, floor: float) -> Candidates:
        copies = _copies(pixels)
        sizes = [moved(_once(network, copy, SUSPECT * floor), scale) for copy, scale in copies]
        candidates = _best(suppressed(joined(sizes), OVERLAP), _MOST)
        seen = _closer(network, copies, candidates)
        best = np.array([each.scores.max(initial=0) for each in seen])
        lost = chosen(candidates, (candidates.scores >= floor) & (best < floor))
        found = joined([nothing(4), *_closer(network, copies, lost, _FARTHER, _AROUND_PX)])
        again = _closer(network, copies, chosen(found, found.scores >= SUSPECT * floor))
        every = suppressed(joined([nothing(4), *seen, *again]), OVERLAP)
        return chosen(every, every.scores >= floor)

    return look


def decoded(plates: NDArray[np.float32], floor: float) -> Candidates:
    """Candidates of a map (score, four corners; height; width): the cells that no neighbour outdoes."""
    score = plates[0]
    y, x = np.nonzero((score >= floor) & (score == _highest_around(score)))
    cell = np.stack([x, y], axis=1) * _STRIDE + _STRIDE / 2
    corners = plates[1:, y, x].T.reshape(-1, 4, 2).astype(np.float64) + cell[:, None]
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    return Candidates(boxes, score[y, x].astype(np.float64), corners)


def _once(network: Network, pixels: Pixels, floor: float) -> Candidates:
    return decoded(network(padded(pixels)[None])["plates"][0], floor)


def _copies(pixels: Pixels) -> Copies:
    """The picture and its halves, each with what its coordinates are to be multiplied by."""
    copies = [(pixels, 1.0)]
    while min(copies[-1][0].shape[:2]) >= 2 * _LEAST_SIDE_PX:
        last, scale = copies[-1]
        half = cv2.resize(last, (last.shape[1] // 2, last.shape[0] // 2), interpolation=cv2.INTER_AREA)
        copies.append((np.asarray(half, np.uint8), scale * 2))
    return copies


def _closer(
    network: Network, copies: Copies, candidates: Candidates, away: float = 1.0, middle_px: float = _MIDDLE_PX
) -> list[Candidates]:
    """Each candidate seen again by itself, from the front: the plates in the middle."""
    if not len(candidates.scores):
        return []
    views = [_from_the_front(quad, away) for quad in candidates.points]
    maps = network(np.stack([_crop(copies, to_crop, zoom) for to_crop, zoom in views]))["plates"]
    found = [
        _in_the_middle(plates, np.linalg.inv(to_crop), middle_px)
        for plates, (to_crop, _) in zip(maps, views, strict=True)
    ]
    return [_seen_twice(seen, chosen(candidates, np.array([at]))) for at, seen in enumerate(found)]


def _seen_twice(seen: Candidates, first: Candidates) -> Candidates:
    """The best, at the geometric mean of both looks; and the others, if it is but a part of what the first look took for one plate."""
    if not len(seen.scores) or _area(seen.points[0]) > _A_PART * _area(first.points[0]):
        seen = _best(seen, 1)
    before = np.minimum(first.scores, seen.scores)
    before[:1] = first.scores
    return seen._replace(scores=np.sqrt(seen.scores * before))


def _area(quad: NDArray[np.float64]) -> float:
    return cv2.contourArea(quad.astype(np.float32))


def _crop(copies: Copies, to_crop: Matrix, zoom: float) -> Pixels:
    """A close view, cut out of the copy that has about its size."""
    copy, scale = next((one for one in reversed(copies) if one[1] * zoom <= np.sqrt(2)), copies[0])
    from_copy = to_crop @ np.diag([scale, scale, 1.0])
    return np.asarray(cv2.warpPerspective(copy, from_copy, (_CLOSE_PX, _CLOSE_PX)), np.uint8)


def _from_the_front(quad: NDArray[np.float64], away: float = 1.0) -> tuple[Matrix, float]:
    """What brings a candidate upright into the middle of the close view, and how much that enlarges it."""
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    wide, tall = max(side[0], side[2], 1.0), max(side[1], side[3], 1.0)
    zoom = float(min(_WIDE_PX / wide, _TALL_PX / tall, _MOST_ENLARGED)) / away
    if not _is_convex(quad):  # corners that nobody can straighten: as it stands
        move = _CLOSE_PX / 2 - zoom * quad.mean(axis=0)
        return np.array([[zoom, 0, move[0]], [0, zoom, move[1]], [0, 0, 1]]), zoom
    upright = (
        np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) * zoom / 2 + _CLOSE_PX / 2
    )
    to_crop = cv2.getPerspectiveTransform(quad.astype(np.float32), upright.astype(np.float32))
    return np.asarray(to_crop, np.float64), zoom


def _is_convex(quad: NDArray[np.float64]) -> bool:
    along = np.roll(quad, -1, axis=0) - quad
    onward = np.roll(along, -1, axis=0)
    return bool(np.all(along[:, 0] * onward[:, 1] - along[:, 1] * onward[:, 0] > _LEAST_TURN_PX2))


def _in_the_middle(
    plates: NDArray[np.float32], to_picture: NDArray[np.floating], middle_px: float
) -> Candidates:
    """What a close view shows in its middle, in the picture's coordinates. Two plates where two looked like one of two rows."""
    seen = decoded(plates, _CLOSE_FLOOR)
    central = np.hypot(*(seen.points.mean(axis=1) - _CLOSE_PX / 2).T) < middle_px
    best = suppressed(chosen(seen, central), OVERLAP)
    if not len(best.scores):
        return best
    corners = np.asarray(cv2.perspectiveTransform(best.points.reshape(-1, 1, 2), to_picture), np.float64)
    corners = corners.reshape(-1, 4, 2)
    return Candidates(
        np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), best.scores, corners
    )


def _best(candidates: Candidates, count: int) -> Candidates:
    return chosen(candidates, np.argsort(-candidates.scores, kind="stable")[:count])


def _highest_around(score: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each cell and its eight neighbours the highest."""
    return np.asarray(cv2.dilate(score, np.ones((3, 3), np.uint8)))
