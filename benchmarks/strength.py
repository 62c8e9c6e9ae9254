"""What is left of a face or a plate after each way of hiding: `python -m benchmarks.strength --data DIR [faces] [plates]`.

Faces: the embedding of the hidden face, with the landmarks of the original (an attacker who knows where it was), beside
every original: how often its own is the likest of all, and how often above the level at which OpenCV calls two faces one.
"Another photograph" leaves the face's own out and asks for other photographs of the same person, hidden in the same way: an
attacker who knows how it was hidden. Who is who is told as in benchmarks.same_person.
Plates: what the text recogniser reads between the labelled corners, beside what it read before.
"""

import argparse
import os
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.detection import picture
from benchmarks.same_person import LINK
from benchmarks.synthetic_plates import labelled
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from aramis.images.candidates import Floats
from aramis.images.embedding import Embedding, Vector, embedding, landmarks
from aramis.images.geometry import bounds
from aramis.images.reading import Reading, reading
from aramis.images.records import Box, Corners, Target
from aramis.images.redact.regions import Pixels, Way, redact
from aramis.images.redact.ways import ways
from benchmarks import annotations

SURE = 0.363  # OpenCV's level for SFace
READABLE = 0.7
LEGIBLE_PX, LEAST_SIGNS = 60, 5  # narrower plates are often not read to begin with
LEAST_HEIGHT = 48
METHODS = [
    ("none", 1.0),
    ("blur", 0.0),
    ("blur", 1.0),
    ("pixelate", 0.0),
    ("pixelate", 1.0),
    ("mean", 1.0),
    ("solid", 1.0),
]


class Case(NamedTuple):
    """A face: its photograph, where it is, its landmarks."""

    photograph: Path
    box: Box
    points: Floats


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--every", type=int, default=3, help="take every Nth face")
    parser.add_argument("what", nargs="*", default=["faces", "plates"], metavar="WHAT")
    given = parser.parse_args()
    if "faces" in given.what:
        faces(given.data, given.every)
    if "plates" in given.what:
        plates(given.data)


def faces(data: Path, every: int) -> None:
    cases, numbers = found(data)[::every], embedding()
    originals = _vectors(cases, numbers, lambda pixels, _: pixels)
    who = connected_components(originals @ originals.T >= LINK)[1]
    has_other = np.flatnonzero((who[:, None] == who[None]).sum(axis=1) > 1)
    print(f"{len(cases)} faces of {LEAST_HEIGHT} px and more, {len(has_other)} with another photograph\n")
    print(
        "| hidden by | strength | own original is the likest | and surely | another photograph, hidden alike, is the likest |"
    )
    print("| --- | --- | --- | --- | --- |")
    for name, strength in METHODS:
        way = ways(["face"], name, strength=strength)["face"]
        hidden = _vectors(cases, numbers, _hider(way))
        likest, sure = rank_one(hidden, originals)
        other = _likest_other(hidden, who)[has_other]
        print(
            f"| {name} | {strength:g} | {likest.mean():.3f} | {sure.mean():.3f} | {other.mean():.3f} |",
            flush=True,
        )


def found(data: Path) -> list[Case]:
    """Every annotated face that is large enough and whose landmarks are found."""
    points, cases = landmarks(), []
    for read in (annotations.faces_personfaces548, annotations.faces_mask853, annotations.faces_dlib):
        for photograph in read(data):
            large = [box for box in photograph.boxes if box[3] - box[1] >= LEAST_HEIGHT]
            pixels = picture(photograph.path) if large else None
            for x1, y1, x2, y2 in large:
                box = float(x1), float(y1), float(x2), float(y2)
                at = points(pixels, box) if pixels is not None else None
                cases += [] if at is None else [Case(photograph.path, box, at)]
    return cases


def _hider(way: Way) -> Callable[[Pixels, Box], Pixels]:
    return lambda pixels, box: redact(pixels, [Target(kind="face", box=box)], {"face": way})


def _vectors(cases: list[Case], numbers: Embedding, change: Callable[[Pixels, Box], Pixels]) -> Vector:
    return np.stack([numbers(change(picture(one.photograph), one.box), one.points) for one in cases])


def rank_one(hidden: Vector, originals: Vector) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of each hidden face, whether its own original is the likest of all, and whether above the level too."""
    alike = hidden @ originals.T
    likest = alike.argmax(axis=1) == np.arange(len(alike))
    return likest, likest & (np.diagonal(alike) >= SURE)


def _likest_other(hidden: Vector, who: NDArray[np.integer]) -> NDArray[np.bool_]:
    alike = hidden @ hidden.T
    np.fill_diagonal(alike, -1)
    return np.asarray(who[alike.argmax(axis=1)] == who)


def plates(data: Path) -> None:
    read = reading()
    cases = [one for one in (_plate(data, row, read) for row in labelled()) if one]
    print(f"\n{len(cases)} plates of {LEGIBLE_PX} px and more that are read at {READABLE} and more\n")
    print(
        "| hidden by | strength | read whole | half of it and more | likeness | to another plate |\n| --- | --- | --- | --- | --- | --- |"
    )
    for name, strength in METHODS:
        way = ways(["plate"], name, strength=strength)["plate"]
        after = [
            read(redact(pixels, [target], {"plate": way}), corners_of(target)).signs
            for pixels, target, _ in cases
        ]
        own = np.array([_alike(was, now) for (_, _, was), now in zip(cases, after, strict=True)])
        chance = np.mean([_alike(cases[i - 1][2], now) for i, now in enumerate(after)])
        print(
            f"| {name} | {strength:g} | {(own == 1).sum()} | {(own >= 0.5).sum()} | {own.mean():.2f} | {chance:.2f} |",
            flush=True,
        )


def _plate(data: Path, row: tuple[str, Corners], read: Reading) -> tuple[Pixels, Target, str] | None:
    target = Target(kind="plate", box=bounds(row[1]), corners=row[1])
    if target.box[2] - target.box[0] < LEGIBLE_PX:
        return None
    pixels = picture(data / row[0])
    text = read(pixels, row[1])
    return (pixels, target, text.signs) if text.score >= READABLE and len(text.signs) >= LEAST_SIGNS else None


def corners_of(target: Target) -> Corners:
    assert target.corners is not None
    return target.corners


def _alike(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


if __name__ == "__main__":
    main()
