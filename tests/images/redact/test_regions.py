import numpy as np
import pytest

from aramis.images.records import Box, Corners, Target
from aramis.images.redact.regions import Shape, Way, redact
from aramis.images.redact.solid import solid

WHITE = np.full((100, 120), 255, np.uint8)
FACE = Target(kind="face", box=(40, 30, 60, 50))
ALONG: Corners = ((40, 50), (60, 30), (66, 36), (46, 56))


def hidden(target: Target, **options: object) -> np.ndarray:
    way = Way("solid", solid, **options)  # type: ignore[arg-type]
    return redact(WHITE, [target], {"face": way}) < 255


def test_a_box_hides_every_pixel_that_it_touches_and_no_other() -> None:
    covered = hidden(Target(kind="face", box=(40.9, 30.0, 60.1, 49.2)))
    assert covered[30:50, 40:61].all()
    assert covered.sum() == 20 * 21


def test_the_margin_is_a_share_of_width_and_height_on_each_side() -> None:
    covered = hidden(Target(kind="face", box=(40, 30, 60, 70)), margin=0.25)
    assert np.argwhere(covered).min(axis=0).tolist() == [20, 35]
    assert np.argwhere(covered).max(axis=0).tolist() == [79, 64]


def test_an_ellipse_with_the_usual_margin_holds_the_whole_box() -> None:
    covered = hidden(FACE, shape=Shape.ELLIPSE, margin=0.3)
    assert covered[30:50, 40:60].all()
    assert not covered[24:27, 34:37].any()


def test_a_polygon_follows_the_corners() -> None:
    covered = hidden(Target(kind="face", box=(40, 30, 66, 56), corners=ALONG), shape=Shape.POLYGON)
    assert covered[43, 52]
    assert not covered[31, 41]
    assert not covered[54, 64]
    assert 150 < covered.sum() < 320


def test_a_polygon_without_corners_is_the_box() -> None:
    assert hidden(FACE, shape=Shape.POLYGON)[30:50, 40:60].all()


def test_feather_softens_outside_what_is_hidden() -> None:
    way = Way("solid", solid, feather=0.5)
    covered = redact(WHITE, [FACE], {"face": way})
    assert (covered[30:50, 40:60] == 0).all()
    outside = covered[40, 60:72].astype(int)
    assert (np.diff(outside) >= 0).all()
    assert 0 < outside[4] < 255
    assert covered[40, 75] == 255


OVER_THE_EDGE = [
    (-30, -30, 10, 10),
    (110, 90, 400, 400),
    (-9, -9, 500, 500),
    (119.5, 99.5, 120, 100),
    (5, 5, 5, 5),
    (130, 110, 140, 120),
]


@pytest.mark.parametrize("box", OVER_THE_EDGE)
def test_a_target_at_or_over_the_edge_is_hidden_as_far_as_there_are_pixels(box: Box) -> None:
    covered = hidden(Target(kind="face", box=box), margin=0.3, shape=Shape.BOX, feather=0.2)
    assert covered.shape == WHITE.shape
    assert covered.any()


def test_what_it_is_given_is_left_as_it_is() -> None:
    pixels = WHITE.copy()
    redact(pixels, [FACE], {"face": Way("solid", solid)})
    assert (pixels == 255).all()


def test_a_kind_without_a_way_is_left_open() -> None:
    assert (redact(WHITE, [FACE], {"plate": Way("solid", solid)}) == WHITE).all()


def test_a_method_sees_the_surroundings_of_its_target_not_the_whole_picture() -> None:
    shapes = []

    def noting(pixels: np.ndarray, target: Target, strength: float) -> np.ndarray:
        x1, y1, x2, y2 = (int(end) for end in target.box)
        shapes.append((pixels.shape, pixels[y1:y2, x1:x2].sum()))
        return pixels

    big = np.zeros((2000, 2000), np.uint8)
    big[1000:1010, 500:510] = 1
    redact(big, [Target(kind="face", box=(500, 1000, 510, 1010))], {"face": Way("noting", noting)})
    assert shapes == [((20, 20), 100)]
