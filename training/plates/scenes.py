"""Training pictures: rendered plates on vehicles and backgrounds, real plates, and what looks like a plate but is none.

A scene is a square crop with the quads of its plates, and boxes where nothing is to be learned (plates that a human
did not annotate). Seeded throughout: the same seed gives the same pictures.
"""

import csv
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from aramis.images.redact.plate_numbers import COUNTRIES, Country, Look, random_number
from aramis.images.redact.plate_template import MOTORCYCLE_MM, ONE_ROW_MM, TWO_ROWS_MM, Plate, draw

SIDE = 256
SEEN_UNTIL_S = 625  # of the ride; what comes later (after a gap) is measured on, never trained on
_SIZES = [
    (ONE_ROW_MM, 14),
    (TWO_ROWS_MM, 4),
    (MOTORCYCLE_MM, 2),
    ((442, 118), 1),
    ((305, 152), 2),
    ((400, 130), 1),
    ((440, 140), 1),
]
_SIGNS = "ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789"


@dataclass
class Source:
    """A photograph, its plates as quads (4, 2), and whether those are exact corners or only boxes."""

    pixels: np.ndarray
    quads: list[np.ndarray] = field(default_factory=list)
    exact: bool = False
    partial: bool = False
    name: str = ""


@dataclass
class Scene:
    pixels: np.ndarray
    quads: list[np.ndarray] = field(default_factory=list)
    exact: list[bool] = field(default_factory=list)
    ignore: list[np.ndarray] = field(default_factory=list)  # boxes
    partial: bool = False  # plates that nobody could read were not annotated


# --- real photographs -----------------------------------------------------------------------------------------------


def ride(data: Path, until_s: float = SEEN_UNTIL_S) -> list[Source]:
    sources = []
    for part in ("train", "valid"):
        for name in sorted((data / "plates_ro_dashcam" / part / "annots").glob("*.xml")):
            if seconds(name.name) < until_s:
                image = cv2.imread(str(name.parent.parent / "images" / (name.stem + ".jpg")))
                sources.append(Source(image, [_quad(box) for box in voc_boxes(name)], partial=True))
    return sources


def seconds(name: str) -> float:
    """The second of the ride that a frame's name carries."""
    found = re.search(r"#t=([\d.]+?)\.(?:jpg|xml)", name)
    assert found, name
    return float(found[1])


def voc_boxes(path: Path) -> list[list[float]]:
    sides = ("xmin", "ymin", "xmax", "ymax")
    return [
        [float(each.findtext(f"bndbox/{side}") or 0) for side in sides]
        for each in ET.parse(path).iter("object")
    ]


def iwpod(data: Path) -> list[Source]:
    """Every second photograph of the set; the others are measured on."""
    sources = []
    for name in sorted((data / "plates_4corner/iwpod/train_dir").glob("*.txt"))[::2]:
        image = cv2.imread(str(name.with_suffix(".jpg")))
        sources.append(Source(image, iwpod_quads(name, image.shape[1], image.shape[0]), exact=True))
    return sources


def iwpod_quads(path: Path, width: int, height: int) -> list[np.ndarray]:
    rows = [line.split(",") for line in path.read_text().splitlines() if line.strip()]
    return [np.array(row[1:9], float).reshape(2, 4).T * (width, height) for row in rows]


def backgrounds(data: Path) -> list[Source]:
    """Three of four photographs of two sets of people, indoors and in streets; the others are measured on."""
    names = sorted((data / "faces_mask853").rglob("*.png")) + sorted((data / "faces_mask853").rglob("*.jpg"))
    names += sorted((data / "faces_personfaces548").rglob("*.jpg"))
    read = ((name, cv2.imread(str(name))) for at, name in enumerate(names) if at % 4 != 1)
    return [Source(image, name=str(name.relative_to(data))) for name, image in read if image is not None]


def mistaken(path: Path | None, photographs: list[Source]) -> list[Source]:
    """Photographs of the list with what was taken for a plate there (hard.py), as quads."""
    if path is None:
        return []
    by_name = {each.name: each for each in photographs}
    with path.open(newline="") as lines:
        rows = [(row[0], np.array(row[1:9], float).reshape(4, 2)) for row in csv.reader(lines)]
    return [Source(by_name[name].pixels, [quad]) for name, quad in rows]


def _quad(box: list[float]) -> np.ndarray:
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], float)


# --- a scene --------------------------------------------------------------------------------------------------------


class Studio:
    """Photographs and a generator; `scene()` gives the next picture."""

    def __init__(self, data: Path, seed: int, hard: Path | None = None) -> None:
        self.rng = random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.ride, self.close, self.plain = ride(data), iwpod(data), backgrounds(data)
        self.hard = mistaken(hard, self.plain)

    def scene(self) -> Scene:
        kind = self.rng.random()
        if kind < 0.22:
            scene = self._photograph(self.rng.choice(self.ride))
        elif kind < 0.40:
            scene = self._photograph(self.rng.choice(self.close))
        elif kind < 0.56:
            scene = self._edge_to_edge()
        elif kind < 0.72:
            scene = self._built()
        elif kind < 0.87 and self.hard:
            scene = self._mistaken(self.rng.choice(self.hard))
        else:
            scene = self._empty()
        return self._seen_by_a_camera(scene)

    def _photograph(self, source: Source) -> Scene:
        """A crop in which a real plate has the width we want; often replaced by a rendered one."""
        matrix = self._framed(self.rng.choice(source.quads))
        flipped = self.rng.random() < 0.3
        pixels = self._surrounded(source.pixels, matrix)
        if self.rng.random() < 0.3:  # vehicles, and skies, of other colours
            pixels = np.ascontiguousarray(pixels[..., self.rng.sample(range(3), 3)])
        scene = Scene(pixels, partial=source.partial)
        for each in source.quads:
            moved = each @ matrix[:, :2].T + matrix[:, 2]
            if self.rng.random() < 0.08:  # a plate that somebody has painted over is none
                dark = (self.rng.uniform(0, 40),) * 3 if self.rng.random() < 0.7 else self._colour()
                self._quad_fill(scene.pixels, self._over(moved, source.exact), dark)
            elif self.rng.random() < 0.55:
                new = self._over(moved, source.exact)
                self._hide(scene.pixels, moved)
                self._paste(scene, new)
            else:
                scene.quads.append(moved)
                scene.exact.append(source.exact)
        if scene.quads and self.rng.random() < 0.3:
            self._add_neighbours(scene, self.rng.choice(scene.quads))
        elif self.rng.random() < 0.4:
            self._add_plates(scene, 1)
        if flipped:
            scene = _mirrored(scene)
        return scene

    def _mistaken(self, source: Source) -> Scene:
        """What was taken for a plate and is none, as large as plates are shown."""
        return Scene(self._surrounded(source.pixels, self._framed(source.quads[0])))

    def _framed(self, quad: np.ndarray) -> np.ndarray:
        """The affine map that brings this quad somewhere into the scene: as large as we want it, squeezed, seen from the side."""
        scale = min(self._width() / np.ptp(quad[:, 0]), 2.2)
        at = [self.rng.uniform(0.06, 0.94) * SIDE for _ in range(2)]
        squeeze, shear = self._distortion()
        turn = cv2.getRotationMatrix2D((0, 0), self.rng.gauss(0, 3), 1)[:, :2]
        turn = turn @ np.array([[scale * squeeze, 0], [scale * shear * squeeze, scale]])
        return np.hstack([turn, (np.array(at) - turn @ quad.mean(0))[:, None]])

    def _distortion(self) -> tuple[float, float]:
        """How much narrower than it was, and how much it rises to the right: photographs squeezed to a square, views from the side."""
        squeeze = np.exp(self.rng.uniform(np.log(0.42), np.log(1.35))) if self.rng.random() < 0.5 else 1.0
        shear = self.rng.uniform(-1.0, 1.0) if self.rng.random() < 0.35 else 0.0
        return float(squeeze), shear

    def _surrounded(self, image: np.ndarray, matrix: np.ndarray) -> np.ndarray:
        """The warped photograph; what it does not fill shows another one."""
        pixels = _warped(image, matrix)
        filled = _warped(np.full(image.shape[:2], 255, np.uint8), matrix)
        if filled.min() == 255 or self.rng.random() < 0.1:
            return pixels
        around = self._crop(self.rng.choice(self.plain).pixels)
        return np.where(filled[..., None] > 250, pixels, around)

    def _over(self, quad: np.ndarray, exact: bool) -> np.ndarray:
        """A rendered plate's quad where a real one was, never smaller."""
        if exact:
            centre = quad.mean(0)
            return centre + (quad - centre) * self.rng.uniform(1.05, 1.2)
        width, height = np.ptp(quad[:, 0]) * 1.05, np.ptp(quad[:, 1]) * 1.1
        tilt = self.rng.gauss(0, 0.05)
        wide = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
        wide[:, 1] += wide[:, 0] * tilt
        return quad.mean(0) + wide

    def _hide(self, pixels: np.ndarray, quad: np.ndarray) -> None:
        mask = np.zeros(pixels.shape[:2], np.uint8)
        centre = quad.mean(0)
        cv2.fillConvexPoly(mask, np.int32(centre + (quad - centre) * 1.15), 255)
        if mask.any() and np.ptp(quad[:, 0]) < 200:
            pixels[:] = cv2.inpaint(pixels, mask, 3, cv2.INPAINT_TELEA)

    def _built(self) -> Scene:
        """A background, vehicles made of panels, lights and grilles, plates on them, distractors around."""
        scene = self._empty(distractors=self.rng.randint(0, 3))
        self._add_plates(scene, self.rng.choice([1, 1, 2, 3]), vehicle=self.rng.random() < 0.75)
        return scene

    def _edge_to_edge(self) -> Scene:
        """Plates of all sizes in rows and columns, touching or with little between them: on a wall, a rack, a trailer, a lorry."""
        scene = self._empty(distractors=0)
        leaning, tall, y = self._leaning(), self._width() / 3, self.rng.uniform(-30, SIDE / 2)
        gap = self.rng.choice([0.04, 0.12, 0.5])
        for _ in range(self.rng.randint(1, 4)):
            x, high = self.rng.uniform(-60, SIDE / 2), tall * self.rng.choice([1, 1, 1.6])
            for _ in range(self.rng.randint(1, 3)):
                size = self.rng.choices([s for s, _ in _SIZES], [w for _, w in _SIZES])[0]
                wide = high * size[0] / size[1] * self.rng.uniform(0.8, 1.0)
                flat = _quad([x, y, x + wide, y + high])
                quad = cv2.perspectiveTransform(flat[None], leaning)[0]
                if len(scene.quads) < 8 and _mostly_inside(quad):
                    self._paste(scene, quad, room=min(1.45, 1 + gap))
                x += wide + tall * self.rng.uniform(0, gap)
            y += high + tall * self.rng.uniform(0, gap)
        return scene

    def _leaning(self) -> np.ndarray:
        """How a wall is seen that stood upright: a little turned in space, squeezed, leaning."""
        square = np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]])
        turned = square + self.np.normal(0, 0.04 * SIDE, (4, 2)).astype(np.float32)
        squeeze, shear = self._distortion()
        middle = np.array([[1, 0, SIDE / 2], [0, 1, SIDE / 2], [0, 0, 1]])
        lean = np.array([[squeeze, 0, 0], [shear * squeeze, 1, 0], [0, 0, 1]])
        lean[1, 0] += self.rng.gauss(0, 0.08)
        return middle @ lean @ np.linalg.inv(middle) @ cv2.getPerspectiveTransform(square, turned)

    def _add_neighbours(self, scene: Scene, quad: np.ndarray) -> None:
        """More plates in the plane of one, touching it or nearly: below it, above, beside."""
        plane = cv2.getPerspectiveTransform(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), np.float32(quad))
        upright = np.linalg.norm(quad[1] - quad[0]) / max(np.linalg.norm(quad[3] - quad[0]), 1)
        gap = self.rng.choice([0.04, 0.15, 0.5])
        for side in self.rng.sample(["below", "above", "left", "right"], self.rng.choice([1, 1, 2, 3])):
            size = self.rng.choices([s for s, _ in _SIZES], [w for _, w in _SIZES])[0]
            high = self.rng.uniform(0.8, 1.5 if size[0] < 2 * size[1] else 1.15)
            wide = min(high * size[0] / size[1] / upright, 1.6)
            x, y = self.rng.uniform(-0.2, 1.2 - wide), self.rng.uniform(-0.15, 1.15 - high)
            off = self.rng.uniform(0, gap)
            x, y = {
                "below": (x, 1 + off),
                "above": (x, -off - high),
                "left": (-off / upright - wide, y),
                "right": (1 + off / upright, y),
            }[side]
            new = cv2.perspectiveTransform(_quad([x, y, x + wide, y + high])[None], plane)[0]
            if len(scene.quads) < 8 and _mostly_inside(new) and not any(map(_overlapping(new), scene.quads)):
                self._paste(scene, new, room=min(1.45, 1 + off))

    def _add_plates(self, scene: Scene, count: int, vehicle: bool = False) -> None:
        new: list[np.ndarray] = []
        for _ in range(count):
            quad = self._placed(self._width())
            if any(_near(quad, other) for other in scene.quads + new):
                continue
            new.append(quad)
            if vehicle:
                self._vehicle(scene.pixels, quad)
        for quad in new:
            self._paste(scene, quad)
            if self.rng.random() < 0.25:
                self._add_neighbours(scene, quad)

    def _empty(self, distractors: int | None = None) -> Scene:
        roll = self.rng.random()
        if roll < 0.55:
            pixels = self._crop(self.rng.choice(self.plain).pixels)
        elif roll < 0.85:
            source = self.rng.choice(self.ride)
            pixels = source.pixels.copy()
            for quad in source.quads:
                x, y = quad[0].astype(int) - 8
                a, b = quad[2].astype(int) + 8
                patch = pixels[max(y, 0) : b, max(x, 0) : a]
                patch[:] = cv2.blur(patch, (31, 31))
            # what a driver cannot read was not annotated: keep the parts above and below the traffic
            low = self.rng.random() < 0.5
            pixels = self._crop(pixels[:380] if low else pixels[560:], shrink=False)
        else:
            pixels = self._gradient()
        scene = Scene(pixels)
        for _ in range(self.rng.randint(0, 5) if distractors is None else distractors):
            self._distractor(scene.pixels)
        return scene

    def _crop(self, image: np.ndarray, shrink: bool = True) -> np.ndarray:
        height, width = image.shape[:2]
        side = self.rng.uniform(0.35, 1.0) * min(height, width) if shrink else min(height, width)
        x, y = self.rng.uniform(0, width - side), self.rng.uniform(0, height - side)
        patch = image[int(y) : int(y + side) + 1, int(x) : int(x + side) + 1]
        return cv2.resize(patch, (SIDE, SIDE), interpolation=cv2.INTER_AREA)

    def _gradient(self) -> np.ndarray:
        corners = self.np.uniform(0, 255, (self.rng.choice([2, 3, 5]),) * 2 + (3,)).astype(np.float32)
        return np.clip(cv2.resize(corners, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), 0, 255).astype(
            np.uint8
        )

    # --- where a plate stands ---------------------------------------------------------------------------------------

    def _width(self) -> float:
        """Most between 26 and 110 pixels; some down to 15 and up to 200: what is larger is found in a smaller copy."""
        if self.rng.random() < 0.7:
            return float(np.exp(self.rng.uniform(np.log(26), np.log(110))))
        return float(np.exp(self.rng.uniform(np.log(15), np.log(200))))

    def _placed(self, width: float) -> np.ndarray:
        """The quad of a plate turned in space: mostly near frontal, some seen from well to the side or above."""
        size = self.rng.choices([s for s, _ in _SIZES], [w for _, w in _SIZES])[0]
        hard = 2.2 if self.rng.random() < 0.35 else 1.0
        yaw, pitch, roll = (np.radians(self.rng.gauss(0, s) * hard) for s in (24, 10, 4))
        yaw = np.clip(yaw, -1.1, 1.1)
        half = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * (size[0] / 2, size[1] / 2, 0)
        turned = half @ _rotation(yaw, pitch, roll).T
        far = self.rng.uniform(1500, 6000)
        flat = turned[:, :2] / (1 + turned[:, 2:] / far)
        flat *= width / np.ptp(flat[:, 0])
        squeeze, shear = self._distortion()
        flat[:, 1] += shear * flat[:, 0]
        flat[:, 0] *= squeeze
        at = np.array([self.rng.uniform(-0.02, 1.02) * SIDE for _ in range(2)])
        if self.rng.random() < 0.7:
            at = np.clip(at, np.ptp(flat, 0) / 2, np.maximum(SIDE - np.ptp(flat, 0) / 2, SIDE / 2))
        return flat + at

    def _vehicle(self, pixels: np.ndarray, quad: np.ndarray) -> None:
        """Panels around the plate, in its plane: body, recess or bumper, lights, grille, lettering."""
        width = np.ptp(quad[:, 0])
        plane = cv2.getPerspectiveTransform(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), np.float32(quad))
        scale = 1 if width / max(np.ptp(quad[:, 1]), 1) > 2.6 else 0.55
        paint = self._colour()

        def panel(x1, y1, x2, y2, colour, soft=0.0):
            corners = np.float32([[[x1, y1], [x2, y1], [x2, y2], [x1, y2]]])
            corners[..., 1] = 0.5 + (corners[..., 1] - 0.5) * scale
            where = cv2.perspectiveTransform(corners, plane)[0]
            if np.abs(where).max() < 4000:
                mask = np.zeros(pixels.shape[:2], np.uint8)
                cv2.fillConvexPoly(mask, np.int32(where * 16), 255, cv2.LINE_AA, 4)
                if soft:
                    mask = cv2.GaussianBlur(mask, (0, 0), soft)
                _blend(pixels, colour, mask)

        u = self.rng.uniform
        panel(-u(0.6, 1.8), -u(3, 9), 1 + u(0.6, 1.8), 1 + u(1, 4), paint, width * u(0, 0.05))
        for _ in range(self.rng.randint(1, 3)):  # creases and shades of the body
            y = u(-6, 3)
            panel(
                -1.8,
                y,
                2.8,
                y + u(0.2, 2),
                np.clip(np.array(paint) * u(0.5, 1.4), 0, 255),
                width * u(0, 0.08),
            )
        if self.rng.random() < 0.6:  # recess or bumper
            dark = (
                np.clip(np.array(paint) * u(0.15, 0.9), 0, 255)
                if self.rng.random() < 0.6
                else (u(10, 60),) * 3
            )
            panel(-u(0.05, 0.5), -u(0.2, 1.2), 1 + u(0.05, 0.5), 1 + u(0.2, 1.2), dark, width * u(0, 0.03))
        if self.rng.random() < 0.5:  # grille
            y0, step = -u(1.5, 4), u(0.2, 0.5)
            light = (u(10, 220),) * 3
            for row in range(self.rng.randint(3, 6)):
                panel(-0.3, y0 + row * step, 1.3, y0 + row * step + step / 2, light)
        if self.rng.random() < 0.6:  # lights
            colour = self.rng.choice([(20, 20, 170), (200, 210, 220), (30, 120, 240), (40, 40, 220)])
            y, tall, out = -u(0, 4), u(0.5, 2), u(0.3, 1.0)
            panel(-out - u(0.3, 0.6), y, -out, y + tall, colour)
            panel(1 + out, y, 1 + out + u(0.3, 0.6), y + tall, colour)
        if self.rng.random() < 0.4:  # windscreen
            panel(-0.9, -u(6, 9), 1.9, -u(4, 5.5), (u(20, 120), u(20, 110), u(20, 100)))

    # --- the plate itself -------------------------------------------------------------------------------------------

    def _paste(self, scene: Scene, quad: np.ndarray, room: float = 1.45) -> None:
        face = self._plate(quad)
        height, width = face.shape[:2]
        edge = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
        pixels = scene.pixels
        frame = self.rng.random()
        if frame < 0.45 and np.ptp(quad[:, 0]) > 24:  # a holder around it, dark or of chrome
            grow = self.rng.uniform(1.0, min(1.12, room)), self.rng.uniform(1.0, room)
            self._quad_fill(
                pixels,
                _grown(quad, *grow),
                self.rng.choice([(20, 20, 20), (40, 40, 45), (150, 150, 150), (25, 25, 30)]),
            )
        matrix = cv2.getPerspectiveTransform(edge, np.float32(quad))
        mask = cv2.warpPerspective(
            np.full((height, width), 255, np.uint8), matrix, (SIDE, SIDE), flags=cv2.INTER_AREA
        )
        warped = cv2.warpPerspective(
            face, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        _blend(pixels, warped, mask)
        if self.rng.random() < 0.12:
            self._occlude(pixels, quad)
        scene.quads.append(quad)
        scene.exact.append(True)

    def _plate(self, quad: np.ndarray) -> np.ndarray:
        """A rendered plate with light, dirt, screws and shadow, BGR."""
        tall = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
        wide = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3]))
        size = min(
            (s for s, _ in _SIZES),
            key=lambda s: abs(np.log(s[0] / s[1] * tall / wide)) + self.rng.random() * 0.1,
        )
        plate = self._kind(size)
        face = draw(plate, int(np.clip(tall * 1.3, 12, 140)))[..., ::-1].astype(np.float32)
        height, width = face.shape[:2]
        light = cv2.resize(self.np.uniform(0.75, 1.05, (2, 3)).astype(np.float32), (width, height))
        if self.rng.random() < 0.25:  # dirt
            spots = cv2.resize(
                self.np.uniform(0, 1, (4, 12)).astype(np.float32),
                (width, height),
                interpolation=cv2.INTER_CUBIC,
            )
            light *= 1 - np.clip(spots - 0.4, 0, 1) * self.rng.uniform(0.2, 0.9)
        if self.rng.random() < 0.3:  # the shadow of a bumper, or of the sun
            edge = self.rng.uniform(-0.2, 1.2) * height + np.arange(width) * self.rng.gauss(0, 0.3)
            shade = 1 / (1 + np.exp((np.arange(height)[:, None] - edge) / max(1, height * 0.05)))
            light *= 1 - self.rng.uniform(0.2, 0.7) * shade.astype(np.float32)
        face *= light[..., None] * self.rng.uniform(0.5, 1.08) ** (1 if self.rng.random() < 0.8 else 2)
        face += self.np.uniform(-12, 12, 3) + self.rng.uniform(0, 40) * (self.rng.random() < 0.2)
        for _ in range(self.rng.choice([0, 0, 2])):
            x, y = self.rng.randrange(width), self.rng.randrange(height)
            cv2.circle(face, (x, y), max(1, height // 14), [self.rng.uniform(20, 200)] * 3, -1, cv2.LINE_AA)
        return np.clip(face, 0, 255)

    def _kind(self, size: tuple[int, int]) -> Plate:
        face = self.rng.choice(["barlow", "barlow", "din"])
        if self.rng.random() < 0.82:
            of = self.rng.choice(COUNTRIES)
            look = self.rng.choice(of.looks) if self.rng.random() < 0.6 else of.looks[0]
            return Plate(of, look, random_number(of, look, rng=self.rng), size, face)
        paper, ink = self.rng.choice(
            [
                ((20, 60, 160), (240, 240, 240)),
                ((235, 235, 235), self._dark()),
                ((190, 190, 190), (20, 20, 20)),
                ((20, 20, 20), (230, 230, 230)),
                ((250, 200, 40), (20, 20, 20)),
                ((230, 240, 250), self._dark()),
                ((110, 200, 130), (20, 20, 20)),
            ]
        )
        look = Look(paper=paper, ink=ink, strip=None)
        form = self.rng.choice(
            ["AAA-9999", "AA 9A999", "AAA9A99", "999-AAA", "AA-99-99", "A999AA99", "AAA 999"]
        )
        other = Country("X", (form,), looks=(look,))
        return Plate(other, look, random_number(other, look, rng=self.rng), size, face)

    def _dark(self) -> tuple[int, int, int]:
        return self.rng.choice([(20, 20, 20), (20, 30, 120), (120, 20, 30), (10, 80, 50)])

    def _occlude(self, pixels: np.ndarray, quad: np.ndarray) -> None:
        """Up to a third of the plate behind a tow bar, a post, a bonnet, another vehicle."""
        share = self.rng.uniform(0.05, 0.33)
        low, high = quad.min(0), quad.max(0)
        size = high - low
        side = self.rng.choice("lrtbm")
        box = {
            "l": (low[0] - 9, low[1] - 9, low[0] + size[0] * share, high[1] + 9),
            "r": (high[0] - size[0] * share, low[1] - 9, high[0] + 9, high[1] + 9),
            "t": (low[0] - 9, low[1] - 9, high[0] + 9, low[1] + size[1] * share),
            "b": (low[0] - 9, high[1] - size[1] * share, high[0] + 9, high[1] + 9),
            "m": (low[0] + size[0] * 0.5, low[1] - 9, low[0] + size[0] * (0.5 + share / 4), high[1] + 9),
        }[side]
        self._quad_fill(pixels, _quad(list(box)), self._colour())

    # --- what is no plate -------------------------------------------------------------------------------------------

    def _distractor(self, pixels: np.ndarray) -> None:
        """Signs, banners, shop lettering, grilles, windows, stickers: rectangles and letters in wrong proportions."""
        kind = self.rng.choice(["sign", "line", "line", "words", "stripes", "box", "round", "blank"])
        wide = self._width() * self.rng.uniform(0.5, 1.5)
        at = np.array([self.rng.uniform(0, SIDE), self.rng.uniform(0, SIDE)])
        if kind == "words":  # lettering straight on whatever is there
            text = "".join(self.rng.choices(_SIGNS.lower() + _SIGNS, k=self.rng.randint(3, 12)))
            size = wide / 110
            cv2.putText(
                pixels,
                text,
                tuple(np.int32(at)),
                self.rng.choice([0, 2, 3, 4]),
                size,
                self._colour(),
                max(1, int(size * 2)),
                cv2.LINE_AA,
            )
            return
        aspect = self.rng.choice([0.3, 0.6, 1, 1.6, 2.5, 4, 8, 14])
        tall = wide / aspect
        if kind == "round":
            cv2.ellipse(
                pixels,
                tuple(np.int32(at)),
                (int(wide / 3), int(wide / 3)),
                0,
                0,
                360,
                self._colour(),
                -1,
                cv2.LINE_AA,
            )
            cv2.putText(
                pixels,
                str(self.rng.randint(3, 130)),
                tuple(np.int32(at - (wide / 4, 0))),
                0,
                wide / 90,
                self._colour(),
                2,
                cv2.LINE_AA,
            )
            return
        quad = _quad([at[0] - wide / 2, at[1] - tall / 2, at[0] + wide / 2, at[1] + tall / 2])
        quad += self.np.normal(0, wide * 0.02, (4, 2))
        if kind == "stripes":
            for row in np.arange(0, 1, 0.25):
                strip = np.array([quad[0] + (quad[3] - quad[0]) * r for r in (row, row + 0.13)])
                other = np.array([quad[1] + (quad[2] - quad[1]) * r for r in (row + 0.13, row)])
                self._quad_fill(
                    pixels, np.vstack([strip[:1], other[1:], other[:1], strip[1:]]), self._colour()
                )
            return
        if kind == "line":  # one line on a ground: a shop, a street's name, a destination, a brand
            tall = wide / self.rng.choice([1.5, 2, 3, 7, 9, 12])
            quad = _quad([at[0] - wide / 2, at[1] - tall / 2, at[0] + wide / 2, at[1] + tall / 2])
        self._quad_fill(pixels, quad, self._colour())
        if kind == "line":
            count = max(3, int(wide / tall * 1.3))
            text = "".join(
                self.rng.choices(_SIGNS[:26] if self.rng.random() < 0.4 else _SIGNS[:26].lower(), k=count)
            )
            size, font = tall / 42, self.rng.choice([0, 2, 3, 4])
            place = quad[3] + (tall * 0.25, -tall * 0.25)
            cv2.putText(
                pixels,
                text,
                tuple(np.int32(place)),
                font,
                size,
                self._colour(),
                max(1, int(size * 2)),
                cv2.LINE_AA,
            )
        if kind == "sign":  # several short lines: a road sign or a notice
            lines = self.rng.randint(2, 5)
            for row in range(lines):
                text = "".join(self.rng.choices(_SIGNS.lower() + _SIGNS, k=self.rng.randint(4, 14)))
                size = max(0.15, tall / lines / 40)
                place = quad[0] + (wide * 0.05, tall * (row + 0.8) / lines)
                cv2.putText(
                    pixels,
                    text,
                    tuple(np.int32(place)),
                    self.rng.choice([0, 2, 3]),
                    size,
                    self._colour(),
                    1,
                    cv2.LINE_AA,
                )

    def _colour(self) -> tuple[float, ...]:
        if self.rng.random() < 0.5:
            return (self.rng.uniform(0, 255),) * 3
        return tuple(self.rng.uniform(0, 255) for _ in range(3))

    def _quad_fill(self, pixels: np.ndarray, quad: np.ndarray, colour) -> None:
        if np.abs(quad).max() < 2000:
            cv2.fillConvexPoly(pixels, np.int32(quad * 16), colour, cv2.LINE_AA, 4)

    # --- the camera -------------------------------------------------------------------------------------------------

    def _seen_by_a_camera(self, scene: Scene) -> Scene:
        """Light, blur, noise, night, compression."""
        r = self.rng
        pixels = scene.pixels.astype(np.float32)
        if r.random() < 0.15:
            pixels = self._night(pixels, scene)
        if r.random() < 0.7:
            pixels = (pixels - 128) * r.uniform(0.6, 1.35) + 128 + r.uniform(-40, 40)
        if r.random() < 0.4:
            pixels *= self.np.uniform(0.85, 1.15, 3).astype(np.float32)
        if r.random() < 0.3:
            pixels = 255 * (np.clip(pixels, 0, 255) / 255) ** r.uniform(0.6, 1.7)
        if r.random() < 0.08:
            pixels = np.repeat(pixels.mean(2, keepdims=True), 3, 2)
        blur = r.random()
        if blur < 0.35:
            pixels = cv2.GaussianBlur(pixels, (0, 0), r.uniform(0.4, 1.6))
        elif blur < 0.5:
            length = r.randint(2, 7)
            kernel = np.zeros((7, 7), np.float32)
            angle = r.uniform(0, np.pi)
            end = np.array([np.cos(angle), np.sin(angle)]) * length / 2
            cv2.line(kernel, tuple(np.int32(3 - end)), tuple(np.int32(3 + end)), 1)
            pixels = cv2.filter2D(pixels, -1, kernel / max(kernel.sum(), 1))
        if r.random() < 0.2:
            pixels += 0.8 * (pixels - cv2.GaussianBlur(pixels, (0, 0), 1.2))
        if r.random() < 0.5:
            pixels += self.np.normal(0, r.uniform(1, 12), pixels.shape).astype(np.float32)
        done = np.clip(pixels, 0, 255).astype(np.uint8)
        if r.random() < 0.7:
            _, coded = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, r.randint(25, 95)])
            done = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        if r.random() < 0.08:  # the padding that fills a picture up to a multiple of 32
            self._cut(done, scene)
        scene.pixels = done
        return scene

    def _cut(self, pixels: np.ndarray, scene: Scene) -> None:
        """The picture ends, often just beside a plate: below or on the right all is black."""
        beside = self.rng.choice(scene.quads).max(0) if scene.quads else np.full(2, SIDE / 2.0)
        for axis in self.rng.choice([(0,), (1,), (0, 1)]):
            end = int(np.clip(beside[axis] + self.rng.uniform(-4, 30), SIDE / 5, SIDE))
            pixels[(slice(end, None), slice(None)) if axis else (slice(None), slice(end, None))] = 0
            cut = [quad for quad in scene.quads if quad[:, axis].max() > end + 6]
            scene.ignore += [np.concatenate([quad.min(0), quad.max(0)]) for quad in cut]
            gone = {id(quad) for quad in cut}
            kept = [at for at, quad in enumerate(scene.quads) if id(quad) not in gone]
            scene.quads, scene.exact = [scene.quads[at] for at in kept], [scene.exact[at] for at in kept]

    def _night(self, pixels: np.ndarray, scene: Scene) -> np.ndarray:
        """Dark all over, lamps, and plates that shine where headlights reach them."""
        dark = pixels * self.rng.uniform(0.12, 0.5)
        for quad in scene.quads:
            glow = np.zeros((SIDE, SIDE), np.float32)
            if np.abs(quad).max() < 2000:
                cv2.fillConvexPoly(glow, np.int32(quad), self.rng.uniform(0.3, 0.9))
                glow = np.maximum(glow, cv2.GaussianBlur(glow, (0, 0), 3 + np.ptp(quad[:, 0]) / 6))
                dark = np.maximum(dark, pixels * glow[..., None])
        for _ in range(self.rng.randint(0, 3)):
            lamp = np.zeros((SIDE, SIDE), np.float32)
            cv2.circle(
                lamp, (self.rng.randrange(SIDE), self.rng.randrange(SIDE)), self.rng.randint(2, 9), 1, -1
            )
            lamp = cv2.GaussianBlur(lamp, (0, 0), self.rng.uniform(1, 12)) * 2 + lamp
            dark += lamp[..., None] * self.np.uniform(150, 255, 3).astype(np.float32)
        return dark


# --- small geometry -------------------------------------------------------------------------------------------------


def _rotation(yaw: float, pitch: float, roll: float) -> np.ndarray:
    y = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    x = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
    z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    return z @ y @ x


def _grown(quad: np.ndarray, wide: float, tall: float) -> np.ndarray:
    plane = cv2.getPerspectiveTransform(np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]), np.float32(quad))
    unit = np.float32([[[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]])
    return cv2.perspectiveTransform(unit, plane)[0].astype(float)


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    gap = np.maximum(a.min(0) - b.max(0), b.min(0) - a.max(0)).max()
    return gap < 0.4 * max(np.ptp(a[:, 0]), np.ptp(b[:, 0]))


def _mostly_inside(quad: np.ndarray) -> bool:
    return bool((quad.max(0) > 4).all() and (quad.min(0) < SIDE - 4).all() and np.abs(quad).max() < 2000)


def _overlapping(quad: np.ndarray) -> Callable[[np.ndarray], bool]:
    area = cv2.contourArea(np.float32(quad))
    return lambda other: cv2.intersectConvexConvex(np.float32(quad), np.float32(other))[0] > 0.02 * area


def _warped(image: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The affine crop, smoothed first where it makes the picture smaller."""
    scale = np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    if scale < 0.75:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ratio = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]])
        matrix = np.hstack([matrix[:, :2] @ np.diag(ratio), matrix[:, 2:]])
        image = small
    return cv2.warpAffine(image, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)


def _blend(pixels: np.ndarray, colour, mask: np.ndarray) -> None:
    x, y, w, h = cv2.boundingRect(mask)
    if w and h:
        part = np.s_[y : y + h, x : x + w]
        share = (mask[part] / np.float32(255))[..., None]
        paint = colour[part] if isinstance(colour, np.ndarray) and colour.ndim == 3 else np.float32(colour)
        pixels[part] = pixels[part] * (1 - share) + paint * share


def _mirrored(scene: Scene) -> Scene:
    def turn(quad: np.ndarray) -> np.ndarray:
        return (quad * (-1, 1) + (SIDE, 0))[[1, 0, 3, 2]]

    quads = [turn(q) for q in scene.quads]
    return Scene(np.ascontiguousarray(scene.pixels[:, ::-1]), quads, scene.exact, scene.ignore, scene.partial)
