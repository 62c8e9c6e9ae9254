"""Photographs: bytes ⇄ pixels, for JPEG, PNG, WebP, TIFF, BMP, GIF, HEIC and AVIF, animations included.

The format is told by the bytes, never by the name. EXIF orientation is applied; colour profile, depth, alpha, palette and
the source's compression are kept; every other word in the file is dropped, because what is written is built anew.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import ModuleType

from aramis.errors import Unreadable
from aramis.images.files.frame import Still
from aramis.images.files.icc import nameless

MEGAPIXELS = 250  # the largest picture that is opened (all frames together), unless asked for more

Admit = Callable[[int], object]

_FORMATS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("jpeg", lambda head: head.startswith(b"\xff\xd8\xff")),
    ("png", lambda head: head.startswith(b"\x89PNG\r\n\x1a\n")),
    ("webp", lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP"),
    ("tiff", lambda head: head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
    ("bmp", lambda head: head.startswith(b"BM")),
    ("gif", lambda head: head[:6] in (b"GIF87a", b"GIF89a")),
    ("avif", lambda head: head[4:8] == b"ftyp" and any(b in head for b in (b"avif", b"avis"))),
    (
        "heif",
        lambda head: head[4:8] == b"ftyp" and any(b in head for b in (b"heic", b"heix", b"mif1", b"msf1")),
    ),
)


def decode(data: bytes, megapixels: float = MEGAPIXELS, admit: Admit | None = None) -> Still:
    """The pixels of a file, upright, and what it takes to write them back; or Unreadable, saying why.

    `admit` is told how many pixels are about to be decoded, all frames together, and may wait until there is room.
    """
    if not data:
        raise Unreadable("empty: the file has no bytes")
    name = next((name for name, fits in _FORMATS if fits(data[:40])), None)
    if name is None:
        raise Unreadable("not a picture of a format that Aramis reads")
    try:
        still: Still = _format(name).read(data, partial(_guard, megapixels, admit))
    except Unreadable:
        raise
    except MemoryError:
        raise Unreadable("too large for the memory of this machine") from None
    except Exception as error:  # noqa: BLE001 (decoders meet damaged and hostile bytes, and raise whatever they like)
        raise Unreadable(f"damaged, truncated or of a rare kind of {name.upper()}: {error}") from None
    return replace(still, profile=nameless(still.profile))


def encode(still: Still) -> bytes:
    """The bytes of a file in the same format, without any metadata."""
    data: bytes = _format(still.format.lower()).write(still)
    return data


def _format(name: str) -> ModuleType:
    return import_module(f"aramis.images.files.formats.{name}")


def _guard(limit: float, admit: Admit | None, sizes: Sequence[tuple[int, int]]) -> None:
    if not sizes or min(min(size) for size in sizes) < 1:
        raise Unreadable("a picture without pixels")
    pixels = sum(width * height for width, height in sizes)
    if pixels > limit * 1e6:
        width, height = sizes[0]
        what = f"{len(sizes)} frames of {width} x {height}" if len(sizes) > 1 else f"{width} x {height}"
        raise Unreadable(
            f"{what} pixels: {pixels / 1e6:.0f} megapixels, above the limit of {limit:g} (--max-megapixels raises it)"
        )
    if admit:
        admit(pixels)
