"""A network in whole numbers of 8 bits: a third of the time, on processors that multiply four of them at once (VNNI).

Weights say themselves how far they reach; what layers give was recorded once, on photographs (training/whole_numbers).
The ranges lie beside a network's code and belong to one file of weights, known by its sha256. Every number that has a
range is rounded to one of 256 steps between its ends; OpenVINO then calculates with the numbers of the steps.

Processors without VNNI add such products up in 16 bits, which may overflow: there the network stays as it is. So it does
everywhere with ARAMIS_FULL_PRECISION=1, for whoever compares runs of different machines to the last box.
"""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aramis.images.weights import sha256

if TYPE_CHECKING:
    import openvino

Floats = NDArray[np.float32]
Ranges = dict[str, tuple[Floats, Floats]]
"""The least and the largest value that a layer gives, by its name: one of each, or one for each channel."""

RANGES = Path(__file__).parent / "detect" / "ranges"
STEPS = 256
BY_OUTPUT = {"Convolution": 0, "GroupConvolution": 0, "ConvolutionBackpropData": 1}
"""Layers with weights, and which axis of these goes along the channels that a layer gives."""


@cache
def is_fast() -> bool:
    """Whether this machine's processor multiplies whole numbers four at once, and may."""
    if os.environ.get("ARAMIS_FULL_PRECISION", "0") != "0":
        return False
    try:
        said = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:  # no Linux
        return False
    return not {"avx512_vnni", "avx_vnni"}.isdisjoint(said.split())


def recorded(weights: Path) -> Path | None:
    """Where the ranges of these weights lie; None where there are none, or where this processor gains nothing."""
    place = RANGES / f"{sha256(weights)[:12]}.npz"
    return place if is_fast() and place.is_file() else None


def arithmetic() -> str:
    """How numbers are calculated with, as an assessment says it."""
    return "whole numbers of 8 bits for faces, floats of 32 bits" if is_fast() else "floats of 32 bits"


def ranges_in(file: Path) -> Ranges:
    """The ranges that a file holds."""
    with np.load(file) as arrays:
        return {name: (low, high) for name in arrays for low, high in [arrays[name]]}


def rounded(model: "openvino.Model", ranges: Ranges) -> "openvino.Model":
    """The network with every layer that has a range rounded to it, and the weights that multiply it to theirs."""
    from openvino.passes import ConstantFolding, Manager

    folding = Manager()
    folding.register_pass(ConstantFolding())
    folding.run_passes(model)
    for layer in model.get_ordered_ops():
        if layer.get_friendly_name() not in ranges:
            continue
        low, high = ranges[layer.get_friendly_name()]
        takers = list(_takers(layer))
        between = _steps(layer.output(0), low, high)
        for taker in takers:
            taker.replace_source_output(between.output(0))
            _round_weights(taker.get_node())
    return model


def _takers(layer: "openvino.Node") -> Iterator["openvino.Input"]:
    """What calculates with what a layer gives; who only asks for its shape does not."""
    return (
        taker
        for taker in layer.output(0).get_target_inputs()
        if taker.get_node().get_type_name() != "ShapeOf"
    )


def _round_weights(layer: "openvino.Node") -> None:
    along = BY_OUTPUT.get(layer.get_type_name())
    if along is None:
        return
    source = layer.input(1).get_source_output()
    numbers = source.get_node().data
    others = tuple(axis for axis in range(numbers.ndim) if axis != along)
    most = np.maximum(np.abs(numbers).max(axis=others, keepdims=True), 1e-12)
    layer.input(1).replace_source_output(_steps(source, -most, most, STEPS - 1).output(0))


def _steps(given: "openvino.Output", low: Floats, high: Floats, steps: int = STEPS) -> Any:
    from openvino import opset13

    return opset13.fake_quantize(given, low, high, low, high, steps)
