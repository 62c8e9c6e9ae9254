import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from aramis.images.by_hand import (
    Pixels,
    Region,
    drawn,
    found_elsewhere,
    holds,
    is_spared,
    spare_faces,
    spare_zones,
)
from aramis.images.records import ImageRecord, Target

FACE = Target(kind="face", box=(10, 10, 20, 20), score=0.9)
PLATE = Target(kind="plate", box=(50, 50, 90, 60), score=0.9)
TRIANGLE = ((0.0, 0.0), (40.0, 0.0), (0.0, 40.0))


@pytest.mark.parametrize(
    ("region", "image", "seconds", "is_meant"),
    [
        (Region(box=(0, 0, 1, 1)), "any/where.jpg", None, True),
        (Region(image="a.jpg", box=(0, 0, 1, 1)), "a.jpg", None, True),
        (Region(image="a.jpg", box=(0, 0, 1, 1)), "b/a.jpg", None, False),
        (Region(image="b/*.mp4", box=(0, 0, 1, 1)), "b/c/a.mp4", 3.0, True),
        (Region(box=(0, 0, 1, 1), start=2, end=5), "a.mp4", 1.99, False),
        (Region(box=(0, 0, 1, 1), start=2, end=5), "a.mp4", 2.0, True),
        (Region(box=(0, 0, 1, 1), start=2, end=5), "a.mp4", 5.0, False),
        (Region(box=(0, 0, 1, 1), start=2), "a.mp4", 99.0, True),
    ],
)
def test_a_region_is_meant_for_some_images_and_times(
    region: Region, image: str, seconds: float | None, is_meant: bool
) -> None:
    assert holds(region, image, seconds) is is_meant


def test_a_region_becomes_a_target_with_its_own_outline() -> None:
    box, polygon = drawn([Region(box=(1, 2, 3, 4)), Region(polygon=TRIANGLE)], "a.jpg")
    assert (box.kind, box.box, box.polygon, box.found_by) == ("region", (1, 2, 3, 4), None, "by hand")
    assert (polygon.box, polygon.polygon) == ((0, 0, 40, 40), TRIANGLE)


@pytest.mark.parametrize(
    ("zone", "spared"),
    [
        (Region(box=(0, 0, 30, 30)), [True, False]),
        (Region(box=(0, 0, 100, 100)), [True, True]),
        (Region(box=(0, 0, 100, 100), kind="plate"), [False, True]),
        (Region(polygon=TRIANGLE), [True, False]),
        (Region(polygon=((0, 0), (14, 0), (0, 14))), [False, False]),
        (Region(box=(0, 0, 14, 14)), [False, False]),
        (Region(image="other.jpg", box=(0, 0, 100, 100)), [False, False]),
    ],
)
def test_a_zone_spares_what_has_its_middle_there(zone: Region, spared: list[bool]) -> None:
    assert [is_spared(target) for target in spare_zones([FACE, PLATE], [zone], "a.jpg")] == spared


def test_a_known_face_is_spared_and_a_stranger_is_not() -> None:
    pixels = np.zeros((100, 100, 3), np.uint8)
    anna = np.array([1, 0], np.float32)

    def embed(pixels: Pixels, target: Target) -> NDArray[np.float32] | None:
        towards = {10: np.array([0.8, 0.6]), 40: np.array([0.3, 0.95])}.get(int(target.box[0]))
        return None if towards is None else towards.astype(np.float32)

    faces = [FACE, replace(FACE, box=(40, 10, 50, 20)), replace(FACE, box=(70, 10, 80, 20)), PLATE]
    after = spare_faces(faces, {"anna.jpg": anna}, embed, pixels)
    assert [is_spared(target) for target in after] == [True, False, False, False]
    assert after[0].extra == {"spared": "the face in anna.jpg"}
    assert spare_faces(faces, {}, embed, pixels) == tuple(faces)


def test_detections_of_another_tool_come_by_image_and_frame_and_are_not_hidden_yet() -> None:
    theirs = [
        ImageRecord(
            image="a.jpg", width=100, height=100, targets=(replace(FACE, id=0, method="not stated"),)
        ),
        ImageRecord(image="b.mp4", frame=7, width=100, height=100, targets=(replace(PLATE, id=0),)),
    ]
    assert found_elsewhere(theirs) == {("a.jpg", None): (FACE,), ("b.mp4", 7): (PLATE,)}
