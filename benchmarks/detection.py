"""What the detectors find: `python -m benchmarks.detection faces|plates --data DIR [--by NAME ...]`.

For each set and each detector: recall and covered share by size with 95 % intervals, false boxes an image, and the time
a megapixel takes. Covered is what lies under the mask of `aramis release` as it is without options. A detector is a profile
of models, or one network of it alone. Its settings were chosen on one half of each set, by a hash of the file's name;
--half 1 shows the other half alone.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from benchmarks.annotations import Annotated
from benchmarks.matching import COVERED, Judged, judged, rows, summary
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.detect.faces import faces
from aramis.images.detect.plates import plates
from aramis.images.models import PROFILES
from aramis.images.network import Pixels, inside_seconds
from aramis.images.passes import Detect
from aramis.images.records import Target
from aramis.images.redact.regions import covered
from aramis.images.redact.ways import ways
from benchmarks import annotations

WAYS = ways(["face", "plate"])
MAKE: dict[str, Callable[..., Detect]] = {"faces": faces, "plates": plates}
SETS = {
    "faces": [annotations.faces_personfaces548, annotations.faces_mask853, annotations.faces_dlib],
    "plates": [annotations.plates_ro_dashcam, annotations.plates_pl_roboflow, annotations.plates_4corner],
}


def measure(photographs: Iterable[Annotated], detect: Detect) -> tuple[list[Judged], float, float]:
    """Every photograph judged; CPU-ms a megapixel; share of the time inside the networks."""
    images, pixels_seen, seconds, inside = [], 0, 0.0, inside_seconds()
    wall = 0.0
    for photograph in photographs:
        pixels = picture(photograph.path)
        started, clock = time.process_time(), time.perf_counter()
        targets = detect(pixels)
        seconds += time.process_time() - started
        wall += time.perf_counter() - clock
        pixels_seen += pixels.shape[0] * pixels.shape[1]
        images.append(as_judged(photograph, targets, pixels))
    share = (inside_seconds() - inside) / max(wall, 1e-9)
    return images, seconds * 1e9 / max(pixels_seen, 1), share


def as_judged(photograph: Annotated, targets: Sequence[Target], pixels: Pixels) -> Judged:
    found = np.array([target.box for target in targets], np.float64).reshape(-1, 4)
    scores = np.array([target.score for target in targets], np.float64)
    mask = covered((pixels.shape[1], pixels.shape[0]), targets, WAYS)
    quads = as_quads(photograph.boxes) if photograph.corners is None else photograph.corners
    under = np.array([share_under(mask, quad) for quad in quads])
    return judged(photograph.boxes, found, scores)._replace(covered=under >= COVERED)


def as_quads(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    x1, y1, x2, y2 = boxes.T
    return np.stack([x1, y1, x2, y1, x2, y2, x1, y2], axis=1).reshape(-1, 4, 2)


def share_under(mask: NDArray[np.uint8], quad: NDArray[np.float64]) -> float:
    """How much of what lies between four corners, to the pixel, is hidden."""
    there = cv2.fillConvexPoly(np.zeros_like(mask), (quad - 0.5).round().astype(np.int32), (1,)) > 0
    return float((mask[there] > 0).mean()) if there.any() else 0.0


def picture(path: Path) -> Pixels:
    blue_first = np.asarray(cv2.imread(str(path)), np.uint8)
    return np.ascontiguousarray(blue_first[:, :, ::-1])


def half(photograph: Annotated) -> int:
    """Which half a photograph belongs to: 0 chose the settings, 1 did not."""
    return sha256(photograph.path.name.encode()).digest()[-1] % 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=sorted(SETS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--half", type=int, choices=[0, 1])
    parser.add_argument(
        "--by", nargs="+", default=["default"], help="profiles, or models alone by their name"
    )
    parser.add_argument("--sets", nargs="+", help="by name; all of the kind without it")
    arguments = parser.parse_args()
    for name in arguments.by:
        detect = detector(arguments.kind, name)
        for read in SETS[arguments.kind]:
            if arguments.sets and read.__name__ not in arguments.sets:
                continue
            chosen = [p for p in read(arguments.data) if arguments.half in {None, half(p)}]
            images, ms, share = measure(chosen, detect)
            print(
                f"\n{read.__name__}, {len(images)} photographs, {name}: {summary(images)}; {ms:.0f} CPU-ms/MP, {share:.0%} inside"
            )
            for line in rows(images):
                print("  ".join(f"{cell:28}" for cell in line))


def detector(kind: str, name: str) -> Detect:
    """The detector of a profile, or one that looks with a single model."""
    if name in PROFILES:
        return MAKE[kind](models=name)
    return MAKE[kind](file=cards.path(name))


if __name__ == "__main__":
    main()
