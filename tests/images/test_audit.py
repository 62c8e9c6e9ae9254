"""Somebody else's release is judged by what changed, and by what did not."""

import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from aramis.errors import BadInput
from aramis.images.assess import assess
from aramis.images.audit import audit
from aramis.images.detect.faces import faces
from aramis.images.files.jsonl import read_records
from aramis.images.records import Carrier, ImageRecord, Target, Verdict
from aramis.images.surroundings.look import look_around

DATA = Path(os.environ.get("ARAMIS_DATA", Path(__file__).parents[3] / "shared" / "data"))
FACES = ((40, 30, 64, 60), (130, 30, 154, 60))
PEOPLE = ((20, 20, 84, 180), (110, 20, 174, 180))


def detect(pixels: NDArray[Any]) -> list[Target]:
    return [Target(kind="face", box=face, score=0.9) for face in FACES]


def look(pixels: NDArray[Any]) -> list[Carrier]:
    return [Carrier(kind="person", box=box, score=0.9) for box in PEOPLE]


def nobody(pixels: NDArray[Any]) -> list[Target]:
    return []


def scene(seed: int) -> NDArray[np.uint8]:
    noise = np.random.default_rng(seed).integers(0, 255, (200, 200, 3), np.uint8)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), 1.5))


def hidden(pixels: NDArray[np.uint8], *boxes: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    after = pixels.copy()
    for x1, y1, x2, y2 in boxes:
        after[y1 - 4 : y2 + 4, x1 - 4 : x2 + 4] = 30
    return after


def save(path: Path, pixels: NDArray[np.uint8]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return path


def audited(place: Path, originals: Path | None, **given: Any) -> tuple[Any, dict[str, ImageRecord]]:
    options: dict[str, Any] = {"detect": detect, "look": look, "checks": "none", **given}
    done = audit(originals, place / "theirs", place / "out", **options)
    return done, {record.image: record for record in read_records(place / "out" / "records.jsonl")}


def test_who_is_hidden_is_anonymized_and_who_is_not_is_a_leak(tmp_path: Path) -> None:
    save(tmp_path / "ours" / "a.png", scene(1))
    save(tmp_path / "theirs" / "a.jpg", hidden(scene(1), FACES[0]))
    done, records = audited(tmp_path, tmp_path / "ours")
    assert [one.verdict for one in records["a.jpg"].carriers] == [Verdict.ANONYMIZED, Verdict.LEAK]
    assert [one.method for one in records["a.jpg"].targets] == ["changed", None, "changed"]
    assert done.assessment.overall.ARAM == 0.5
    assert done.assessment.checks["originals"].more == {
        "compared": 1,
        "targets found": 2,
        "targets still open": 1,
    }
    assert (tmp_path / "out" / "report.html").is_file()


def test_what_no_detector_of_ours_finds_is_recovered_from_the_pixels(tmp_path: Path) -> None:
    save(tmp_path / "ours" / "a.png", scene(1))
    save(tmp_path / "theirs" / "a.png", hidden(scene(1), (28, 24, 76, 80)))
    _, records = audited(tmp_path, tmp_path / "ours", detect=nobody)
    assert [one.verdict for one in records["a.png"].carriers] == [Verdict.ANONYMIZED, Verdict.LEAK]
    assert [one.kind for one in records["a.png"].targets] == ["region"]


def test_a_file_of_another_name_is_known_by_what_it_shows(tmp_path: Path) -> None:
    for seed in range(8):
        save(tmp_path / "ours" / f"{seed}.png", scene(seed))
    turned = np.rot90(hidden(scene(5), *FACES)).copy()
    save(tmp_path / "theirs" / "export_77.png", turned)
    done, records = audited(tmp_path, tmp_path / "ours", detect=nobody)
    assert done.assessment.checks["originals"].more["compared"] == 1
    assert len(records["export_77.png"].targets) == 2


@pytest.mark.parametrize(
    ("originals", "how"), [(None, "none"), ("other", "none"), ("a", "shows another scene")]
)
def test_without_an_original_what_is_found_is_open(tmp_path: Path, originals: str | None, how: str) -> None:
    for seed, name in enumerate((originals, "more") if originals else (), start=50):
        save(tmp_path / "ours" / f"{name}.png", scene(seed))
    save(tmp_path / "theirs" / "a.png", scene(1))
    done, records = audited(tmp_path, tmp_path / "ours" if originals else None)
    assert done.assessment.checks["originals"].more == {how: 1, "targets found": 2, "targets still open": 2}
    assert {one.verdict for one in records["a.png"].carriers} == {Verdict.LEAK}


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    save(tmp_path / "ours" / "a.png", scene(1))
    (tmp_path / "ours" / "b.png").write_bytes(b"no picture")
    save(tmp_path / "theirs" / "b.png", scene(1))
    (tmp_path / "theirs" / "ride.mp4").write_bytes(b"")
    (tmp_path / "theirs" / "zero.jpg").write_bytes(b"")
    done, _ = audited(tmp_path, tmp_path / "ours")
    assert {one.image: one.why for one in done.quarantined} == {
        "b.png": "its original b.png: not a picture of a format that Aramis reads",
        "ride.mp4": "ride.mp4 cannot be read as a video: Invalid data found when processing input",
        "zero.jpg": "empty: the file has no bytes",
    }


def test_an_audit_goes_on_where_it_stopped_and_is_judged_again_without_a_pixel(tmp_path: Path) -> None:
    save(tmp_path / "theirs" / "a.png", scene(1))
    first, _ = audited(tmp_path, None)

    def again(pixels: NDArray[Any]) -> list[Target]:
        raise AssertionError("the picture was done already")

    second, _ = audited(tmp_path, None, detect=again)
    assert second.assessment == first.assessment
    assert assess(tmp_path / "out", rules="published").checks == first.assessment.checks


def test_what_they_released_is_checked_like_our_own(tmp_path: Path) -> None:
    save(tmp_path / "ours" / "a.png", scene(1))
    save(tmp_path / "theirs" / "a.png", hidden(scene(1), FACES[0]))
    done, records = audited(tmp_path, tmp_path / "ours", checks="changed,residual,metadata")
    checks = done.assessment.checks
    assert {name: (one.cases, one.leaks) for name, one in checks.items() if name != "originals"} == {
        "changed": (2, 0),  # the face, and the region that changed
        "residual": (2, 1),
        "metadata": (0, 0),
    }
    assert [one.changed for one in records["a.png"].targets] == [True, None, True]
    assert checks["residual"].listed[0].box == FACES[1]


def test_metadata_of_theirs_is_listed_also_without_an_original(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[315] = "somebody"
    (tmp_path / "theirs").mkdir()
    Image.fromarray(scene(1)).save(tmp_path / "theirs" / "a.jpg", exif=exif)
    done, _ = audited(tmp_path, None, checks="metadata")
    assert [leak.kind for leak in done.assessment.checks["metadata"].listed] == ["exif"]
    assert done.assessment.has_leaks


def film(path: Path, rate: int, covered: bool = False) -> Path:
    """Three seconds of a scene that changes every second, in which the first of two people is hidden."""
    import av

    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream("libx264", rate=rate, options={"crf": "12"})
        stream.width = stream.height = 200
        stream.pix_fmt = "yuv420p"
        for index in range(3 * rate):
            pixels = scene(index // rate)
            shown = hidden(pixels, FACES[0]) if covered else pixels
            out.mux(stream.encode(av.VideoFrame.from_ndarray(shown, format="rgb24")))
        out.mux(stream.encode())
    return path


@pytest.mark.parametrize("rate", [10, 25])
def test_a_video_is_judged_by_a_frame_of_every_second_also_at_another_rate(tmp_path: Path, rate: int) -> None:
    film(tmp_path / "ours" / "ride.mp4", 10)
    film(tmp_path / "theirs" / "ride.mp4", rate, covered=True)
    done, _ = audited(tmp_path, tmp_path / "ours", checks="changed,metadata")
    records = list(read_records(tmp_path / "out" / "records.jsonl"))
    assert [record.frame for record in records] == [0, rate, 2 * rate]
    for record in records:
        assert [one.verdict for one in record.carriers] == [Verdict.ANONYMIZED, Verdict.LEAK]
    assert done.assessment.checks["originals"].more["compared"] == 3
    assert (done.assessment.frames, done.assessment.checks["changed"].leaks) == (3, 0)


def test_a_video_without_an_original_is_looked_at_alone(tmp_path: Path) -> None:
    film(tmp_path / "theirs" / "ride.mp4", 10, covered=True)
    done, _ = audited(tmp_path, None)
    assert done.assessment.checks["originals"].more["none"] == 3


def test_nothing_of_theirs_is_written_to(tmp_path: Path) -> None:
    original = save(tmp_path / "ours" / "a.png", scene(1))
    released = save(tmp_path / "theirs" / "a.png", hidden(scene(1), *FACES))
    before = original.read_bytes(), released.read_bytes()
    audited(tmp_path, tmp_path / "ours")
    assert (original.read_bytes(), released.read_bytes()) == before
    with pytest.raises(BadInput, match="inside the source"):
        audit(None, tmp_path / "theirs", tmp_path / "theirs" / "out", detect=detect, look=look)


@pytest.mark.skipif(not DATA.is_dir(), reason="another tool's releases: ARAMIS_DATA")
def test_who_hides_less_has_the_higher_risk(tmp_path: Path) -> None:
    """One photograph as deface released it: the higher its threshold, the less it hides."""
    theirs = DATA / "anonymized_pairs" / "deface"
    risk, found_open, anonymized = [], [], []
    for threshold in ("_thresh0.02", "", "_thresh0.7"):  # the second at 0.2
        done = audit(
            theirs / "city.jpg",
            theirs / f"city_anonymized{threshold}.jpg",
            tmp_path / f"out{threshold}",
            detect=faces(),
            look=look_around(),
            checks="none",
        )
        assert done.assessment
        assert done.assessment.overall.ARAM is not None
        risk.append(done.assessment.overall.ARAM)
        found_open.append(done.assessment.checks["originals"].more["targets still open"])
        anonymized.append(done.assessment.people.PAP)
    assert risk[0] <= risk[1] < risk[2]  # looked at: the first two leave nobody's face open
    assert found_open[0] <= found_open[1] < found_open[2]
    assert anonymized[0] > anonymized[1] > anonymized[2]
