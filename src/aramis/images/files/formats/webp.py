"""WebP, still and animated. Lossless stays lossless; lossy is written at a quality that is hard to tell from its source."""

import struct
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import WebPImagePlugin

from aramis.errors import Unreadable
from aramis.images.files.exif import orientation
from aramis.images.files.formats import pillow
from aramis.images.files.frame import Still, upright

LOSSY_QUALITY = 90  # the source's own is not written in the file


def read(data: bytes, guard: pillow.Guard) -> Still:
    chunks = list(_chunks(data))
    guard([_size(data)] * max(1, chunks.count(b"ANMF")))  # before opening, which reserves the canvas
    image = WebPImagePlugin.WebPImageFile(BytesIO(data))
    turn = orientation(image.info.get("exif"))
    frames = []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        frames.append(upright(pillow.frame(image, image.info.get("duration", 0)), turn))
    settings = {"lossless": b"VP8 " not in chunks, "loop": image.info.get("loop", 0)}
    return Still("WEBP", tuple(frames), image.info.get("icc_profile"), settings=settings)


def write(still: Still) -> bytes:
    images = [pillow.image(frame) for frame in still.frames]
    options: dict[str, Any] = {"lossless": still.settings["lossless"], "icc_profile": still.profile}
    options |= {"exact": True} if options["lossless"] else {"quality": LOSSY_QUALITY}
    if len(images) > 1:
        durations = [frame.duration_ms for frame in still.frames]
        options |= {"save_all": True, "append_images": images[1:], "duration": durations}
        options |= {"loop": still.settings["loop"], "background": (0, 0, 0, 0)}
    out = BytesIO()
    images[0].save(out, "WEBP", **options)
    return out.getvalue()


def _chunks(data: bytes) -> Iterator[bytes]:
    """The name of every chunk, those inside a frame too."""
    place = 12
    while place + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, place)
        if place + 8 + length > len(data):
            raise Unreadable("truncated WebP: it ends before its picture does")
        yield name
        place += 24 if name == b"ANMF" else 8 + length + length % 2


def _size(data: bytes) -> tuple[int, int]:
    """Width and height as the header says (RFC 9649, sections 2.5 to 2.7)."""
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF
