"""A YOLO's answers, of each shape that there is, become boxes, classes and corners."""

from pathlib import Path

import numpy as np
import openvino
import pytest
from numpy.typing import NDArray
from openvino import opset13 as ops

from aramis.errors import BadInput
from aramis.images.yolo import decoded, yolo


def answer(*rows: tuple[float, ...]) -> NDArray[np.float32]:
    """What version 8 gives: centre, size, a score for each class; a column for each candidate."""
    return np.array(rows, np.float32).T


def written(path: Path, shape: list[int], names: str | None, given: NDArray[np.float32]) -> Path:
    """A network that sees the same in every picture, as a file."""
    pixels = ops.parameter(shape, np.float32, "images")
    nothing = ops.multiply(ops.reduce_max(pixels, [0, 1, 2, 3], keep_dims=False), np.float32(0))
    model = openvino.Model([ops.add(ops.constant(given[None]), nothing)], [pixels], "fake")
    if names is not None:
        model.set_rt_info(names, ["framework", "names"])
    openvino.save_model(model, path, compress_to_fp16=False)
    return path


def test_centres_and_sizes_become_boxes_with_the_likeliest_class() -> None:
    found = decoded(answer((50, 40, 20, 10, 0.1, 0.8), (90, 90, 10, 10, 0.2, 0.1)), None, 640, 0.3)
    assert found.candidates.boxes.tolist() == [[40, 35, 60, 45]]
    assert found.candidates.scores.tolist() == pytest.approx([0.8])
    assert found.labels.tolist() == [1]


def test_a_double_goes_unless_it_is_of_another_class() -> None:
    same = answer((50, 50, 20, 20, 0.9, 0), (51, 50, 20, 20, 0.8, 0), (50, 51, 20, 20, 0, 0.7))
    found = decoded(same, None, 640, 0.3)
    assert sorted(found.labels.tolist()) == [0, 1]
    assert found.candidates.scores.max() == pytest.approx(0.9)


def test_what_needs_no_suppression_is_taken_as_it_is() -> None:
    ended = np.zeros((300, 6), np.float32)
    ended[0], ended[1] = (40, 35, 60, 45, 0.8, 2), (0, 0, 5, 5, 0.1, 0)
    found = decoded(ended, None, 640, 0.3)
    assert (found.candidates.boxes.tolist(), found.labels.tolist()) == ([[40, 35, 60, 45]], [2])


def test_an_outline_gives_four_corners_however_a_plate_is_turned() -> None:
    """A band that falls by one pixel in two, marked in the first of the prototypes."""
    y, x = np.mgrid[0:160, 0:160]
    prototypes = np.zeros((32, 160, 160), np.float32)
    prototypes[0] = np.where((np.abs(y - 40 - x / 2) < 5) & (x > 20) & (x < 100), 5, -5)
    row = (240.0, 280.0, 330.0, 240.0, 0.9, 1.0, *[0.0] * 31)
    [corners] = decoded(answer(row), prototypes, 640, 0.3).candidates.points
    top = corners[1] - corners[0]
    assert np.degrees(np.arctan2(top[1], top[0])) == pytest.approx(np.degrees(np.arctan(0.5)), abs=3)
    assert corners[0][0] < corners[1][0]
    assert corners[0][1] < corners[3][1]


@pytest.mark.parametrize("shape", [[1, 3, 320, 320], [-1, 3, -1, -1]])
def test_boxes_are_in_pixels_of_the_picture_whatever_its_size(shape: list[int], tmp_path: Path) -> None:
    path = written(tmp_path / "net.xml", shape, "{0: 'person', 1: 'car'}", answer((50, 40, 20, 10, 0.1, 0.8)))
    net = yolo(path)
    assert net.names == ("person", "car")
    assert net.side == (320 if shape[2] == 320 else 640)
    found = net.look(np.zeros((300, 2 * net.side, 3), np.uint8), 0.3)
    assert found.candidates.boxes.tolist() == [[80, 70, 120, 90]]


def test_a_file_that_names_no_classes_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "net.xml", [1, 3, 320, 320], None, answer((50, 40, 20, 10, 0.1, 0.8)))
    with pytest.raises(BadInput, match="does not say which classes it knows"):
        yolo(path)
