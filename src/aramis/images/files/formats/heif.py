"""HEIC: read only. Released as JPEG, or as PNG where there is alpha or more than 8 bits a channel.

No encoder for HEIC exists under a permissive licence, and JPEG is what phones themselves hand out where HEIC cannot be
read. Of a burst the primary picture is read; thumbnails, depth and gain maps are not carried over.
"""

from io import BytesIO

import numpy as np
import pi_heif  # type: ignore[import-untyped]

from aramis.errors import Unreadable
from aramis.images.files.formats import jpeg, pillow, png
from aramis.images.files.frame import Frame, Still

_DISPLAY = {"RGB", "RGBA", "L", "LA", "RGB;16", "RGBA;16", "L;16", "LA;16", "I;16"}


def read(data: bytes, guard: pillow.Guard) -> Still:
    file = pi_heif.HeifFile(BytesIO(data), convert_hdr_to_8bit=False)
    image = file[file.primary_index]
    guard([image.size])
    if image.mode not in _DISPLAY:
        raise Unreadable(f"colours of kind {image.mode} are not supported")
    pixels = np.array(image)
    frame = Frame(pixels)
    profile = image.info.get("icc_profile")
    if pixels.dtype == np.uint8 and not image.has_alpha:
        return jpeg.fresh(frame, profile)
    return png.fresh(frame, profile)
