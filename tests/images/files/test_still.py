"""What goes in comes out: every way in which a file can hold colours, and every word in it dropped."""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image, ImageCms, ImageFile, JpegImagePlugin, PngImagePlugin
from tests.images.pictures import EVERY, HEIGHT, LOSSLESS, LOSSY, WIDTH, cmyk, noise, saved, smooth

from aramis.errors import Unreadable
from aramis.images.files.frame import Frame, Space, plain, seen, with_plain
from aramis.images.files.still import decode, encode

HEIC = Path(__file__).parent / "heic"


def names(things: dict[str, bytes]) -> list[str]:
    return sorted(things)


@pytest.mark.parametrize("name", names(LOSSLESS))
def test_a_lossless_picture_comes_back_the_same_to_the_bit(name: str) -> None:
    still = decode(LOSSLESS[name])
    again = decode(encode(still))
    assert again.format == still.format
    assert len(again.frames) == len(still.frames)
    for before, after in zip(still.frames, again.frames, strict=True):
        assert (after.native.dtype, after.native.shape) == (before.native.dtype, before.native.shape)
        assert after.space is before.space
        assert after.duration_ms == before.duration_ms
        assert np.array_equal(plain(after), plain(before))


@pytest.mark.parametrize("name", names(LOSSY))
def test_a_lossy_picture_comes_back_in_the_same_kind_and_hardly_changed(name: str) -> None:
    still = decode(LOSSY[name])
    again = decode(encode(still))
    assert again.format == still.format
    if still.format != "JPEG":
        assert again.settings == still.settings
    for before, after in zip(still.frames, again.frames, strict=True):
        assert (after.native.dtype, after.native.shape) == (before.native.dtype, before.native.shape)
        assert (after.space, after.duration_ms) == (before.space, before.duration_ms)
        scale = 257 if before.native.dtype == np.uint16 else 1
        assert np.abs(plain(after).astype(float) - plain(before)).mean() < 2 * scale


@pytest.mark.parametrize("name", names(EVERY))
def test_other_programs_can_open_what_is_written(name: str) -> None:
    data = encode(decode(EVERY[name]))
    if "16-bit-grey-alpha" not in name:  # Pillow shows it with 8 bits
        with Image.open(BytesIO(data)) as image:
            image.load()
            assert image.size == (WIDTH, HEIGHT)


@pytest.mark.parametrize("name", names(EVERY))
def test_what_a_detector_sees_is_rgb_of_8_bits_whatever_the_file_holds(name: str) -> None:
    for frame in decode(EVERY[name]).frames:
        pixels = seen(frame)
        assert pixels.dtype == np.uint8
        assert pixels.shape == (HEIGHT, WIDTH, 3)
        assert pixels.max() > 50


@pytest.mark.parametrize("name", names(LOSSLESS))
def test_only_what_a_redactor_changed_is_changed(name: str) -> None:
    still = decode(LOSSLESS[name])
    frame = still.frames[0]
    painted = plain(frame).copy()
    painted[10:20, 10:30] = np.iinfo(painted.dtype).max // 2
    changed = with_plain(frame, painted)
    expected = plain(changed)
    assert np.array_equal(expected[20:], plain(frame)[20:])
    assert np.array_equal(expected[:, :10], plain(frame)[:, :10])
    assert len(np.unique(expected[10:20, 10:30].reshape(200, -1), axis=0)) == 1
    assert changed.native.dtype == frame.native.dtype


@pytest.mark.parametrize(
    ("name", "frames"),
    [(name, 3 if "pages" in name else 4) for name in names(EVERY) if "anim" in name or "pages" in name],
)
def test_every_frame_and_page_is_kept(name: str, frames: int) -> None:
    assert len(decode(encode(decode(EVERY[name]))).frames) == frames


ORIENTATIONS = {
    1: [[1, 2], [3, 4]],
    2: [[2, 1], [4, 3]],
    3: [[4, 3], [2, 1]],
    4: [[3, 4], [1, 2]],
    5: [[1, 3], [2, 4]],
    6: [[3, 1], [4, 2]],
    7: [[4, 2], [3, 1]],
    8: [[2, 4], [1, 3]],
}


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("format_", ["PNG", "TIFF", "JPEG", "WEBP"])
def test_the_picture_is_upright_and_says_nothing_of_having_been_turned(
    orientation: int, format_: str
) -> None:
    quarters = np.kron([[1, 2], [3, 4]], np.ones((16, 24))).astype(np.uint8) * 50
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    options = {"lossless": True} if format_ == "WEBP" else {"quality": 95} if format_ == "JPEG" else {}
    data = encode(decode(saved(quarters, format_, exif=exif, **options)))
    pixels = seen(decode(data).frames[0])[..., 0]
    corners = [[pixels[4, 4], pixels[4, -4]], [pixels[-4, 4], pixels[-4, -4]]]
    assert np.abs(np.array(corners) - 50.0 * np.array(ORIENTATIONS[orientation])).max() <= 3
    with Image.open(BytesIO(data)) as image:
        assert image.getexif().get(ExifTags.Base.Orientation, 1) == 1


def test_heic_is_released_as_jpeg_and_turned_once() -> None:
    still = decode((HEIC / "turned.heic").read_bytes())
    assert (still.format, still.suffix) == ("JPEG", ".jpg")
    assert seen(still.frames[0]).shape == (64, 48, 3)
    assert encode(still).startswith(b"\xff\xd8")


@pytest.mark.parametrize(("name", "dtype", "channels"), [("alpha", np.uint8, 4), ("deep", np.uint16, 3)])
def test_heic_with_alpha_or_more_than_8_bits_is_released_as_png(
    name: str, dtype: type, channels: int
) -> None:
    still = decode((HEIC / f"{name}.heic").read_bytes())
    again = decode(encode(still))
    assert (again.format, still.suffix) == ("PNG", ".png")
    assert again.frames[0].native.dtype == dtype
    assert again.frames[0].native.shape == (48, 64, channels)


SECRET = b"SECRET-4711"


def with_metadata(format_: str) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = SECRET.decode()
    exif[ExifTags.Base.MakerNote] = SECRET
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitudeRef] = SECRET.decode()
    xmp = b"<x:xmpmeta>" + SECRET + b"</x:xmpmeta>"
    if format_ == "PNG":
        info = PngImagePlugin.PngInfo()
        info.add_text("Comment", SECRET.decode())
        info.add_itxt("XML:com.adobe.xmp", xmp.decode())
        info.add(b"prVt", SECRET)
        return saved(smooth(), "PNG", exif=exif, pnginfo=info) + SECRET
    if format_ == "GIF":
        return saved(Image.fromarray(smooth()).quantize(16), "GIF", comment=SECRET) + SECRET
    if format_ == "TIFF":
        tags = {270: SECRET.decode(), 315: SECRET.decode(), 33723: SECRET, 700: xmp}
        return saved(smooth(), "TIFF", tiffinfo=tags)
    return saved(smooth(), format_, exif=exif, xmp=xmp, **({"comment": SECRET} if format_ == "JPEG" else {}))


def with_thumbnail_and_iptc() -> bytes:
    """A JPEG whose head also holds a thumbnail, an IPTC block, a second picture and a trailer."""
    plain_jpeg = saved(smooth(), "JPEG")
    segments = b""
    for marker, body in [
        (0xE1, b"Exif\0\0MM\0*" + SECRET + saved(smooth(), "JPEG")),
        (0xED, b"Photoshop 3.0\0" + SECRET),
        (0xE2, b"MPF\0" + SECRET),
        (0xFE, SECRET),
    ]:
        segments += struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body
    return plain_jpeg[:2] + segments + plain_jpeg[2:] + plain_jpeg + SECRET


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "AVIF"])
def test_no_word_of_the_metadata_is_left(format_: str) -> None:
    data = with_metadata(format_)
    assert SECRET in data
    written = encode(decode(data))
    assert SECRET not in written
    assert b"xmp" not in written.lower()
    assert b"exif" not in written.lower()


@pytest.mark.filterwarnings("ignore")  # Pillow's, at this odd EXIF
def test_thumbnails_second_pictures_and_trailers_are_left_behind() -> None:
    written = encode(decode(with_thumbnail_and_iptc()))
    assert SECRET not in written
    assert written.count(b"\xff\xd8\xff") == 1
    assert {marker for marker in b"\xe1\xe2\xed\xfe" if bytes([0xFF, marker]) in written[:200]} == set()


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_the_colour_profile_is_kept_without_its_words(format_: str) -> None:
    made = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = ImageCms.ImageCmsProfile(BytesIO(made))
    written = encode(decode(saved(smooth(), format_, icc_profile=made)))
    with Image.open(BytesIO(written)) as image:
        kept = ImageCms.ImageCmsProfile(BytesIO(image.info["icc_profile"]))
    assert ImageCms.getProfileDescription(kept).strip() == "colour"
    assert kept.profile.red_primary
    assert profile.profile.red_primary
    assert kept.profile.red_primary[0] == pytest.approx(profile.profile.red_primary[0])
    assert b"sRGB" not in kept.tobytes()[128:]


def test_gamma_and_named_colours_of_a_png_are_kept() -> None:
    info = PngImagePlugin.PngInfo()
    info.add(b"gAMA", struct.pack(">I", 50_000))
    info.add(b"cICP", bytes([9, 16, 0, 1]))
    written = encode(decode(saved(noise(), "PNG", pnginfo=info)))
    assert b"gAMA" + struct.pack(">I", 50_000) in written
    assert b"cICP" + bytes([9, 16, 0, 1]) in written


def jpeg(data: bytes) -> JpegImagePlugin.JpegImageFile:
    return JpegImagePlugin.JpegImageFile(BytesIO(data))


@pytest.mark.parametrize(
    "options", [{"subsampling": 1}, {"progressive": True}, {"keep_rgb": True}, {"quality": 5}]
)
def test_jpeg_keeps_the_tables_and_subsampling_of_its_source(options: dict[str, Any]) -> None:
    source = saved(smooth(), "JPEG", **{"quality": 37, **options})
    written = encode(decode(source))
    before, after = jpeg(source), jpeg(written)
    assert after.quantization == before.quantization
    assert after.layer == before.layer
    assert len(written) < 1.1 * len(source)


def test_a_turned_jpeg_keeps_its_quality_in_both_directions() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    tables = [list(range(1, 65)), list(range(2, 66))]
    source = saved(smooth(), "JPEG", qtables=tables, subsampling=0, exif=exif)
    before, after = jpeg(source), jpeg(encode(decode(source)))
    for place, table in before.quantization.items():
        assert np.array_equal(np.reshape(after.quantization[place], (8, 8)), np.reshape(table, (8, 8)).T)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I4s", len(body), name) + body + struct.pack(">I", zlib.crc32(name + body))


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A few kilobytes that say they are 900 megapixels."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", b"x" * 99) + _chunk(b"IEND", b"")


def webp_bomb() -> bytes:
    size = (16_382).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(4) + size + size
    frame = b"ANMF" + struct.pack("<I", 16) + bytes(16)
    return b"RIFF" + struct.pack("<I", len(body) + len(frame)) + body + frame


BAD = {
    "zero bytes": (b"", "empty"),
    "text": (b"Dear reader, this is no picture at all, whatever its name says.", "not a picture"),
    "one byte": (b"\xff", "not a picture"),
    "a JPEG's first bytes": (b"\xff\xd8\xff", "JPEG"),
    "a bomb": (bomb(), "900 megapixels, above the limit of 250"),
    "a bomb of WebP": (webp_bomb(), "268 megapixels"),
    "a PNG without pixels": (bomb(0, 5), "PNG|pixels"),
    "a PNG without a header": (b"\x89PNG\r\n\x1a\n" + _chunk(b"IEND", b""), "without a header"),
    "a PNG with a wrong checksum": (LOSSLESS["png-colour"].replace(b"IDAT", b"IDAT\1", 1), "checksum"),
    "a TIFF that leads nowhere": (b"II*\0\xff\xff\xff\xff" + bytes(90), "TIFF"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_decoded_is_refused_with_the_reason(what: str) -> None:
    data, reason = BAD[what]
    with pytest.raises(Unreadable, match=reason):
        decode(data)


@pytest.mark.parametrize("name", names({name: data for name, data in EVERY.items() if name != "bmp-1-bit"}))
def test_a_truncated_file_is_refused(name: str) -> None:
    data = EVERY[name]
    with pytest.raises(Unreadable):
        decode(data[: len(data) // 2])


def test_frames_count_towards_the_limit() -> None:
    megapixels = WIDTH * HEIGHT / 1e6
    with pytest.raises(Unreadable, match="4 frames of 61 x 43"):
        decode(EVERY["gif-animated"], megapixels=3 * megapixels)
    assert len(decode(EVERY["gif-animated"], megapixels=4 * megapixels).frames) == 4


def test_the_size_is_told_before_anything_is_decoded() -> None:
    asked: list[int] = []
    decode(EVERY["webp-animated"], admit=asked.append)
    assert asked == [4 * WIDTH * HEIGHT]


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "AVIF"])
def test_a_picture_of_one_pixel(format_: str) -> None:
    still = decode(saved(np.full((1, 1, 3), 200, np.uint8), format_))
    assert seen(decode(encode(still)).frames[0]).shape == (1, 1, 3)


def test_the_name_of_a_file_says_nothing_about_its_format() -> None:
    assert decode(saved(noise(), "PNG")).format == "PNG"


def test_cmyk_is_shown_as_its_colours_and_painted_in_ink() -> None:
    frame = decode(saved(cmyk(), "TIFF")).frames[0]
    shown = plain(frame).copy()
    shown[5, 5] = (255, 0, 0)
    assert with_plain(frame, shown).native[5, 5].tolist() == [0, 255, 255, 0]


def test_12_bits_in_16_are_bright_enough_to_be_looked_at() -> None:
    assert seen(Frame(np.full((4, 4), 4095, np.uint16))).max() == 255


def test_numbers_that_are_none_are_dark() -> None:
    depth = Frame(np.array([[np.nan, np.inf], [1.0, 3.0]], np.float32), Space.MEASURED)
    assert plain(depth).dtype == np.uint16
    assert plain(depth)[1].tolist() == [0, 65535]


def test_pillow_is_left_as_it_was() -> None:
    before = (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)
    decode(cv2.imencode(".png", noise())[1].tobytes())
    assert (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES) == before
