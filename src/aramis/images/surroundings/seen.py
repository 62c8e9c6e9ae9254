"""What a network sees in one picture, as arrays: boxes (n, 4) in pixels, scores (n,) from 0 to 1, labels (n,)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import iou_matrix
from aramis.images.network import Pixels

Floats = NDArray[np.float64]
LABELS = ("person", "bicycle", "car", "motorcycle", "bus", "truck", "van")
PERSON = LABELS.index("person")


class Seen(NamedTuple):
    """Boxes with their scores, and a place in LABELS for each."""

    boxes: Floats
    scores: Floats
    labels: NDArray[np.intp]


See = Callable[[Pixels], Seen]


def nothing() -> Seen:
    return Seen(np.zeros((0, 4)), np.zeros(0), np.zeros(0, np.intp))


def joined(several: Sequence[Seen]) -> Seen:
    """What several looks saw, one after the other."""
    return Seen(*(np.concatenate(arrays) for arrays in zip(nothing(), *several, strict=True)))


def chosen(seen: Seen, which: NDArray[np.bool_] | NDArray[np.intp]) -> Seen:
    return Seen(seen.boxes[which], seen.scores[which], seen.labels[which])


def without_doubles(seen: Seen, overlap: float) -> Seen:
    """Non-maximum suppression: of those that overlap more than this, the best stays. Best first."""
    order = np.argsort(-seen.scores, kind="stable")
    overlaps = iou_matrix(seen.boxes[order], seen.boxes[order]) > overlap
    stays = np.ones(len(order), bool)
    for place in range(len(order)):
        if stays[place]:
            stays[place + 1 :] &= ~overlaps[place, place + 1 :]
    return chosen(seen, order[stays])


def together(
    several: Mapping[str, Seen], which: Callable[[Seen], NDArray[np.bool_]], overlap: float
) -> tuple[Seen, list[str]]:
    """What several networks saw of one kind, each thing once, and by which of them it was seen."""
    of_kind = {name: chosen(seen, which(seen)) for name, seen in several.items()}
    once = without_doubles(joined(list(of_kind.values())), overlap)
    sees = {
        name: np.any(iou_matrix(once.boxes, seen.boxes) > overlap, axis=1) for name, seen in of_kind.items()
    }
    return once, [", ".join(name for name in sees if sees[name][place]) for place in range(len(once.boxes))]


def clipped(seen: Seen, width: int, height: int) -> Seen:
    """The parts of the boxes that lie within the picture, where a pixel or more of them does."""
    boxes = np.clip(seen.boxes, 0, (width, height, width, height))
    visible = np.all(boxes[:, 2:] - boxes[:, :2] >= 1, axis=1)
    return chosen(seen._replace(boxes=boxes), visible.astype(bool))
