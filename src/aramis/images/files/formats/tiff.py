"""TIFF: every page, every depth; what was not redacted stays the same to the bit.

Pages are written here rather than by a library, so that nothing is in the file but sizes, colours and pixels:
little-endian, deflate, one strip of rows after another (TIFF 6.0; compression 8 of Adobe's technical note 3).
"""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
from PIL import TiffImagePlugin

from aramis.errors import Unreadable
from aramis.images.files.formats import pillow
from aramis.images.files.frame import Frame, Pixels, Space, Still, upright

_BITS, _COLOURS, _TURN, _SAMPLES, _PROFILE, _KIND = 258, 262, 274, 277, 34675, 339
_STRIP = 1 << 20  # bytes of pixels in one strip, about
_SHORT, _LONG, _BYTES = 3, 4, 7


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = TiffImagePlugin.TiffImageFile(BytesIO(data))
    count = image.n_frames
    guard([_size(image, number) for number in range(count)])
    return Still("TIFF", tuple(_pages(image, data, count)), image.tag_v2.get(_PROFILE))


def write(still: Still) -> bytes:
    out = bytearray(b"II*\0\0\0\0\0")
    link = 4  # where the place of the next page is written
    for frame in still.frames:
        strips = list(_strips(frame))
        places = []
        for strip in strips:
            places.append(len(out))
            out += strip
        struct.pack_into("<I", out, link, len(out) + len(out) % 2)
        link = _append_page(out, _tags(frame, still.profile, places, [len(strip) for strip in strips]))
    if len(out) >= 1 << 32:
        raise Unreadable("more than 4 GB of pixels: too much for one TIFF")
    return bytes(out)


def _size(image: TiffImagePlugin.TiffImageFile, number: int) -> tuple[int, int]:
    image.seek(number)
    return image.size


def _pages(image: TiffImagePlugin.TiffImageFile, data: bytes, count: int) -> Iterator[Frame]:
    for number in range(count):
        image.seek(number)
        tags = image.tag_v2
        deep = max(tags.get(_BITS, (1,))) > 8 and tags.get(_SAMPLES, 1) > 1
        frame = _deep(data, number) if deep else pillow.frame(image)
        turn = tags.get(_TURN, 1)
        yield upright(frame, turn if 1 <= turn <= 8 else 1)


def _deep(data: bytes, number: int) -> Frame:
    """Colour with more than 8 bits a channel, which Pillow does not hold."""
    done, pages = cv2.imdecodemulti(
        np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED, range=(number, number + 1)
    )
    if not done or pages[0].dtype != np.uint16 or pages[0].ndim != 3:
        raise Unreadable("a TIFF of a kind that is not supported, or damaged")
    return Frame(np.ascontiguousarray(pages[0][..., [2, 1, 0, 3][: pages[0].shape[2]]]))


def _strips(frame: Frame) -> Iterator[bytes]:
    rows = np.packbits(frame.native, axis=1) if frame.space is Space.BILEVEL else _predicted(frame.native)
    step = _rows_per_strip(frame)
    for top in range(0, len(rows), step):
        yield zlib.compress(rows[top : top + step].astype(rows.dtype.newbyteorder("<")).tobytes())


def _rows_per_strip(frame: Frame) -> int:
    return int(max(1, _STRIP // frame.native[0].nbytes))


def _predicted(pixels: Pixels) -> Pixels:
    """Whole numbers as differences from the pixel to the left (predictor 2)."""
    if pixels.dtype.kind == "f":
        return pixels
    first = pixels[:, :1]
    return np.concatenate([first, pixels[:, 1:] - pixels[:, :-1]], axis=1)


def _tags(
    frame: Frame, profile: bytes | None, places: list[int], lengths: list[int]
) -> list[tuple[int, int, Any]]:
    pixels = frame.native
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    bits = 1 if frame.space is Space.BILEVEL else pixels.dtype.itemsize * 8
    colours, extra = _photometric(frame, channels)
    tags: list[tuple[int, int, Any]] = [
        (256, _LONG, [frame.width]),
        (257, _LONG, [frame.height]),
        (_BITS, _SHORT, [bits] * channels),
        (259, _SHORT, [8]),
        (_COLOURS, _SHORT, [colours]),
        (273, _LONG, places),
        (_SAMPLES, _SHORT, [channels]),
        (278, _LONG, [_rows_per_strip(frame)]),
        (279, _LONG, lengths),
        (284, _SHORT, [1]),
        (317, _SHORT, [1 if bits == 1 or pixels.dtype.kind == "f" else 2]),
    ]
    if frame.palette is not None:
        full = np.zeros((256, 3), np.uint16)
        full[: len(frame.palette)] = frame.palette[:, :3].astype(np.uint16) * 257
        tags.append((320, _SHORT, full.T.ravel().tolist()))
    if extra:
        tags.append((338, _SHORT, [2] * extra))
    tags.append((_KIND, _SHORT, [{"f": 3, "i": 2}.get(pixels.dtype.kind, 1)] * channels))
    if profile:
        tags.append((_PROFILE, _BYTES, profile))
    return tags


def _photometric(frame: Frame, channels: int) -> tuple[int, int]:
    """What the channels mean, and how many of them are alpha."""
    match frame.space:
        case Space.PALETTE:
            return 3, 0
        case Space.CMYK:
            return 5, 0
        case _:
            return (2, channels - 3) if channels >= 3 else (1, channels - 1)


def _append_page(out: bytearray, tags: list[tuple[int, int, Any]]) -> int:
    """Add a page's table of tags with the values that do not fit into it; return where the next page is linked."""
    out += bytes(len(out) % 2)
    values_at = len(out) + 2 + 12 * len(tags) + 4
    table, values = bytearray(struct.pack("<H", len(tags))), bytearray()
    for tag, kind, value in tags:
        data = (
            value if kind == _BYTES else struct.pack(f"<{len(value)}{'H' if kind == _SHORT else 'I'}", *value)
        )
        table += struct.pack("<HHI", tag, kind, len(value))
        if len(data) <= 4:
            table += data.ljust(4, b"\0")
        else:
            table += struct.pack("<I", values_at + len(values))
            values += data + bytes(len(data) % 2)
    out += table + bytes(4) + values
    return values_at - 4
