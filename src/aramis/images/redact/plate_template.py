"""A plate drawn flat: paper, strip with stars and code, border, and the number as outlines at any size."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from math import cos, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aramis.images.redact.plate_numbers import Country, Look, one_row, two_rows

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

ONE_ROW_MM = (520, 110)
TWO_ROWS_MM = (300, 210)
MOTORCYCLE_MM = (220, 165)
_FONTS = {"barlow": "BarlowCondensed-SemiBold.ttf", "din": "OSP-DIN.ttf"}
_SUPERSAMPLED = 2
_STAR_YELLOW = (255, 204, 0)


@dataclass(frozen=True, slots=True)
class Plate:
    """What to draw. `number` holds a `/` where its rows break."""

    country: Country
    look: Look
    number: str
    size_mm: tuple[int, int] = ONE_ROW_MM
    face: str = "barlow"

    @property
    def rows(self) -> tuple[str, ...]:
        return (one_row(self.number),) if self.size_mm[0] > 3 * self.size_mm[1] else two_rows(self.number)


def draw(plate: Plate, height_px: int) -> NDArray[np.uint8]:
    """The plate seen from the front in even light: RGB, `height_px` high, as wide as the plate's size says."""
    from PIL import Image, ImageDraw

    width_mm, height_mm = plate.size_mm
    scale = _SUPERSAMPLED * height_px / height_mm
    size = round(width_mm * scale), round(height_mm * scale)
    canvas = Image.new("RGB", size, plate.look.paper)
    pen = ImageDraw.Draw(canvas)
    left, right = _bands(pen, plate, scale)
    _border(pen, plate.look, size, scale)
    _rows(canvas, plate, left, right, scale)
    return np.asarray(canvas.reduce(_SUPERSAMPLED))


def _bands(pen: "ImageDraw", plate: Plate, scale: float) -> tuple[float, float]:
    """Draw the strips; return how many millimetres they take on the left and on the right."""
    width, height = plate.size_mm
    tall = height if len(plate.rows) == 1 else height / 2
    band = 44 if len(plate.rows) == 1 else 36
    if plate.look.strip:
        pen.rectangle((0, 0, band * scale, tall * scale), fill=plate.look.strip)
        if plate.country.stars:
            _stars(pen, (band / 2 * scale, tall * 0.33 * scale), band * 0.3 * scale)
        narrow = 0.36 if len(plate.country.code) < 3 else 0.27
        font = _font("barlow", round(tall * narrow * scale))
        place = (band / 2 * scale, tall * 0.8 * scale)
        pen.text(place, plate.country.code, font=font, fill=(255, 255, 255), anchor="mm")
    if plate.look.right and len(plate.rows) == 1:
        pen.rectangle(((width - 40) * scale, 0, width * scale, height * scale), fill=plate.look.right)
    return (band if plate.look.strip else 8), (40 if plate.look.right and len(plate.rows) == 1 else 8)


def _stars(pen: "ImageDraw", centre: tuple[float, float], radius: float) -> None:
    for hour in range(12):
        x = centre[0] + radius * sin(hour * pi / 6)
        y = centre[1] - radius * cos(hour * pi / 6)
        pen.polygon(_star(x, y, radius * 0.24), fill=_STAR_YELLOW)


def _star(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """A five-pointed star on its feet."""
    reach = [radius if point % 2 == 0 else radius * 0.4 for point in range(10)]
    return [(x + far * sin(at * pi / 5), y - far * cos(at * pi / 5)) for at, far in enumerate(reach)]


def _border(pen: "ImageDraw", look: Look, size: tuple[int, int], scale: float) -> None:
    inset = 2 * scale
    box = (inset, inset, size[0] - inset, size[1] - inset)
    pen.rounded_rectangle(box, radius=8 * scale, outline=look.ink, width=max(1, round(3.5 * scale)))


def _rows(canvas: "Image", plate: Plate, left: float, right: float, scale: float) -> None:
    width, height = plate.size_mm
    if len(plate.rows) == 1:
        _text(canvas, plate, plate.rows[0], (left, 0, width - right, height), scale)
        return
    _text(canvas, plate, plate.rows[0], (left, 4, width - 8, height / 2), scale)
    _text(canvas, plate, plate.rows[1], (8, height / 2, width - 8, height - 4), scale)


def _text(
    canvas: "Image", plate: Plate, text: str, box_mm: tuple[float, float, float, float], scale: float
) -> None:
    """A row in the middle of its box, pressed together where it would not fit, as narrow plate faces are."""
    row = _mask(text, plate, (box_mm[3] - box_mm[1]) * 0.7 * scale)
    room = (box_mm[2] - box_mm[0] - 12) * scale
    wide = round(min(row.width * 1.12, room))
    row = row.resize((max(wide, 1), row.height))
    x = (box_mm[0] + box_mm[2]) / 2 * scale - wide / 2
    y = (box_mm[1] + box_mm[3]) / 2 * scale - row.height / 2
    canvas.paste(plate.look.ink, (round(x), round(y)), row)


def _mask(text: str, plate: Plate, cap_height: float) -> "Image":
    """The signs of a row as a mask, each with the room that plates leave around it."""
    from PIL import Image, ImageDraw

    font = _font(plate.face, _size_for(plate.face, cap_height))
    gap = cap_height * 0.1
    advance = [_advance(sign, font, cap_height) + gap for sign in text]
    sealed = _first_gap(text) if plate.country.seal else -1
    mask = Image.new("L", (max(1, round(sum(advance))), max(1, round(cap_height * 1.02))))
    pen = ImageDraw.Draw(mask)
    x = gap / 2
    for at, (sign, step) in enumerate(zip(text, advance, strict=True)):
        if at == sealed:
            _seal(pen, x, cap_height)
        else:
            pen.text((x, cap_height), sign, font=font, fill=255, anchor="ls")
        x += step
    return mask


def _advance(sign: str, font: "FreeTypeFont", cap_height: float) -> float:
    return cap_height * 0.34 if sign in " -" else font.getlength(sign)


def _first_gap(text: str) -> int:
    return next((at for at, sign in enumerate(text) if sign in " -"), -1)


def _seal(pen: "ImageDraw", x: float, cap_height: float) -> None:
    radius = cap_height * 0.17
    for middle in (0.27, 0.73):
        y = cap_height * middle
        pen.ellipse((x, y - radius, x + 2 * radius, y + radius), fill=110)


def _size_for(face: str, cap_height: float) -> int:
    """The font size at which a capital is so many pixels high."""
    top, bottom = _font(face, 1000).getbbox("H", anchor="ls")[1::2]
    return max(4, round(1000 * cap_height / (bottom - top)))


@cache
def _font(face: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    outlines = (files("aramis.images.redact") / "fonts" / _FONTS[face]).read_bytes()
    return ImageFont.truetype(BytesIO(outlines), max(4, size))
