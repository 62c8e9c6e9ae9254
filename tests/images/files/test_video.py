import os
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from aramis.errors import BadInput, Unreadable
from aramis.images.files import video, video_out
from aramis.images.files.video import Frame, Pixels
from aramis.images.files.video_out import Sound

Clip = Callable[..., Path]
UNEVEN = [0, 40, 50, 200, 240, 500, 501, 560, 700, 710, 800, 1000]


def black_out(frame: Frame) -> Pixels:
    pixels = frame.pixels.copy()
    pixels[8:20, 32:44] = 0
    return pixels


def unchanged(frame: Frame) -> None:
    return None


def tracks(path: Path) -> list[str]:
    with av.open(str(path)) as container:
        return [stream.type for stream in container.streams]


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("plain.mp4", {}),
        ("odd.mkv", {"size": (1279, 719), "codec": "ffv1", "frames": 2}),
        ("odd.avi", {"size": (1279, 719), "codec": "mpeg4", "frames": 2}),
        ("odd.mp4", {"size": (1279, 719), "pix_fmt": "yuv444p", "frames": 2}),
        ("odd.webm", {"size": (79, 61), "codec": "libvpx-vp9"}),
        ("one.mp4", {"frames": 1}),
        ("sideways.mp4", {"rotation": 90}),
        ("sideways.mov", {"rotation": -90, "voices": (440,)}),
        ("upside-down.mkv", {"rotation": 180}),
        ("uneven.mp4", {"times": UNEVEN}),
        ("uneven.mkv", {"times": UNEVEN}),
        (
            "deep.mkv",
            {"codec": "libx265", "pix_fmt": "yuv420p10le", "options": {"x265-params": "log-level=none"}},
        ),
        ("ntsc.avi", {"codec": "mpeg4", "rate": Fraction(30000, 1001)}),
        ("pictures.mov", {"codec": "mjpeg", "pix_fmt": "yuvj420p"}),
        ("studio.mov", {"codec": "prores_ks", "pix_fmt": "yuv422p10le"}),
        ("broadcast.ts", {}),
        ("old.flv", {"codec": "flv"}),
        ("camera.mts", {"rate": Fraction(30000, 1001)}),
        ("windows.wmv", {"codec": "wmv2"}),
        ("phone.3gp", {"codec": "mpeg4"}),
        ("film.webm", {"codec": "libvpx", "voices": ()}),
        (
            "editing.mov",
            {"codec": "dnxhd", "pix_fmt": "yuv422p", "size": (320, 180), "options": {"profile": "dnxhr_hq"}},
        ),
        ("later-shown-first.avi", {"codec": "libx264"}),
    ],
)
def test_a_copy_differs_only_where_it_was_edited(
    name: str, how: dict[str, object], clip: Clip, tmp_path: Path
) -> None:
    source, copy = clip(tmp_path / name, **how), tmp_path / f"copy-{name}"
    written = video_out.rewrite(source, copy, black_out, Sound("keep"))
    before, after = video.probe(source), video.probe(copy)
    assert (after.width, after.height, after.codec) == (before.width, before.height, before.codec)
    assert (after.rate, after.rotation) == (before.rate, before.rotation)
    old, new = list(video.frames(source)), list(video.frames(copy))
    assert len(old) == len(new) == written == how.get("frames", 12)
    assert [frame.seconds for frame in new] == pytest.approx([frame.seconds for frame in old], abs=0.0011)
    assert [f.decoded.format.name for f in new] == [f.decoded.format.name for f in old]
    edited = np.zeros(old[0].pixels.shape[:2], bool)
    edited[6:22, 30:46] = True
    for a, b in zip(old, new, strict=True):
        assert np.abs(a.pixels[~edited].astype(int) - b.pixels[~edited]).mean() < 3
        assert b.pixels[10:18, 34:42].max() < 30


def test_frames_of_an_avi_are_shown_in_order_though_the_file_does_not_say_when(
    clip: Clip, tmp_path: Path
) -> None:
    source = clip(tmp_path / "a.avi", codec="libx264", options={"bf": "3"})
    assert [frame.seconds for frame in video.frames(source)] == pytest.approx([i / 25 for i in range(12)])


def test_what_cannot_be_encoded_again_is_said(clip: Clip, tmp_path: Path) -> None:
    source = clip(
        tmp_path / "a.mov", codec="dnxhd", pix_fmt="yuv422p", size=(320, 180), options={"profile": "dnxhr_hq"}
    )
    broken = {**video_out._SETTINGS, "dnxhd": {"profile": "dnxhd"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(video_out, "_SETTINGS", broken)
        with pytest.raises(Unreadable, match=r"a\.mov can be read but not written again"):
            video_out.rewrite(source, tmp_path / "b.mov", unchanged)


def test_pixels_that_were_not_edited_reach_a_lossless_encoder_to_the_bit(clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mkv", codec="ffv1", pix_fmt="yuv420p10le", size=(63, 47))
    video_out.rewrite(source, tmp_path / "b.mkv", black_out)
    for old, new in zip(video.frames(source), video.frames(tmp_path / "b.mkv"), strict=True):
        luma_old = np.frombuffer(bytes(old.decoded.planes[0]), np.uint16).reshape(47, -1)[:, :63]
        luma_new = np.frombuffer(bytes(new.decoded.planes[0]), np.uint16).reshape(47, -1)[:, :63]
        changed = luma_old != luma_new
        assert changed[8:20, 32:44].mean() > 0.9
        changed[8:20, 32:44] = False
        assert not changed.any()


def test_a_quarter_turn_shows_the_bright_square_where_the_player_does(clip: Clip, tmp_path: Path) -> None:
    upright = next(video.frames(clip(tmp_path / "0.mp4", frames=1))).pixels
    turned = next(video.frames(clip(tmp_path / "90.mp4", frames=1, rotation=90))).pixels
    assert np.abs(np.rot90(upright).astype(int) - turned).mean() < 1


def test_a_small_copy_stands_upright_as_the_frame_does(clip: Clip, tmp_path: Path) -> None:
    frame = next(video.frames(clip(tmp_path / "a.mp4", size=(96, 48), rotation=90, frames=1)))
    copy = frame.small(24, 48)
    assert copy.shape == (48, 24)
    assert np.corrcoef(copy.ravel(), frame.pixels[::2, ::2].mean(axis=2).ravel())[0, 1] > 0.9


@pytest.mark.parametrize(
    "matrix",
    [
        (a, b, 0, c, d, 0, 0, 0, 1)
        for a, b, c, d in [
            (1, 0, 0, 1),
            (0, 1, -1, 0),
            (0, -1, 1, 0),
            (-1, 0, 0, -1),
            (-1, 0, 0, 1),
            (0, 1, 1, 0),
        ]
    ],
)
def test_turning_back_undoes_every_turn_and_mirror(matrix: tuple[int, ...]) -> None:
    picture = np.arange(24).reshape(2, 4, 3)
    assert (video_out._turned_back(video.turned(picture, matrix), matrix) == picture).all()


def test_nothing_but_the_moving_picture_goes_on_unless_asked_for(clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mp4", voices=(300, 600), tags={"title": "Anna", "comment": "at home"})
    assert {"audio track 1", "audio track 2", "tag title"} <= set(video.probe(source).left_behind)
    video_out.rewrite(source, tmp_path / "b.mp4", unchanged)
    assert tracks(tmp_path / "b.mp4") == ["video"]
    assert b"Anna" not in (tmp_path / "b.mp4").read_bytes()
    assert b"at home" not in (tmp_path / "b.mp4").read_bytes()
    video_out.rewrite(source, tmp_path / "c.mp4", unchanged, Sound("keep"), keep=["metadata"])
    assert tracks(tmp_path / "c.mp4") == ["video", "audio", "audio"]
    assert b"Anna" in (tmp_path / "c.mp4").read_bytes()


def test_subtitles_chapters_and_attachments_are_kept_on_request(clip: Clip, tmp_path: Path) -> None:
    plain, source = clip(tmp_path / "plain.mkv"), tmp_path / "a.mkv"
    with av.open(str(plain)) as old, av.open(str(source), "w") as new:
        stream = new.add_stream_from_template(old.streams.video[0])
        new.add_attachment("note.txt", "text/plain", b"my address")
        new.set_chapters(
            [{"id": 1, "start": 0, "end": 100, "time_base": Fraction(1, 1000), "metadata": {"title": "Anna"}}]
        )
        for packet in old.demux():
            if packet.size:
                packet.stream = stream
                new.mux(packet)
    video_out.rewrite(source, tmp_path / "b.mkv", unchanged)
    assert b"my address" not in (tmp_path / "b.mkv").read_bytes()
    video_out.rewrite(source, tmp_path / "c.mkv", unchanged, keep=["attachments", "chapters"])
    assert b"my address" in (tmp_path / "c.mkv").read_bytes()
    assert b"Anna" in (tmp_path / "c.mkv").read_bytes()


SUBTITLES = """1
00:00:00,000 --> 00:00:00,300
Anna, where do you live?
"""


def test_subtitles_are_left_behind_unless_asked_for(clip: Clip, tmp_path: Path) -> None:
    plain, source = clip(tmp_path / "plain.mkv"), tmp_path / "a.mkv"
    (tmp_path / "said.srt").write_text(SUBTITLES)
    with (
        av.open(str(plain)) as old,
        av.open(str(tmp_path / "said.srt")) as said,
        av.open(str(source), "w") as new,
    ):
        streams = [
            new.add_stream_from_template(one) for one in (old.streams.video[0], said.streams.subtitles[0])
        ]
        for container, stream in zip((said, old), reversed(streams), strict=True):
            for packet in container.demux():
                if packet.size:
                    packet.stream = stream
                    new.mux(packet)
    assert "subtitle track 1" in video.probe(source).left_behind
    video_out.rewrite(source, tmp_path / "b.mkv", unchanged)
    assert (tracks(tmp_path / "b.mkv"), b"Anna" in (tmp_path / "b.mkv").read_bytes()) == (["video"], False)
    video_out.rewrite(source, tmp_path / "c.mkv", unchanged, keep=["subtitles"])
    assert tracks(tmp_path / "c.mkv") == ["video", "subtitle"]
    assert b"Anna, where do you live?" in (tmp_path / "c.mkv").read_bytes()


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.mov", "a.webm"])
def test_what_colours_mean_is_said_as_the_source_does(name: str, clip: Clip, tmp_path: Path) -> None:
    """Rec. 2020 primaries, PQ, full range: what a player must know to show them."""
    codec = "libvpx-vp9" if name.endswith("webm") else "libx264"
    options = {"color_primaries": "9", "color_trc": "16", "colorspace": "9", "color_range": "2"}
    source = clip(tmp_path / name, codec=codec, options=options, frames=2)
    video_out.rewrite(source, tmp_path / f"copy-{name}", black_out)
    said = [
        [
            (f.decoded.color_primaries, f.decoded.color_trc, f.decoded.colorspace, f.decoded.color_range)
            for f in video.frames(path)
        ]
        for path in (source, tmp_path / f"copy-{name}")
    ]
    assert said[0] == said[1]
    assert said[0][0][3] == 2


def test_the_same_run_gives_the_same_bytes(clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mkv")
    for name in ("b.mkv", "c.mkv"):
        video_out.rewrite(source, tmp_path / name, black_out)
    assert (tmp_path / "b.mkv").read_bytes() == (tmp_path / "c.mkv").read_bytes()


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.avi"])
def test_a_file_that_is_broken_in_the_middle_is_refused(name: str, clip: Clip, tmp_path: Path) -> None:
    source = clip(
        tmp_path / name, frames=50, size=(160, 120), codec="mpeg4" if name == "a.avi" else "libx264"
    )
    whole = source.read_bytes()
    noise = bytearray(whole)
    noise[len(whole) // 2 : len(whole) // 2 + 400] = random.Random(1).randbytes(400)
    for broken in (bytes(noise), whole[: len(whole) * 6 // 10]):
        source.write_bytes(broken)
        with pytest.raises(Unreadable, match=r"damaged|cut off|cannot be read|breaks off"):
            list(video.frames(source))


@pytest.mark.parametrize("content", [b"", b"not a video", bytes(4096)])
def test_what_is_no_video_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(content)
    with pytest.raises(Unreadable, match=r"a\.mp4"):
        video.probe(tmp_path / "a.mp4")


def test_a_video_without_frames_or_pictures_is_refused(clip: Clip, tmp_path: Path) -> None:
    empty = clip(tmp_path / "empty.avi", frames=0, codec="mpeg4")
    with pytest.raises(Unreadable, match=r"empty\.avi"):
        video_out.rewrite(empty, tmp_path / "b.avi", unchanged)
    with av.open(str(tmp_path / "sound.mp4"), "w") as out:
        stream = out.add_stream("aac", rate=16_000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 16_000), np.float32), "fltp", "mono")
        frame.sample_rate = 16_000
        out.mux(stream.encode(frame))
        out.mux(stream.encode())
    with pytest.raises(Unreadable, match="no moving picture"):
        video.probe(tmp_path / "sound.mp4")


def test_a_mask_video_is_lossless(tmp_path: Path) -> None:
    masks = [np.random.default_rng(i).integers(0, 2, (47, 63), np.uint8) * 255 for i in range(3)]
    with video_out.mask_writer(tmp_path / "m.mkv", 63, 47, Fraction(25)) as write:
        for mask in masks:
            write(mask)
    for mask, frame in zip(masks, video.frames(tmp_path / "m.mkv"), strict=True):
        assert (frame.pixels[..., 0] == mask).all()


PEAK = """
import resource, sys
from pathlib import Path
from aramis.images.files import video_out
print(video_out.rewrite(Path(sys.argv[1]), Path(sys.argv[2]), lambda frame: None))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_ten_thousand_frames_take_no_more_memory_than_a_thousand(clip: Clip, tmp_path: Path) -> None:
    peaks = []
    for count in (1_000, 10_000):
        source = clip(tmp_path / f"{count}.mp4", frames=count, codec="mpeg4", size=(64, 48))
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(source), str(tmp_path / f"copy-{count}.mp4")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ},
        )
        frames, peak = (int(line) for line in done.stdout.split())
        assert frames == count
        peaks.append(peak)
    assert peaks[1] - peaks[0] < 20_000  # kilobytes; 10,000 such frames are 92,000


def test_voices_are_disguised_track_by_track_and_stay_as_long(clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mp4", frames=50, voices=(150, 220))
    halved = lambda: lambda samples: np.zeros(0, np.float32) if samples is None else samples * 0.5  # noqa: E731
    video_out.rewrite(source, tmp_path / "b.mp4", unchanged, Sound("disguise", halved))
    with av.open(str(tmp_path / "b.mp4")) as container:
        assert [stream.type for stream in container.streams] == ["video", "audio", "audio"]
        for hertz, stream in zip((150, 220), container.streams.audio, strict=True):
            container.seek(0)
            samples = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(stream)])
            assert len(samples) / stream.rate == pytest.approx(2, abs=0.15)
            middle = samples[8000:16000]
            assert np.abs(np.fft.rfft(middle)).argmax() * stream.rate / len(middle) == pytest.approx(
                hertz, abs=3
            )
            assert np.abs(middle).max() == pytest.approx(0.15, abs=0.03)


def test_a_disguise_must_be_given(clip: Clip, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="disguised"):
        video_out.rewrite(
            clip(tmp_path / "a.mp4", voices=(150,)), tmp_path / "b.mp4", unchanged, Sound("disguise")
        )
