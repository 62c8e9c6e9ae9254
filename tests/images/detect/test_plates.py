"""Our own plate network: it finds drawn plates of every size and country, and gives their corners."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.detect.plate_net import decoded, looking
from aramis.images.detect.plates import plates
from aramis.images.geometry import iou
from aramis.images.passes import Detect
from aramis.images.records import Target
from aramis.images.redact.plate_numbers import country
from aramis.images.redact.plate_template import MOTORCYCLE_MM, ONE_ROW_MM, TWO_ROWS_MM, Plate, draw
from aramis.plugins import find


@pytest.fixture(scope="module")
def detect() -> Detect:
    made: Detect = find("detector", "plate")(models="default", threads=1)
    return made


NUMBERS = {"D": "M-AB 123", "NL": "JK-123-L", "F": "AB-123-CD"}


def _street(size: tuple[int, int] = (480, 640)) -> NDArray[Any]:
    picture = np.full((*size, 3), (40, 50, 90), np.uint8)
    picture[: size[0] // 3] = (90, 100, 120)
    return picture


def _vehicle(
    quad: NDArray[Any],
    code: str = "D",
    size_mm: tuple[int, int] = ONE_ROW_MM,
    street: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """A dark blue panel with a bumper, and a plate at these corners."""
    picture = _street() if street is None else street.copy()
    x1, y1, x2, y2 = (float(side) for side in np.concatenate([quad.min(axis=0), quad.max(axis=0)]))
    wide = x2 - x1
    bumper = (int(x1 - wide), int(y1 - wide / 8)), (int(x2 + wide), int(y2 + wide / 6))
    cv2.rectangle(picture, *bumper, (25, 25, 28), -1)
    of = country(code)
    face = draw(Plate(of, of.looks[0], NUMBERS[code], size_mm), 60 if size_mm == ONE_ROW_MM else 120)
    ends = np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32)
    warp = cv2.getPerspectiveTransform(ends, quad.astype(np.float32))
    soft = cv2.GaussianBlur(face, (0, 0), max(0.3, 20 / wide * 4))
    canvas = picture.shape[1::-1]
    placed: NDArray[Any] = cv2.warpPerspective(soft, warp, canvas)
    cover = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, canvas)
    picture[cover > 127] = placed[cover > 127]
    return cv2.GaussianBlur(picture, (0, 0), 0.7).astype(np.uint8)


def _quad(
    wide: float,
    lean: float = 0.0,
    at: tuple[float, float] = (320, 300),
    size_mm: tuple[int, int] = ONE_ROW_MM,
    squeeze: float = 1.0,
) -> NDArray[Any]:
    tall = wide / squeeze * size_mm[1] / size_mm[0]
    flat = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    flat[:, 1] += flat[:, 0] * lean
    return flat + at


def _off(target: Target, quad: NDArray[Any]) -> float:
    """How far the corners are from the quad's, as a share of its width."""
    return float(np.linalg.norm(np.array(target.corners) - quad, axis=1).mean() / np.ptp(quad[:, 0]))


def _nearest(found: list[Target], quad: NDArray[Any]) -> Target:
    box = tuple(float(side) for side in (*quad.min(axis=0), *quad.max(axis=0)))
    return max(found, key=lambda target: iou(target.box, box))  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["D", "NL", "F"])
@pytest.mark.parametrize(("wide", "lean"), [(50, 0.0), (80, 0.1), (120, -0.1), (250, 0.05), (480, 0.0)])
def test_a_plate_is_found_with_its_corners(detect: Detect, wide: float, lean: float, code: str) -> None:
    quad = _quad(wide, lean)
    found = _nearest(list(detect(_vehicle(quad, code))), quad)
    assert _off(found, quad) < 0.1
    assert found.kind == "plate"
    assert found.found_by == "aramis-plates"


@pytest.mark.parametrize("size_mm", [TWO_ROWS_MM, MOTORCYCLE_MM])
@pytest.mark.parametrize("wide", [50, 90])
def test_a_plate_of_two_rows_is_found(detect: Detect, wide: float, size_mm: tuple[int, int]) -> None:
    quad = _quad(wide, size_mm=size_mm)
    assert _off(_nearest(list(detect(_vehicle(quad, "D", size_mm))), quad), quad) < 0.1


@pytest.mark.parametrize(("lean", "squeeze"), [(0.35, 1.0), (-0.35, 0.8), (0.0, 0.55), (0.5, 0.6)])
def test_a_plate_seen_from_the_side_in_a_photograph_squeezed_to_a_square_is_found(
    detect: Detect, lean: float, squeeze: float
) -> None:
    quad = _quad(90, lean, squeeze=squeeze)
    assert _off(_nearest(list(detect(_vehicle(quad))), quad), quad) < 0.15


def test_several_plates_of_a_vehicle_are_all_found(detect: Detect) -> None:
    quads = [_quad(90, at=(260, 300)), _quad(90, at=(390, 300)), _quad(60, at=(320, 380))]
    picture = _street()
    for quad in quads:
        picture = _vehicle(quad, "D", street=picture) if quad is quads[0] else _pasted(picture, quad)
    found = list(detect(picture))
    assert all(_off(_nearest(found, quad), quad) < 0.1 for quad in quads)


def _pasted(picture: NDArray[Any], quad: NDArray[Any]) -> NDArray[Any]:
    """The picture with a French plate at these corners, and nothing else changed."""
    face = draw(Plate(country("F"), country("F").looks[0], NUMBERS["F"]), 60)
    ends = np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32)
    warp = cv2.getPerspectiveTransform(ends, quad.astype(np.float32))
    placed: NDArray[Any] = cv2.warpPerspective(cv2.GaussianBlur(face, (0, 0), 1), warp, picture.shape[1::-1])
    cover = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), warp, picture.shape[1::-1])
    return np.where(cover[..., None] > 127, placed, picture)


def test_a_plate_at_night_is_found(detect: Detect) -> None:
    quad = _quad(90, 0.05)
    noise = np.random.default_rng(0).normal(0, 5, (480, 640, 3))
    dark = np.clip(_vehicle(quad) * 0.2 + noise, 0, 255).astype(np.uint8)
    assert _off(_nearest(list(detect(dark)), quad), quad) < 0.1


@pytest.mark.parametrize("at", [(30, 300), (610, 300), (320, 10), (320, 472)])
def test_a_plate_that_the_picture_s_border_cuts_is_found(detect: Detect, at: tuple[float, float]) -> None:
    quad = _quad(90, at=at)
    found = _nearest(list(detect(_vehicle(quad))), quad)
    assert _off(found, quad) < 0.15
    x1, y1, x2, y2 = found.box
    assert min(x1, y1) >= 0
    assert x2 <= 640
    assert y2 <= 480


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


def _map(cells: tuple[int, int], centre: NDArray[Any], quad: NDArray[Any], score: float) -> NDArray[Any]:
    """What a network gives for one plate: its score at the cell of its centre, and the corners around that cell."""
    given: NDArray[Any] = np.zeros((9, *cells), np.float32)
    x, y = (int(c // 8) for c in centre)
    given[0, y, x] = score
    given[1:, y, x] = (quad - (x * 8 + 4, y * 8 + 4)).ravel()
    return given


@pytest.mark.parametrize(("lean", "squeeze"), [(0.0, 1.0), (0.6, 0.5), (-0.3, 1.2)])
def test_what_the_second_look_sees_from_the_front_is_told_as_it_stands_in_the_picture(
    lean: float, squeeze: float
) -> None:
    quad = _quad(80, lean, (150, 120), squeeze=squeeze)
    side = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    zoom = min(100 / side[0], 62 / side[1], 3)
    half = np.array(side) * zoom / 2
    upright = 64 + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half

    def network(batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        height, width = batch.shape[1:3]
        if (height, width) == (128, 128):
            return {"plates": np.stack([_map((16, 16), np.array([64, 64]), upright, 0.81)] * len(batch))}
        if (height, width) == (256, 320):
            return {"plates": _map((32, 40), quad.mean(axis=0), quad, 0.64)[None]}
        return {"plates": np.zeros((1, 9, height // 8, width // 8), np.float32)}

    seen = looking(network)(np.zeros((256, 320, 3), np.uint8), 0.3)  # type: ignore[arg-type] # it is called, no more
    assert seen.scores == pytest.approx([0.72])  # the geometric mean of both looks
    assert seen.points[0] == pytest.approx(quad, abs=0.01)


@pytest.mark.parametrize(("first", "looks"), [(0.29, 0), (0.31, 1)])
def test_what_the_first_look_hardly_suspects_is_not_looked_at_again(first: float, looks: int) -> None:
    quad, batches = _quad(80, 0.0, (150, 120)), []

    def network(batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        cells = batch.shape[1] // 8, batch.shape[2] // 8
        batches.append(cells)
        score = first if cells == (32, 40) else 1.0 if cells == (16, 16) else 0.0
        return {"plates": np.stack([_map(cells, np.array(cells[::-1]) * 4, quad, score)] * len(batch))}

    looking(network)(np.zeros((256, 320, 3), np.uint8), 0.45)  # type: ignore[arg-type] # it is called, no more
    assert batches.count((16, 16)) == looks


def test_corners_that_nobody_can_straighten_are_looked_at_as_they_stand() -> None:
    bow_tie = np.array([[100, 100], [160, 130], [160, 100], [100, 130]], float)

    def network(batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        cells = batch.shape[1] // 8, batch.shape[2] // 8
        score = 0.5 if batch.shape[1] != 64 else 0.0
        return {"plates": np.stack([_map(cells, np.array(cells[::-1]) * 4, bow_tie, score)] * len(batch))}

    assert np.isfinite(looking(network)(np.zeros((128, 128, 3), np.uint8), 0.1).points).all()  # type: ignore[arg-type]


def test_a_plate_of_which_the_first_look_held_only_a_part_is_found_whole() -> None:
    """A network that is sure of the right half, and from near by sees a plate only where all of it is in view."""
    quad = _quad(100, 0.2, (150, 120))
    half = np.array([(quad[0] + quad[1]) / 2, quad[1], quad[2], (quad[2] + quad[3]) / 2])
    picture = np.zeros((256, 320, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), (255, 255, 255))

    def near_by(view: NDArray[Any]) -> NDArray[Any]:
        white = (view[..., 0] > 128).astype(np.uint8)
        if cv2.countNonZero(white) == 0 or white[:, [0, -1]].any() or white[[0, -1]].any():
            return np.zeros((9, 16, 16), np.float32)
        [outline], _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        points = outline[:, 0].astype(float)
        ends = [points[(points * sign).sum(axis=1).argmax()] for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return _map((16, 16), points.mean(axis=0), np.array(ends), 0.9)

    def network(batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        height, width = batch.shape[1:3]
        if (height, width) == (128, 128):
            return {"plates": np.stack([near_by(view) for view in batch])}
        if (height, width) == (256, 320):
            return {"plates": _map((32, 40), half.mean(axis=0), half, 0.7)[None]}
        return {"plates": np.zeros((1, 9, height // 8, width // 8), np.float32)}

    [found] = looking(network)(picture, 0.45).points  # type: ignore[arg-type] # it is called, no more
    assert np.abs(found - quad).max() < 5


@pytest.mark.parametrize(("part", "plates_found"), [(0.45, 2), (0.9, 1)])
def test_two_plates_that_the_first_look_took_for_one_of_two_rows_are_both_found(
    part: float, plates_found: int
) -> None:
    """From near by, two flat plates one above the other; where one of them is all that was first seen, the other is none."""
    both = _quad(80, 0.0, (150, 120), TWO_ROWS_MM)

    def network(batch: NDArray[Any]) -> dict[str, NDArray[Any]]:
        height, width = batch.shape[1:3]
        if (height, width) == (128, 128):
            tall = 62 * part
            upper, lower = (
                _map(
                    (16, 16),
                    middle,
                    middle + np.array([[-44, -1], [44, -1], [44, 1], [-44, 1]]) * (1, tall / 2),
                    0.8,
                )
                for middle in (np.array([64.0, 48.0]), np.array([64.0, 80.0]))
            )
            return {"plates": np.stack([np.where(upper[:1] > 0, upper, lower)] * len(batch))}
        if (height, width) == (256, 320):
            return {"plates": _map((32, 40), both.mean(axis=0), both, 0.7)[None]}
        return {"plates": np.zeros((1, 9, height // 8, width // 8), np.float32)}

    seen = looking(network)(np.zeros((256, 320, 3), np.uint8), 0.45)  # type: ignore[arg-type] # it is called, no more
    assert len(seen.scores) == plates_found
