"""BMP: 1 bit, palette, grey, colour."""

from io import BytesIO

from PIL import BmpImagePlugin

from aramis.images.files.formats import pillow
from aramis.images.files.frame import Still


def read(data: bytes, guard: pillow.Guard) -> Still:
    image = BmpImagePlugin.BmpImageFile(BytesIO(data))
    guard([image.size])
    return Still("BMP", (pillow.frame(image),))


def write(still: Still) -> bytes:
    out = BytesIO()
    pillow.image(still.frames[0]).save(out, "BMP")
    return out.getvalue()
