"""A decoded file and its frames: the numbers as the file holds them, and as redactors and detectors want them.

native     what the file holds: palette indices, one bit, CMYK, floats, or already plain
  ⇅
plain      grey (HxW), grey+alpha, RGB or RGBA (HxWxC), 8 or 16 bits: what a redactor sees and gives back
  ↓
seen       RGB, 8 bits: what a detector sees

Only pixels that a redactor changed are converted back, so all others stay as they were, to the bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[Any]


class Space(StrEnum):
    """How native numbers mean colour."""

    PLAIN = "plain"
    BILEVEL = "bilevel"  # HxW bool
    PALETTE = "palette"  # HxW uint8, with a palette of n RGBA rows
    CMYK = "cmyk"  # HxWx4 uint8, 0 is no ink
    MEASURED = "measured"  # int32 or floats of any range, as microscopes and cameras of depth write


@dataclass(frozen=True, slots=True)
class Frame:
    native: Pixels
    space: Space = Space.PLAIN
    palette: NDArray[np.uint8] | None = None
    duration_ms: float = 0

    @property
    def height(self) -> int:
        return int(self.native.shape[0])

    @property
    def width(self) -> int:
        return int(self.native.shape[1])


@dataclass(frozen=True, slots=True)
class Still:
    """A decoded file: one frame, the pages of a TIFF or the frames of an animation, and how to write it back."""

    format: str
    frames: tuple[Frame, ...]
    profile: bytes | None = None  # the colour profile, without its text
    suffix: str = ""  # added to the name where another format than the source's is written
    settings: Mapping[str, Any] = field(default_factory=dict)  # for the format's own `write`


def frame_rate(still: Still) -> float | None:
    """How many frames of an animation are shown a second, on average; None: one picture, or pages."""
    seconds = sum(frame.duration_ms for frame in still.frames) / 1000
    return len(still.frames) / seconds if len(still.frames) > 1 and seconds else None


def plain(frame: Frame) -> Pixels:
    """The frame as a redactor wants it."""
    match frame.space:
        case Space.PLAIN:
            return frame.native
        case Space.BILEVEL:
            return frame.native.astype(np.uint8) * 255
        case Space.PALETTE:
            assert frame.palette is not None
            return _colours(frame.palette)[frame.native]
        case Space.CMYK:
            ink = 255 - frame.native.astype(np.uint16)
            return ((ink[..., :3] * ink[..., 3:] + 127) // 255).astype(np.uint8)
        case Space.MEASURED:
            low, span = _range(frame.native)
            return np.nan_to_num((frame.native - low) / span * 65535, posinf=65535, neginf=0).astype(
                np.uint16
            )


def with_plain(frame: Frame, after: Pixels) -> Frame:
    """The frame with what a redactor changed."""
    if frame.space is Space.PLAIN:
        return replace(frame, native=after)
    before = plain(frame)
    differs = before != after
    changed = differs if differs.ndim == 2 else differs.any(axis=2)
    native = frame.native.copy()
    native[changed] = _native(frame, after[changed])
    return replace(frame, native=native)


def seen(frame: Frame) -> NDArray[np.uint8]:
    """The frame as a detector wants it. Alpha is left out: what it hides can be uncovered again."""
    colours = np.atleast_3d(plain(frame))
    if colours.shape[2] in (2, 4):
        colours = colours[..., :-1]
    if colours.dtype != np.uint8:  # 12 bits in 16 are common: the brightest value is white
        colours = (colours * (255.0 / max(int(colours.max()), 1))).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(colours, (*colours.shape[:2], 3)))


def upright(frame: Frame, orientation: int) -> Frame:
    """The frame as displayed: EXIF orientation (1 to 8) applied."""
    pixels = frame.native
    if orientation in (5, 6, 7, 8):
        pixels = pixels.swapaxes(0, 1)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return replace(frame, native=np.ascontiguousarray(pixels))


def _native(frame: Frame, colours: Pixels) -> Pixels:
    match frame.space:
        case Space.BILEVEL:
            return colours >= 128
        case Space.PALETTE:
            assert frame.palette is not None
            return _nearest(_colours(frame.palette), colours)
        case Space.CMYK:
            return np.concatenate([255 - colours, np.zeros_like(colours[..., :1])], axis=-1)
        case _:
            low, span = _range(frame.native)
            return (low + colours * (span / 65535)).astype(frame.native.dtype)


def _colours(palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """All 256 entries (an index beyond the palette is black), without alpha where none is transparent."""
    full = np.zeros((256, 4), np.uint8)
    full[:, 3] = 255
    full[: len(palette)] = palette
    return full if (palette[:, 3] < 255).any() else full[:, :3]


def _nearest(palette: NDArray[np.uint8], colours: Pixels) -> NDArray[np.uint8]:
    from scipy.spatial import KDTree  # type: ignore[import-untyped]

    distinct, places = np.unique(colours, axis=0, return_inverse=True)
    nearest: NDArray[np.uint8] = KDTree(palette).query(distinct)[1].astype(np.uint8)
    return nearest[places.reshape(-1)]


def _range(native: Pixels) -> tuple[float, float]:
    finite = native[np.isfinite(native)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return low, max(high - low, 1e-30)
