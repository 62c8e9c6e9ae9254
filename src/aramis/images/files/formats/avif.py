"""AVIF, still and animated, 8 to 12 bits a channel. Written at a quality that is hard to tell from its source."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
from PIL import AvifImagePlugin

from aramis.errors import Unreadable
from aramis.images.files.exif import orientation
from aramis.images.files.formats import pillow
from aramis.images.files.frame import Frame, Still, upright

QUALITY = 90  # the source's own is not written in the file
_NAMED_COLOURS = b"colrnclx"  # a box: primaries, transfer, matrix (ISO/IEC 23008-12, colour information)


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = AvifImagePlugin.AvifImageFile(BytesIO(data))
    guard([image.size] * image.n_frames)
    depth = _depth(data)
    frames = [_deep(data, depth)] if depth > 8 and image.n_frames == 1 else list(_frames(image))
    turn = orientation(image.info.get("exif"))
    return Still(
        "AVIF",
        tuple(upright(frame, turn) for frame in frames),
        image.info.get("icc_profile"),
        settings={"depth": depth, "colours": _named_colours(data)},
    )


def write(still: Still) -> bytes:
    is_deep = still.frames[0].native.dtype == np.uint16
    data = _write_deep(still) if is_deep else _write(still)
    ours, theirs = _named_colours(data), still.settings["colours"]
    return data.replace(_NAMED_COLOURS + ours, _NAMED_COLOURS + theirs, 1) if ours and theirs else data


def _depth(data: bytes) -> int:
    """Bits a channel, from the codec's configuration box (AV1-ISOBMFF, section 2.3.3)."""
    place = data.find(b"av1C")
    flags = data[place + 6] if 0 <= place < len(data) - 6 else 0
    return (12 if flags & 0x20 else 10) if flags & 0x40 else 8


def _named_colours(data: bytes) -> bytes:
    """Primaries and transfer function by number, where the file names them so."""
    place = data.find(_NAMED_COLOURS)
    return data[place + 8 : place + 12] if place >= 0 else b""


def _frames(image: AvifImagePlugin.AvifImageFile) -> Iterator[Frame]:
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        yield pillow.frame(image, image.info.get("duration", 0))


def _deep(data: bytes, depth: int) -> Frame:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if pixels is None or pixels.dtype != np.uint16:
        raise Unreadable(f"damaged AVIF of {depth} bits a channel")
    order = [2, 1, 0, 3][: pixels.shape[2]]
    return Frame(np.left_shift(pixels[..., order], 16 - depth, dtype=np.uint16))


def _write(still: Still) -> bytes:
    images = [pillow.image(frame) for frame in still.frames]
    options: dict[str, Any] = {"quality": QUALITY, "subsampling": "4:4:4", "icc_profile": still.profile}
    if len(images) > 1:
        durations = [round(frame.duration_ms) for frame in still.frames]
        options |= {"save_all": True, "append_images": images[1:], "duration": durations}
    out = BytesIO()
    images[0].save(out, "AVIF", **options)
    return out.getvalue()


def _write_deep(still: Still) -> bytes:
    depth = still.settings["depth"]
    pixels = still.frames[0].native >> (16 - depth)
    options = [cv2.IMWRITE_AVIF_DEPTH, depth, cv2.IMWRITE_AVIF_QUALITY, QUALITY]
    profile = np.frombuffer(still.profile or b"", np.uint8)
    kinds, texts = ([cv2.IMAGE_METADATA_ICCP], [profile]) if still.profile else ([], [])
    order = [2, 1, 0, 3][: pixels.shape[2]]
    done, data = cv2.imencodeWithMetadata(
        ".avif", np.ascontiguousarray(pixels[..., order]), kinds, texts, options
    )
    if not done:
        raise Unreadable(f"AVIF of {depth} bits a channel could not be written")
    return bytes(data)
