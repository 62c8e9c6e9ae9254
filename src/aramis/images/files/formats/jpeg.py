"""JPEG: written back with the quantisation tables, subsampling and scan order of the source.

Of a file with several pictures (stereo, burst, depth) the first is read; the others, like thumbnails, are not carried over.
"""

from io import BytesIO
from typing import Any

import numpy as np
from PIL import JpegImagePlugin

from aramis.images.files.exif import orientation
from aramis.images.files.formats import pillow
from aramis.images.files.frame import Frame, Still, upright

BEST_QUALITY = 95  # for pictures whose source had no JPEG tables


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = JpegImagePlugin.JpegImageFile(BytesIO(data))
    guard([image.size])
    turn = orientation(image.info.get("exif"))
    settings = _settings(image, is_transposed=turn >= 5)
    frame = upright(pillow.frame(image), turn)
    return Still("JPEG", (frame,), image.info.get("icc_profile"), settings=settings)


def write(still: Still) -> bytes:
    out = BytesIO()
    pillow.image(still.frames[0]).save(out, "JPEG", icc_profile=still.profile, **still.settings)
    return out.getvalue()


def fresh(frame: Frame, profile: bytes | None) -> Still:
    """A picture of another format, to be written as JPEG."""
    return Still("JPEG", (frame,), profile, ".jpg", {"quality": BEST_QUALITY, "subsampling": "4:4:4"})


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
        "keep_rgb": image.mode == "RGB" and image.info.get("adobe_transform") == 0,
    }
