"""YOLO, as Ultralytics writes it to ONNX: boxes of the classes that the file names; outlines too where it segments.

Redmon, Divvala, Girshick, Farhadi, "You Only Look Once", CVPR 2016. Three shapes of answers are known: (4 + classes, n) of
versions 8 and 11, the same with 32 numbers more for outlines, and (n, 6) of versions 10 and 26, which leave out doubles themselves.
"""

from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.images.candidates import Candidates, moved, suppressed
from aramis.images.network import Network, Pixels, read
from aramis.images.surroundings.letterbox import letterboxed

if TYPE_CHECKING:
    import openvino

SIDE = 640  # of the network's square, where a file leaves it open
GREY = 114
OVERLAP = 0.6  # of two boxes of one class that overlap more, the better one stays
ENDED = 6  # numbers of an answer that needs no more work: a box, a score, a class
MASKS = 32


class Found(NamedTuple):
    """Candidates, the place of each one's class among the file's names; with four corners for points where it segments."""

    candidates: Candidates
    labels: NDArray[np.intp]


class Yolo(NamedTuple):
    """A network, the names of its classes, and the side of its square: larger pictures are made to fit."""

    look: Callable[[Pixels, float], Found]
    names: tuple[str, ...]
    side: int


def yolo(weights: Path, threads: int = 1) -> Yolo:
    """A YOLO, ready to look."""
    model = read(weights)
    shape = model.input().partial_shape
    side = shape[2].get_length() if shape[2].is_static else SIDE
    names = _names(model, weights)
    network = Network(model, threads=threads, scale=255, fixed=shape[2].is_static)

    def look(pixels: Pixels, floor: float) -> Found:
        square, scale = letterboxed(pixels, side, GREY)
        answers = {array.ndim: array[0] for array in network(square[None]).values()}
        found = decoded(answers[3], answers.get(4), side, floor)
        return found._replace(candidates=moved(found.candidates, 1 / scale))

    return Yolo(look, names, side)


def decoded(
    answer: NDArray[np.float32], prototypes: NDArray[np.float32] | None, side: int, floor: float
) -> Found:
    """What scores at least `floor`, in pixels of the square."""
    if answer.shape[1] == ENDED:
        rows = answer[answer[:, 4] >= floor].astype(np.float64)
        boxes, scores, labels = rows[:, :4], rows[:, 4], rows[:, 5].astype(np.intp)
        return Found(Candidates(boxes, scores, np.zeros((len(rows), 0, 2))), labels)
    classes = answer[4 : len(answer) - (MASKS if prototypes is not None else 0)]
    there = np.flatnonzero(classes.max(axis=0) >= floor)
    rows, scores = answer[:, there].T.astype(np.float64), classes[:, there].max(axis=0).astype(np.float64)
    labels, half = classes[:, there].argmax(axis=0), rows[:, 2:4] / 2
    boxes = np.concatenate([rows[:, :2] - half, rows[:, :2] + half], axis=1)
    stays = _without_doubles(boxes, scores, labels, side)
    kept = Candidates(boxes[stays], scores[stays], np.zeros((len(stays), 0, 2)))
    if prototypes is not None:
        corners = [
            _corners(box, row[-MASKS:], prototypes, side)
            for box, row in zip(kept.boxes, rows[stays], strict=True)
        ]
        kept = kept._replace(points=np.array(corners, np.float64).reshape(-1, 4, 2))
    return Found(kept, labels[stays])


def _without_doubles(
    boxes: NDArray[np.float64], scores: NDArray[np.float64], labels: NDArray[np.intp], side: int
) -> NDArray[np.intp]:
    """Which boxes stay: a box is no double of one of another class."""
    apart = boxes + 2.0 * side * labels[:, None]
    places = np.arange(len(scores), dtype=np.float64).reshape(-1, 1, 1)
    return suppressed(Candidates(apart, scores, places), OVERLAP).points.reshape(-1).astype(np.intp)


def _corners(
    box: NDArray[np.float64],
    weights: NDArray[np.float64],
    prototypes: NDArray[np.float32],
    side: int,
) -> NDArray[np.float64]:
    """The four corners of the least rectangle, however turned, around what is marked within a box; from the top left."""
    x1, y1, x2, y2 = np.clip(box, 0, side).round().astype(int)
    marked = np.tensordot(weights.astype(np.float32), prototypes, 1)
    whole = cv2.resize(marked, (side, side), interpolation=cv2.INTER_LINEAR)
    outlines, _ = cv2.findContours(
        (whole[y1:y2, x1:x2] > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    if not outlines:
        return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float64)
    around = cv2.boxPoints(cv2.minAreaRect(max(outlines, key=cv2.contourArea))) + np.array([x1, y1])
    left, right = np.split(around[np.argsort(around[:, 0], kind="stable")], 2)
    (a, d), (b, c) = (half[np.argsort(half[:, 1])] for half in (left, right))
    return np.array([a, b, c, d], np.float64)


def _names(model: "openvino.Model", weights: Path) -> tuple[str, ...]:
    if not model.has_rt_info(["framework", "names"]):
        raise BadInput(f"{weights} does not say which classes it knows: it was not written by Ultralytics")
    named = literal_eval(model.get_rt_info(["framework", "names"]).astype(str))
    return tuple(named[number] for number in sorted(named))
