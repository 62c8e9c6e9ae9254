"""The defects that deface 1.5.0 was found to have with photographs, each as a test for us; those of videos are in test_film.py."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image
from tests.images.fakes import FACE, one_face, one_person, photographs
from tests.images.pictures import EVERY, saved, smooth
from typer.testing import CliRunner

from aramis.cli.main import app
from aramis.errors import BadInput
from aramis.images import pipeline

HEIC = Path(__file__).parents[1] / "images" / "files" / "heic"


@pytest.fixture
def redacted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Runs `aramis redact` over a folder, with a detector that sees one face in every picture."""
    monkeypatch.setattr(pipeline, "detector", lambda *given: one_face)
    monkeypatch.setattr(pipeline, "inspector", lambda *given: one_person)

    def run(source: Path, *words: str) -> Any:
        command = ["redact", str(source), str(tmp_path / "out"), "--method", "solid", "--quiet", *words]
        return CliRunner().invoke(app, command)

    return run


def test_an_empty_file_ends_no_batch(redacted: Callable[..., Any], tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos", 4)
    (source / "day 0" / "001.png").write_bytes(b"")
    done = redacted(source)
    assert done.exit_code == 1
    assert "day 0/001.png: empty: the file has no bytes" in done.stdout
    assert len(list((tmp_path / "out" / "media").rglob("*.png"))) == 4


@pytest.mark.parametrize("name", ["jpeg-cmyk", "png-grey-alpha", "png-1-bit"])
def test_no_kind_of_colours_breaks_it(redacted: Callable[..., Any], tmp_path: Path, name: str) -> None:
    (tmp_path / f"picture.{name.split('-', maxsplit=1)[0]}").write_bytes(EVERY[name])
    assert redacted(tmp_path / f"picture.{name.split('-', maxsplit=1)[0]}").exit_code == 0


def test_an_animation_keeps_every_frame(redacted: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "waving.gif").write_bytes(EVERY["gif-animated"])
    assert redacted(tmp_path / "waving.gif").exit_code == 0
    with (
        Image.open(tmp_path / "waving.gif") as before,
        Image.open(tmp_path / "out/media/waving.gif") as after,
    ):
        assert (after.n_frames, after.size) == (before.n_frames, before.size)  # type: ignore[attr-defined]


def test_a_turned_photograph_stands_upright_and_takes_no_place_and_no_thumbnail_along(
    redacted: Callable[..., Any], tmp_path: Path
) -> None:
    """deface leaves it on its side; with its metadata kept, the thumbnail shows the faces."""
    thumbnail, secret = saved(smooth()[:16, :16], "JPEG"), "52 N 4 E SECRET"
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSAreaInformation] = secret.encode()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.MakerNote] = thumbnail
    picture = np.kron([[1, 2], [3, 4]], np.ones((24, 32))).astype(np.uint8) * 50
    (tmp_path / "turned.jpg").write_bytes(saved(picture, "JPEG", quality=95, exif=exif))
    assert secret.encode() in (tmp_path / "turned.jpg").read_bytes()
    assert redacted(tmp_path / "turned.jpg").exit_code == 0
    released = (tmp_path / "out/media/turned.jpg").read_bytes()
    with Image.open(BytesIO(released)) as image:
        assert image.size == (48, 64)
        assert not image.getexif()
        corner = int(np.asarray(image)[-4, -4])
    assert abs(corner - 100) < 9  # what was at the top right is at the bottom right
    assert secret.encode() not in released
    assert released.count(b"\xff\xd8\xff") == 1


def test_two_sources_that_would_be_one_file_are_two(redacted: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/a.heic").write_bytes((HEIC / "plain.heic").read_bytes())
    (tmp_path / "photos/a.heic.jpg").write_bytes(EVERY["jpeg"])
    assert redacted(tmp_path / "photos").exit_code == 0
    assert len(list((tmp_path / "out/media").iterdir())) == 2


@pytest.mark.parametrize("what", ["nothing there", "an empty folder"])
def test_no_input_is_not_success(redacted: Callable[..., Any], tmp_path: Path, what: str) -> None:
    if what == "an empty folder":
        (tmp_path / "photos").mkdir()
    result = redacted(tmp_path / "photos")
    assert isinstance(result.exception, BadInput)  # main() makes it exit status 2
    assert not (tmp_path / "out").exists()


def test_a_second_run_does_nothing_twice(redacted: Callable[..., Any], tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos", 3)
    redacted(source)
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "out/media").rglob("*.png")}
    assert redacted(source).exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_the_size_is_kept_so_that_annotations_still_fit(redacted: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "odd.png").write_bytes(saved(np.full((67, 131, 3), 90, np.uint8), "PNG"))
    redacted(tmp_path / "odd.png")
    with Image.open(tmp_path / "out/media/odd.png") as image:
        assert image.size == (131, 67)
        assert image.getpixel((FACE[0] + 5, FACE[1] + 5)) == (0, 0, 0)
