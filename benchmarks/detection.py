"""What the detectors find: `python -m benchmarks.detection faces --data DIR`.

For each set and each detector: recall and covered share by size with 95 % intervals, false boxes an image, and the time
a megapixel takes. A detector's settings were chosen on one half of each set, by a hash of the file's name; --half 1
shows the other half alone.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from benchmarks.annotations import Annotated
from benchmarks.matching import Judged, judged, rows, summary

from aramis.images.detect.faces import faces
from aramis.images.geometry import grow
from aramis.images.network import Pixels, inside_seconds
from aramis.images.passes import Detect
from aramis.images.records import Target
from benchmarks import annotations

MARGIN = {"face": 0.3, "plate": 0.15}  # what release grows a target by, on each side
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
        images.append(as_judged(photograph, targets))
    share = (inside_seconds() - inside) / max(wall, 1e-9)
    return images, seconds * 1e9 / max(pixels_seen, 1), share


def as_judged(photograph: Annotated, targets: Sequence[Target]) -> Judged:
    found = np.array([target.box for target in targets], np.float64).reshape(-1, 4)
    hidden = [grow(target.box, MARGIN[target.kind], MARGIN[target.kind]) for target in targets]
    scores = np.array([target.score for target in targets], np.float64)
    return judged(photograph.boxes, found, scores, np.array(hidden, np.float64).reshape(-1, 4))


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
    arguments = parser.parse_args()
    detectors: dict[str, Callable[[], Detect]] = {"default": lambda: faces(threads=1)}
    for name, make in detectors.items():
        detect = make()
        for read in SETS[arguments.kind]:
            chosen = [p for p in read(arguments.data) if arguments.half in {None, half(p)}]
            images, ms, share = measure(chosen, detect)
            print(
                f"\n{read.__name__}, {len(images)} photographs, {name}: {summary(images)}; {ms:.0f} CPU-ms/MP, {share:.0%} inside"
            )
            for line in rows(images):
                print("  ".join(f"{cell:28}" for cell in line))


if __name__ == "__main__":
    main()
