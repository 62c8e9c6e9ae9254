"""The side of a vehicle that is seen, and what is doubtful is not said."""

import os
from pathlib import Path

import numpy as np
import pytest
from benchmarks.annotations import coco256_vehicles
from benchmarks.detection import picture

from aramis.images import cards
from aramis.images.network import Network
from aramis.images.records import Orientation
from aramis.images.surroundings.facing import NOT_KNOWN
from aramis.images.surroundings.vehicle_facing import GREY, SIDE, crop, facing, vehicle_facing

DATA = Path(os.environ.get("ARAMIS_DATA", Path(__file__).parents[4] / "shared" / "data"))


def test_the_likeliest_answer_is_given_and_how_likely_it_is() -> None:
    seen = facing(np.array([0.1, 0.2, 0.7], np.float32))
    assert seen.orientation is Orientation.BACK
    assert seen.score == pytest.approx(0.7)


def test_a_doubtful_answer_is_none() -> None:
    assert facing(np.array([0.4, 0.5, 0.1], np.float32)) == NOT_KNOWN


@pytest.mark.parametrize("box", [(0, 0, 1, 1), (-5, 3, 40, 9), (99, 99, 300, 300), (20, 20, 80, 50)])
def test_a_crop_is_a_square_wherever_the_box_lies(box: tuple[float, ...]) -> None:
    cut = crop(np.zeros((100, 120, 3), np.uint8), np.array(box, float))
    assert cut.shape == (SIDE, SIDE, 3)


def test_a_crop_keeps_the_shape_of_the_vehicle() -> None:
    wide = crop(np.zeros((100, 200, 3), np.uint8), np.array([50, 40, 150, 90], float))
    assert (wide[: SIDE * 45 // 100] == 0).all()
    assert (wide[SIDE * 55 // 100 :] == GREY).all()


def test_nothing_there_is_nothing_said() -> None:
    face = vehicle_facing(cards.path("aramis-vehicle-orientation"))
    assert face(np.zeros((50, 50, 3), np.uint8), np.zeros((0, 4))) == []


def test_a_vehicle_is_told_alone_as_in_a_batch() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (300, 300, 3), dtype=np.uint8)
    boxes = np.array([[0, 0, 100, 100], [120, 30, 290, 200], [5, 150, 90, 290]], float)
    crops = np.stack([crop(pixels, box) for box in boxes])
    network = Network(cards.path("aramis-vehicle-orientation"), fixed=True)
    together = network(crops)["chances"]
    alone = np.concatenate([network(one[None])["chances"] for one in crops])
    np.testing.assert_allclose(alone, together, atol=1e-4)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-5)
    assert np.ptp(together[:, 0]) > 0.01


def test_a_colour_that_lies_over_the_whole_picture_changes_little() -> None:
    pixels = np.random.default_rng(1).integers(60, 180, (200, 200, 3), dtype=np.uint8)
    network = Network(cards.path("aramis-vehicle-orientation"), fixed=True)
    pink = np.clip(pixels * np.array([1.2, 0.8, 1.0]), 0, 255).astype(np.uint8)
    crops = np.stack([crop(each, np.array([20, 60, 180, 150.0])) for each in (pixels, pink)])
    plain, cast = network(crops)["chances"]
    np.testing.assert_allclose(plain, cast, atol=0.05)


@pytest.mark.skipif(not DATA.is_dir(), reason="annotated photographs: ARAMIS_DATA")
def test_of_photographs_never_trained_on_no_front_or_back_is_called_the_other_or_a_side() -> None:
    face = vehicle_facing(cards.path("aramis-vehicle-orientation"))
    said = [
        (true, told.orientation)
        for photograph in coco256_vehicles(DATA)
        for true, told in zip(
            photograph.orientations, face(picture(photograph.path), photograph.boxes), strict=True
        )
    ]
    assert len(said) == 14
    assert sum(true == told for true, told in said) >= 10
    assert all(told in {true, Orientation.UNKNOWN} for true, told in said)
