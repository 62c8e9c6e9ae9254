from functools import partial

import numpy as np
import pytest

from aramis.errors import BadInput
from aramis.images.redact.blur import blur
from aramis.images.redact.regions import Shape
from aramis.images.redact.solid import solid
from aramis.images.redact.ways import ways

KINDS = ["face", "plate"]


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("blur", ("blur", "blur")),
        ("plate=solid", ("blur", "solid")),
        ("face=blur,plate=solid", ("blur", "solid")),
        ("pixelate, plate=solid", ("pixelate", "solid")),
        ({"face": "mean"}, ("mean", "blur")),
        ({"plate": partial(solid, colour=(9, 9, 9))}, ("blur", "solid")),
    ],
)
def test_a_method_may_be_named_for_all_kinds_or_for_each(method: object, names: tuple[str, str]) -> None:
    found = ways(KINDS, method)  # type: ignore[arg-type]
    assert (found["face"].name, found["plate"].name) == names


def test_faces_are_hidden_as_ellipses_and_plates_along_their_corners() -> None:
    found = ways([*KINDS, "region"])
    shapes = [found[kind].shape for kind in ("face", "plate", "region")]
    assert shapes == [Shape.ELLIPSE, Shape.POLYGON, Shape.BOX]
    assert all(way.shape is Shape.BOX for way in ways(KINDS, shape="box").values())


def test_a_method_is_handed_what_it_has_a_parameter_for() -> None:
    chosen = ways(KINDS, "solid,face=blur", colour=(1, 2, 3), seed=7)
    assert chosen["plate"].method.keywords == {"colour": (1, 2, 3)}  # type: ignore[attr-defined]
    assert chosen["face"].method is blur


def test_the_colour_is_for_solid() -> None:
    method = ways(["face"], "solid", colour=(1, 2, 3))["face"].method
    assert method(np.zeros((1, 1, 3), np.uint8), None, 1.0).tolist() == [[[1, 2, 3]]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "smear"}, "no redactor is called smear; choose one of blur, image, mean"),
        ({"method": "nose=blur"}, "nose, which is not a target here; targets are face, plate"),
        ({"method": "image"}, "the method image needs a picture: give --picture"),
        ({"shape": "star"}, "no shape is called star; choose one of box, ellipse, polygon"),
        ({"margin": -0.1}, "margin is -0.1"),
        ({"strength": float("nan")}, "strength is nan"),
        ({"feather": -1}, "feather is -1"),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_can(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        ways(KINDS, **options)  # type: ignore[arg-type]


def test_a_picture_can_be_shown_instead() -> None:
    way = ways(["face"], "image", picture=np.zeros((4, 4, 3), np.uint8))["face"]
    assert way.name == "image"
