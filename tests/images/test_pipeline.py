"""From files to files: what goes through, what is quarantined, and what each pass is told."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from tests.images.fakes import FACE, PERSON, one_face, one_person, photographs
from tests.images.files.test_still import BAD, HEIC
from tests.images.pictures import EVERY, LOSSLESS, LOSSY

from aramis.errors import BadInput, Unavailable
from aramis.images.files.frame import plain, seen
from aramis.images.files.jsonl import read_records
from aramis.images.files.still import decode
from aramis.images.pipeline import Release, inspect, redact, release
from aramis.images.records import Target, Verdict

Pixels = NDArray[np.uint8]


def run(source: Path | str, out: Path, **options: object) -> Release:
    given = {
        "detect": one_face,
        "look": one_person,
        "method": "solid",
        "workers": 2,
        "checks": "none",
        **options,
    }
    return release(source, out, **given)  # type: ignore[arg-type]


def of_every_kind(folder: Path) -> Path:
    folder.mkdir()
    for name, data in EVERY.items():
        (folder / f"{name}.{name.partition('-')[0]}").write_bytes(data)
    return folder


def test_every_kind_of_picture_goes_through_and_is_hidden(tmp_path: Path) -> None:
    source = of_every_kind(tmp_path / "photos")
    done = run(source, tmp_path / "out", method="mean")
    assert done.quarantined == ()
    assert done.images == len(EVERY)
    for path in source.iterdir():
        name_is_lossy = path.stem in LOSSY
        released = decode((tmp_path / "out" / "media" / path.name).read_bytes())
        for before, after in zip(decode(path.read_bytes()).frames, released.frames, strict=True):
            inside = np.s_[FACE[1] : FACE[3], FACE[0] : FACE[2]]
            assert spread(seen(after)[inside]) < 5
            assert name_is_lossy or spread(seen(before)[inside]) > 20


@pytest.mark.parametrize("format_", ["GIF", "PNG", "WEBP", "AVIF"])
def test_in_an_animation_a_face_that_is_missed_in_some_frames_is_hidden_in_all(
    format_: str, tmp_path: Path
) -> None:
    """And in the pages of a TIFF, which are no way of anything, only where it is found."""
    picture = np.random.default_rng(3).integers(30, 120, (48, 64, 3), np.uint8)
    pictures = []
    for number in range(12):
        picture[8:28, 4:44] = 60
        picture[8:28, 4 + 2 * number : 24 + 2 * number] = 255
        pictures.append(Image.fromarray(picture))
    path = tmp_path / f"a.{format_.lower()}"
    pictures[0].save(path, format_, save_all=True, append_images=pictures[1:], duration=80, loop=0)
    pictures[0].save(tmp_path / "a.tiff", save_all=True, append_images=pictures[1:])
    calls = iter(range(1000))

    def one_in_three(pixels: Pixels) -> list[Target]:
        left = int(np.argmax((pixels > 220).all(axis=(0, 2)) | (pixels[18] > 220).all(axis=1)))
        box = (left, 8, left + 20, 28)
        return [Target(kind="face", box=box, score=0.9)] if next(calls) % 3 == 0 else []

    for source in (path, tmp_path / "a.tiff"):
        run(source, tmp_path / f"out {source.name}", detect=one_in_three, workers=1, margin=0.2)
        released = decode((tmp_path / f"out {source.name}" / "media" / source.name).read_bytes())
        open_ = sum(bool(seen(frame).min(axis=2).max() > 220) for frame in released.frames)
        assert open_ == (8 if source.suffix == ".tiff" else 0)
        records = list(read_records(tmp_path / f"out {source.name}" / "records.jsonl"))
        assert {t.track for r in records for t in r.targets} == ({None} if source.suffix == ".tiff" else {0})


def spread(pixels: NDArray[Any]) -> float:
    return float(pixels.std(axis=(0, 1)).mean())


@pytest.mark.parametrize("name", sorted(LOSSLESS))
def test_outside_what_is_hidden_a_lossless_picture_is_the_same_to_the_bit(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(LOSSLESS[name])
    run(tmp_path / name, tmp_path / "out", shape="box", margin=0)
    before = decode(LOSSLESS[name]).frames
    after = decode((tmp_path / "out" / "media" / name).read_bytes()).frames
    for old, new in zip(before, after, strict=True):
        same = (plain(old) == plain(new)).reshape(old.height, old.width, -1).all(axis=2)
        same[FACE[1] : FACE[3], FACE[0] : FACE[2]] = True
        assert same.all()


def test_a_record_says_what_was_found_what_was_done_and_what_is_around(tmp_path: Path) -> None:
    run(photographs(tmp_path / "photos", 1), tmp_path / "out")
    (record,) = read_records(tmp_path / "out" / "records.jsonl")
    assert (record.image, record.frame, record.width, record.height) == ("day 0/000.png", None, 64, 48)
    assert len(record.sha256 or "") == 64
    (target,), (carrier,) = record.targets, record.carriers
    assert (target.box, target.method, target.found_by) == (FACE, "solid", "fake")
    assert (carrier.box, carrier.verdict, carrier.target) == (PERSON, Verdict.ANONYMIZED, 0)


def test_a_target_that_is_left_open_says_so(tmp_path: Path) -> None:
    done = run(photographs(tmp_path / "photos", 1), tmp_path / "out", method="none")
    (record,) = read_records(tmp_path / "out" / "records.jsonl")
    assert record.targets[0].method is None
    assert done.assessment
    assert done.assessment.people.PARAM == 1


def test_every_frame_is_a_record(tmp_path: Path) -> None:
    (tmp_path / "a.gif").write_bytes(EVERY["gif-animated"])
    run(tmp_path / "a.gif", tmp_path / "out")
    records = list(read_records(tmp_path / "out" / "records.jsonl"))
    assert [(record.image, record.frame) for record in records] == [("a.gif", frame) for frame in range(4)]


def test_a_file_of_another_format_says_where_it_came_from(tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    (source / "a.heic").write_bytes((HEIC / "turned.heic").read_bytes())
    (source / "a.heic.jpg").write_bytes(EVERY["jpeg"])
    run(source, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out" / "media").iterdir()) == [
        "a.heic-2.jpg",
        "a.heic.jpg",
    ]
    renamed, kept = read_records(tmp_path / "out" / "records.jsonl")
    assert (renamed.image, renamed.extra) == ("a.heic-2.jpg", {"source": "a.heic"})
    assert (kept.image, kept.extra) == ("a.heic.jpg", {})


@pytest.mark.filterwarnings("ignore")  # Pillow's, at damaged files
def test_bad_files_are_quarantined_by_name_and_reason_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos", 2)
    for what, (data, _) in BAD.items():
        (source / f"{what}.jpg").write_bytes(data)
    (source / "nowhere.jpg").symlink_to("gone")
    (source / "notes.txt").write_text("who is in which picture")
    done = run(source, tmp_path / "out")
    assert done.images == 2
    reasons = {one.image: one.why for one in done.quarantined}
    assert set(reasons) == {f"{what}.jpg" for what in BAD} | {"nowhere.jpg", "notes.txt"}
    assert all(reasons.values())
    assert reasons["nowhere.jpg"] == "a link that leads nowhere"
    assert done.assessment
    assert done.assessment.quarantined == done.quarantined
    released = {path.name for path in (tmp_path / "out").rglob("*")}
    assert not released & set(reasons)


def test_a_file_on_which_a_pass_fails_is_quarantined(tmp_path: Path) -> None:
    def failing(pixels: Pixels) -> list[Target]:
        if pixels[0, 0, 0] == 61:
            raise ZeroDivisionError("no such thing")
        return []

    done = run(photographs(tmp_path / "photos", 3), tmp_path / "out", detect=failing)
    assert [(one.image, one.why) for one in done.quarantined] == [
        ("day 1/001.png", "could not be processed: ZeroDivisionError: no such thing")
    ]


def test_what_concerns_every_file_ends_the_run(tmp_path: Path) -> None:
    def unavailable(pixels: Pixels) -> list[Target]:
        raise Unavailable("the weights are gone")

    with pytest.raises(Unavailable):
        run(photographs(tmp_path / "photos", 3), tmp_path / "out", detect=unavailable)


def test_the_second_pass_sees_the_source_and_nothing_of_the_first(tmp_path: Path) -> None:
    brightest = []

    def look(pixels: Pixels) -> list[object]:
        brightest.append(int(pixels.max()))
        return []

    run(photographs(tmp_path / "photos", 3), tmp_path / "out", look=look)
    assert brightest == [255, 255, 255]


def test_the_passes_run_beside_each_other(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=20)

    def detect(pixels: Pixels) -> list[Target]:
        both.wait()
        return []

    def look(pixels: Pixels) -> list[object]:
        both.wait()
        return []

    done = run(photographs(tmp_path / "photos", 1), tmp_path / "out", detect=detect, look=look, workers=1)
    assert done.quarantined == ()


def test_so_many_pixels_are_held_at_once_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aramis.images.flow.PIXELS_PER_WORKER", 64 * 48 // 2)
    inside, most, lock = 0, 0, threading.Lock()

    def counting(pixels: Pixels) -> list[Target]:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        threading.Event().wait(0.01)
        with lock:
            inside -= 1
        return []

    done = run(photographs(tmp_path / "photos", 12), tmp_path / "out", detect=counting, workers=4)
    assert (done.images, most) == (12, 2)


def test_progress_counts_what_is_left_and_names_what_is_done(tmp_path: Path) -> None:
    said: list[tuple[int, int | None, str]] = []
    source = photographs(tmp_path / "photos", 4)
    run(source, tmp_path / "out", progress=lambda *step: said.append(step))
    assert [(done, total) for done, total, _ in said] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert {name for _, _, name in said} == {f"day {n % 3}/{n:03}.png" for n in range(4)}


def test_redact_hides_and_judges_nothing(tmp_path: Path) -> None:
    done = redact(photographs(tmp_path / "photos"), tmp_path / "out", detect=one_face, method="solid")
    assert done.assessment is None
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["media", "private", "records.jsonl"]
    assert all(not record.carriers for record in read_records(tmp_path / "out" / "records.jsonl"))


def test_inspect_looks_and_releases_no_pixel(tmp_path: Path) -> None:
    inspect(photographs(tmp_path / "photos"), tmp_path / "out", look=one_person)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["private", "records.jsonl"]
    records = list(read_records(tmp_path / "out" / "records.jsonl"))
    assert [len(record.carriers) for record in records] == [1, 1, 1]
    assert all(carrier.verdict is None for record in records for carrier in record.carriers)


def test_the_picture_that_is_shown_instead_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "smile.png").write_bytes(EVERY["png-colour-alpha"])
    run(photographs(tmp_path / "photos", 1), tmp_path / "out", method="image", picture=tmp_path / "smile.png")
    shown = seen(decode((tmp_path / "out" / "media" / "day 0" / "000.png").read_bytes()).frames[0])
    assert shown[10:26, 12:28].std() > 20


def test_a_picture_that_cannot_be_read_is_said_before_anything_is_done(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"gone\.png cannot be shown: cannot be read: no such file"):
        run(photographs(tmp_path / "photos", 1), tmp_path / "out", method="image", picture="gone.png")
    assert not (tmp_path / "out").exists()
