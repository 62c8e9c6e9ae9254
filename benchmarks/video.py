"""Videos: how many face-frames are covered, and how fast, beside deface 1.5.0.

    python -m benchmarks.video --data DATA flicker             a pan over annotated photographs, the same behind a post, and
                                                                 movers before a camera that stands still
    python -m benchmarks.video --data DATA --kind plate flicker       plates, which deface does not look for
    python -m benchmarks.video --data DATA between [VIDEO...]  of real videos, what is found where every frame is looked at
    python -m benchmarks.video --data DATA speed [VIDEO...]    the beginnings of real videos, side by side
    python -m benchmarks.video memory                          of videos of 1,000 and 10,000 frames
    python -m benchmarks.video sheet SHEET.png SOURCE RELEASED...     frames of videos, one row each, to be looked at

A face-frame is one true face in one frame; it is covered where at least 0.9 of its box is painted over. A face is exposed
if any of its frames is. Both tools paint black; deface runs with its own defaults.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple, cast

import av
import cv2
import numpy as np
from benchmarks.annotations import SETS
from benchmarks.matching import COVERED, share
from benchmarks.peers import deface, measured
from numpy.typing import NDArray

from aramis.images.files import video
from aramis.images.filming import Filming
from aramis.images.geometry import area, clip, intersection
from aramis.images.records import Box
from aramis.images.redact.regions import covered
from aramis.images.redact.ways import ways
from aramis.images.tracking import follow
from aramis.images.watching import watch

SIZE = 640, 480
FIRST = 300  # frames of a real video
FRAMES = 30  # of each photograph
PHOTOGRAPHS = 5  # of each set
LEAST_HEIGHT = 16
LEAST_MOVER = {"face": 32, "plate": 16}  # pixels high, so that it need not be enlarged by much
DARK = 48
KINDS = {
    "face": ("faces_personfaces548", "faces_mask853"),
    "plate": ("plates_ro_dashcam", "plates_pl_roboflow"),
}
COLUMNS, TILE = 8, 240  # of a sheet

Pixels = NDArray[np.uint8]


class Truth(NamedTuple):
    """The targets of one frame, each by its number in the whole video."""

    boxes: dict[int, Box]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("ARAMIS_DATA"))
    parser.add_argument(
        "--every", default="0", help="frames from one that is looked at to the next; 0: as usual"
    )
    parser.add_argument("--look-at", type=Path, help="keep the made and the released videos in this folder")
    parser.add_argument("--kind", choices=sorted(KINDS), default="face")
    parser.add_argument("what", choices=["flicker", "between", "speed", "memory", "sheet", "one"])
    parser.add_argument("files", type=Path, nargs="*")
    given = parser.parse_args()
    every = [int(one) for one in given.every.split(",")]
    if given.what == "one":
        one(*given.files, every=every[0], kind=given.kind)
    elif given.what == "memory":
        memory()
    elif given.what == "sheet":
        sheet(*given.files)
    elif given.what == "flicker":
        flicker(given.data, every, given.look_at, given.kind)
    elif given.what == "between":
        between(given.files or real(given.data))
    else:
        speed(given.files or real(given.data), every)


def one(source: Path, out: Path, every: int, kind: str) -> None:
    """What is measured of us, in a process of its own: the whole redaction pass, without judging."""
    import aramis

    shape = (
        "box" if kind == "plate" else None
    )  # as the plates of these sets are annotated, also where they lie askew
    aramis.redact(source, out, targets=kind, method="solid", shape=shape, detect_every=every or None)


def memory() -> None:
    """The most memory that a release takes, of a short and a long video of the same size."""
    for count in (1_000, 10_000):
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary) / "a.mp4"
            with av.open(str(source), "w") as out:
                stream = out.add_stream("mpeg4", rate=25, width=160, height=120)
                for index in range(count):
                    picture = np.full((120, 160, 3), index % 200, np.uint8)
                    out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
                out.mux(stream.encode())
            used = measured(_command(source, Path(temporary) / "out", 25))
            print(f"{count} frames: {used.peak_mb:.0f} MB at most", flush=True)


def sheet(path: Path, *videos: Path) -> None:
    """Frames of several videos below each other, evenly spread over the first one's length."""
    count = sum(1 for _ in video.frames(videos[0]))
    places = {round((column + 0.5) * count / COLUMNS - 0.5) for column in range(COLUMNS)}
    rows = [
        np.hstack([tile(frame.pixels) for frame in video.frames(one) if frame.index in places])
        for one in videos
    ]
    cv2.imwrite(str(path), np.vstack(rows)[..., ::-1])


def tile(pixels: Pixels) -> Pixels:
    small = cv2.resize(
        pixels, (TILE, TILE * pixels.shape[0] // pixels.shape[1]), interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.uint8)


def flicker(data: Path, every: list[int], kept: Path | None, kind: str) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = kept or Path(temporary)
        folder.mkdir(exist_ok=True)
        for name, scenes in SCENES.items():
            source = folder / f"{name}.mp4"
            truth = made(source, scenes(data, kind))
            print(f"\n{name}: {len(truth)} frames, {sum(len(t.boxes) for t in truth)} {kind}-frames")
            print(f"| tool | {kind}-frames covered | {kind}s with an exposed frame | area painted |")
            print("| --- | --- | --- | --- |")
            if kind == "face":
                result = released_by_deface(source, folder)
                print(f"| deface 1.5.0 | {' | '.join(judged(source, result, truth))} |", flush=True)
            for n in every:
                result = released_by_us(source, folder / f"{name}-{n}", n, kind)
                tool = f"every {n}" if n else "as usual"
                print(f"| {tool} | {' | '.join(judged(source, result, truth))} |", flush=True)


def released_by_us(source: Path, out: Path, every: int, kind: str) -> Path:
    subprocess.run(_command(source, out, every, kind), check=True)
    return out / "media" / source.name


def _command(source: Path, out: Path, every: int, kind: str = "face") -> list[str]:
    how = ["--every", str(every), "--kind", kind]
    return [sys.executable, "-m", "benchmarks.video", *how, "one", str(source), str(out)]


def released_by_deface(source: Path, folder: Path) -> Path:
    out = folder / f"{source.stem}-deface.mp4"
    subprocess.run(_deface(source, out), check=True, capture_output=True)
    return out


def _deface(source: Path, out: Path) -> list[str]:
    return [str(deface()), str(source), "--output", str(out), "--replacewith", "solid"]


def judged(source: Path, released: Path, truth: list[Truth]) -> list[str]:
    """The cells of a row: covered face-frames, faces exposed in any frame, share of the area painted."""
    hidden, exposed, faces, painted, count = 0, set[int](), set[int](), 0.0, 0
    for before, after, true in zip(video.frames(source), video.frames(released), truth, strict=True):
        black = (after.pixels.max(axis=2) < DARK) & (before.pixels.max(axis=2) >= DARK)
        black |= (before.pixels.max(axis=2) < DARK) & (after.pixels.max(axis=2) < DARK)
        painted += float(((after.pixels.max(axis=2) < DARK) & (before.pixels.max(axis=2) >= DARK)).mean())
        for face, box in true.boxes.items():
            x1, y1, x2, y2 = (round(v) for v in box)
            is_covered = black[y1:y2, x1:x2].mean() >= COVERED
            hidden, count = hidden + is_covered, count + 1
            faces.add(face)
            if not is_covered:
                exposed.add(face)
    return [str(share(hidden, count)), f"{len(exposed)} of {len(faces)}", f"{painted / len(truth):.3f}"]


def between(videos: list[Path]) -> None:
    """Whether what a look at every frame finds is hidden by a release that looks as often as usual."""
    from aramis.images.models import Models, detector

    kinds = ("face", "plate")
    detect, hidden = detector(kinds, Models(), 1), ways(kinds, "solid", shape="box")
    print("| video | kind | found in every frame | of these hidden |\n| --- | --- | --- | --- |")
    for path in videos:
        about = video.probe(path)
        rate, size = float(about.rate), (about.width, about.height)
        found = [tuple(detect(frame.pixels)) for frame in video.frames(path)]
        seen = watch(
            video.frames(path), size, Filming().every(rate), lambda _, index, found=found: found[index]
        )
        is_hidden: dict[str, list[bool]] = {kind: [] for kind in kinds}
        for frame, targets in follow(seen, rate, size):
            mask = covered(size, targets, hidden) > 0
            for one in found[frame.index]:
                x1, y1, x2, y2 = (round(side) for side in one.box)
                is_hidden[one.kind].append(bool(mask[y1:y2, x1:x2].mean() >= COVERED))
        for kind, cases in is_hidden.items():
            print(f"| {path.name} | {kind} | {len(cases)} | {share(sum(cases), len(cases))} |", flush=True)


Shots = Iterator[tuple[Pixels, dict[int, Box]]]
"""Frames, and the targets that are seen in each."""


def made(path: Path, shots: Shots) -> list[Truth]:
    """Write a video, with a camera's noise; where the targets are in each frame."""
    chance, truth = np.random.default_rng(1), list[Truth]()
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, width=SIZE[0], height=SIZE[1], options={"crf": "20"})
        for frame, here in shots:
            noisy = frame * chance.uniform(0.96, 1.04) + chance.normal(0, 6, frame.shape)
            picture = np.clip(noisy, 0, 255).astype(np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            truth.append(Truth(here))
        out.mux(stream.encode())
    return truth


def panned(data: Path, kind: str, *, has_post: bool = False) -> Shots:
    """Annotated photographs that the camera pans over, a scene each; with a post that goes through the picture."""
    known = 0
    for photograph, boxes in photographs(data, kind):
        for index in range(FRAMES):
            frame, here = swept(photograph, boxes, index)
            post = _post(index) if has_post else None
            if post:
                frame[:, post[0] : post[1]] = (70, 90, 110)
            yield frame, {known + n: box for n, box in here.items() if _is_seen(box, post)}
        known += len(boxes)


def passing(data: Path, kind: str) -> Shots:
    """Annotated targets with what is around them, that cross a photograph without any, nearer and nearer: a scene each."""
    grounds = [one for one in SETS["faces_personfaces548"](data) if not len(one.boxes)]
    for number, (ground, mover) in enumerate(zip(grounds, movers(data, kind), strict=False)):
        street = cv2.resize(_read(ground.path), SIZE, interpolation=cv2.INTER_AREA)
        for index in range(FRAMES):
            yield _passed(street, *mover, number, index)


def movers(data: Path, kind: str) -> Iterator[tuple[Pixels, Box]]:
    """Cut-outs of photographs at random from each set, and where in it the target is."""
    for name in KINDS[kind]:
        some = [
            (one.path, box)
            for one in SETS[name](data)
            for box in one.boxes
            if box[3] - box[1] >= LEAST_MOVER[kind]
        ]
        Random(7).shuffle(some)
        for path, box in some[:PHOTOGRAPHS]:
            yield _cut_out(_read(path), box)


def _cut_out(picture: Pixels, box: NDArray[np.float64]) -> tuple[Pixels, Box]:
    around = 1.2 * max(box[2:] - box[:2])
    low = np.maximum(box[:2] - around, 0).astype(int)
    high = np.ceil(np.minimum(box[2:] + around, picture.shape[1::-1])).astype(int)
    x1, y1, x2, y2 = box - np.tile(low, 2)
    return picture[low[1] : high[1], low[0] : high[0]], (x1, y1, x2, y2)


def _passed(
    street: Pixels, mover: Pixels, target: Box, number: int, index: int
) -> tuple[Pixels, dict[int, Box]]:
    """A frame of one that grows from 20 to 45 pixels' height on its way, in steps that are not even: it stutters."""
    width, height = SIZE
    share = (index - (index % 3 == 2) * 0.3) / (FRAMES - 1)
    scale = (20 + 25 * share) / (target[3] - target[1])
    size = round(mover.shape[1] * scale), round(mover.shape[0] * scale)
    along = (share if number % 2 else 1 - share) * (width + size[0]) - size[0]
    x, y = round(along), round(height * (0.5 + 0.2 * share) - size[1] / 2)
    frame = street.copy()
    left, top, right, bottom = max(x, 0), max(y, 0), min(x + size[0], width), min(y + size[1], height)
    if left < right and top < bottom:
        nearer = cv2.resize(mover, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        frame[top:bottom, left:right] = nearer[top - y : bottom - y, left - x : right - x]
    at = cast("Box", tuple(side * scale + place for side, place in zip(target, (x, y, x, y), strict=True)))
    seen = clip(at, width, height)
    return frame, {number: seen} if area(seen) >= 0.7 * area(at) else {}


def _read(path: Path) -> Pixels:
    return np.asarray(cv2.imread(str(path)), np.uint8)[..., ::-1]


SCENES = {"pan": panned, "post": partial(panned, has_post=True), "passing": passing}


def photographs(data: Path, kind: str) -> Iterator[tuple[Pixels, NDArray[np.float64]]]:
    """Photographs at random from each set, wide enough to pan over."""
    for name in KINDS[kind]:
        some = [one for one in SETS[name](data) if len(one.boxes)]
        Random(7).shuffle(some)
        yield from islice((wide for one in some if (wide := _widened(one.path, one.boxes))), PHOTOGRAPHS)


def _widened(path: Path, boxes: NDArray[np.float64]) -> tuple[Pixels, NDArray[np.float64]] | None:
    picture = cv2.imread(str(path))
    if picture is None:
        return None
    scale = max(1.0, 832 / picture.shape[1])
    wide = cv2.resize(picture[..., ::-1], None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return (np.asarray(wide, np.uint8), boxes * scale) if wide.shape[0] >= SIZE[1] + 40 else None


def swept(photograph: Pixels, boxes: NDArray[np.float64], index: int) -> tuple[Pixels, dict[int, Box]]:
    """What the camera sees on its way from the top left to the bottom right, and the faces wholly in it, mostly."""
    width, height = SIZE
    x = round((photograph.shape[1] - width) * index / (FRAMES - 1))
    y = round((photograph.shape[0] - height) * index / (FRAMES - 1))
    here = {}
    for number, (x1, y1, x2, y2) in enumerate(boxes):
        whole, part = (x1 - x, y1 - y, x2 - x, y2 - y), (0.0, 0.0, float(width), float(height))
        if y2 - y1 >= LEAST_HEIGHT and intersection(whole, part) >= 0.7 * (x2 - x1) * (y2 - y1):
            here[number] = (
                float(max(whole[0], 0)), float(max(whole[1], 0)), float(min(whole[2], width)), float(min(whole[3], height))
            )  # fmt: skip
    return photograph[y : y + height, x : x + width].copy(), here


def _post(index: int) -> tuple[int, int]:
    """A post of 90 px that goes through the picture from left to right."""
    left = round((SIZE[0] + 90) * index / (FRAMES - 1)) - 90
    return max(left, 0), max(left + 90, 0)


def _is_seen(box: Box, post: tuple[int, int] | None) -> bool:
    if post is None:
        return True
    behind = intersection(box, (post[0], 0.0, post[1], float(SIZE[1])))
    return behind <= 0.4 * (box[2] - box[0]) * (box[3] - box[1])


def real(data: Path) -> list[Path]:
    return [data / "videos" / "opencv_samples" / "vtest.avi", *sorted((data / "videos").rglob("*.mp4"))]


def speed(videos: list[Path], every: list[int]) -> None:
    head = "| video | tool | frames/s | CPU-s per frame | peak MB | times as fast | times less CPU |"
    print(f"{head}\n| --- | --- | --- | --- | --- | --- | --- |")
    for whole in videos:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            source = folder / whole.name
            count = begun(whole, source)
            runs = [("deface 1.5.0", _deface(source, folder / "deface.mp4"))]
            runs += [(f"every {n}" if n else "as usual", _command(source, folder / str(n), n)) for n in every]
            theirs = None
            for tool, command in runs:
                used = measured(command)
                theirs = theirs or used
                print(
                    f"| {whole.name} | {tool} | {count / used.seconds:.1f} | {used.cpu / count:.4f} | {used.peak_mb:.0f} "
                    f"| {theirs.seconds / used.seconds:.1f} | {theirs.cpu / used.cpu:.1f} |",
                    flush=True,
                )


def begun(whole: Path, path: Path) -> int:
    """Write the beginning of a video, packet by packet; how many frames that is."""
    with av.open(str(whole)) as old, av.open(str(path), "w") as new:
        stream = new.add_stream_from_template(old.streams.video[0])
        for packet in islice((one for one in old.demux(old.streams.video[0]) if one.size), FIRST):
            packet.stream = stream
            new.mux(packet)
    return sum(1 for _ in video.frames(path))


if __name__ == "__main__":
    main()
