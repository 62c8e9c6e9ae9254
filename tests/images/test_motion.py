import numpy as np
import pytest

from aramis.images.motion import Grey, small_size, step


def picture(seed: int, width: int = 200, height: int = 120) -> Grey:
    """Blotches, as a street has."""
    import cv2

    noise = np.random.default_rng(seed).uniform(0, 255, (height // 8, width // 8)).astype(np.float32)
    return (
        np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC))
        .clip(0, 255)
        .astype(np.uint8)
    )


@pytest.mark.parametrize(("x", "y"), [(0, 0), (3, 0), (-7, 2), (15, -5), (1, 1)])
def test_a_sweep_is_measured(x: int, y: int) -> None:
    wide = picture(1)
    before, after = wide[20:110, 20:180], wide[20 - y : 110 - y, 20 - x : 180 - x]
    moved = step(before, after)
    assert not moved.is_cut
    assert (moved.sweep[0] * 160, moved.sweep[1] * 90) == pytest.approx((x, y), abs=0.5)


def test_what_moves_before_a_still_camera_is_no_sweep() -> None:
    before, after = (100 + picture(1, 160, 90) // 32 for _ in range(2))
    before[20:70, 60:115] = after[32:82, 60:115] = picture(3, 55, 50)[:50]
    assert step(before, after).sweep == (0, 0)


@pytest.mark.parametrize("seed", range(2, 8))
def test_another_picture_is_a_cut(seed: int) -> None:
    assert step(picture(1), picture(seed)).is_cut


@pytest.mark.parametrize(
    ("before", "after", "is_cut"), [(0, 0, False), (0, 3, False), (0, 200, True), (90, 92, False)]
)
def test_pictures_of_one_colour_are_compared_by_it(before: int, after: int, is_cut: bool) -> None:
    plain = np.zeros((90, 160), np.uint8)
    assert step(plain + np.uint8(before), plain + np.uint8(after)).is_cut is is_cut


def test_noise_and_a_change_of_light_are_no_cut() -> None:
    before = picture(1)
    noise = np.random.default_rng(0).normal(0, 8, before.shape)
    assert not step(before, np.clip(before * 0.8 + noise, 0, 255).astype(np.uint8)).is_cut


def test_copies_keep_the_shape_of_the_picture() -> None:
    assert small_size(1920, 1080) == (640, 360)
    assert small_size(480, 640) == (480, 640)
    assert small_size(4000, 20) == (640, 16)
    assert small_size(64, 48) == (64, 48)
