import numpy as np
import pytest
from tests.images.test_motion import picture

from aramis.images.local_motion import likeness, moved
from aramis.images.motion import Grey
from aramis.images.records import Box

GROUND = 100 + picture(1, 320, 200) // 8
THING = picture(3, 80, 80)


def scene(x: int, y: int, size: int = 40) -> tuple[Grey, Box]:
    """A blotched thing before a ground that stands still, and its box."""
    import cv2

    shown = GROUND.copy()
    shown[y : y + size, x : x + size] = cv2.resize(THING, (size, size), interpolation=cv2.INTER_AREA)
    return shown, (x, y, x + size, y + size)


@pytest.mark.parametrize(
    ("by", "size"),
    [((0, 0), 40), ((3, -2), 40), ((-25, 4), 40), ((0, 30), 40), ((6, 2), 42), ((6, 2), 38), ((0, 18), 43)],
)
def test_a_thing_is_found_where_it_went_however_fast_and_as_large_as_it_is(
    by: tuple[int, int], size: int
) -> None:
    before, box = scene(120, 80)
    after, true = scene(120 + by[0], 80 + by[1], size)
    assert moved(box, before, after) == pytest.approx(true, abs=1.0)
    assert likeness(box, before, true, after) > 0.95


def test_the_ground_is_not_taken_along_by_what_passes_it() -> None:
    before, _ = scene(120, 80)
    after, _ = scene(132, 80)
    assert moved((20, 20, 60, 60), before, after) == pytest.approx((20, 20, 60, 60), abs=0.2)


def test_what_is_gone_is_not_recognised_elsewhere() -> None:
    before, box = scene(120, 80)
    there = moved(box, before, GROUND)
    assert there is None or likeness(box, before, there, GROUND) < 0.4


def test_what_is_mostly_out_of_the_picture_is_not_followed() -> None:
    before, _ = scene(120, 80)
    assert moved((-30, 20, 10, 60), before, before) is None
    assert moved((-400, 20, -360, 60), before, before) is None
    assert moved((-10, 20, 30, 60), before, before) == pytest.approx((-10, 20, 30, 60), abs=0.2)


def test_a_thing_of_one_colour_is_recognised_by_its_edges() -> None:
    """Noise alone, which is all there is inside, is alike nowhere."""
    noise = np.random.default_rng(1).integers(0, 3, (2, 48, 64), np.uint8)
    before, after = noise[0] + 100, noise[1] + 100
    before[8:24, 20:36] += 120
    after[8:24, 24:40] += 120
    assert moved((20, 8, 36, 24), before, after) == pytest.approx((24, 8, 40, 24), abs=1)
