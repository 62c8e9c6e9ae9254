"""What a person should look at is drawn at random, kept when more is drawn, and certified as far as they have looked."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.images.conftest import make_clip

from aramis.errors import BadInput
from aramis.images.assess import assess
from aramis.images.files.jsonl import write_records
from aramis.images.files.review_sheet import Row, read_sheet, write_sheet
from aramis.images.records import Carrier, ImageRecord
from aramis.images.risk.review import Unit, certified
from aramis.images.sampling import SHEET, sample


def release(folder: Path, images: int = 40, tracks: int = 0) -> Path:
    photographs = [ImageRecord(image=f"{number:03d}.jpg", width=640, height=480) for number in range(images)]
    write_records(folder / "records.jsonl", [*photographs, *film(tracks)])
    assess(folder)
    return folder


def film(tracks: int) -> list[ImageRecord]:
    """Everybody is seen in three frames, and comes nearer."""
    return [
        ImageRecord(
            image="ride.mp4",
            frame=frame,
            width=640,
            height=480,
            carriers=tuple(
                Carrier(id=one, kind="person", box=(0, 0, 20 + frame, 50), score=0.9, track=one)
                for one in range(tracks)
            ),
        )
        for frame in (0, 30, 60)
        if tracks
    ]


def fill_in(folder: Path, answers: Sequence[bool | None]) -> None:
    rows = read_sheet(folder / SHEET)
    write_sheet(
        folder / SHEET,
        [Row(unit=row.unit, leak=leak) for row, leak in zip(rows, answers, strict=True)],
    )


def drawn(folder: Path) -> list[Unit]:
    return [row.unit for row in read_sheet(folder / SHEET)]


def test_as_many_are_drawn_as_certify_the_rate_and_nobody_else_may_read_the_sheet(tmp_path: Path) -> None:
    done = sample(release(tmp_path), leak_rate=0.1)
    assert (done.images, done.tracks) == (len(drawn(tmp_path)), 0) == (21, 0)
    assert (tmp_path / "private").stat().st_mode & 0o077 == 0


def test_of_a_video_people_are_drawn_and_where_each_is_to_be_found_is_said(tmp_path: Path) -> None:
    done = sample(release(tmp_path, images=3, tracks=5), leak_rate=0.01)
    assert (done.images, done.tracks) == (3, 5)
    assert 'ride.mp4,person,2,0 to 60,,"frame 60 at 0,0 to 80,50",' in (tmp_path / SHEET).read_text()


def test_where_the_released_video_is_to_be_had_its_seconds_are_told(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="videos need FFmpeg: install aramis[video]")
    release(tmp_path, images=0, tracks=2)
    (tmp_path / "media").mkdir()
    make_clip(tmp_path / "media" / "ride.mp4", rate=20)
    sample(tmp_path)
    assert "ride.mp4,person,0,0 to 60,0.0 to 3.0," in (tmp_path / SHEET).read_text()


def test_each_image_is_drawn_as_often_as_any_other(tmp_path: Path) -> None:
    often: Counter[Unit] = Counter()
    release(tmp_path, images=10)
    for seed in range(60):
        sample(tmp_path, leak_rate=0.5, seed=seed)
        often.update(drawn(tmp_path))
    share = sum(often.values()) / 10
    assert len(often) == 10
    assert all(abs(count - share) < 4 * share**0.5 for count in often.values())


def test_a_larger_sample_goes_on_with_the_smaller_one_and_its_answers(tmp_path: Path) -> None:
    sample(release(tmp_path), leak_rate=0.2)
    few = drawn(tmp_path)
    fill_in(tmp_path, [False] * len(few))
    done = sample(tmp_path, leak_rate=0.05)
    assert drawn(tmp_path)[: len(few)] == few
    assert done.images > done.answered == len(few)


def test_no_answer_is_lost(tmp_path: Path) -> None:
    sample(release(tmp_path), leak_rate=0.2)
    fill_in(tmp_path, [False] * len(drawn(tmp_path)))
    with pytest.raises(BadInput, match="holds answers that are not in this sample"):
        sample(tmp_path, leak_rate=0.2, seed=7)


def test_what_the_answers_certify_stands_in_the_assessment_and_stays_there(tmp_path: Path) -> None:
    sample(release(tmp_path, images=40, tracks=9), leak_rate=0.1)
    fill_in(tmp_path, [False] * 21 + [True] + [False] * 8)
    assess(tmp_path, review=tmp_path / SHEET)
    told = assess(tmp_path)
    assert told.estimates.reviewed == certified(21, 0, 40)
    assert told.estimates.reviewed_tracks == certified(9, 1, 9)
    assert told.has_leaks


def test_only_those_before_the_first_gap_count(tmp_path: Path) -> None:
    """Who skips the doubtful ones has not looked at a random sample."""
    sample(release(tmp_path), leak_rate=0.1)
    fill_in(tmp_path, [False] * 8 + [None] + [False] * 12)
    assert assess(tmp_path, review=tmp_path / SHEET).estimates.reviewed == certified(8, 0, 40)


def test_a_sheet_of_another_release_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    release(tmp_path)
    before = (tmp_path / "records.jsonl").read_bytes()
    write_sheet(tmp_path / "other.csv", [Row(unit=Unit("elsewhere.jpg"), leak=False)])
    with pytest.raises(BadInput, match=r"elsewhere\.jpg stands in the review, but not in the records"):
        assess(tmp_path, review=tmp_path / "other.csv", rules="published")
    assert (tmp_path / "records.jsonl").read_bytes() == before


def test_what_was_looked_at_is_forgotten_when_the_release_has_become_another(tmp_path: Path) -> None:
    release(tmp_path)
    assess(tmp_path, reviewed=(20, 0))
    assert release(tmp_path, images=41) == tmp_path
    assert assess(tmp_path).estimates.reviewed is None


@pytest.mark.parametrize("rate", [0.0, 1.0, -0.5])
def test_a_leak_rate_is_a_share(tmp_path: Path, rate: float) -> None:
    with pytest.raises(BadInput, match="between 0 and 1"):
        sample(release(tmp_path), leak_rate=rate)
