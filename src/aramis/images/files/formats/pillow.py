"""Pillow's images ⇄ frames, for the formats that Pillow reads and writes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from aramis.errors import Unreadable
from aramis.images.files.frame import Frame, Space

Guard = Callable[[Sequence[tuple[int, int]]], None]
"""Called once with the size of every frame, before pixels are decoded; raises Unreadable where it is too much."""


BAND = 1 << 22  # pixels that are copied at a time


def frame(image: Image.Image, duration_ms: float = 0) -> Frame:
    """The decoded pixels of an image, in the way that its file holds them."""
    match image.mode:
        case "L" | "LA" | "RGB" | "RGBA" | "I;16":
            return Frame(numbers(image), duration_ms=duration_ms)
        case "I;16B" | "I;16L" | "I;16N":
            order = {"B": ">u2", "L": "<u2", "N": "=u2"}[image.mode[-1]]
            pixels = np.frombuffer(image.tobytes(), order).reshape(image.height, image.width)
            return Frame(pixels.astype(np.uint16), duration_ms=duration_ms)
        case "1":
            return Frame(np.array(image), Space.BILEVEL, duration_ms=duration_ms)
        case "P":
            return Frame(np.array(image), Space.PALETTE, _palette(image), duration_ms)
        case "CMYK":
            return Frame(numbers(image), Space.CMYK, duration_ms=duration_ms)
        case "I" | "F":
            return Frame(np.array(image), Space.MEASURED, duration_ms=duration_ms)
        case "PA" | "La" | "RGBa" | "RGBX" | "YCbCr":
            alpha = image.mode in {"PA", "La", "RGBa"}
            return Frame(np.array(image.convert("RGBA" if alpha else "RGB")), duration_ms=duration_ms)
    raise Unreadable(f"colours of kind {image.mode} are not supported")


def numbers(image: Image.Image) -> NDArray[Any]:
    """The numbers of an image. Of a large one never all are there twice more, as Pillow's own way would have it."""
    if image.width * image.height <= BAND:
        return np.array(image)
    whole: NDArray[Any] | None = None
    for top, band in bands(image):
        if whole is None:
            whole = np.empty((image.height, *band.shape[1:]), band.dtype)
        whole[top : top + len(band)] = band
    assert whole is not None
    return whole


def bands(image: Image.Image, high: int = 1) -> Iterator[tuple[int, NDArray[Any]]]:
    """An image from top to bottom in bands whose heights are multiples of `high`, each with where it begins."""
    step = max(BAND // image.width // high, 1) * high
    if step >= image.height:
        yield 0, np.asarray(image)
        return
    for top in range(0, image.height, step):
        yield top, np.asarray(image.crop((0, top, image.width, min(top + step, image.height))))


def image(frame: Frame) -> Image.Image:
    """The frame as Pillow wants it for writing."""
    if frame.space is Space.PALETTE:
        return _indexed(frame)
    if frame.space is Space.CMYK:
        return Image.frombuffer("CMYK", (frame.width, frame.height), np.ascontiguousarray(frame.native))
    return Image.fromarray(frame.native)


def _palette(image: Image.Image) -> NDArray[np.uint8]:
    """n rows of red, green, blue, alpha."""
    colours = np.array(image.getpalette("RGBA"), np.uint8).reshape(-1, 4)
    clear = image.info.get("transparency")
    if isinstance(clear, bytes):
        alpha = np.frombuffer(clear, np.uint8)[: len(colours)]
        colours[: len(alpha), 3] = alpha
    elif clear is not None and clear < len(colours):
        colours[clear, 3] = 0
    return colours


def _indexed(frame: Frame) -> Image.Image:
    assert frame.palette is not None
    indices = Image.frombuffer("P", (frame.width, frame.height), np.ascontiguousarray(frame.native))
    indices.putpalette(frame.palette[:, :3].tobytes())
    if (frame.palette[:, 3] < 255).any():
        indices.info["transparency"] = frame.palette[:, 3].tobytes()
    return indices
