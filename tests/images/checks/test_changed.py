"""Whether a hidden target's pixels are others now: photographs that were hidden in every way, or only handled."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.checks.changed import STILL_THERE, changed, still_there
from aramis.images.records import ImageRecord, Target
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways

FACE = Target(id=4, kind="face", box=(172, 70, 282, 210), method="blur")


@pytest.fixture
def astronaut(photographs: dict[str, NDArray[Any]]) -> NDArray[Any]:
    return photographs["astronaut"]


def of(target: Target) -> ImageRecord:
    return ImageRecord(image="astronaut", width=512, height=512, targets=(target,))


def compressed(pixels: NDArray[Any], quality: int) -> Any:
    return cv2.imdecode(
        cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
    )


def small(pixels: NDArray[Any], scale: float) -> NDArray[Any]:
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("scale", [1.0, 0.3, 0.15])
@pytest.mark.parametrize("method", ["blur", "pixelate", "solid", "mean"])
def test_what_was_hidden_has_changed(astronaut: NDArray[Any], method: str, scale: float) -> None:
    before = small(astronaut, scale)
    x1, y1, x2, y2 = (side * scale for side in FACE.box)
    face = Target(id=4, kind="face", box=(x1, y1, x2, y2), method=method)
    after = compressed(redact(before, [face], ways(["face"], method, strength=0)), 90)
    (finding,) = changed(before, after, of(face))
    assert (finding.leak, finding.target, finding.kind) == (False, 4, "face")


@pytest.mark.parametrize(
    "handled",
    [
        lambda pixels: pixels,
        lambda pixels: compressed(pixels, 75),
        lambda pixels: compressed(pixels, 30),
        lambda pixels: (pixels * 0.7).astype(np.uint8),
        lambda pixels: np.clip(pixels.astype(int) + 60, 0, 255).astype(np.uint8),
    ],
    ids=["left alone", "compressed", "compressed a lot", "darker", "brighter"],
)
def test_what_was_only_handled_has_not(astronaut: NDArray[Any], handled: Any) -> None:
    (finding,) = changed(astronaut, handled(astronaut), of(FACE))
    assert finding.leak
    assert finding.value is not None
    assert finding.value >= STILL_THERE


def test_beside_the_target_anything_may_have_changed(astronaut: NDArray[Any]) -> None:
    after = np.zeros_like(astronaut)
    after[70:210, 172:282] = astronaut[70:210, 172:282]
    assert changed(astronaut, after, of(FACE))[0].leak


def test_half_a_face_that_was_hidden_is_half_there(astronaut: NDArray[Any]) -> None:
    after = astronaut.copy()
    after[140:210] = 0
    share = changed(astronaut, after, of(FACE))[0].value
    assert share is not None
    assert 0.2 < share < 0.8


def test_what_was_left_open_on_purpose_is_not_asked_about(astronaut: NDArray[Any]) -> None:
    assert changed(astronaut, astronaut, of(Target(kind="face", box=FACE.box, method=None))) == []


def test_a_flat_region_has_nothing_to_hide_but_may_be_painted_over() -> None:
    white = np.full((40, 30, 3), 255, np.uint8)
    assert still_there(white, white) is None
    assert still_there(white, white - 255) == 0.0


@pytest.mark.parametrize("box", [(0, 0, 1, 1), (0, 0, 3, 200), (-20, -20, 5, 5), (300, 300, 900, 900)])
def test_boxes_of_any_size_at_any_border(astronaut: NDArray[Any], box: tuple[float, ...]) -> None:
    target = Target(id=0, kind="region", box=box, method="solid")  # type: ignore[arg-type]
    assert all(finding.leak for finding in changed(astronaut, astronaut, of(target)))
    assert not any(finding.leak for finding in changed(astronaut, np.zeros_like(astronaut), of(target)))
