"""PNG and animated PNG: every depth and kind of colour; what was not redacted stays the same to the bit.

Pillow holds no colour with 16 bits a channel: such pictures are decoded by OpenCV and written here.
"""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
from PIL import PngImagePlugin

from aramis.errors import Unreadable
from aramis.images.files.exif import orientation
from aramis.images.files.formats import pillow
from aramis.images.files.frame import Frame, Pixels, Still, upright

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_CHUNKS = (b"gAMA", b"cHRM", b"sRGB", b"cICP")  # what the numbers look like; nothing else is kept
_KIND = {1: 0, 3: 2, 2: 4, 4: 6}  # channels → colour type
_CHANNELS = {kind: channels for channels, kind in _KIND.items()}
_ROWS_AT_ONCE = 64


def read(data: bytes, guard: pillow.Guard) -> Still:
    chunks = _chunks(data)
    if b"IHDR" not in chunks:
        raise Unreadable("damaged: a PNG without a header")
    depth, kind = chunks[b"IHDR"][8:10]
    image = PngImagePlugin.PngImageFile(BytesIO(data))
    count = getattr(image, "n_frames", 1)
    guard([image.size] * count)
    is_deep = depth == 16 and _CHANNELS.get(kind, 1) > 1 and count == 1
    frames = [_deep(data, _CHANNELS[kind])] if is_deep else list(_frames(image, count))
    settings = {
        "bits": depth if kind != 3 else 8,
        "colours": [(name, chunks[name]) for name in COLOUR_CHUNKS if name in chunks],
        "transparency": image.info.get("transparency") if kind in (0, 2) and count == 1 else None,
        "default_image": image.info.get("default_image", False),
        "loop": image.info.get("loop", 0),
    }
    turn = orientation(chunks.get(b"eXIf"))
    upright_frames = tuple(upright(frame, turn) for frame in frames)
    return Still("PNG", upright_frames, image.info.get("icc_profile"), settings=settings)


def write(still: Still) -> bytes:
    if still.frames[0].native.dtype == np.uint16 and still.frames[0].native.ndim == 3:
        return _write_deep(still)
    images = [pillow.image(frame) for frame in still.frames]
    out = BytesIO()
    images[0].save(out, "PNG", icc_profile=still.profile, **_options(still, images))
    return out.getvalue()


def fresh(frame: Frame, profile: bytes | None) -> Still:
    """A picture of another format, to be written as PNG."""
    return Still("PNG", (frame,), profile, ".png")


def _options(still: Still, images: list[Any]) -> dict[str, Any]:
    settings = still.settings
    info = PngImagePlugin.PngInfo()
    for name, body in settings.get("colours", ()):
        info.add(name, body)
    options: dict[str, Any] = {"pnginfo": info}
    if images[0].mode == "L":
        options["bits"] = settings.get("bits", 8)
    if settings.get("transparency") is not None:
        options["transparency"] = settings["transparency"]
    if len(images) > 1:
        options |= {
            "save_all": True,
            "append_images": images[1:],
            "default_image": settings["default_image"],
            "duration": [frame.duration_ms for frame in still.frames][settings["default_image"] :],
            "loop": settings["loop"],
        }
    return options


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The first chunk of each name before the pixels; every chunk's checksum is held against its bytes."""
    found: dict[bytes, bytes] = {}
    for name, body in _walk_chunks(memoryview(data)):
        if name not in (b"IDAT", b"fdAT"):
            found.setdefault(name, bytes(body))
    return found


def _walk_chunks(data: memoryview) -> Iterator[tuple[bytes, memoryview]]:
    place, name = len(SIGNATURE), b""
    while name != b"IEND":
        if place + 12 > len(data):
            raise Unreadable("truncated PNG: it ends before its picture does")
        length, name = struct.unpack_from(">I4s", data, place)
        body = data[place + 8 : place + 8 + length]
        check = bytes(data[place + 8 + length : place + 12 + length])
        if struct.pack(">I", zlib.crc32(body, zlib.crc32(name))) != check:
            raise Unreadable("truncated or damaged PNG: a checksum does not hold")
        yield name, body
        place += 12 + length


def _frames(image: PngImagePlugin.PngImageFile, count: int) -> Iterator[Frame]:
    for number in range(count):
        image.seek(number)
        duration = image.info.get("duration", 0) if count > 1 else 0
        animated_palette = (
            count > 1 and image.mode == "P"
        )  # one palette cannot hold what frames are blended to
        yield pillow.frame(image.convert("RGBA") if animated_palette else image, duration)


def _deep(data: bytes, channels: int) -> Frame:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.dtype != np.uint16:
        raise Unreadable("damaged PNG of 16 bits a channel")
    order = {2: [0, 3], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
    return Frame(np.ascontiguousarray(pixels[..., order]))


def _write_deep(still: Still) -> bytes:
    pixels = still.frames[0].native
    height, width, channels = pixels.shape
    parts = [(b"IHDR", struct.pack(">IIBB3x", width, height, 16, _KIND[channels]))]
    if still.profile:
        parts.append((b"iCCP", b"colour\0\0" + zlib.compress(still.profile)))
    clear = still.settings.get("transparency")
    colours = [
        part for part in still.settings.get("colours", ()) if not (still.profile and part[0] == b"sRGB")
    ]
    key = [(b"tRNS", struct.pack(">3H", *clear))] if clear else []
    parts += [*colours, *key, (b"IDAT", _deflated(pixels)), (b"IEND", b"")]
    return SIGNATURE + b"".join(
        struct.pack(">I4s", len(body), name) + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(name)))
        for name, body in parts
    )


def _deflated(pixels: Pixels) -> bytes:
    """Rows, each told from the one above (filter 2, "up"), compressed a few at a time."""
    rows = pixels.reshape(len(pixels), -1)
    deflate = zlib.compressobj()
    above = np.zeros((1, rows.shape[1] * 2), np.uint8)
    out = []
    for top in range(0, len(rows), _ROWS_AT_ONCE):
        some = rows[top : top + _ROWS_AT_ONCE].astype(">u2").view(np.uint8)
        filtered = some - np.concatenate([above, some[:-1]])
        out.append(deflate.compress(np.insert(filtered, 0, 2, axis=1).tobytes()))
        above = some[-1:]
    return b"".join([*out, deflate.flush()])
