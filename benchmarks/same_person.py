"""How often a stranger is taken for somebody, and somebody for herself: `python -m benchmarks.same_person --data DIR`.

The sets do not say who is who. Two answers: two faces of one photograph are two people (where a photograph shows one
person several times, its pairs above 0.65 are named, to be looked at). And over all photographs, who is linked to
whom by a chain of likenesses of 0.65 is one person; --look-at FILE draws the likest pairs that are not linked.
"""

import argparse
import os
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from benchmarks.detection import picture
from benchmarks.matching import share
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from aramis.images.embedding import Vector, aligned, embedding, landmarks
from aramis.images.spared import LEAST_HEIGHT
from benchmarks import annotations

SETS = [annotations.faces_personfaces548, annotations.faces_mask853, annotations.faces_dlib]
LEVELS = (0.363, 0.45, 0.5, 0.55, 0.6)
LINK = 0.65


class Face(NamedTuple):
    """A face that can be told: its photograph, its numbers, itself upright."""

    photograph: str
    height: float
    vector: Vector
    upright: NDArray[np.uint8]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--least-height", type=float, default=LEAST_HEIGHT)
    parser.add_argument("--look-at", type=Path, help="draw the likest pairs of those held for strangers")
    given = parser.parse_args()
    known = [face for face in faces(given.data) if face.height >= given.least_height]
    vectors = np.stack([face.vector for face in known])
    one, other = np.triu_indices(len(known), 1)
    alike = (vectors @ vectors.T)[one, other]
    names = np.array([face.photograph for face in known])
    beside = names[one] == names[other]
    count, who = connected_components(vectors @ vectors.T >= LINK)
    linked = who[one] == who[other]
    print(f"{len(known)} faces of {given.least_height:g} px and more, {count} people by their links\n")
    print("| likeness | strangers beside each other | not linked | linked |\n| --- | --- | --- | --- |")
    for level in LEVELS:
        cells = [_share(alike[which] >= level) for which in (beside & ~linked, ~linked, linked & ~beside)]
        print(f"| {level} | {' | '.join(cells)} |")
    print("\nof one photograph and linked:", sorted(set(names[one][beside & linked])))
    if given.look_at:
        apart = np.flatnonzero(~linked)
        draw(
            [(known[one[i]], known[other[i]], alike[i]) for i in apart[np.argsort(-alike[apart])][:96]],
            given.look_at,
        )


def faces(data: Path) -> list[Face]:
    """Every annotated face whose eyes, nose and mouth are found."""
    points, numbers = landmarks(), embedding()
    found = []
    for read in SETS:
        for photograph in read(data):
            pixels = picture(photograph.path)
            for box in photograph.boxes:
                x1, y1, x2, y2 = box.tolist()
                at = points(pixels, (x1, y1, x2, y2))
                if at is not None:
                    found.append(
                        Face(photograph.path.name, y2 - y1, numbers(pixels, at), aligned(pixels, at))
                    )
    return found


def _share(hits: NDArray[np.bool_]) -> str:
    rate = share(int(hits.sum()), len(hits))
    return f"{int(hits.sum())} of {len(hits)}: {rate.value:.5f} ({rate.low:.5f}-{rate.high:.5f})"


def draw(pairs: list[tuple[Face, Face, float]], path: Path, columns: int = 6) -> None:
    tiles = []
    for one, other, likeness in pairs:
        tile = np.ascontiguousarray(np.hstack([one.upright, other.upright])[..., ::-1])
        words = f"{likeness:.2f} {min(one.height, other.height):.0f}px"
        tiles.append(cv2.putText(tile, words, (2, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 255, 255), 1))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[at : at + columns]) for at in range(0, len(tiles), columns)]
    cv2.imwrite(str(path), np.vstack(rows))


if __name__ == "__main__":
    main()
