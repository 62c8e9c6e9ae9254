"""How a plate looks in its photograph: light, contrast, blur, noise, compression. Measured on one, given to another.

All that is taken from the original is a handful of numbers: a plane of light for each colour, a black level, and three
scalars. No pixel goes through, so nothing can be read from what comes out.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]  # float32

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)
_BLOCK = 8  # the side of JPEG's blocks


@dataclass(frozen=True, slots=True)
class Style:
    paper: Floats  # (3, 3): for red, green, blue the plane a + b x + c y over the plate, x and y from -1 to 1
    ink: Floats  # (3,): the darker of a plate's two tones, or the brighter where the plate is dark
    dark: bool  # bright signs on dark paper
    sharpness: float  # the steepest edges, as a share of the contrast per pixel
    noise: float  # standard deviation
    blocks: float  # how much steeper the picture is at the borders of blocks; 1: not at all

    @property
    def colour(self) -> Floats:
        """The paper's mean colour."""
        return self.paper[:, 0]


def style_of(face: Floats, around: Floats) -> Style:
    """The style of a rectified plate (RGB, 0 to 255, about as many pixels as in the photograph), and of its surroundings."""
    inner = _without_edge(face)
    luma = inner @ _LUMA
    low, middle, high = np.percentile(luma, [8, 50, 92])
    dark = bool(middle - low < 0.35 * (high - low))
    of_ink = luma >= high if dark else luma <= low
    return Style(
        paper=_planes(inner, _paper(luma, dark=dark)),
        ink=np.median(inner[of_ink], axis=0).astype(np.float32),
        dark=dark,
        sharpness=sharpness(inner),
        noise=_noise(around),
        blocks=_blocks(around),
    )


def lit(template: Floats, style: Style, paper: Floats, ink: Floats) -> Floats:
    """A drawn plate in the light of the original: its paper takes the measured plane, its ink the measured tone."""
    height, width = template.shape[:2]
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    plane = np.stack([np.ones_like(x), x, y], axis=-1).astype(np.float32)
    light = np.einsum("hwk,ck->hwc", plane, style.paper)
    # yellow paper and black ink are alike in blue: no division by next to nothing
    spread = np.sign(paper - ink) * np.maximum(np.abs(paper - ink), 60)
    share = (template - ink) / spread
    shown: Floats = np.clip(style.ink + share * (light - style.ink), 0, 255).astype(np.float32)
    return shown


def blur_to(face: Floats, wanted: float) -> float:
    """The sigma that makes the edges of a drawn plate as soft as `wanted`; 0 where they are softer already."""
    low, high = 0.0, face.shape[0] / 5
    if sharpness(_without_edge(face)) <= wanted:
        return 0.0
    for _ in range(7):
        middle = (low + high) / 2
        softened = cv2.GaussianBlur(face, (0, 0), max(middle, 0.05))
        low, high = (middle, high) if sharpness(_without_edge(softened)) > wanted else (low, middle)
    return float(low + high) / 2


def sharpness(face: Floats) -> float:
    """The steepest two per cent of horizontal steps, as a share of the contrast."""
    luma = face @ _LUMA
    low, high = np.percentile(luma, [5, 95])
    return float(np.percentile(np.abs(np.diff(luma, axis=1)), 98) / max(high - low, 4.0))


def grain(shape: tuple[int, ...], style: Style) -> Floats:
    """Noise of the measured strength, as soft as a camera's."""
    drawn = np.random.default_rng().normal(0, 1, shape).astype(np.float32)
    soft = cv2.GaussianBlur(drawn, (0, 0), 0.6)
    return np.asarray(soft * (style.noise / max(float(soft.std()), 1e-3)), np.float32)


def compressed(pixels: Floats, style: Style) -> Floats:
    """As JPEG would leave it, where the surroundings show the borders of blocks."""
    if style.blocks < 1.15:
        return pixels
    quality = int(np.clip(95 - 90 * (style.blocks - 1.15), 25, 95))
    coded = cv2.imencode(
        ".jpg", np.clip(pixels, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.float32)


def _without_edge(face: Floats) -> Floats:
    """The middle of a plate: its rim may show the vehicle, its left the strip."""
    height, width = face.shape[:2]
    down, in_ = max(1, round(height * 0.12)), max(1, round(width * 0.1))
    return face[down : max(height - down, down + 1), in_ : max(width - in_, in_ + 1)]


def _paper(luma: Floats, *, dark: bool) -> NDArray[np.bool_]:
    """Which pixels are paper: the brighter half (or darker) of each quarter, for light may fall from one side."""
    quarters = np.array_split(luma, 4, axis=1)
    return np.hstack([part <= np.median(part) if dark else part >= np.median(part) for part in quarters])


def _planes(face: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The plane of light of each colour, by least squares over the paper; slopes limited to what light does."""
    height, width = face.shape[:2]
    y, x = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    known = np.stack([np.ones_like(x), x, y], axis=-1)[mask]
    planes = np.linalg.lstsq(known, face[mask].astype(np.float64), rcond=None)[0].T
    planes[:, 1:] = np.clip(planes[:, 1:], -40, 40)
    return planes.astype(np.float32)


def _noise(around: Floats) -> float:
    """Immerkaer, "Fast noise variance estimation", 1996, by the median so that edges do not count."""
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    luma = around @ _LUMA
    if min(luma.shape) < 8:
        return 0.0
    answer = cv2.filter2D(luma, -1, mask)[1:-1, 1:-1]
    return float(np.median(np.abs(answer)) / 0.6745 / 6)


def _blocks(around: Floats) -> float:
    """Steps at the borders of blocks against steps elsewhere, wherever the grid lies; 1 without compression."""
    steps = np.abs(np.diff(around @ _LUMA, axis=1)).mean(axis=0)
    if len(steps) < 4 * _BLOCK:
        return 1.0
    phases = np.array([steps[phase::_BLOCK].mean() for phase in range(_BLOCK)])
    return float(phases.max() / max(float(np.median(phases)), 0.25))
