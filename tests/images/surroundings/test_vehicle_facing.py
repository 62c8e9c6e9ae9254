"""The side of a vehicle that is seen, and what is doubtful is not said."""

import numpy as np
import pytest

from aramis.images import cards
from aramis.images.network import Network
from aramis.images.records import Orientation
from aramis.images.surroundings.facing import NOT_KNOWN
from aramis.images.surroundings.vehicle_facing import GREY, SIDE, crop, facing, vehicle_facing


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
