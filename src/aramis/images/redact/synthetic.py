"""A plate replaced by a drawn one that belongs there: another number, the same place, light, blur, noise and compression.

original ─corners─▶ face ─▶ style ─┐        number that was read: is not drawn
random number ─▶ template ─────────┴▶ lit ─homography─▶ placed ─▶ softened ─▶ grain ─▶ new pixels
surroundings ─▶ filled over the plate and its rim ──────────┘
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.geometry import corners
from aramis.images.reading import Reading, reading
from aramis.images.records import Corners, Target
from aramis.images.redact.blur import blur
from aramis.images.redact.plate_numbers import COUNTRIES, Country, Look, country, random_number
from aramis.images.redact.plate_style import Style, blur_to, compressed, grain, lit, style_of
from aramis.images.redact.plate_template import MOTORCYCLE_MM, ONE_ROW_MM, TWO_ROWS_MM, Plate, draw
from aramis.images.redact.regions import Pixels

Floats = NDArray[Any]  # float32
Quad = NDArray[Any]  # float32, (4, 2), clockwise from the top left

_OVERLAP = 1.03  # the new plate is this much larger: a corner found a little inside shows no old rim
_RIM = (1.4, 1.7)  # in width and height: how far the surroundings are filled in under and around it


@dataclass(frozen=True)
class Synthetic:
    """The method. One vehicle keeps its new plate through a video: targets of one track get the same.

    What is no plate is blurred. No number is drawn that is among `avoid`, or that is read from the plate itself where
    there is a reader.
    """

    avoid: frozenset[str] = frozenset()
    read: Reading | None = None
    drawn: dict[int, Plate] = field(default_factory=dict)

    def __call__(
        self, pixels: Pixels, target: Target, strength: float = 1.0, *, country: str | None = None
    ) -> Pixels:
        if target.kind != "plate":
            return blur(pixels, target, strength)
        plate = self.drawn.get(-1 if target.track is None else target.track)
        plate = plate or self._drawn(pixels, target, country)
        if target.track is not None:
            self.drawn[target.track] = plate
        return replaced(pixels, target, plate)

    def anew(self) -> "Synthetic":
        """The same method for another video, whose tracks are other vehicles."""
        return replace(self, drawn={})

    def _drawn(self, pixels: Pixels, target: Target, code: str | None) -> Plate:
        read = self.read or _reader()
        avoid = self.avoid | ({number_on(pixels, target, read)} if read else set())
        return fitting(pixels, target, country(code) if code else None, avoid)


def number_on(pixels: Pixels, target: Target, read: Reading) -> str:
    """What is read on a plate; of two rows the upper one first."""
    shown = np.clip(_as_colours(pixels), 0, 255).astype(np.uint8)
    a, b, c, d = _quad(target)
    if _proportions(_quad(target)) == ONE_ROW_MM:
        return read(shown, _as_corners(a, b, c, d)).signs
    left, right = (a + d) / 2, (b + c) / 2
    rows = _as_corners(a, b, right, left), _as_corners(left, right, c, d)
    return "".join(read(shown, row).signs for row in rows)


def fitting(pixels: Pixels, target: Target, of: Country | None = None, avoid: Collection[str] = ()) -> Plate:
    """A plate of a random number, of a country and a look that have the original's colours and proportions."""
    quad = _quad(target)
    return _plate(_style(_as_colours(pixels), quad), quad, of, avoid)


def replaced(pixels: Pixels, target: Target, plate: Plate) -> Pixels:
    """A copy of the pixels with this plate in the place, light, blur and noise of the target's."""
    colours, quad = _as_colours(pixels), _quad(target)
    around = _as_colours(blur(pixels, target))  # a margin wider than the rim shows nothing either
    return _as_given(_replaced(colours, around, quad, plate, _style(colours, quad)), pixels)


@cache
def _reader() -> Reading | None:
    """What reads plates, where it has been fetched: a number can only be avoided that can be read."""
    return reading() if cards.is_here(cards.card("text-reading")) else None


def _as_corners(*points: Floats) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _quad(target: Target) -> Quad:
    return np.array(target.corners or corners(target.box), np.float32)


def _replaced(colours: Floats, blurred: Floats, quad: Quad, plate: Plate, style: Style) -> Floats:
    """The plate in place, its rim painted in from around it, all else blurred: no pixel comes from the original."""
    rim = _grown(quad, *_RIM)
    cover = _mask(rim, colours.shape[:2])
    filled = _filled(colours, rim) * cover + blurred * (1 - cover)
    face = draw(plate, int(np.clip(_size(quad)[1] * 2, 24, 400))).astype(np.float32)
    face = lit(face, style, np.array(plate.look.paper), np.array(plate.look.ink))
    placed, cover = _placed(face, _grown(quad, _OVERLAP, _OVERLAP), filled.shape[:2])
    seen = _face(filled * (1 - cover) + placed * cover, quad)
    sigma = blur_to(seen, style.sharpness)
    if sigma > 0:
        placed, cover = (
            cv2.GaussianBlur(placed, (0, 0), sigma),
            cv2.GaussianBlur(cover, (0, 0), sigma)[..., None],
        )
    whole = filled * (1 - cover) + placed * cover
    return np.clip(compressed(whole + grain(whole.shape[:2], style)[..., None], style), 0, 255)


# --- what is measured -----------------------------------------------------------------------------------------------


def _style(colours: Floats, quad: Quad) -> Style:
    return style_of(_face(colours, quad), colours)


def _face(colours: Floats, quad: Quad) -> Floats:
    """The plate seen from the front, at about the size that it has in the picture."""
    width, height = (max(8, round(side)) for side in _size(quad))
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_front = cv2.getPerspectiveTransform(quad - 0.5, ends - 0.5)
    return np.asarray(
        cv2.warpPerspective(colours, to_front, (width, height), borderMode=cv2.BORDER_REPLICATE)
    )


def _size(quad: Quad) -> tuple[float, float]:
    """Width and height: the longer of the two sides each."""
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(max(side[0], side[2])), float(max(side[1], side[3]))


# --- which plate ----------------------------------------------------------------------------------------------------


def _plate(style: Style, quad: Quad, of: Country | None, avoid: Collection[str]) -> Plate:
    """A plate of a country whose colours are those of the original, in its proportions."""
    chance = secrets.SystemRandom()
    wanted = _tone(style)
    every = [(each, look) for each in ([of] if of else COUNTRIES) for look in each.looks]
    alike = [
        (each, look) for each, look in every if _tone_of(look) == wanted and (look.strip or wanted != "white")
    ]
    of_country, look = chance.choice(alike or every)
    return Plate(of_country, look, random_number(of_country, look, avoid), _proportions(quad))


def _proportions(quad: Quad) -> tuple[int, int]:
    width, height = _size(quad)
    if width > 2.1 * height:
        return ONE_ROW_MM
    return min((TWO_ROWS_MM, MOTORCYCLE_MM), key=lambda mm: abs(mm[0] / mm[1] - width / height))


def _tone(style: Style) -> str:
    """What a person would call the colour: the light of the scene is not known, so only what is plain counts."""
    if style.dark:
        return "dark"
    red, green, blue = (float(part) for part in style.colour)
    return "yellow" if min(red, green) - blue > 0.3 * max(red, green) else "white"


def _tone_of(look: Look) -> str:
    red, green, blue = look.paper
    if max(look.paper) < 128:
        return "dark" if look.ink[0] > 128 else "other"
    return "yellow" if min(red, green) - blue > 100 else "white" if min(look.paper) > 200 else "other"


# --- pixels ---------------------------------------------------------------------------------------------------------


def _placed(face: Floats, quad: Quad, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """The plate warped to its place, and how much of each pixel it covers; smoothed first where it becomes smaller."""
    height, width = face.shape[:2]
    shrink = height / max(_size(quad)[1], 1.0)
    smooth = cv2.GaussianBlur(face, (0, 0), 0.4 * shrink) if shrink > 1 else face
    ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_place = cv2.getPerspectiveTransform(ends - 0.5, quad - 0.5)
    placed = cv2.warpPerspective(smooth, to_place, size[::-1], borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(placed, np.float32), _mask(quad, size)


def _filled(colours: Floats, quad: Quad) -> Floats:
    """The picture with the quad painted over from what surrounds it (Telea, "An image inpainting technique", 2004)."""
    height, width = colours.shape[:2]
    scale = min(1.0, 160 / max(height, width))  # what is painted in is smooth: a small copy does
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(colours, size, interpolation=cv2.INTER_AREA)
    hole: NDArray[Any] = (_mask(quad * scale, small.shape[:2])[..., 0] > 0).astype(np.uint8)
    hole = cv2.dilate(hole, np.ones((3, 3), np.uint8))
    painted = cv2.inpaint(np.clip(small, 0, 255).astype(np.uint8), hole, 3, cv2.INPAINT_TELEA)
    large = cv2.resize(painted.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    cover = _mask(quad, (height, width))
    return np.asarray(colours * (1 - cover) + large * cover, np.float32)


def _mask(quad: Quad, size: tuple[int, ...]) -> Floats:
    """How much of each pixel the quad covers, (h, w, 1)."""
    mask: NDArray[Any] = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.round((quad - 0.5) * 256).astype(np.int32), 255, cv2.LINE_AA, 8)
    return (mask / np.float32(255))[..., None]


def _grown(quad: Quad, wide: float, tall: float) -> Quad:
    """The quad made larger in its own plane."""
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    plane = cv2.getPerspectiveTransform(unit, quad)
    return np.asarray(cv2.perspectiveTransform((unit * np.array([wide, tall], np.float32))[None], plane)[0])


def _as_colours(pixels: Pixels) -> Floats:
    """RGB, 0 to 255, as floats."""
    deep = np.atleast_3d(pixels).astype(np.float32) / (257 if pixels.dtype == np.uint16 else 1)
    return np.repeat(deep[..., :1], 3, axis=2) if deep.shape[2] < 3 else np.ascontiguousarray(deep[..., :3])


def _as_given(colours: Floats, pixels: Pixels) -> Pixels:
    """Colours in the kind of the pixels that were given; where those had an alpha channel, all is opaque."""
    channels = np.atleast_3d(pixels).shape[2]
    shown = colours if channels >= 3 else colours.mean(axis=2, keepdims=True)
    deep = np.round(shown * (257 if pixels.dtype == np.uint16 else 1))
    if channels in (2, 4):
        deep = np.dstack([deep, np.full(deep.shape[:2], np.iinfo(pixels.dtype).max)])
    return deep.astype(pixels.dtype).reshape(pixels.shape)


synthetic = Synthetic()
"""What `--method plate=synthetic` means."""
