"""Write training scenes in shards, so that drawing and learning run beside each other: shards.py DATA OUT COUNT SEED [FIRST [HARD.csv]]."""

import sys
from pathlib import Path

import cv2
import numpy as np
from scenes import SIDE, Scene, Studio

PER_SHARD, PLATES, BOXES = 500, 8, 2


def write_shard(studio: Studio, path: Path) -> None:
    pixels = np.empty((PER_SHARD, SIDE, SIDE, 3), np.uint8)
    quads = np.full((PER_SHARD, PLATES, 4, 2), np.nan, np.float32)
    exact = np.zeros((PER_SHARD, PLATES), bool)
    ignore = np.full((PER_SHARD, BOXES, 4), np.nan, np.float32)
    partial = np.zeros(PER_SHARD, bool)
    for at in range(PER_SHARD):
        scene: Scene = studio.scene()
        pixels[at], partial[at] = scene.pixels, scene.partial
        for i, quad in enumerate(scene.quads[:PLATES]):
            quads[at, i], exact[at, i] = quad, scene.exact[i]
        for i, box in enumerate(scene.ignore[:BOXES]):
            ignore[at, i] = box
    partial_file = path.with_suffix(".part.npz")
    np.savez(partial_file, pixels=pixels, quads=quads, exact=exact, ignore=ignore, partial=partial)
    partial_file.rename(path)


if __name__ == "__main__":
    data, out, count, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    studio = Studio(data, seed, Path(sys.argv[6]) if len(sys.argv) > 6 else None)
    for number in range(first, first + count):
        write_shard(studio, out / f"{number:03}.npz")
        print(number, flush=True)
