"""A plate replaced: it looks like the old one and tells nothing of it."""

from importlib import import_module
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.images.reading import Text
from aramis.images.records import Corners, Target
from aramis.images.redact.blur import blur
from aramis.images.redact.plate_numbers import country, random_number
from aramis.images.redact.plate_style import blur_to, sharpness, style_of
from aramis.images.redact.plate_template import ONE_ROW_MM, Plate, draw
from aramis.images.redact.regions import redact
from aramis.images.redact.synthetic import Synthetic, number_on, replaced, synthetic
from aramis.images.redact.ways import anew, ways

CORNERS = ((60.0, 52.0), (176.0, 60.0), (174.0, 88.0), (58.0, 79.0))
QUAD = np.array(CORNERS, np.float32)
PLATE = Plate(country("PL"), country("PL").looks[0], "WA 4F582")
module = import_module("aramis.images.redact.synthetic")
TARGET = Target(kind="plate", box=(58, 52, 176, 88), corners=CORNERS)


def _plate(number: str, code: str = "D") -> NDArray[Any]:
    of = country(code)
    return draw(Plate(of, of.looks[0], number), 60)


def _street(number: str = "M-AB 123", light: float = 0.8, blur: float = 0.8, code: str = "D") -> NDArray[Any]:
    """A red vehicle with a plate, in some light, out of focus by so much."""
    street: NDArray[Any] = np.full((140, 240, 3), (120, 20, 30), np.float32)
    street += np.linspace(0, 40, 240)[None, :, None]
    face = _plate(number, code)
    ends = np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32)
    warp = cv2.getPerspectiveTransform(ends, QUAD)
    placed = cv2.warpPerspective(face, warp, (240, 140), flags=cv2.INTER_AREA).astype(np.float32)
    cover = cv2.warpPerspective(np.ones(face.shape[:2], np.float32), warp, (240, 140))[..., None]
    street = cv2.GaussianBlur((street * (1 - cover) + placed * cover) * light, (0, 0), blur)
    return np.clip(street, 0, 255).astype(np.uint8)


def _inside(pixels: NDArray[Any]) -> NDArray[Any]:
    return pixels[56:84, 64:170].astype(float)


def test_the_old_plate_is_gone_and_a_plate_is_there() -> None:
    street = _street()
    done = _inside(replaced(street, TARGET, PLATE))
    assert np.abs(done - _inside(street)).mean() > 10
    assert np.percentile(done, 95) - np.percentile(done, 5) > 100


def test_nothing_that_is_under_the_plate_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "grain", lambda shape, style: np.zeros(shape, np.float32))
    first = _street().astype(np.float32)
    second = first.copy()
    inside = module._mask(QUAD, first.shape[:2])[..., 0] > 0
    second[inside] = np.random.default_rng(0).integers(0, 255, (int(inside.sum()), 3))
    style, of = module._style(first, QUAD), country("F")
    plate, blurred = Plate(of, of.looks[0], "AB-123-CD"), np.zeros_like(first)
    assert np.array_equal(
        module._replaced(first, blurred, QUAD, plate, style),
        module._replaced(second, blurred, QUAD, plate, style),
    )


@pytest.mark.parametrize("light", [0.25, 0.5, 0.95])
def test_the_new_plate_is_as_bright_as_the_old(light: float) -> None:
    street = _street(light=light)
    old, new = _inside(street), _inside(replaced(street, TARGET, PLATE))
    assert np.percentile(new, 90) == pytest.approx(np.percentile(old, 90), abs=18)


@pytest.mark.parametrize("blur", [0.5, 1.5, 3.0])
def test_the_new_plate_is_as_soft_as_the_old(blur: float) -> None:
    street = _street(blur=blur)
    faces = [
        module._face(each.astype(np.float32), QUAD) for each in (street, replaced(street, TARGET, PLATE))
    ]
    old, new = (sharpness(face) for face in faces)
    assert new == pytest.approx(old, rel=0.35)


def test_light_that_falls_from_one_side_falls_so_on_the_new_plate() -> None:
    street = np.clip(_street() * np.linspace(0.4, 1.2, 240)[None, :, None], 0, 255).astype(np.uint8)
    old, new = (
        module._style(each.astype(np.float32), QUAD) for each in (street, replaced(street, TARGET, PLATE))
    )
    rises = old.paper[:, 1].mean()
    assert rises > 10
    assert new.paper[:, 1].mean() > rises / 2


@pytest.mark.parametrize(("code", "tone"), [("NL", "yellow"), ("D", "white"), ("PL-old", "dark")])
def test_a_plate_keeps_the_tone_of_its_paper(code: str, tone: str) -> None:
    of = country(code.removesuffix("-old"))
    look = of.looks[1] if code.endswith("old") else of.looks[0]
    face = draw(Plate(of, look, random_number(of, look)), 60).astype(np.float32)
    style = style_of(face, face)
    assert module._tone(style) == tone
    assert module._tone_of(module._plate(style, QUAD, None, ()).look) == tone


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("grey", np.uint8),
        ("grey+alpha", np.uint8),
        ("rgba", np.uint8),
        ("rgb", np.uint16),
        ("grey", np.uint16),
    ],
)
def test_pixels_come_back_in_the_kind_they_had(kind: str, dtype: type) -> None:
    street: NDArray[Any] = _street().astype(dtype) * (257 if dtype == np.uint16 else 1)
    pixels = street if kind.startswith("rgb") else street[..., 0]
    if kind in ("grey+alpha", "rgba"):
        pixels = np.dstack([pixels, np.full(street.shape[:2], np.iinfo(dtype).max, dtype)])
    before = pixels.copy()
    done = synthetic(pixels, TARGET, 1.0)
    assert (done.shape, done.dtype) == (pixels.shape, pixels.dtype)
    assert np.array_equal(pixels, before)
    assert (done != pixels).any()


def test_a_track_keeps_its_plate_and_other_tracks_have_others() -> None:
    method = Synthetic()
    street = _street()
    tracked = [Target(kind="plate", box=TARGET.box, corners=CORNERS, track=track) for track in (1, 1, 2)]
    first, again, other = (_inside(method(street, target, 1.0)) for target in tracked)
    assert np.abs(first - again).mean() < 6  # the grain differs
    assert np.abs(first - other).mean() > 10


def test_the_tracks_of_another_video_are_other_vehicles() -> None:
    way = ways(["plate"], "synthetic", country="D")
    street = _street()
    target = Target(kind="plate", box=TARGET.box, corners=CORNERS, track=1)
    first, second = (anew(way) for _ in range(2))
    seen = [_inside(redact(street, [target], each)) for each in (first, first, second)]
    assert np.abs(seen[0] - seen[1]).mean() < 6
    assert np.abs(seen[0] - seen[2]).mean() > 10


def test_the_number_that_is_read_on_the_plate_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    avoided = []
    drawn = module.random_number

    def noted(of: Any, look: Any, avoid: Any) -> str:
        avoided.append(set(avoid))
        return str(drawn(of, look, avoid))

    monkeypatch.setattr(module, "random_number", noted)
    method = Synthetic(avoid=frozenset({"B-XY 99"}), read=lambda pixels, corners: Text("MAB123", 0.9))
    method(_street(), TARGET)
    assert avoided == [{"MAB123", "B-XY 99"}]


def test_a_plate_is_read_row_by_row() -> None:
    asked: list[Corners] = []

    def read(pixels: NDArray[Any], corners: Corners) -> Text:
        assert pixels.dtype == np.uint8
        asked.append(corners)
        return Text("ABC" if len(asked) == 1 else "12", 1.0)

    assert number_on(_street(), TARGET, read) == "ABC"
    assert asked.pop() == CORNERS
    square = Target(kind="plate", box=(10, 20, 70, 60))
    assert number_on(_street(), square, read) == "ABC12"
    assert asked == [((10, 20), (70, 20), (70, 40), (10, 40)), ((10, 40), (70, 40), (70, 60), (10, 60))]


@pytest.mark.parametrize("code", ["D", "NL"])
def test_the_country_that_is_asked_for_is_drawn(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    drawn = []

    def noted(pixels: NDArray[Any], target: Target, plate: Plate) -> NDArray[Any]:
        drawn.append(plate.country.code)
        return replaced(pixels, target, plate)

    monkeypatch.setattr(module, "replaced", noted)
    redact(_street(), [TARGET], ways(["plate"], "synthetic", country=code))
    assert drawn == [code]


def test_a_country_whose_plates_are_not_known_is_named_before_any_picture_is_touched() -> None:
    with pytest.raises(BadInput, match="no plates are known for country XX"):
        ways(["plate"], "synthetic", country="XX")


@pytest.mark.parametrize("quad_px", [(9, 3), (300, 60), (40, 40)])
def test_a_plate_of_any_size_without_corners_can_be_replaced(quad_px: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (120, 360, 3), np.uint8)
    box = (20.0, 20.0, 20.0 + quad_px[0], 20.0 + quad_px[1])
    done = synthetic(pixels, Target(kind="plate", box=box), 1.0)
    assert (done[20 : 20 + quad_px[1], 20:28] != pixels[20 : 20 + quad_px[1], 20:28]).any()


def test_a_face_is_blurred_for_it_is_no_plate() -> None:
    face = Target(kind="face", box=TARGET.box)
    assert np.array_equal(synthetic(_street(), face, 1.0), blur(_street(), face))


def test_softening_brings_a_sharp_plate_to_the_wanted_softness() -> None:
    face = _plate("M-AB 123").astype(np.float32)
    sigma = blur_to(face, 0.2)
    softened = cv2.GaussianBlur(face, (0, 0), sigma)
    assert sharpness(softened[7:-7, 28:-28]) == pytest.approx(0.2, rel=0.05)
    assert blur_to(softened, 0.9) == 0


def test_proportions_choose_the_size() -> None:
    assert module._proportions(QUAD) == ONE_ROW_MM
