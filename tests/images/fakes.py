"""Passes that find the same in every picture; and a program that runs a release with them, to be killed."""

import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from aramis.images.pipeline import release
from aramis.images.records import Carrier, Orientation, Target

FACE = (10, 8, 30, 28)
PERSON = (4, 4, 40, 48)


def one_face(pixels: NDArray[np.uint8]) -> list[Target]:
    return [Target(kind="face", box=FACE, score=0.9, found_by="fake")]


def one_person(pixels: NDArray[np.uint8]) -> list[Carrier]:
    return [Carrier(kind="person", box=PERSON, score=0.8, orientation=Orientation.FRONT, found_by="fake")]


def photographs(folder: Path, count: int = 3, size: tuple[int, int] = (64, 48)) -> Path:
    """Photographs with a white face on a grey street: a white pixel in a release is a leak."""
    for number in range(count):
        picture = np.full((size[1], size[0], 3), 60 + number % 100, np.uint8)
        picture[FACE[1] : FACE[3], FACE[0] : FACE[2]] = 255
        path = folder / f"day {number % 3}" / f"{number:03}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(path)
    return folder


def is_hidden(path: Path) -> bool:
    """Whether a released file is whole, and shows no white pixel."""
    with Image.open(path) as image:
        return bool(np.array(image).max() < 255)


def slow_face(pixels: NDArray[np.uint8]) -> list[Target]:
    time.sleep(0.01)
    return one_face(pixels)


if __name__ == "__main__":
    release(sys.argv[1], sys.argv[2], detect=slow_face, look=one_person, method="solid", workers=2)
