"""GIF: all frames, each with a palette of its own, so that colours outside what was redacted stay the same to the bit."""

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
from PIL import GifImagePlugin, Image

from aramis.images.files.formats import pillow
from aramis.images.files.frame import Frame, Space, Still

_CLEAR_BEFORE_NEXT = 2


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = GifImagePlugin.GifImageFile(BytesIO(data))
    count = image.n_frames
    guard([image.size] * count)
    loop = image.info.get("loop")
    return Still("GIF", tuple(_frames(image, count)), settings={"loop": loop})


def write(still: Still) -> bytes:
    """Each frame whole: not the smallest file, but one that every viewer shows as the source."""
    first = still.frames[0]
    loop = still.settings["loop"]
    return b"".join(
        [
            b"GIF89a" + struct.pack("<HHBBB", first.width, first.height, 0x70, 0, 0),
            b"" if loop is None else b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<HB", loop, 0),
            *(_written(frame) for frame in still.frames),
            b";",
        ]
    )


def _frames(image: GifImagePlugin.GifImageFile, count: int) -> Iterator[Frame]:
    for number in range(count):
        image.seek(number)
        duration = image.info.get("duration", 0)
        colours = np.array(image.convert("RGBA"))
        yield _indexed(colours, duration)


def _indexed(colours: Any, duration: float) -> Frame:
    """A frame of a GIF has at most 256 colours, unless it is the sum of several: then the nearest 256."""
    colours[colours[..., 3] == 0] = 0
    packed = colours.view(np.uint32)[..., 0]
    palette, indices = np.unique(packed, return_inverse=True)
    if len(palette) <= 256:
        rows = palette.astype(np.uint32).view(np.uint8).reshape(-1, 4)
        return Frame(indices.reshape(packed.shape).astype(np.uint8), Space.PALETTE, rows, duration)
    return pillow.frame(Image.fromarray(colours).quantize(256, Image.Quantize.FASTOCTREE), duration)


def _written(frame: Frame) -> bytes:
    assert frame.palette is not None
    clear = np.flatnonzero(frame.palette[:, 3] == 0)
    options: dict[str, Any] = {"transparency": int(clear[0])} if clear.size else {}
    image = Image.fromarray(frame.native, "P")
    image.putpalette(frame.palette[:, :3].tobytes())
    blocks = GifImagePlugin.getdata(
        image,
        duration=frame.duration_ms,
        disposal=_CLEAR_BEFORE_NEXT if clear.size else 1,
        include_color_table=True,
        **options,
    )
    return b"".join(blocks)
