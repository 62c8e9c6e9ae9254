"""Videos through the whole flow, with detectors that look for a bright square: it is what must not be seen."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

import aramis
from aramis.images.files import video
from aramis.images.pipeline import Release, redact, release
from aramis.images.records import Carrier, ImageRecord, Target
from aramis.images.redact.regions import redact as hide
from aramis.images.redact.ways import ways

Clip = Callable[..., Path]
ROOT = Path(__file__).parents[2]
BRIGHT = 215


def bright_square(pixels: NDArray[np.uint8]) -> list[Target]:
    rows, columns = np.nonzero(pixels.min(axis=2) > BRIGHT)
    if not len(rows):
        return []
    box = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    return [
        Target(
            kind="face",
            box=(float(box[0]), float(box[1]), float(box[2]), float(box[3])),
            score=0.9,
            found_by="test",
        )
    ]


def one_person(pixels: NDArray[np.uint8]) -> list[Carrier]:
    return [Carrier(kind="person", box=(0, 0, 64, 48), score=0.9)]


def every_third(
    look: Callable[[NDArray[np.uint8]], Sequence[Target]],
) -> Callable[[NDArray[np.uint8]], Sequence[Target]]:
    """A detector that misses two of three times."""
    calls = iter(range(1_000_000))
    return lambda pixels: look(pixels) if next(calls) % 3 == 0 else []


def run(source: Path, out: Path, **options: Any) -> Release:
    return release(source, out, **{"detect": bright_square, "look": one_person, "method": "solid", **options})


def records(out: Path) -> list[ImageRecord]:
    return list(aramis.read_records(out / "records.jsonl"))


def brightest(path: Path) -> list[int]:
    """Of each frame, how bright its brightest grey is: over 200 the square can be seen."""
    return [int(frame.pixels.min(axis=2).max()) for frame in video.frames(path)]


@pytest.fixture
def folder(clip: Clip, tmp_path: Path) -> Path:
    (tmp_path / "videos" / "more").mkdir(parents=True)
    clip(tmp_path / "videos" / "a.mp4", frames=30, voices=(300,))
    clip(tmp_path / "videos" / "more" / "b.mkv", frames=12, rotation=90)
    return tmp_path / "videos"


def test_a_vehicle_keeps_its_synthetic_plate_through_a_video_and_not_into_the_next(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synthetic = import_module("aramis.images.redact.synthetic")
    drawn: list[Any] = []
    fitting = synthetic.fitting

    def noted(*given: Any) -> Any:
        drawn.append((given[1].track, plate := fitting(*given)))
        return plate

    def plate(pixels: NDArray[np.uint8]) -> list[Target]:
        return [replace(target, kind="plate") for target in bright_square(pixels)]

    monkeypatch.setattr(synthetic, "fitting", noted)
    done = redact(folder, tmp_path / "out", targets="plate", detect=plate, method="synthetic", workers=1)
    assert done.quarantined == ()
    tracks = [track for track, _ in drawn]
    assert tracks.count(0) == 2  # the first vehicle of each video, whatever number it had in the other
    assert max(tracks.count(track) for track in tracks if track) == 1
    assert len({plate.number for _, plate in drawn}) == len(drawn) < 6  # of forty-two frames


def test_what_a_detector_misses_in_some_frames_is_hidden_in_all(folder: Path, tmp_path: Path) -> None:
    done = run(folder, tmp_path / "out", detect=every_third(bright_square), detect_every=2, workers=1)
    assert done.quarantined == ()
    assert min(brightest(folder / "a.mp4")) > 200
    for name in ("a.mp4", "more/b.mkv"):
        assert max(brightest(tmp_path / "out" / "media" / name)) < 200
    assert video.probe(tmp_path / "out" / "media" / "a.mp4").left_behind[0].startswith("tag")


def test_every_frame_has_a_record_and_carriers_are_looked_for_once_a_second(
    clip: Clip, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    clip(tmp_path / "in" / "a.mp4", size=(200, 48), frames=45)
    clip(tmp_path / "in" / "b.mkv", frames=12, rotation=90)
    done = run(tmp_path / "in", tmp_path / "out")
    found = records(tmp_path / "out")
    assert [(r.image, r.frame) for r in found] == [
        *(("a.mp4", number) for number in range(45)),
        *(("b.mkv", number) for number in range(12)),
    ]
    assert {(t.kind, t.track, t.method) for r in found for t in r.targets} == {("face", 0, "solid")}
    assert [r.frame for r in found if r.carriers] == [0, 25, 0]
    assert {c.track for r in found for c in r.carriers} == {0}
    assert (found[0].width, found[0].height) == (200, 48)
    assert (found[-1].width, found[-1].height) == (48, 64)
    assert done.assessment is not None
    assert done.assessment.frames == 57
    assert (done.assessment.tracks.people, done.assessment.tracks.faces) == (2, 2)
    assert {(one.image, one.frame) for one in done.assessment.targets_without_carrier} <= {
        ("a.mp4", 25),
        ("b.mkv", 0),
    }


def test_one_frame_goes_through_and_none_is_quarantined(clip: Clip, tmp_path: Path) -> None:
    source = tmp_path / "videos"
    source.mkdir()
    clip(source / "one.mp4", frames=1)
    clip(source / "none.avi", frames=0, codec="mpeg4")
    done = run(source, tmp_path / "out")
    assert [one.image for one in done.quarantined] == ["none.avi"]
    assert [path.name for path in (tmp_path / "out" / "media").iterdir()] == ["one.mp4"]
    assert max(brightest(tmp_path / "out" / "media" / "one.mp4")) < 200


def test_a_broken_video_is_quarantined_and_nothing_of_it_stays(
    clip: Clip, folder: Path, tmp_path: Path
) -> None:
    broken = clip(folder / "broken.mkv", frames=60, size=(160, 120))
    data = bytearray(broken.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 500] = bytes(500)
    broken.write_bytes(data)
    done = run(folder, tmp_path / "out")
    ((name, why),) = [(one.image, one.why) for one in done.quarantined]
    assert name == "broken.mkv"
    assert "damaged" in why or "cut off" in why
    assert {r.image for r in records(tmp_path / "out")} == {"a.mp4", "more/b.mkv"}
    assert not list((tmp_path / "out" / "private" / "unfinished").iterdir())


def test_a_finished_video_is_not_done_again(folder: Path, tmp_path: Path) -> None:
    run(folder, tmp_path / "out")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "media").rglob("*.m*")}
    (tmp_path / "out" / "media" / "more" / "b.mkv").unlink()
    run(folder, tmp_path / "out")
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "media").rglob("*.m*")}
    assert [path.name for path in before if before[path] != after[path]] == ["b.mkv"]


def test_killed_in_the_middle_it_leaves_no_part_and_goes_on(clip: Clip, tmp_path: Path) -> None:
    source, out = tmp_path / "videos", tmp_path / "out"
    source.mkdir()
    for number in range(3):
        clip(source / f"{number}.mp4", frames=150)
    command = [sys.executable, "-m", "tests.images.test_film", str(source), str(out)]
    running = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    while not list(out.glob("media/*.mp4")):
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    first = {path.name: path.stat().st_mtime_ns for path in (out / "media").iterdir()}
    assert 0 < len(first) < 3
    assert all(max(brightest(path)) < 200 for path in (out / "media").iterdir())
    done = _slow(source, out)
    assert (done.images, done.quarantined) == (3, ())
    last = {path.name: path.stat().st_mtime_ns for path in (out / "media").iterdir()}
    assert {name: last[name] for name in first} == first
    assert len(records(out)) == 450
    assert all(max(brightest(path)) < 200 for path in (out / "media").iterdir())


def test_regions_with_times_are_hidden_then_and_zones_are_spared(clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mp4", frames=50)
    (tmp_path / "regions.json").write_text(
        json.dumps({"regions": [{"from": 1, "to": 1.4, "polygon": [[2, 28], [20, 28], [20, 46], [2, 46]]}]})
    )
    (tmp_path / "ignore.json").write_text(json.dumps({"zones": [{"box": [0, 0, 64, 48], "kind": "face"}]}))
    options = {"regions": tmp_path / "regions.json", "ignore": tmp_path / "ignore.json"}
    run(source, tmp_path / "out", **options)
    shown = [frame.pixels for frame in video.frames(tmp_path / "out" / "media" / "a.mp4")]
    assert [int(pixels[32:44, 6:16].max()) < 40 for pixels in shown] == [25 <= i < 35 for i in range(50)]
    assert min(brightest(tmp_path / "out" / "media" / "a.mp4")) > 200
    kinds = {(t.kind, t.method, "spared" in t.extra) for r in records(tmp_path / "out") for t in r.targets}
    assert kinds == {("face", None, True), ("region", "solid", False)}


@pytest.mark.parametrize("alone", [False, True])
def test_detections_of_another_tool_come_in_place_of_ours_or_beside_them(
    alone: bool, clip: Clip, tmp_path: Path
) -> None:
    source = clip(tmp_path / "a.mp4", frames=6)
    line = {
        "image": "a.mp4",
        "width": 64,
        "height": 48,
        "targets": [{"kind": "plate", "box": [2, 30, 22, 40]}],
    }
    (tmp_path / "theirs.jsonl").write_text("".join(json.dumps({**line, "frame": i}) + "\n" for i in range(6)))
    run(source, tmp_path / "out", detections=tmp_path / "theirs.jsonl", only_detections=alone)
    kinds = {t.kind for r in records(tmp_path / "out") for t in r.targets}
    assert kinds == ({"plate"} if alone else {"plate", "face"})


def test_masks_say_where_was_hidden(clip: Clip, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    clip(tmp_path / "in" / "a.mp4", frames=5)
    photo = np.full((48, 64, 3), 90, np.uint8)
    photo[10:26, 20:36] = 250
    cv2.imwrite(str(tmp_path / "in" / "b.png"), photo)
    redact(tmp_path / "in", tmp_path / "out", detect=bright_square, method="solid", masks=True)
    mask = cv2.imread(str(tmp_path / "out" / "masks" / "b.png.png"), cv2.IMREAD_UNCHANGED)
    assert mask is not None
    hidden = np.any(np.asarray(cv2.imread(str(tmp_path / "out" / "media" / "b.png"))) != photo, axis=2)
    assert ((mask == 255) >= hidden).all()
    assert set(np.unique(mask)) == {0, 255}
    assert not mask[0, 0]
    films = zip(
        video.frames(tmp_path / "out" / "masks" / "a.mp4.mkv"),
        video.frames(tmp_path / "in" / "a.mp4"),
        strict=True,
    )
    for mask_frame, frame in films:
        assert (mask_frame.pixels[..., 0][frame.pixels.min(axis=2) > BRIGHT] == 255).all()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("odd.mkv", {"size": (1279, 719), "codec": "ffv1", "frames": 3}),
        ("odd.mp4", {"size": (1279, 719), "pix_fmt": "yuv444p", "frames": 3}),
        ("turned.mov", {"rotation": 90}),
        ("uneven.mp4", {"times": [0, 40, 50, 200, 240, 500, 501, 560, 700, 710, 800, 1000]}),
        ("film.webm", {"codec": "libvpx-vp9"}),
        ("old.avi", {"codec": "mpeg4", "voices": (300, 500)}),
    ],
)
def test_every_kind_of_video_goes_through_and_its_mask_lies_where_was_hidden(
    name: str, how: dict[str, Any], clip: Clip, tmp_path: Path
) -> None:
    source = clip(tmp_path / name, **how)
    redact(source, tmp_path / "out", detect=bright_square, method="solid", masks=True, audio="keep")
    before, released = video.probe(source), tmp_path / "out" / "media" / name
    after = video.probe(released)
    assert (after.width, after.height, after.codec, after.rotation) == (
        before.width,
        before.height,
        before.codec,
        before.rotation,
    )
    assert [one for one in after.left_behind if "audio" in one] == [
        one for one in before.left_behind if "audio" in one
    ]
    old, new, masks = (
        list(video.frames(one)) for one in (source, released, tmp_path / "out" / "masks" / f"{name}.mkv")
    )
    assert len(old) == len(new) == len(masks)
    assert [frame.seconds for frame in new] == pytest.approx([frame.seconds for frame in old], abs=0.0011)
    for a, b, mask in zip(old, new, masks, strict=True):
        hidden = mask.pixels[..., 0] == 255
        assert (a.pixels.min(axis=2) > BRIGHT)[~hidden].sum() < 4
        assert b.pixels[hidden].mean() < 20
        assert np.abs(a.pixels.astype(int) - b.pixels)[~hidden].mean() < 4


@pytest.mark.parametrize("method", ["blur", "pixelate", "mean", "image", "solid", "face=none"])
@pytest.mark.parametrize("shape", ["box", "ellipse", "polygon"])
def test_every_way_of_hiding_serves_videos_too(method: str, shape: str, clip: Clip, tmp_path: Path) -> None:
    source = clip(tmp_path / "a.mp4", frames=3, size=(128, 96))
    cv2.imwrite(str(tmp_path / "picture.png"), np.zeros((8, 8, 3), np.uint8))
    run(
        source,
        tmp_path / "out",
        method=method,
        shape=shape,
        margin=0.5,
        feather=0.2,
        picture=tmp_path / "picture.png",
    )
    name = method.removeprefix("face=")
    known = ways(["face"], name, shape=shape, margin=0.5, feather=0.2, picture=np.zeros((8, 8, 3), np.uint8))
    released = video.frames(tmp_path / "out" / "media" / "a.mp4")
    for before, after, record in zip(video.frames(source), released, records(tmp_path / "out"), strict=True):
        (target,) = record.targets
        assert target.method == (None if name == "none" else name)
        wanted = hide(before.pixels, [target], known)
        assert np.abs(after.pixels.astype(int) - wanted).mean() < 4
        assert (wanted != before.pixels).any() == (name != "none")


def test_a_plate_gets_its_own_method(clip: Clip, tmp_path: Path) -> None:
    def both(pixels: NDArray[np.uint8]) -> list[Target]:
        plate = Target(kind="plate", box=(4, 30, 28, 40), score=0.9)
        return [*bright_square(pixels), plate]

    run(clip(tmp_path / "a.mp4", frames=3), tmp_path / "out", detect=both, method="face=mean,plate=solid")
    found = {(t.kind, t.method) for r in records(tmp_path / "out") for t in r.targets}
    assert found == {("face", "mean"), ("plate", "solid")}
    for frame in video.frames(tmp_path / "out" / "media" / "a.mp4"):
        assert frame.pixels[32:38, 8:24].max() < 40


def test_nothing_is_hidden_across_a_cut(tmp_path: Path) -> None:
    """A face is found in one frame of the first scene: it is hidden up to the cut and not beyond."""
    av = pytest.importorskip("av")
    scenes = [np.random.default_rng(seed).integers(0, 200, (12, 16, 3), np.uint8) for seed in (1, 2)]
    with av.open(str(tmp_path / "a.mp4"), "w") as out:
        stream: Any = out.add_stream("libx264", rate=25, width=128, height=96)
        for index in range(20):
            picture = cv2.resize(scenes[index >= 10], (128, 96), interpolation=cv2.INTER_CUBIC)
            if index == 6:
                picture[20:36, 20:36] = 255
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        out.mux(stream.encode())
    redact(tmp_path / "a.mp4", tmp_path / "out", detect=bright_square, detect_every=1, method="solid")
    with_targets = {r.frame for r in records(tmp_path / "out") if r.targets}
    assert with_targets == set(range(10))


def test_progress_is_told_by_frames(clip: Clip, tmp_path: Path) -> None:
    told: list[str] = []
    run(
        clip(tmp_path / "a.mp4", frames=60),
        tmp_path / "out",
        progress=lambda done, total, what: told.append(what),
    )
    assert "a.mp4: frame 50 of 60" in told
    assert told[-1] == "a.mp4"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"audio": "mute"}, "drop, keep, disguise"),
        ({"keep": ["subtitle"]}, "subtitles, chapters"),
        ({"detect_every": 0}, "every frame"),
        ({"only_detections": True}, "no file of detections"),
    ],
)
def test_what_cannot_be_asked_of_a_video_is_said_before_anything_is_written(
    options: dict[str, Any], words: str, clip: Clip, tmp_path: Path
) -> None:
    with pytest.raises(aramis.BadInput, match=words):
        run(clip(tmp_path / "a.mp4", frames=1), tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def _slow(source: Path, out: Path) -> Release:
    def detect(pixels: NDArray[np.uint8]) -> list[Target]:
        time.sleep(0.004)
        return bright_square(pixels)

    return run(source, out, detect=detect, workers=1)


if __name__ == "__main__":
    _slow(Path(sys.argv[1]), Path(sys.argv[2]))
