"""What every redactor must do, ours and anybody's that is installed: hide, in the kind of pixels that it was given."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from aramis.images.records import Target
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways
from aramis.plugins import names

PICTURE = np.random.default_rng(1).integers(0, 256, (20, 30, 4), dtype=np.uint8)
TARGETS = {
    "face": Target(kind="face", box=(20, 20, 60, 70)),
    "plate": Target(kind="plate", box=(30, 40, 110, 62)),
    "leaning": Target(kind="plate", box=(20, 20, 100, 80), corners=((20, 30), (90, 20), (100, 60), (30, 80))),
    "at the edge": Target(kind="face", box=(-10, -10, 30, 30)),
    "over it all": Target(kind="region", box=(-10, -10, 500, 500)),
    "a speck": Target(kind="face", box=(50, 50, 51, 51)),
}


def pixels(channels: int, dtype: Any) -> np.ndarray:
    shape = (100, 140, channels) if channels > 1 else (100, 140)
    return np.random.default_rng(0).integers(0, np.iinfo(dtype).max, shape, dtype=dtype)


def hidden(name: str, source: np.ndarray, target: Target, **options: Any) -> np.ndarray:
    return redact(source, [target], ways([target.kind], name, picture=PICTURE, **options))


@pytest.fixture(params=[name for name in names("redactor") if name != "none"])
def redactor(request: pytest.FixtureRequest) -> Callable[..., np.ndarray]:
    name: str = request.param
    return lambda *given, **options: hidden(name, *given, **options)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_it_gives_back_pixels_of_the_same_kind_and_keeps_its_input(
    redactor: Callable[..., np.ndarray], channels: int, dtype: Any, target: Target
) -> None:
    source = pixels(channels, dtype)
    kept = source.copy()
    covered = redactor(source, target, feather=0.1)
    assert (covered.shape, covered.dtype) == (source.shape, source.dtype)
    assert np.array_equal(source, kept)


@pytest.mark.parametrize("channels", [1, 3])
def test_nearly_every_pixel_of_the_target_changes_and_none_far_from_it(
    redactor: Callable[..., np.ndarray], channels: int
) -> None:
    source = pixels(channels, np.uint8)
    covered = redactor(source, TARGETS["face"], shape="box", margin=0.1)
    differs = (covered != source).reshape(100, 140, -1).any(axis=2)
    assert differs[20:70, 20:60].mean() > 0.95
    assert not differs[:14].any()
    assert not differs[76:].any()
    assert not differs[:, 66:].any()


@pytest.mark.parametrize("strength", [0.0, 1.0, 4.0])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name in names("redactor")
        for kind in ("face", "plate")
        if name != "none" and (name, kind) != ("synthetic", "plate")  # draws letters: test_synthetic.py
    ],
)
def test_stripes_as_fine_as_letters_are_gone_at_every_strength(name: str, kind: str, strength: float) -> None:
    """Strokes of a tenth of the target's height: what letters and eyes are made of."""
    source = np.full((200, 400), 200, np.uint8)
    source[60:140, 100:300] = np.where(np.arange(200) // 8 % 2, 20, 230).astype(np.uint8)
    target = Target(kind=kind, box=(100, 60, 300, 140))
    covered = hidden(name, source, target, strength=strength, shape="box")
    before, after = (_at_frequency(row, 1 / 16) for row in (source[100, 120:280], covered[100, 120:280]))
    assert after < 0.12 * before


def _at_frequency(row: np.ndarray, cycles_per_px: float) -> float:
    """How much of one frequency is in a row."""
    wave = np.exp(2j * np.pi * cycles_per_px * np.arange(len(row)))
    return float(np.abs(((row - row.mean()) * wave).mean()))


def test_what_is_left_out_on_purpose_is_left_as_it_is() -> None:
    source = pixels(3, np.uint8)
    assert np.array_equal(hidden("none", source, TARGETS["face"]), source)
