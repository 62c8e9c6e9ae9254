"""What no network knows or reads any more, at the least strength that can be asked for: the floors, by the models themselves."""

from difflib import SequenceMatcher
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.candidates import Floats
from aramis.images.embedding import Embedding, embedding, landmarks
from aramis.images.geometry import bounds
from aramis.images.reading import Reading, reading
from aramis.images.records import Target
from aramis.images.redact.blur import blur
from aramis.images.redact.plate_numbers import country
from aramis.images.redact.plate_template import ONE_ROW_MM, Plate, draw
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways

FACE = (178, 66, 274, 192)  # of the astronaut, as a person draws it
NUMBER = "B482KTR"
OF_ONE_PERSON = 0.363  # OpenCV's level for SFace
PIXELS = NDArray[np.uint8]


@pytest.fixture(scope="module")
def numbers() -> Embedding:
    return embedding()


@pytest.fixture(scope="module")
def read() -> Reading:
    return reading()


@pytest.fixture(scope="module")
def points(photographs: dict[str, NDArray[Any]]) -> Floats:
    found = landmarks()(photographs["astronaut"], FACE)
    assert found is not None
    return found


def hidden(pixels: PIXELS, target: Target, method: str, strength: float) -> PIXELS:
    return redact(pixels, [target], ways([target.kind], method, strength=strength, picture=pixels[:8, :8]))


@pytest.fixture(params=[0.0, 1.0])
def strength(request: pytest.FixtureRequest) -> float:
    return float(request.param)


@pytest.mark.parametrize("scale", [0.4, 0.8, 2.0])
@pytest.mark.parametrize("method", ["blur", "pixelate", "mean", "solid", "image"])
def test_a_hidden_face_is_nobodys(  # noqa: PLR0917  # fixtures
    method: str,
    scale: float,
    strength: float,
    numbers: Embedding,
    points: Floats,
    photographs: dict[str, NDArray[Any]],
) -> None:
    """To whom knows the original and where its eyes were."""
    open_ = np.asarray(
        cv2.resize(photographs["astronaut"], None, fx=scale, fy=scale, interpolation=3), np.uint8
    )
    x1, y1, x2, y2 = (side * scale for side in FACE)
    closed = hidden(open_, Target(kind="face", box=(x1, y1, x2, y2)), method, strength)
    own = numbers(photographs["astronaut"], points)
    assert float(own @ numbers(open_, points * scale)) > 0.85
    assert float(own @ numbers(closed, points * scale)) < OF_ONE_PERSON


def on_a_street(street: NDArray[Any], height: int, turn_deg: float) -> tuple[PIXELS, Target]:
    romania = country("RO")
    face = draw(Plate(romania, romania.looks[0], "B 482 KTR", ONE_ROW_MM), height)
    tall, wide = face.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn_deg, 1.0)
    turn[:, 2] += [160, 120]
    ends = np.array([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1]]) @ turn.T
    drawn = cv2.warpAffine(
        face, turn, street.shape[1::-1], dst=street.copy(), borderMode=cv2.BORDER_TRANSPARENT
    )
    a, b, c, d = ((float(x), float(y)) for x, y in ends)
    return np.asarray(drawn, np.uint8), Target(kind="plate", box=bounds((a, b, c, d)), corners=(a, b, c, d))


def likeness(pixels: PIXELS, target: Target, read: Reading) -> float:
    """How like what is read is to what is written."""
    assert target.corners
    return SequenceMatcher(None, read(pixels, target.corners).signs, NUMBER, autojunk=False).ratio()


@pytest.mark.parametrize(("height", "turn_deg"), [(20, 0), (40, 6), (60, -10)])
@pytest.mark.parametrize("method", ["blur", "pixelate", "mean", "solid", "image", "synthetic"])
def test_a_hidden_plate_is_not_read(  # noqa: PLR0917  # fixtures
    method: str, height: int, turn_deg: float, strength: float, read: Reading, street: NDArray[Any]
) -> None:
    pixels, target = on_a_street(street, height, turn_deg)
    assert likeness(pixels, target, read) > 0.8
    assert likeness(hidden(pixels, target, method, strength), target, read) < 0.5


def test_a_plate_that_is_found_as_a_box_only_is_not_read_either(read: Reading, street: NDArray[Any]) -> None:
    pixels, target = on_a_street(street, 40, 0)
    boxed = Target(kind="plate", box=target.box)
    assert likeness(hidden(pixels, boxed, "blur", 0.0), target, read) < 0.5


def test_a_third_of_the_floor_would_not_do(read: Reading, street: NDArray[Any]) -> None:
    """The reader is not blind: it reads what is blurred less."""
    pixels, target = on_a_street(street, 60, 0)
    small = Target(kind="plate", box=(0, 0, 60, 20))  # blurred as if it were a third as high
    assert likeness(blur(pixels, small, 0.0), target, read) > 0.8
