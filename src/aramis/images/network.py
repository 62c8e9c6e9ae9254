"""A neural network on the CPU: pixels in, arrays out. OpenVINO runs it, whichever format the weights are in.

Arithmetic is f32 (never bf16, which processors that have it would take by themselves), so that a picture gives the same
result on every machine; where ranges are recorded, whole numbers (whole_numbers.py). Sizes of pictures are dynamic: one
compiled network takes them all, and a new size costs no more than a second look at the first picture of that size.
What is compiled is kept: all who look with one file in one way share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock, local
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.images.whole_numbers import ranges_in, rounded

if TYPE_CHECKING:
    import openvino

Pixels = NDArray[np.uint8]
"""Height x width x 3, red first."""

KEPT = 32  # compiled networks, of which a release with all checks has 13

_inside_seconds = 0.0
_inside_lock = Lock()
_first_lock = Lock()


class Network:
    """One network, ready to run. It may be called from several threads; `threads` runs go on at once, each on one core.

    `mean` and `scale` are what the network expects to be taken off and divided by, `bgr` that it wants blue first.
    With `raw`, what it is called with goes in as it is: a batch of numbers, not pixels. `fixed` is for networks that
    take no other size than the one they were written for. `ranges` is the file of those that belong to the weights.
    """

    def __init__(
        self,
        weights: "Path | openvino.Model",
        *,
        threads: int = 1,
        mean: Sequence[float] = (0, 0, 0),
        scale: float | Sequence[float] = 1,
        bgr: bool = False,
        raw: bool = False,
        fixed: bool = False,
        ranges: Path | None = None,
    ) -> None:
        given = scale if isinstance(scale, float | int) else tuple(scale)
        way = _Way(threads, tuple(mean), given, bgr=bgr, raw=raw, fixed=fixed)
        if isinstance(weights, Path):
            self.compiled = _kept(_File(weights, weights.stat().st_mtime_ns, ranges), way)
        else:
            self.compiled = _compiled(weights, way)
        self._own = local()

    def __call__(self, batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """What the network gives for a batch (n, height, width, 3), by every name that an output has."""
        global _inside_seconds  # noqa: PLW0603 - one clock for all networks
        if not hasattr(self._own, "request"):
            self._own.request = self.compiled.create_infer_request()
        started = perf_counter()
        given = self._own.request.infer([np.ascontiguousarray(batch)], share_inputs=True)
        arrays = [(output.names, array.copy()) for output, array in given.items()]
        with _inside_lock:
            _inside_seconds += perf_counter() - started
        return {name: array for names, array in arrays for name in names}


def inside_seconds() -> float:
    """How long, over all threads, networks have been running since the program started."""
    return _inside_seconds


def padded(pixels: Pixels, multiple: int = 32) -> Pixels:
    """A picture with black added on the right and at the bottom, so that its sides are multiples."""
    height, width = pixels.shape[:2]
    down, right = -height % multiple, -width % multiple
    if not down and not right:
        return pixels
    wider = np.zeros((height + down, width + right, 3), np.uint8)
    wider[:height, :width] = pixels
    return wider


def read(weights: Path) -> "openvino.Model":
    """The network in a file, not yet ready to run."""
    import openvino

    try:
        return openvino.Core().read_model(weights)
    except RuntimeError as error:
        reason = str(error).strip().splitlines()[-1]
        raise BadInput(
            f"{weights} is not a network that can be read (ONNX, TFLite, OpenVINO): {reason}"
        ) from error


@dataclass(frozen=True, slots=True)
class _Way:
    """How a network is prepared and run."""

    threads: int
    mean: tuple[float, ...]
    scale: float | tuple[float, ...]
    bgr: bool
    raw: bool
    fixed: bool


class _File(NamedTuple):
    """A file of weights as it is now."""

    path: Path
    changed_ns: int
    ranges: Path | None


@lru_cache(maxsize=KEPT)
def _kept(file: _File, way: _Way) -> Any:
    _meet_arrays()
    model = read(file.path)
    return _compiled(rounded(model, ranges_in(file.ranges)) if file.ranges else model, way)


def _for_pixels(model: "openvino.Model", way: _Way) -> "openvino.Model":
    """The network with its own preparation in front: bytes in, of any size where it is free to take any."""
    from openvino import Layout, PartialShape, Type
    from openvino.preprocess import ColorFormat, PrePostProcessor

    channels_last = model.input().partial_shape[3] == 3
    if not channels_last and not way.fixed:
        model.reshape(PartialShape([-1, 3, -1, -1]))
    steps = PrePostProcessor(model)
    pixels = steps.input()
    pixels.tensor().set_element_type(Type.u8).set_layout(Layout("NHWC")).set_color_format(ColorFormat.RGB)
    pixels.model().set_layout(Layout("NHWC" if channels_last else "NCHW"))
    if way.bgr:
        pixels.preprocess().convert_color(ColorFormat.BGR)
    if any(way.mean) or way.scale != 1:
        scale = way.scale if isinstance(way.scale, float | int) else list(way.scale)
        pixels.preprocess().convert_element_type(Type.f32).mean(list(way.mean)).scale(scale)
    return steps.build()


def _compiled(model: "openvino.Model", way: _Way) -> Any:
    import openvino

    _meet_arrays()
    return openvino.Core().compile_model(
        model if way.raw else _for_pixels(model, way),
        "CPU",
        {
            "INFERENCE_PRECISION_HINT": "f32",
            "INFERENCE_NUM_THREADS": way.threads,
            "NUM_STREAMS": way.threads,
        },
    )


def _meet_arrays() -> None:
    """OpenVINO fills a table of types when it first meets an array; two threads that meet their first at one moment wait
    for each other for ever. So one meets it before all others.
    """
    from openvino import Type

    with _first_lock:
        Type.u8.to_dtype()
