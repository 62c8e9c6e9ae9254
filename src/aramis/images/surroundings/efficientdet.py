"""EfficientDet-Lite, as TensorFlow Lite files carry it: people and vehicles among COCO's classes.

Tan, Pang, Le, "EfficientDet: Scalable and Efficient Object Detection", CVPR 2020.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aramis.images.network import Network, Pixels
from aramis.images.surroundings.letterbox import letterboxed
from aramis.images.surroundings.seen import LABELS, See, Seen, without_doubles

if TYPE_CHECKING:
    import openvino

CLASSES = {"person": 0, "bicycle": 1, "car": 2, "motorcycle": 3, "bus": 5, "truck": 7}  # as COCO counts them
NAMES = np.array([LABELS.index(name) for name in CLASSES])
OVERLAP = 0.55  # of two boxes that overlap more, the better one stays
GREY = 127  # what the network takes for nothing


def efficientdet(weights: Path, floor: float, threads: int = 1) -> See:
    """A look with EfficientDet-Lite at what scores at least `floor`."""
    model, anchors = _heads(weights)
    side = model.input().partial_shape[1].get_length()
    network = Network(model, threads=threads)

    def see(pixels: Pixels) -> Seen:
        square, scale = letterboxed(pixels, side, GREY)
        given = {array.shape[2]: array[0] for array in network(square[None]).values()}
        found = decoded(given[4], given[len(CLASSES)], anchors, floor)
        return found._replace(boxes=found.boxes * (side / scale))

    return see


def decoded(
    offsets: NDArray[np.float32], scores: NDArray[np.float32], anchors: NDArray[np.float32], floor: float
) -> Seen:
    """Boxes in shares of the input, where a score reaches `floor`; offsets and anchors are (y, x, height, width)."""
    rows = np.flatnonzero(scores.max(axis=1) >= floor)
    offset, anchor = offsets[rows].astype(np.float64), anchors[rows].astype(np.float64)
    centre = (offset[:, :2] * anchor[:, 2:] + anchor[:, :2])[:, ::-1]
    half = (np.exp(offset[:, 2:]) * anchor[:, 2:])[:, ::-1] / 2
    labels = NAMES[scores[rows].argmax(axis=1)]
    boxes = np.concatenate([centre - half, centre + half], axis=1)
    return without_doubles(Seen(boxes, scores[rows].max(axis=1).astype(np.float64), labels), OVERLAP)


def _heads(weights: Path) -> "tuple[openvino.Model, NDArray[np.float32]]":
    """The network up to its heads, our classes only, and its anchors.

    The file ends in an operator of TensorFlow Lite's own that gives at most 25 boxes and that OpenVINO has no word for:
    it is left off, and its constant input, the anchors, is ours.
    """
    from openvino import Model, opset13
    from openvino.frontend import FrontEndManager

    reader = FrontEndManager().load_by_framework("tflite")
    whole = reader.convert_partially(reader.load(str(weights)))
    last = next(step for step in whole.get_ordered_ops() if step.get_type_name() == "TFFrameworkNode")
    offsets, scores, anchors = last.input_values()
    ours = opset13.gather(scores, list(CLASSES.values()), 2)
    return Model([offsets.get_node(), ours], whole.get_parameters()), np.array(anchors.get_node().data)
