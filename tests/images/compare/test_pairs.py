"""A released file finds its original by path, by name, or by what it shows."""

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.errors import Unreadable
from aramis.images.compare.pairs import by_name, looks


@pytest.mark.parametrize(
    ("originals", "released", "pairs"),
    [
        (["a/1.jpg", "b/1.jpg"], ["a/1.jpg"], {"a/1.jpg": "a/1.jpg"}),
        (["a/1.heic", "b/1.heic"], ["b/1.jpg"], {"b/1.jpg": "b/1.heic"}),  # another format
        (["1.jpg", "2.jpg"], ["2_blurred.jpg"], {"2_blurred.jpg": "2.jpg"}),
        (["1.jpg", "1-b.jpg"], ["1-b-out.png"], {"1-b-out.png": "1-b.jpg"}),  # the longer name
        (["1.jpg", "12.jpg"], ["123.jpg"], {}),  # 123 is no 12 with something after it
        (["in/1.jpg", "in/2.jpg"], ["out/2.png"], {"out/2.png": "in/2.jpg"}),  # another folder
        (["a/1.jpg", "b/1.jpg"], ["c/1.png"], {}),  # two could be meant
        (["1.jpg"], ["whatever.png"], {"whatever.png": "1.jpg"}),  # there is but one
        (["1.jpg", "1.png", "2.jpg"], ["1.webp"], {}),
    ],
)
def test_pairs_by_name(originals: list[str], released: list[str], pairs: dict[str, str]) -> None:
    assert by_name(originals, released) == pairs


def scene(seed: int) -> NDArray[np.uint8]:
    coarse = np.random.default_rng(seed).integers(0, 255, (6, 8, 3), np.uint8)
    return np.kron(coarse, np.ones((20, 20, 1), np.uint8))


def load(name: str) -> NDArray[np.uint8]:
    if name == "broken":
        raise Unreadable("broken")
    return scene(int(name))


def test_what_looks_alike_is_tried_first_however_it_is_turned() -> None:
    seen = looks(["1", "broken", "2", "3"], load)
    assert seen.names == ("1", "2", "3")
    for turns in range(4):
        brighter = np.clip(np.rot90(scene(2), turns) * 0.7 + 40, 0, 255).astype(np.uint8)
        assert seen.nearest(brighter)[0] == "2"


def test_of_no_originals_none_is_near() -> None:
    assert looks([], load).nearest(scene(1)) == []
