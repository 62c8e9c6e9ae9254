"""What a trained network takes for a plate in photographs without any: hard.py DATA WEIGHTS.onnx OUT.csv SHEET.png

Run over the photographs that scenes are made of. Look at the sheet and take out by hand what is a plate after all: the numbers
of such rows go behind, `hard.py ... 17 203`.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from scenes import backgrounds

from aramis.images.detect.plate_net import plate_net

FLOOR = 0.25
TILE = 120


def main(data: Path, weights: Path, out: Path, sheet: Path, plates: set[int]) -> None:
    look, rows, tiles = plate_net(weights), [], []
    for source in backgrounds(data):
        for quad in look(np.ascontiguousarray(source.pixels[..., ::-1]), FLOOR).points:
            rows.append([source.name, *np.round(quad.ravel(), 1)])
            tiles.append(_tile(source.pixels, quad))
    with out.open("w", newline="") as file:
        csv.writer(file).writerows(row for at, row in enumerate(rows) if at not in plates)
    cv2.imwrite(str(sheet), np.vstack(list(_lines(tiles))))


def _tile(pixels: np.ndarray, quad: np.ndarray) -> np.ndarray:
    scale = TILE / 2 / max(np.ptp(quad[:, 0]), np.ptp(quad[:, 1]))
    shift = TILE / 2 - scale * quad.mean(0)
    return cv2.warpAffine(pixels, np.array([[scale, 0, shift[0]], [0, scale, shift[1]]]), (TILE, TILE))


def _lines(tiles: list[np.ndarray], across: int = 12) -> Iterator[np.ndarray]:
    for at in range(0, len(tiles), across):
        line = tiles[at : at + across]
        yield np.hstack(line + [np.zeros_like(tiles[0])] * (across - len(line)))


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:5]), plates={int(each) for each in sys.argv[5:]})
