"""JPEG: blocks that were not redacted are copied; the others get the tables, subsampling and colours of the source.

Of a file with several pictures (stereo, burst, depth) the first is read; the others, like thumbnails, are not carried over.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import JpegImagePlugin

from aramis.images.files.exif import orientation
from aramis.images.files.formats import jpeg_blocks, pillow
from aramis.images.files.formats.jpeg_blocks import Jpeg
from aramis.images.files.frame import Frame, Pixels, Space, Still, upright

BEST_QUALITY = 95  # for pictures whose source had no JPEG tables
_SAME = 3  # how far a copied block that was turned may be from the turned pixels: rounding


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = JpegImagePlugin.JpegImageFile(BytesIO(data))
    guard([image.size])
    turn = orientation(image.info.get("exif"))
    settings = _settings(image, is_transposed=turn >= 5)
    frame = upright(pillow.frame(image), turn)
    source = {"data": data, "turn": turn, "frame": frame}
    return Still(
        "JPEG", (frame,), image.info.get("icc_profile"), settings={"encoder": settings, "source": source}
    )


def write(still: Still) -> bytes:
    return _written_in_blocks(still) or _encoded(still.frames[0], still.profile, still.settings["encoder"])


def fresh(frame: Frame, profile: bytes | None) -> Still:
    """A picture of another format, to be written as JPEG."""
    settings = {"encoder": {"quality": BEST_QUALITY, "subsampling": "4:4:4"}}
    return Still("JPEG", (frame,), profile, ".jpg", settings)


def _encoded(frame: Frame, profile: bytes | None, settings: dict[str, Any]) -> bytes:
    out = BytesIO()
    pillow.image(frame).save(out, "JPEG", icc_profile=profile, **settings)
    return out.getvalue()


def _written_in_blocks(still: Still) -> bytes | None:
    """The file with new blocks where pixels changed; None where that cannot be done, or did not come out as it should."""
    source, frame = still.settings.get("source"), still.frames[0]
    if source is None or frame.space is not Space.PLAIN:
        return None
    jpeg = jpeg_blocks.parsed(source["data"])
    jpeg = jpeg and jpeg_blocks.turned(jpeg, source["turn"])
    if jpeg is None or (jpeg.width, jpeg.height) != (frame.width, frame.height):
        return None
    before = source["frame"].native
    touched = _touched(before, frame.native, jpeg)
    for column, row, where in _patches(touched):
        wide, high = jpeg.unit
        area = frame.native[
            row * high : (row + len(where)) * high, column * wide : (column + where.shape[1]) * wide
        ]
        patch = jpeg_blocks.parsed(
            _encoded(Frame(area), None, {**still.settings["encoder"], "progressive": False})
        )
        if patch is None or not jpeg_blocks.patched(jpeg, patch, column, row, where):
            return None
    data = jpeg_blocks.assembled(jpeg, still.profile)
    return data if data and _is_right(data, before, frame.native, touched, jpeg) else None


def _touched(before: Pixels, after: Pixels, jpeg: Jpeg) -> NDArray[np.uint8]:
    """1 for each unit of blocks in which a pixel changed."""
    wide, high = jpeg.unit
    touched = np.zeros((-(-jpeg.height // high), -(-jpeg.width // wide)), np.uint8)
    channels = before[0, 0].size
    columns = np.arange(0, jpeg.width * channels, wide * channels)
    for row in range(len(touched) if after is not before else 0):
        band = slice(row * high, (row + 1) * high)
        differs = before[band] != after[band]
        touched[row] = np.logical_or.reduceat(differs.reshape(len(differs), -1).any(axis=0), columns)
    return touched


def _patches(touched: NDArray[np.uint8]) -> Iterator[tuple[int, int, NDArray[np.bool_]]]:
    """The touched units in connected pieces: column and row of the piece's box, and which units in it are touched."""
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(touched, connectivity=4)
    for label in range(1, count):
        left, top, columns, rows = (int(side) for side in boxes[label][:4])
        yield left, top, labels[top : top + rows, left : left + columns] == label


def _is_right(data: bytes, before: Pixels, after: Pixels, touched: NDArray[np.uint8], jpeg: Jpeg) -> bool:
    """Read back: outside what was redacted the pixels are the source's, and inside they are nearer to the redaction."""
    wide, high = jpeg.unit
    nearer = 0.0
    for top, decoded in pillow.bands(JpegImagePlugin.JpegImageFile(BytesIO(data)), high):
        band, first = slice(top, top + len(decoded)), top // high
        above = min(first, 1)  # colours of a touched unit reach over its edge, into the next
        units = touched[first - above : (top + len(decoded)) // high + 2]
        inside = units.repeat(high, axis=0).repeat(wide, axis=1)[:, : jpeg.width] * np.uint8(255)
        own = slice(above * high, above * high + len(decoded))
        near = cv2.dilate(inside, np.ones((5, 5), np.uint8))[own]
        off = cv2.absdiff(decoded, before[band])
        if cv2.countNonZero(_within(_SAME, off) | near) < near.size:
            return False
        still_off = cv2.absdiff(decoded, after[band])
        nearer += cv2.countNonZero(inside[own]) * (
            sum(cv2.mean(off, inside[own])) - sum(cv2.mean(still_off, inside[own]))
        )
    return nearer >= 0


def _within(limit: int, differences: Pixels) -> Pixels:
    """255 where no channel differs by more."""
    return np.asarray(cv2.inRange(differences, (0, 0, 0, 0), (limit,) * 4))


def _settings(image: JpegImagePlugin.JpegImageFile, *, is_transposed: bool) -> dict[str, Any]:
    tables = [np.reshape(image.quantization[layer[3]], (8, 8)) for layer in image.layer[:3]]
    while len(tables) > 1 and np.array_equal(tables[-1], tables[-2]):  # the last one goes for the rest
        tables.pop()
    sampling = JpegImagePlugin.get_sampling(image)
    if sampling == -1 or (is_transposed and sampling == 1):  # none that can be written: keep every colour
        sampling = 0
    return {
        "qtables": [(table.T if is_transposed else table).ravel().tolist() for table in tables],
        "subsampling": sampling,
        "progressive": bool(image.info.get("progressive")),
        "keep_rgb": image.mode == "RGB"
        and image.info.get("adobe_transform") == 0
        and "jfif" not in image.info,
    }
