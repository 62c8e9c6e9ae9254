"""Is a replaced plate read as the new number and not as the old? `python -m benchmarks.synthetic_plates --data DIR`

Needs a text recogniser, which Aramis itself does not: `pip install rapidocr onnxruntime`.
"""

import argparse
import csv
import re
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import bounds
from aramis.images.records import Corners, Target
from aramis.images.redact.plate_numbers import one_row
from aramis.images.redact.synthetic import fitting, replaced

HERE = Path(__file__).parent
WIDTHS = ((0, 60), (60, 100), (100, 2000))
READABLE = 0.7  # confidence of the recogniser


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sheet", type=Path, help="write the pairs side by side as a PNG")
    options = parser.parse_args()
    read = _reader()
    cases = [_case(options.data, row, read) for row in labelled()]
    for low, high in WIDTHS:
        print(_line([case for case in cases if low <= case["width"] < high], low, high))
    if options.sheet:
        _write_sheet([case["pair"] for case in cases], options.sheet)


def labelled() -> list[tuple[str, Corners]]:
    """The plates whose corners were labelled by hand: photograph, corners clockwise from the top left."""
    with (HERE / "plate_corners.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return [(row["image"], _corners(row)) for row in rows]


def _corners(row: dict[str, str]) -> Corners:
    a, b, c, d = ((float(row[f"x{n}"]), float(row[f"y{n}"])) for n in (1, 2, 3, 4))
    return a, b, c, d


def _case(data: Path, row: tuple[str, Corners], read: Any) -> dict[str, Any]:
    pixels, target = _around(data / row[0], row[1])
    plate = fitting(pixels, target)
    done = replaced(pixels, target, plate)
    old, new = read(_upright(pixels, target)), read(_upright(done, target))
    return {
        "width": target.box[2] - target.box[0],
        "old": old if old[1] >= READABLE and len(old[0]) >= 5 else None,
        "new": new[0],
        "drawn": _bare(one_row(plate.number)),
        "pair": (pixels, done),
    }


def _line(cases: list[dict[str, Any]], low: int, high: int) -> str:
    """For one range of widths: how well the new number is read, and how much of the old one still is."""
    known = [case for case in cases if case["old"]]
    new = [_alike(case["drawn"], case["new"]) for case in known]
    old = [_alike(case["old"][0], case["new"]) for case in known]
    chance = [_alike(case["old"][0], case["drawn"]) for case in known]
    whole = sum(case["old"][0] == case["new"] for case in known)
    return (
        f"{low}-{high} px wide: {len(cases)} plates, old number legible in {len(known)}; of those, likeness of what is "
        f"read after to the new number {np.mean(new or [0]):.2f}, to the old {np.mean(old or [0]):.2f} "
        f"(of new to old by chance {np.mean(chance or [0]):.2f}); old read whole {whole}"
    )


def _alike(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def _bare(text: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", text.upper())


def _reader() -> Any:
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})

    def read(face: NDArray[np.uint8]) -> tuple[str, float]:
        answer = engine(face[..., ::-1], use_det=False, use_cls=False, use_rec=True)
        if not answer.txts:
            return "", 0.0
        return _bare("".join(answer.txts)), float(np.mean(answer.scores))

    return read


def _around(path: Path, corners: Corners) -> tuple[NDArray[np.uint8], Target]:
    """The plate with half its size around it, as a redactor is given it."""
    from PIL import Image

    image = np.asarray(Image.open(path).convert("RGB"))
    x1, y1, x2, y2 = bounds(corners)
    grow = (x2 - x1) / 2
    left, top = max(0, int(x1 - grow)), max(0, int(y1 - grow))
    patch = image[top : int(y2 + grow) + 1, left : int(x2 + grow) + 1]
    a, b, c, d = ((x - left, y - top) for x, y in corners)
    return patch, Target(kind="plate", box=bounds((a, b, c, d)), corners=(a, b, c, d))


def _upright(pixels: NDArray[np.uint8], target: Target) -> NDArray[np.uint8]:
    """The plate from the front, large, with a rim: what a recogniser likes best."""
    import cv2

    quad = np.array(target.corners, np.float32)
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    height = 64
    width = int(height * max(side[0], side[2]) / max(side[1], side[3]))
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) + 8
    warp = cv2.getPerspectiveTransform(quad, ends)
    return np.asarray(
        cv2.warpPerspective(pixels, warp, (width + 16, height + 16), flags=cv2.INTER_CUBIC), np.uint8
    )


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
