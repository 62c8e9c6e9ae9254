"""Our own plate network: it finds drawn plates of every size and country, and gives their corners."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.detect.plate_net import decoded
from aramis.images.detect.plates import plates
from aramis.images.geometry import iou
from aramis.images.passes import Detect
from aramis.images.records import Target
from aramis.images.redact.plate_numbers import country
from aramis.images.redact.plate_template import ONE_ROW_MM, Plate, draw
from aramis.plugins import find


@pytest.fixture(scope="module")
def detect() -> Detect:
    made: Detect = find("detector", "plate")(models="default", threads=1)
    return made


def _vehicle(quad: NDArray[Any], code: str = "D", size: tuple[int, int] = (480, 640)) -> NDArray[Any]:
    """A dark blue panel with a bumper and lights, and a plate at these corners."""
    picture = np.full((*size, 3), (40, 50, 90), np.uint8)
    picture[: size[0] // 3] = (90, 100, 120)
    x1, y1, x2, y2 = (float(side) for side in np.concatenate([quad.min(axis=0), quad.max(axis=0)]))
    wide = x2 - x1
    cv2.rectangle(
        picture, (int(x1 - wide), int(y1 - wide / 8)), (int(x2 + wide), int(y2 + wide / 6)), (25, 25, 28), -1
    )
    of = country(code)
    face = draw(
        Plate(of, of.looks[0], {"D": "M-AB 123", "NL": "JK-123-L", "F": "AB-123-CD"}[code], ONE_ROW_MM), 60
    )
    ends = np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32)
    warp = cv2.getPerspectiveTransform(ends, quad.astype(np.float32))
    soft = cv2.GaussianBlur(face, (0, 0), max(0.3, 20 / wide * 4))
    placed: NDArray[Any] = cv2.warpPerspective(soft, warp, size[::-1])
    cover = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, size[::-1])
    picture[cover > 127] = placed[cover > 127]
    return cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.uint8)


def _quad(wide: float, lean: float = 0.0, at: tuple[float, float] = (320, 300)) -> NDArray[Any]:
    tall = wide * 110 / 520
    flat = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    flat[:, 1] += flat[:, 0] * lean
    return flat + at


def _nearest(found: list[Target], quad: NDArray[Any]) -> Target:
    box = tuple(float(side) for side in (*quad.min(axis=0), *quad.max(axis=0)))
    return max(found, key=lambda target: iou(target.box, box))  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["D", "NL", "F"])
@pytest.mark.parametrize(("wide", "lean"), [(50, 0.0), (80, 0.1), (120, -0.1), (250, 0.05), (480, 0.0)])
def test_a_plate_is_found_with_its_corners(detect: Detect, wide: float, lean: float, code: str) -> None:
    quad = _quad(wide, lean)
    found = _nearest(list(detect(_vehicle(quad, code))), quad)
    off = np.linalg.norm(np.array(found.corners) - quad, axis=1).mean()
    assert off < 0.1 * wide
    assert found.kind == "plate"
    assert found.found_by == "aramis-plates"


def test_where_there_is_no_plate_none_is_found(detect: Detect) -> None:
    sky = np.full((300, 400, 3), (120, 140, 180), np.uint8)
    sky[200:] = (60, 90, 50)
    assert list(detect(sky)) == []


@pytest.mark.parametrize("size", [(1, 1), (7, 300), (33, 31), (100, 101)])
def test_a_picture_of_any_size_can_be_looked_at(detect: Detect, size: tuple[int, int]) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8)
    for target in detect(noise):
        assert 0 <= target.box[0] <= target.box[2] <= size[1]
        assert 0 <= target.box[1] <= target.box[3] <= size[0]


def test_a_higher_floor_gives_fewer_and_never_others(detect: Detect) -> None:
    picture = _vehicle(_quad(90))
    low, high = (plates(floor=floor)(picture) for floor in (0.2, 0.6))
    assert {target.box for target in high} <= {target.box for target in low}
    assert all((target.score or 0) >= 0.6 for target in high)


def test_a_map_gives_the_peak_and_its_corners_around_the_cell() -> None:
    given: NDArray[Any] = np.zeros((9, 4, 6), np.float32)
    given[0, 2, 3], given[0, 2, 4] = 0.9, 0.6
    given[1:, 2, 3] = [-20, -5, 20, -5, 20, 5, -20, 5]
    seen = decoded(given, 0.5)
    assert seen.scores == pytest.approx([0.9])
    assert seen.boxes.tolist() == [[8, 15, 48, 25]]
    assert seen.points.tolist() == [[[8, 15], [48, 15], [48, 25], [8, 25]]]
