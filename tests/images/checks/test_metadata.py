"""What a file carries besides pixels is listed, whatever the format; exiftool, an independent reader, finds nothing more."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import ImageCms
from tests.images.files.test_still import with_metadata, with_thumbnail_and_iptc
from tests.images.pictures import EVERY, saved, smooth

from aramis.images.checks.metadata import metadata
from aramis.images.files.still import decode, encode

WITHOUT_EXIFTOOL = "exiftool is not installed here (Debian: libimage-exiftool-perl)"
STRUCTURE = {
    "ExifTool",
    "System",
    "File",
    "Composite",
    "JFIF",
    "PNG",
    "PNG-pHYs",
    "RIFF",
    "GIF",
    "ICC-header",
    "APP14",
    "Adobe",
}
"""Groups of exiftool that every file has; what they hold tells how the picture is shown."""


def leaks(data: bytes | Path) -> set[str]:
    return {finding.kind for finding in metadata()(data) if finding.leak}


@pytest.mark.parametrize(
    ("format_", "kinds"),
    [
        ("JPEG", {"exif", "gps", "maker", "xmp", "comment"}),
        ("PNG", {"exif", "gps", "maker", "text", "block", "trailing"}),
        ("WEBP", {"exif", "gps", "maker", "xmp"}),
        ("TIFF", {"exif", "iptc", "xmp"}),
        ("GIF", {"comment", "trailing"}),
        ("AVIF", {"exif", "gps", "maker", "xmp"}),
    ],
)
def test_all_that_a_file_carries_is_listed(format_: str, kinds: set[str]) -> None:
    assert leaks(with_metadata(format_)) == kinds


@pytest.mark.filterwarnings("ignore")  # Pillow's, at this odd EXIF
def test_thumbnails_second_pictures_and_trailers_are_listed() -> None:
    assert leaks(with_thumbnail_and_iptc()) >= {"iptc", "picture", "comment", "trailing"}


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_the_words_of_a_colour_profile_are_listed_until_they_are_dropped(format_: str) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = saved(smooth(), format_, icc_profile=profile)
    assert leaks(data) == {"icc"}
    assert leaks(encode(decode(data))) == set()


@pytest.mark.parametrize("name", sorted(EVERY))
def test_what_is_written_carries_nothing_that_tells(name: str) -> None:
    assert leaks(encode(decode(EVERY[name]))) == set()


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "AVIF"])
def test_what_is_written_of_a_file_full_of_words_carries_none(format_: str) -> None:
    assert leaks(encode(decode(with_metadata(format_)))) == set()


def seen_by_exiftool(path: Path) -> set[str]:
    """The groups of tags in a file beyond its structure."""
    tool = shutil.which("exiftool")
    if tool is None:
        pytest.skip(WITHOUT_EXIFTOOL)
    said = subprocess.run(
        [tool, "-json", "-G1", "-a", "-u", "-ee", path], capture_output=True, check=False
    )  # a program of the system, on our own file
    (about,) = json.loads(said.stdout)
    return {
        tag.partition(":")[0]
        for tag, value in about.items()
        if ":" in tag and value != "colour" and not tag.startswith("ICC_Profile")
    } - STRUCTURE


@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP", "GIF"])
def test_exiftool_finds_words_in_the_source_and_none_in_what_is_written(format_: str, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_bytes(with_metadata(format_))
    after.write_bytes(encode(decode(before.read_bytes())))
    assert seen_by_exiftool(before) or format_ == "GIF"  # it counts a comment as structure
    assert seen_by_exiftool(after) == set()


def test_exiftool_finds_nothing_that_the_list_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(with_metadata("JPEG"))
    known = {"IFD0": "exif", "ExifIFD": "maker", "GPS": "gps", "XMP": "xmp"}
    groups = {group.split("-")[0] for group in seen_by_exiftool(path)}
    assert {known[group] for group in groups if group != "IFD1"} <= leaks(path.read_bytes())


def test_a_video_is_asked_for_tags_sound_and_other_tracks(clip: Callable[..., Path], tmp_path: Path) -> None:
    path = clip(tmp_path / "a.mp4", tags={"title": "our street", "location": "+52.0+004.3/"}, voices=[200])
    assert leaks(path) == {"audio", "tag"}
    told = [finding.why for finding in metadata()(path) if finding.leak]
    assert any("audio track" in why for why in told)
    assert not any("street" in why or "52.0" in why for why in told)
    assert {one.kind for one in metadata({"audio"})(path) if one.leak} == {"tag"}


def test_a_video_without_words_carries_none(clip: Callable[..., Path], tmp_path: Path) -> None:
    assert leaks(clip(tmp_path / "a.mp4")) == set()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"RIFF\0\0\0\0WEBP",
        b"GIF89a" + bytes(8),
        b"no picture",
    ],
)
def test_a_file_that_breaks_off_is_listed_as_far_as_it_goes(data: bytes) -> None:
    assert leaks(data) <= {"trailing", "block"}
