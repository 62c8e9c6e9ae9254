"""A network in whole numbers gives nearly what it gives otherwise; ranges belong to one file of weights."""

from pathlib import Path
from typing import Any

import numpy as np
import openvino
import pytest
from numpy.typing import NDArray
from openvino import opset13 as ops

from aramis.images import cards, whole_numbers
from aramis.images.detect.faces import faces
from aramis.images.geometry import iou
from aramis.images.network import Network
from aramis.images.whole_numbers import RANGES, is_fast, ranges_in, recorded, rounded

VNNI = pytest.mark.skipif(not is_fast(), reason="a processor with VNNI is asked for")


def layers() -> openvino.Model:
    """A picture through a layer with weights, then through one of each channel by itself."""
    draw = np.random.default_rng(3)
    given = ops.parameter([1, 3, 8, 8], np.float32, "pixels")
    given.set_friendly_name("pixels")
    first = ops.convolution(
        given, draw.normal(size=(4, 3, 3, 3)).astype(np.float32), [1, 1], [1, 1], [1, 1], [1, 1]
    )
    first.set_friendly_name("first")
    second = ops.group_convolution(
        first, draw.normal(size=(4, 1, 1, 3, 3)).astype(np.float32), [1, 1], [1, 1], [1, 1], [1, 1]
    )
    second.output(0).set_names({"second"})
    return openvino.Model([second], [given], "layers")


def pixels() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (1, 8, 8, 3), dtype=np.uint8)


def reach(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return values.min(axis=(0, 2, 3), keepdims=True), values.max(axis=(0, 2, 3), keepdims=True)


def ranges_of_layers() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    model = layers()
    inner = next(op for op in model.get_ordered_ops() if op.get_friendly_name() == "first")
    seen = openvino.compile_model(openvino.Model([inner.output(0)], model.get_parameters()), "CPU")
    values = seen(pixels().transpose(0, 3, 1, 2).astype(np.float32))[0]
    return {"pixels": (np.array(0, np.float32), np.array(255, np.float32)), "first": reach(values)}


def test_rounding_changes_little() -> None:
    exact = Network(layers())(pixels())["second"]
    near = Network(rounded(layers(), ranges_of_layers()))(pixels())["second"]
    assert not np.array_equal(near, exact)
    assert np.abs(near - exact).max() < 0.02 * np.abs(exact).max()


def test_values_beyond_a_range_end_at_its_end() -> None:
    network = Network(rounded(layers(), {"pixels": (np.array(0, np.float32), np.array(100, np.float32))}))
    assert np.allclose(network(pixels())["second"], network(np.minimum(pixels(), 100))["second"])


def test_layers_without_a_range_stay_as_they_are() -> None:
    exact = Network(layers())(pixels())["second"]
    assert np.array_equal(Network(rounded(layers(), {}))(pixels())["second"], exact)


def test_ranges_are_those_of_the_weights_that_a_release_uses() -> None:
    names = {f"{file.sha256[:12]}.npz" for name in ("yunet", "centerface") for file in cards.card(name).files}
    assert {file.name for file in RANGES.iterdir()} == names


def test_every_range_that_was_recorded_has_a_least_and_a_largest_value() -> None:
    for file in RANGES.iterdir():
        assert all((low < high).all() for low, high in ranges_in(file).values())


def test_other_weights_have_no_ranges(tmp_path: Path) -> None:
    (tmp_path / "own.onnx").write_bytes(b"somebody's own")
    assert recorded(tmp_path / "own.onnx") is None


def test_a_processor_that_gains_nothing_keeps_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_numbers, "is_fast", lambda: False)
    assert recorded(cards.path("yunet")) is None


@VNNI
def test_both_kinds_of_numbers_find_the_same_face(
    photographs: dict[str, NDArray[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    photograph = photographs["astronaut"]
    (whole,) = faces()(photograph)
    monkeypatch.setattr("aramis.images.detect.yunet.recorded", lambda _: None)
    monkeypatch.setattr("aramis.images.detect.centerface.recorded", lambda _: None)
    (exact,) = faces()(photograph)
    assert whole.votes != exact.votes
    assert iou(whole.box, exact.box) > 0.9
