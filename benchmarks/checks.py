"""What the checks of released pixels see, and how often they are wrong: `python -m benchmarks.checks --data DIR`

Re-identification: how alike a hidden face is to its original. Legibility: what is still right of hidden plates, and how often a photograph without plates has text
that reads like one. Changed: what is still there of a face or plate that was hidden, and of one that was only compressed.
"""

import argparse
from collections import defaultdict
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from benchmarks.annotations import SETS, Annotated
from benchmarks.matching import share
from numpy.typing import NDArray
from PIL import Image, ImageOps

from aramis.images.checks.changed import STILL_THERE, changed
from aramis.images.checks.legibility import STILL_LEGIBLE, legibility
from aramis.images.checks.reidentification import SAME_PERSON, SMALLEST, ranked_first
from aramis.images.embedding import embedding, landmarks
from aramis.images.network import Pixels
from aramis.images.reading import lines, reading
from aramis.images.records import ImageRecord, Target
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways

WAYS = {
    "left open, JPEG 75": None,
    "blur": ("blur", 1.0),
    "blur, least strength": ("blur", 0.0),
    "pixelate": ("pixelate", 1.0),
    "pixelate, least strength": ("pixelate", 0.0),
    "mean": ("mean", 1.0),
    "solid": ("solid", 1.0),
}
Numbers = list[NDArray[np.float32]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, help="photographs of each set")
    given = parser.parse_args()
    faces_again(given.data, given.most)
    plates_again(given.data, given.most)
    text_in_vain(given.data, given.most)


def faces_again(data: Path, most: int | None) -> None:
    """The tables of re-identification."""
    find, numbers = landmarks(), embedding()
    before: Numbers = []
    after: dict[str, Numbers] = defaultdict(list)
    still: dict[str, list[float]] = defaultdict(list)
    photographs = [*SETS["faces_personfaces548"](data), *SETS["faces_mask853"](data)]
    for one in photographs[:: max(1, len(photographs) // (most or len(photographs)))]:
        pixels = opened(one.path)
        faces = targets(one, "face")
        released = {name: hidden(pixels, faces, "face", way) for name, way in WAYS.items()}
        for face in faces:
            tall = face.box[3] - face.box[1]
            points = find(pixels, face.box) if tall >= SMALLEST else None
            if points is None:
                continue
            before.append(numbers(pixels, points))
            for name, picture in released.items():
                after[name].append(numbers(picture, points))
                record = ImageRecord(image="", width=1, height=1, targets=(face,))
                still[name] += [f.value for f in changed(pixels, picture, record) if f.value is not None]
    known(before, after)
    print(f"\n| faces | still there, median | 95 % | from {STILL_THERE} on |\n| --- | --- | --- | --- |")
    for name, values in still.items():
        print(
            f"| {name} | {np.median(values):.2f} | {np.quantile(values, 0.95):.2f} | {share(sum(v >= STILL_THERE for v in values), len(values))} |"
        )


def known(before: Numbers, after: dict[str, Numbers]) -> None:
    """How often a released face is known by its original."""
    print(
        f"\n| faces, released | median cosine | from {SAME_PERSON} on | nearest of all to its own | by chance |\n| --- | --- | --- | --- | --- |"
    )
    for name, numbers in after.items():
        own = np.array([float(a @ b) for a, b in zip(before, numbers, strict=True)])
        first = int(ranked_first(before, numbers).sum())
        flagged = share(int((own >= SAME_PERSON).sum()), len(own))
        print(
            f"| {name} | {np.median(own):.2f} | {flagged} | {share(first, len(own))} | {1 / len(own):.4f} |"
        )


def plates_again(data: Path, most: int | None) -> None:
    """The tables of legibility."""
    check = legibility(lines(), reading())
    values: dict[str, list[float]] = defaultdict(list)
    found: dict[str, list[bool]] = defaultdict(list)
    photographs = [*SETS["plates_ro_dashcam"](data), *SETS["plates_pl_roboflow"](data)]
    for one in photographs[:: max(1, len(photographs) // (most or len(photographs)))]:
        pixels = opened(one.path)
        plates = targets(one, "plate")
        record = ImageRecord(image="", width=pixels.shape[1], height=pixels.shape[0], targets=tuple(plates))
        for name, way in WAYS.items():
            findings = check(pixels, hidden(pixels, plates, "plate", way), record)
            values[name] += [f.value for f in findings if f.kind == "plate" and f.value is not None]
            if way is None:
                for plate in plates:
                    wide = plate.box[2] - plate.box[0]
                    size = "under 60 px" if wide < 60 else "60-100 px" if wide < 100 else "100 px and more"
                    found[size].append(any(f.kind == "text" and f.target == plate.id for f in findings))
    print(
        f"\n| plates, released | characters still right, median | 95 % | from {STILL_LEGIBLE} on |\n| --- | --- | --- | --- |"
    )
    for name, some in values.items():
        print(
            f"| {name} | {np.median(some):.2f} | {np.quantile(some, 0.95):.2f} | {share(sum(v >= STILL_LEGIBLE for v in some), len(some))} |"
        )
    print("\n| annotated plates | found as text in the whole picture |\n| --- | --- |")
    for size, hits in found.items():
        print(f"| {size} | {share(sum(hits), len(hits))} |")


def text_in_vain(data: Path, most: int | None) -> None:
    """How often text reads like a plate where there is none."""
    check = legibility(lines(), reading())
    print(
        "\n| photographs | pictures | with text that reads like a plate | such lines a picture |\n| --- | --- | --- | --- |"
    )
    everyday = sorted((data / "coco256" / "images" / "train2017").glob("*.jpg"))
    crowds = [one.path for one in SETS["faces_mask853"](data)]
    for name, paths in (("coco256", everyday), ("faces_mask853", crowds)):
        counts = []
        for path in islice(paths, most):
            pixels = opened(path)
            record = ImageRecord(image="", width=pixels.shape[1], height=pixels.shape[0])
            counts.append(len(check(pixels, pixels, record)))
        print(
            f"| {name} | {len(counts)} | {share(sum(c > 0 for c in counts), len(counts))} | {np.mean(counts):.3f} |"
        )


def opened(path: Path) -> Pixels:
    with Image.open(path) as image:
        return np.asarray(ImageOps.exif_transpose(image).convert("RGB"))


def targets(one: Annotated, kind: str) -> list[Target]:
    return [
        Target(id=n, kind=kind, box=(a, b, c, d), method="blur")
        for n, (a, b, c, d) in enumerate(one.boxes.tolist())
    ]


def hidden(pixels: Pixels, faces: list[Target], kind: str, way: tuple[str, float] | None) -> Pixels:
    """The released picture, compressed as they are."""
    after = pixels if way is None else redact(pixels, faces, ways([kind], way[0], strength=way[1]))
    data = cv2.imencode(".jpg", after[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 75 if way is None else 92])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])


if __name__ == "__main__":
    main()
