"""JPEG in blocks: what was not redacted decodes to the very pixels of its source, whatever way it was coded."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image
from tests.images.pictures import EVERY, saved

from aramis.errors import Unreadable
from aramis.images.files.formats import jpeg, jpeg_blocks, pillow
from aramis.images.files.frame import Still, plain, seen, with_plain
from aramis.images.files.still import decode, encode

CODED: dict[str, dict[str, Any]] = {
    "usual": {},
    "4:2:2": {"subsampling": 1},
    "4:4:4": {"subsampling": 0},
    "progressive": {"progressive": True},
    "progressive 4:2:2 fine": {"progressive": True, "subsampling": 1, "quality": 98},
    "restarts": {"restart_marker_blocks": 3},
    "progressive restarts": {"progressive": True, "restart_marker_rows": 1},
    "own codes": {"optimize": True},
    "coarse": {"quality": 3},
    "rgb": {"keep_rgb": True},
    "finest": {"quality": 100, "subsampling": 0},
    "deep tables": {"qtables": [[700] * 64, [900] * 64]},
}


def street(width: int = 131, height: int = 77, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 2.5), np.uint8)


def pixels(data: bytes) -> np.ndarray:
    with Image.open(BytesIO(data)) as image:
        return np.array(image)


def painted(still: Still, box: tuple[int, int, int, int]) -> Still:
    """With a black box, as a redactor would."""
    x1, y1, x2, y2 = box
    after = plain(still.frames[0]).copy()
    after[y1:y2, x1:x2] = 0
    return replace(still, frames=(with_plain(still.frames[0], after),))


@pytest.mark.parametrize("options", CODED.values(), ids=CODED)
@pytest.mark.parametrize("grey", [False, True])
def test_what_nobody_touched_decodes_to_the_same_pixels(options: dict[str, Any], grey: bool) -> None:
    source = saved(street()[..., 0] if grey else street(), "JPEG", **options)
    assert jpeg_blocks.parsed(source) is not None
    assert np.array_equal(pixels(encode(decode(source))), pixels(source))


@pytest.mark.parametrize("options", CODED.values(), ids=CODED)
def test_only_the_blocks_of_what_was_hidden_are_written_anew(options: dict[str, Any]) -> None:
    source = saved(street(), "JPEG", **options)
    written = pixels(encode(painted(decode(source), (37, 20, 70, 51))))
    assert written[24:46, 42:66].mean() < 50
    outside = np.ones(written.shape[:2], bool)
    outside[16 - 2 : 64 + 2, 32 - 2 : 80 + 2] = False  # whole units, and the reach of their colours
    assert np.array_equal(written[outside], pixels(source)[outside])


@pytest.mark.parametrize("box", [(0, 0, 9, 9), (120, 70, 131, 77), (0, 0, 131, 77), (60, 0, 61, 77)])
def test_blocks_at_the_edges_are_written_too(box: tuple[int, int, int, int]) -> None:
    written = pixels(encode(painted(decode(saved(street(), "JPEG", quality=95)), box)))
    x1, y1, x2, y2 = box
    assert written[y1:y2, x1:x2].mean() < 25


@pytest.mark.parametrize("subsampling", [0, 1, 2])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_whole_units_are_turned_without_decoding(orientation: int, subsampling: int) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    source = saved(street(128, 96), "JPEG", exif=exif, subsampling=subsampling)
    still = decode(source)
    written = jpeg._written_in_blocks(still)
    assert written is not None
    assert cv2.absdiff(pixels(written), plain(still.frames[0])).max() <= 3


def test_a_side_that_is_not_whole_units_is_turned_by_encoding_again() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 3
    still = decode(saved(street(), "JPEG", exif=exif, quality=95))
    assert jpeg._written_in_blocks(still) is None
    assert cv2.absdiff(pixels(encode(still)), plain(still.frames[0])).mean() < 2


@pytest.mark.parametrize("name", ["jpeg-cmyk"])
def test_what_is_out_of_the_ordinary_is_encoded_again(name: str) -> None:
    assert jpeg_blocks.parsed(EVERY[name]) is None
    assert decode(encode(decode(EVERY[name]))).format == "JPEG"


def test_the_file_is_no_larger_than_its_source() -> None:
    for options in ({}, {"optimize": True}, {"restart_marker_blocks": 3}):
        source = saved(street(), "JPEG", **options)
        assert len(encode(decode(source))) <= len(source)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_written_as_it_was_seen(data: st.DataObject) -> None:
    """Whatever a broken or malicious stream makes of decoders: what is released is what detectors looked at."""
    options = data.draw(st.sampled_from([CODED["usual"], CODED["progressive"], CODED["restarts"]]))
    source = bytearray(saved(street(64, 48), "JPEG", **options))
    for _ in range(data.draw(st.integers(1, 4))):
        source[data.draw(st.integers(2, len(source) - 1))] = data.draw(st.integers(0, 255))
    try:
        still = decode(bytes(source))
    except Unreadable:
        return
    if still.format == "JPEG" and still.frames[0].width * still.frames[0].height < 1e6:
        again = decode(encode(still))
        assert cv2.absdiff(seen(again.frames[0]), seen(still.frames[0])).mean() < 25


@pytest.mark.parametrize("grey", [False, True])
def test_a_large_picture_is_read_and_compared_in_bands_with_the_same_result(
    grey: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = saved(street(300, 200)[..., 0] if grey else street(300, 200), "JPEG")
    whole, box = decode(source), (37, 41, 120, 133)
    written = encode(painted(whole, box))
    monkeypatch.setattr(pillow, "BAND", 300 * 40)
    assert np.array_equal(plain(decode(source).frames[0]), plain(whole.frames[0]))
    assert encode(painted(decode(source), box)) == written


def test_a_band_that_did_not_come_out_as_it_should_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pillow, "BAND", 300 * 40)
    still = painted(decode(saved(street(300, 200), "JPEG")), (37, 41, 120, 133))
    spoilt = np.array(pixels(encode(still)))
    spoilt[190, 290] ^= 128
    monkeypatch.setattr(
        jpeg_blocks, "assembled", lambda *_: saved(spoilt, "JPEG", quality=100, subsampling=0)
    )
    assert jpeg._written_in_blocks(still) is None
