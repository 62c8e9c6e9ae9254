"""The report: what it says, that no name can break out of it, and that it needs nothing but itself."""

import os
import re
from base64 import b64decode
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from tests.images.conftest import make_clip

from aramis.images.assess import assess
from aramis.images.files import video
from aramis.images.files.assessments import read_assessment, write_assessment
from aramis.images.files.jsonl import write_records
from aramis.images.records import Carrier, Finding, ImageRecord, Orientation, Target
from aramis.images.risk.assessment import Quarantined
from aramis.images.risk.checks import Checked, CheckLeak
from aramis.images.risk.estimates import Missed
from aramis.images.risk.review import Certified
from aramis.report.as_html import write_report

GOLDEN = Path(__file__).parents[1] / "golden" / "report.html"
HOSTILE = "<script>alert(1)</script>\"' onerror=x &amp; \u202e\n{{ 7 * 7 }}.jpg"

FACING = Carrier(id=0, kind="person", box=(100, 100, 300, 600), score=0.9, orientation=Orientation.FRONT)
AWAY = Carrier(id=1, kind="person", box=(400, 100, 600, 600), score=0.9, orientation=Orientation.BACK)
CAR = Carrier(id=2, kind="vehicle", label="car", box=(700, 100, 900, 600), score=0.8)
FACE = Target(id=0, kind="face", box=(180, 120, 220, 170), score=0.7, method="blur")
POSTER = Target(id=1, kind="face", box=(620, 20, 660, 60), method="blur")


def record(name: str, *things: Target | Carrier) -> ImageRecord:
    targets = tuple(one for one in things if isinstance(one, Target))
    carriers = tuple(one for one in things if isinstance(one, Carrier))
    return ImageRecord(image=name, width=1000, height=800, targets=targets, carriers=carriers)


def release(folder: Path, *records: ImageRecord, pixels: bool = True) -> Path:
    write_records(folder / "records.jsonl", records)
    for one in records if pixels else ():
        path = folder / "media" / one.image
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (one.width, one.height), "grey").save(path)
    assess(folder, rules="published")
    return folder


def page(folder: Path, pictures: int = 60) -> str:
    return write_report(folder, pictures=pictures, written=date(2026, 1, 2)).read_text()


@pytest.fixture
def street(tmp_path: Path) -> Path:
    return release(
        tmp_path,
        record("a street.jpg", FACE, POSTER, FACING, AWAY, CAR),
        record("b.jpg", FACING),
        record("c.png"),
    )


class Page(HTMLParser):
    """Which elements and attributes a page really has, and whether they nest."""

    VOID = frozenset({"meta", "br", "hr", "img"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_first_screen_says_what_there_is_to_decide(street: Path) -> None:
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page(street)))
    assert "2 of 4 people and vehicles may still be recognisable, in 2 pictures" in text
    assert "2 faces: blur" in text
    assert "What has not been checked" in text
    assert "compliant" not in text.lower()


def test_the_page_is_what_people_have_looked_at(street: Path) -> None:
    written = re.sub(r"<style>.*?</style>", "", page(street, pictures=0), flags=re.DOTALL)
    written = re.sub(r"Aramis [\d.]+", "Aramis VERSION", written)
    if os.environ.get("ARAMIS_RENEW_GOLDEN"):
        GOLDEN.write_text(written)
    assert written == GOLDEN.read_text(), "look at the page; ARAMIS_RENEW_GOLDEN=1 keeps it"


def test_the_page_is_well_formed_and_needs_nothing_but_itself(street: Path) -> None:
    found = Page(page(street))
    assert not found.open
    assert not found.tags & {"script", "iframe", "object", "link", "img"}
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    addresses = [value for name, value in found.attributes if name in ("href", "src")]
    assert all(value.startswith(("#", "media/", "data:image/jpeg;base64,")) for value in addresses)
    assert len(set(found.ids)) == len(found.ids)
    assert {value[1:] for value in addresses if value.startswith("#")} <= set(found.ids)


def test_a_hostile_name_stays_text(tmp_path: Path) -> None:
    folder = release(tmp_path, record(HOSTILE, FACING, POSTER), pixels=False)
    kept = read_assessment(folder / "assessment.json")
    leak = CheckLeak(image=HOSTILE, kind=HOSTILE, why=HOSTILE)
    bad = {"changed": Checked(leaks=1, listed=(leak,), more={HOSTILE: [HOSTILE]})}
    write_assessment(
        folder / "assessment.json",
        msgspec.structs.replace(
            kept,
            quarantined=(Quarantined(HOSTILE, HOSTILE),),
            checks=bad,
            models=({"name": HOSTILE},),
            reasons={HOSTILE: 1},
            versions={HOSTILE: HOSTILE},
        ),
    )
    written = page(folder)
    assert "<script" not in written
    assert "{{ 7 * 7 }}" in written  # the name, not what a template would make of it
    found = Page(written)
    assert not found.open
    assert not [name for name, _ in found.attributes if name.startswith("on")]


def test_pictures_are_of_the_released_file_and_bounded(street: Path) -> None:
    assert (
        page(street).count("data:image/jpeg") == 2 + 1 + 1 + 1
    )  # leaks, turned-away, anonymized, the poster
    bounded = page(street, pictures=1)
    assert "1 more in" in bounded
    assert bounded.count("data:image/jpeg") == 1 + 3
    assert "data:image" not in page(street, pictures=0).replace("img-src data:", "")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.unlink(), "there is no released file of this name"),
        (lambda path: path.write_bytes(b"not a picture"), "the released file cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes()[:900]), "the released file cannot be read"),
        (lambda path: Image.new("L", (5, 5)).save(path), "has another size than its record"),
    ],
)
def test_a_picture_that_cannot_be_shown_says_why(street: Path, spoil: object, said: str) -> None:
    assert callable(spoil)
    spoil(street / "media" / "b.jpg")
    assert said in page(street)


def test_what_a_check_found_is_counted_shown_and_said_first(tmp_path: Path) -> None:
    seen = Finding(kind="face", box=(500, 500, 560, 570), value=0.6, leak=True, why="found again")
    gps = Finding(kind="GPS", leak=True, why="GPS: GPSLatitude")
    hidden = Finding(kind="face", box=FACE.box, target=0, value=0.31, why="still shaped like a face")
    checks = {"residual": (hidden, seen), "metadata": (gps,)}
    written = page(release(tmp_path, msgspec.structs.replace(record("a.jpg", FACE, AWAY), checks=checks)))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", written))
    assert "found 2 places by which somebody could be known" in text
    assert "Found again." in text
    assert "a.jpg: GPS: GPSLatitude" in text
    assert "still shaped like a face" not in text
    assert written.count('<g class="leak">') == 1
    assert Page(written).open == []


def test_nothing_to_assess_is_not_called_safe(tmp_path: Path) -> None:
    written = page(release(tmp_path, record("a.jpg")))
    assert "Nothing to assess" in written
    assert "No leak was found" not in written


def test_no_leak_is_called_evidence_and_not_proof(tmp_path: Path) -> None:
    written = page(release(tmp_path, record("a.jpg", AWAY)))
    assert "That is evidence for an anonymous release, not" in written


def test_every_threshold_and_every_rule_stands_in_the_page(street: Path) -> None:
    from aramis.images.rules.judge import RULE_SETS
    from aramis.images.rules.scene import code
    from aramis.images.rules.thresholds import described

    written = page(street)
    assert all(f"<code>{name}</code>" in written for name in described())
    assert all(f"<code>{code(rule)}</code>" in written for rules in RULE_SETS for rule in rules.rules)


def filmed(folder: Path, *frames: int) -> Path:
    """A release of one video, with somebody open in these frames: where the bright square is then."""
    places = [(frame * 4 % 48, 8, frame * 4 % 48 + 16, 24) for frame in frames]
    write_records(
        folder / "records.jsonl",
        [
            ImageRecord(
                image="a.mp4",
                frame=frame,
                width=64,
                height=48,
                carriers=(Carrier(id=0, kind="person", box=place, score=0.9, orientation=Orientation.FRONT),),
            )
            for frame, place in zip(frames, places, strict=True)
        ],
    )
    (folder / "media").mkdir()
    make_clip(folder / "media" / "a.mp4", frames=20)
    assess(folder, rules="strict")
    return folder


def shown(text: str) -> list[NDArray[np.uint8]]:
    found = re.findall(r'href="data:image/jpeg;base64,([^"]+)"', text)
    return [np.asarray(Image.open(BytesIO(b64decode(one)))) for one in found]


def test_leaks_in_a_video_are_shown_from_their_own_frames(tmp_path: Path) -> None:
    pictures = shown(page(filmed(tmp_path, 3, 11)))
    brightest = {int(np.argmax(one[16].min(axis=1) > 180)) for one in pictures}
    assert len(pictures) >= 2
    assert brightest == {3 * 4, 11 * 4}


def test_a_video_is_decoded_once_and_no_further_than_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    frames = video.frames

    def noted(path: Path) -> Iterator[video.Frame]:
        for frame in frames(path):
            decoded.append(frame.index)
            yield frame

    monkeypatch.setattr(video, "frames", noted)
    page(filmed(tmp_path, 3, 11))
    assert decoded == list(range(12))
    page(tmp_path, pictures=0)
    assert decoded == list(range(12))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (Path.unlink, "there is no released file"),
        (lambda path: path.write_bytes(b"no video"), "the released video cannot be read"),
        (lambda path: make_clip(path, frames=5), "the released video has no such frame"),
    ],
)
def test_a_frame_that_cannot_be_shown_says_why(tmp_path: Path, spoil: Any, said: str) -> None:
    folder = filmed(tmp_path, 3, 11)
    spoil(folder / "media" / "a.mp4")
    assert said in page(folder)


def test_a_frame_of_an_animation_is_shown_too(tmp_path: Path) -> None:
    one = record("a.gif", FACING)
    release(tmp_path, msgspec.structs.replace(one, frame=1), pixels=False)
    grey, black = (Image.new("L", (one.width, one.height), value) for value in (128, 0))
    (tmp_path / "media").mkdir()
    grey.save(tmp_path / "media" / "a.gif", save_all=True, append_images=[black])
    assert {int(picture.max()) for picture in shown(page(tmp_path))} == {0}


def test_the_estimates_stand_beside_what_other_models_say_and_what_a_review_certifies(street: Path) -> None:
    kept = read_assessment(street / "assessment.json")
    told = Missed(
        estimate=46.1,
        low=28.7,
        high=74.2,
        method="by a model",
        sources=("yunet", "people"),
        hidden=912.0,
        seen_open=42.0,
        unseen=4.1,
        unseen_at_least=5.5,
        unseen_by_coverage=None,
        caution="Many are tiny",
        images=3,
    )
    estimates = msgspec.structs.replace(
        kept.estimates,
        missed_targets={"face": told},
        reviewed=Certified(3, 0, 0.95, 0.0),
        reviewed_tracks=Certified(9, 2, 0.95, 0.4),
    )
    write_assessment(street / "assessment.json", msgspec.structs.replace(kept, estimates=estimates))
    written = page(street)
    assert not Page(written).open
    text = re.sub(
        r"\s+", " ", re.sub(r"</?(p|strong|code)\b[^>]*>|<[^>]+>", lambda tag: "" if tag[1] else " ", written)
    )
    assert "Many are tiny." in text
    assert "faces 912 46.1 28.7 to 74.2 42 4.1 \u2013 5.5" in text
    assert "3 images were looked at, 0 of them with a leak" in text
    assert "9 people and vehicles in videos were looked at, 2 of them with a leak" in text
    assert "Nobody has said" not in text
