"""Record what the layers of the face networks give, so that they can be run in whole numbers of 8 bits.

    pip install nncf==3.4.0
    OMP_NUM_THREADS=1 PYTHONPATH=. python training/whole_numbers/record.py DATA

Photographs are those of the half that chose settings (`half` in benchmarks/detection.py), shown as a release shows them.
NNCF says which layers pay and how far each reaches. The layers that give a network's answer itself stay as they are
in YuNet: its scores are products of two, and small.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import nncf
import numpy as np
import openvino
from benchmarks.detection import SETS, half, picture
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.detect.faces import ENLARGED, MOST, PROFILES
from aramis.images.detect.scales import resized
from aramis.images.network import padded
from aramis.images.weights import sha256
from aramis.images.whole_numbers import RANGES, STEPS

EACH = 60  # photographs of each set
BLUE_FIRST = {"yunet": True, "centerface": False}
ANSWERS_STAY = {"yunet"}


def main() -> None:
    data = Path(sys.argv[1])
    for name, blue_first in BLUE_FIRST.items():
        scale, _ = PROFILES["default"][name]
        shown = list(photographs(data, scale, blue_first=blue_first))
        kept = answers(cards.path(name)) if name in ANSWERS_STAY else []
        found = dict(recorded(cards.path(name), shown, kept))
        np.savez_compressed(RANGES / f"{sha256(cards.path(name))[:12]}.npz", **found)
        print(f"{name}: {len(found)} layers from {len(shown)} photographs")


def photographs(data: Path, scale: float, *, blue_first: bool) -> Iterator[NDArray[np.float32]]:
    """Photographs as a network is given them."""
    for read in SETS["faces"][:2]:
        for each in islice((p for p in read(data) if half(p) == 0), EACH):
            pixels = picture(each.path)
            larger = min(MOST, max(1.0, (ENLARGED / (pixels.shape[0] * pixels.shape[1])) ** 0.5))
            batch = padded(resized(pixels, larger * scale))[None].transpose(0, 3, 1, 2).astype(np.float32)
            yield np.ascontiguousarray(batch[:, ::-1] if blue_first else batch)


def recorded(
    weights: Path, shown: list[NDArray[np.float32]], kept: Iterable[str]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Each layer that is to be rounded, by its name, and the least and the largest that it gives."""
    network = openvino.convert_model(weights)
    network.reshape(openvino.PartialShape([1, 3, -1, -1]))
    rounded = nncf.quantize(
        network,
        nncf.Dataset(shown),
        subset_size=len(shown),
        ignored_scope=nncf.IgnoredScope(names=sorted(kept)),
        # corrected biases find no more faces, and would have to be kept beside the weights
        advanced_parameters=nncf.AdvancedQuantizationParameters(disable_bias_correction=True),
    )
    for step in rounded.get_ordered_ops():
        if step.get_type_name() == "FakeQuantize" and step.get_attributes()["levels"] == STEPS:
            source = step.input(0).get_source_output().get_node()
            if source.get_type_name() != "Constant":
                ends = [step.input(place).get_source_output().get_node().data for place in (1, 2)]
                yield source.get_friendly_name(), np.stack(ends).astype(np.float32)


def answers(weights: Path) -> set[str]:
    """The last layer with weights before each output."""
    found: set[str] = set()
    above = [
        output.get_node().input(0).get_source_output().get_node()
        for output in openvino.convert_model(weights).outputs
    ]
    while above:
        layer = above.pop()
        if "Convolution" in layer.get_type_name():
            found.add(layer.get_friendly_name())
        else:
            above += [given.get_source_output().get_node() for given in layer.inputs()]
    return found


if __name__ == "__main__":
    main()
