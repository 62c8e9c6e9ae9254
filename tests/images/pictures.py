"""Pictures made on the spot, one for each way in which a file can hold colours."""

from io import BytesIO
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from aramis.images.files.frame import Frame, Space, Still
from aramis.images.files.still import encode

WIDTH, HEIGHT = 61, 43
_RNG = np.random.default_rng(7)


def noise(channels: int = 3, bits: int = 8) -> NDArray[Any]:
    shape = (HEIGHT, WIDTH, channels) if channels > 1 else (HEIGHT, WIDTH)
    return _RNG.integers(0, 1 << bits, shape).astype(np.uint16 if bits > 8 else np.uint8)


def smooth(channels: int = 3) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(noise(channels), (0, 0), 6), np.uint8)


def saved(picture: Any, format: str, **options: Any) -> bytes:  # noqa: A002  # as Pillow calls it
    out = BytesIO()
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    image.save(out, format, **options)
    return out.getvalue()


def bilevel() -> Image.Image:
    return Image.fromarray(noise(1)).convert("1")


def indexed(colours: int = 200) -> Image.Image:
    return Image.fromarray(noise()).quantize(colours)


def cmyk() -> Image.Image:
    return Image.frombytes("CMYK", (WIDTH, HEIGHT), noise(4).tobytes())


def frames(count: int = 4) -> list[Image.Image]:
    return [Image.fromarray(noise() // 64 * 64) for _ in range(count)]


def _animated(format: str, pictures: list[Image.Image], **options: Any) -> bytes:  # noqa: A002
    times = [100, 50, 70, 30]
    first, *rest = pictures
    return saved(first, format, save_all=True, append_images=rest, duration=times, loop=0, **options)


def _own(format: str, frame: Frame) -> bytes:  # noqa: A002
    return encode(Still(format, (frame,), settings={"colours": b"", "depth": 8}))


def _deep(extension: str, channels: int) -> bytes:
    return cv2.imencode(extension, noise(channels, 16))[1].tobytes()


LOSSLESS = {
    "png-1-bit": saved(bilevel(), "PNG"),
    "png-2-bit-grey": saved(Image.fromarray(noise(1) // 64 * 85), "PNG", bits=2),
    "png-grey": saved(noise(1), "PNG"),
    "png-grey-alpha": saved(noise(2), "PNG"),
    "png-colour": saved(noise(3), "PNG"),
    "png-colour-alpha": saved(noise(4), "PNG"),
    "png-colour-key": saved(noise(3), "PNG", transparency=(3, 4, 5)),
    "png-palette": saved(indexed(), "PNG"),
    "png-palette-of-4": saved(indexed(4), "PNG"),
    "png-palette-clear": saved(indexed(), "PNG", transparency=3),
    "png-16-bit-grey": saved(Image.fromarray(noise(1, 16)), "PNG"),
    "png-16-bit-grey-alpha": _own("PNG", Frame(noise(2, 16))),
    "png-16-bit-colour": _deep(".png", 3),
    "png-16-bit-colour-alpha": _deep(".png", 4),
    "png-animated": _animated("PNG", frames()),
    "png-animated-palette": _animated("PNG", [frame.quantize(64) for frame in frames()]),
    "webp-lossless": saved(noise(3), "WEBP", lossless=True),
    "webp-lossless-alpha": saved(noise(4), "WEBP", lossless=True, exact=True),
    "webp-animated": _animated("WEBP", frames(), lossless=True),
    "tiff-1-bit": saved(bilevel(), "TIFF", compression="group4"),
    "tiff-grey": saved(noise(1), "TIFF"),
    "tiff-grey-alpha": saved(noise(2), "TIFF"),
    "tiff-colour": saved(noise(3), "TIFF", compression="tiff_lzw"),
    "tiff-colour-alpha": saved(noise(4), "TIFF"),
    "tiff-palette": saved(indexed(), "TIFF"),
    "tiff-cmyk": saved(cmyk(), "TIFF"),
    "tiff-16-bit-grey": saved(Image.fromarray(noise(1, 16)), "TIFF"),
    "tiff-16-bit-colour": _deep(".tiff", 3),
    "tiff-16-bit-colour-alpha": _deep(".tiff", 4),
    "tiff-float": saved(noise(1).astype(np.float32) / 7, "TIFF"),
    "tiff-int32": saved(noise(1).astype(np.int32) * 999 - 5, "TIFF"),
    "tiff-pages": saved(noise(3), "TIFF", save_all=True, append_images=[indexed(), bilevel()]),
    "bmp-1-bit": saved(bilevel(), "BMP"),
    "bmp-grey": saved(noise(1), "BMP"),
    "bmp-palette": saved(indexed(), "BMP"),
    "bmp-colour": saved(noise(3), "BMP"),
    "gif": saved(indexed(), "GIF"),
    "gif-clear": saved(indexed(), "GIF", transparency=3),
    "gif-animated": _animated("GIF", [frame.quantize(64) for frame in frames()]),
    "gif-animated-clear": _animated(
        "GIF", [frame.quantize(64) for frame in frames()], disposal=2, transparency=1
    ),
}
LOSSY = {
    "jpeg": saved(smooth(), "JPEG", quality=90),
    "jpeg-4:4:4": saved(smooth(), "JPEG", quality=85, subsampling=0),
    "jpeg-4:2:2": saved(smooth(), "JPEG", quality=85, subsampling=1),
    "jpeg-progressive": saved(smooth(), "JPEG", quality=70, progressive=True),
    "jpeg-grey": saved(smooth(1), "JPEG", quality=60),
    "jpeg-cmyk": saved(Image.frombytes("CMYK", (WIDTH, HEIGHT), smooth(4).tobytes()), "JPEG", quality=90),
    "jpeg-rgb": saved(smooth(), "JPEG", quality=90, keep_rgb=True),
    "webp": saved(smooth(), "WEBP", quality=80),
    "webp-alpha": saved(smooth(4), "WEBP", quality=80),
    "avif": saved(smooth(), "AVIF", quality=80),
    "avif-alpha": saved(smooth(4), "AVIF", quality=80),
    "avif-animated": _animated("AVIF", [Image.fromarray(smooth()) for _ in range(4)]),
    "avif-10-bit": cv2.imencode(".avif", smooth().astype(np.uint16) << 2, [cv2.IMWRITE_AVIF_DEPTH, 10])[
        1
    ].tobytes(),
    "avif-12-bit": cv2.imencode(".avif", smooth().astype(np.uint16) << 4, [cv2.IMWRITE_AVIF_DEPTH, 12])[
        1
    ].tobytes(),
}
EVERY = LOSSLESS | LOSSY
SPACES = set(Space)
