"""What a file carries besides its picture: every block, tag, track and word that nobody needs to show it.

A file is taken apart by its format's own structure, and all that is not known to be needed is listed by name: so what is new
or hidden is listed too. What it says is not repeated: a list of names can be shown to anybody.
"""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from aramis.images.files.icc import nameless


class Carried(NamedTuple):
    """Something that a file carries: its kind (exif, gps, thumbnail, xmp, iptc, icc, comment, tag, track, trailing, ...)."""

    kind: str
    name: str
    tells: bool = (
        True  # something about somebody, somewhere, some time; not only how the picture is to be shown
    )


def carried(data: bytes) -> list[Carried]:
    """What a photograph carries, in the order of the file."""
    return list(dict.fromkeys([*_as_far_as_it_goes(_of_format(data)), *_exif(data)]))


def carried_by_film(path: Path) -> list[Carried]:
    """What a video carries besides its moving picture: tracks, chapters, tags."""
    from aramis.images.files import video

    return [
        Carried(what.split()[0] if "track" in what else "tag", what, not _is_technical(what))
        for what in video.probe(path).left_behind
    ]


def _as_far_as_it_goes(listed: Iterator[Carried]) -> Iterator[Carried]:
    try:
        yield from listed
    except (IndexError, struct.error, zlib.error):
        yield Carried("block", "something that breaks off")


def _of_format(data: bytes) -> Iterator[Carried]:
    if data.startswith(b"\xff\xd8"):
        yield from _jpeg(data)
    elif data.startswith(b"\x89PNG"):
        yield from _png(data)
    elif data[:4] == b"RIFF":
        yield from _webp(data)
    elif data[:3] == b"GIF":
        yield from _gif(data)
    elif data[4:8] == b"ftyp":
        yield from _heif(data)


def _jpeg(data: bytes) -> Iterator[Carried]:
    """Segments up to the first scan, then whatever follows the end of the picture (T.81, annex B)."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, (size,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        body = data[at + 4 : at + 2 + size]
        if marker == 0xDA:
            break
        if what := _segment(marker, body):
            yield what
        at += 2 + size
    end = data.rfind(b"\xff\xd9")
    if any(data[end + 2 :]):
        yield Carried("trailing", f"{len(data) - end - 2} bytes after the picture")


def _segment(marker: int, body: bytes) -> Carried | None:
    begins = {
        b"http://ns.adobe.com/x": Carried("xmp", "XMP"),
        b"Photoshop 3.0": Carried("iptc", "IPTC and Photoshop's resources"),
        b"MPF\0": Carried("picture", "further pictures (MPF)"),
        b"JFXX": Carried("thumbnail", "thumbnail (JFXX)"),
    }
    if marker == 0xFE:
        return Carried("comment", "comment")
    if not 0xE0 <= marker <= 0xEF or body.startswith((b"Exif\0", b"Adobe")):  # EXIF is listed tag by tag
        return None
    if body.startswith(b"JFIF\0"):
        return Carried("thumbnail", "thumbnail (JFIF)") if any(body[12:14]) else None
    if body.startswith(b"ICC_PROFILE\0"):
        return _icc(body[14:]) if body[12:14] == b"\1\1" else Carried("icc", "a colour profile in parts")
    known = next((what for start, what in begins.items() if body.startswith(start)), None)
    return known or Carried("block", f"APP{marker - 0xE0}")


def _icc(profile: bytes) -> Carried | None:
    return None if nameless(profile) == profile else Carried("icc", "text of the colour profile")


_PNG_SHOWS = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST cICP mDCV cLLI acTL fcTL fdAT".split()
)


def _png(data: bytes) -> Iterator[Carried]:
    at = 8
    while at + 12 <= len(data):
        (size,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if kind == b"iCCP":
            packed = body.split(b"\0", 1)[-1][1:]
            if what := _icc(zlib.decompressobj().decompress(packed, 1 << 24)):
                yield what
        elif kind not in _PNG_SHOWS and kind != b"eXIf":
            word = body.split(b"\0")[0][:80].decode("latin-1") if kind in (b"tEXt", b"zTXt", b"iTXt") else ""
            yield Carried("text" if word else "block", f"{kind.decode('latin-1')} {word}".strip())
        at += 12 + size
        if kind == b"IEND":
            break
    if any(data[at:]):
        yield Carried("trailing", f"{len(data) - at} bytes after the picture")


def _webp(data: bytes) -> Iterator[Carried]:
    end = 8 + struct.unpack_from("<I", data, 4)[0]
    at = 12
    while at + 8 <= min(end, len(data)):
        kind, (size,) = data[at : at + 4], struct.unpack_from("<I", data, at + 4)
        if kind == b"ICCP":
            if what := _icc(data[at + 8 : at + 8 + size]):
                yield what
        elif kind == b"XMP ":
            yield Carried("xmp", "XMP")
        elif kind not in (b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"EXIF"):
            yield Carried("block", kind.decode("latin-1"))
        at += 8 + size + size % 2
    if any(data[end:]):
        yield Carried("trailing", f"{len(data) - end} bytes after the picture")


def _gif(data: bytes) -> Iterator[Carried]:
    at = 13 + (3 << ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    while at < len(data) and data[at] != 0x3B:
        if data[at] == 0x2C:
            table = data[at + 9]
            at = _after_blocks(data, at + 11 + (3 << ((table & 7) + 1) if table & 0x80 else 0))
            continue
        label, name = data[at + 1], data[at + 3 : at + 14]
        if label == 0xFE:
            yield Carried("comment", "comment")
        elif label == 0x01:
            yield Carried("text", "plain text")
        elif label == 0xFF and name not in (b"NETSCAPE2.0", b"ANIMEXTS1.0"):
            yield Carried("xmp" if name.startswith(b"XMP") else "block", name.decode("latin-1"))
        at = _after_blocks(data, at + 2)
    if any(data[at + 1 :]):
        yield Carried("trailing", f"{len(data) - at - 1} bytes after the picture")


def _after_blocks(data: bytes, at: int) -> int:
    while at < len(data) and data[at]:
        at += data[at] + 1
    return at + 1


def _heif(data: bytes) -> Iterator[Carried]:
    """Items by their kind, as `iinf` lists them (ISO/IEC 23008-12)."""
    for kind, what in ((b"mime", Carried("xmp", "XMP")), (b"uri ", Carried("block", "uri item"))):
        at = data.find(b"infe")
        while at >= 0:
            if data[at + 12 : at + 16] == kind:
                yield what
            at = data.find(b"infe", at + 4)


_SHOWS = {
    # TIFF: how the picture lies in the file and is shown
    *range(254, 270), 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 290, 291, 292, 293, 296, 297, 301, *range(317, 326),
    338, 339, 340, 341, *range(512, 515), 519, 520, 521, *range(529, 533), 347,
    0x8769,  # where the tags below are
    0xA005,
    # of EXIF what it is written by, and the colours
    0x9000, 0xA000, 0xA001, 0xA002, 0xA003, 0x9101, 0x9102,
}  # fmt: skip


def _exif(data: bytes) -> Iterator[Carried]:
    """EXIF and TIFF tags by name, with those of the GPS, of the maker and of the thumbnail."""
    from PIL import ExifTags, Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data)) as image:
            exif = image.getexif()
            if (
                image.format == "TIFF"
                and (profile := image.info.get("icc_profile"))
                and (what := _icc(profile))
            ):
                yield what
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):  # Pillow has no reader for it
        return
    inner = exif.get_ifd(ExifTags.IFD.Exif)
    for tag in [*exif, *inner]:
        if tag == 34675:  # the profile in a TIFF, told above
            continue
        if tag == 0x8825:
            yield from (
                Carried("gps", str(ExifTags.GPSTAGS.get(one, one)))
                for one in exif.get_ifd(ExifTags.IFD.GPSInfo)
            )
            continue
        kind = {0x927C: "maker", 33723: "iptc", 34377: "iptc", 700: "xmp"}.get(tag, "exif")
        name = {700: "XMP"}.get(tag, str(ExifTags.TAGS.get(tag, tag)))
        yield Carried(kind, name, tag not in _SHOWS)
    if image.format != "TIFF" and exif.get_ifd(ExifTags.IFD.IFD1):
        yield Carried("thumbnail", "thumbnail (EXIF)")


_TECHNICAL = (
    "encoder",
    "major_brand",
    "minor_version",
    "compatible_brands",
    "handler_name",
    "vendor_id",
    "language",
    "duration",
)


def _is_technical(what: str) -> bool:
    """Tags that any writer of the format adds, whatever the source said."""
    return what.lower().startswith("tag ") and what.lower().removeprefix("tag ").startswith(_TECHNICAL)
