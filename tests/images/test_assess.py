import json
from pathlib import Path

import pytest

from aramis.errors import BadInput
from aramis.images import assess as module
from aramis.images.assess import Tally, assess
from aramis.images.files.assessments import read_assessment, write_assessment
from aramis.images.files.jsonl import read_records, write_records
from aramis.images.records import Carrier, ImageRecord, Orientation, Target, Verdict
from aramis.images.risk.assessment import Assessment, Quarantined
from aramis.images.risk.checks import Checked
from aramis.images.rules.thresholds import Thresholds

FACING = Carrier(id=0, kind="person", box=(100, 100, 300, 600), score=0.9, orientation=Orientation.FRONT)
AWAY = Carrier(id=1, kind="person", box=(400, 100, 600, 600), score=0.9, orientation=Orientation.BACK)
CAR = Carrier(id=2, kind="vehicle", label="car", box=(700, 100, 900, 600), score=0.8)
FACE = Target(id=0, kind="face", box=(180, 120, 220, 170), method="blur")
POSTER = Target(id=1, kind="face", box=(620, 20, 660, 60), method="blur")


def record(name: str, *things: Target | Carrier, frame: int | None = None) -> ImageRecord:
    return ImageRecord(
        image=name,
        frame=frame,
        width=1000,
        height=1000,
        targets=tuple(one for one in things if isinstance(one, Target)),
        carriers=tuple(one for one in things if isinstance(one, Carrier)),
    )


def release(folder: Path, *records: ImageRecord) -> Path:
    write_records(folder / "records.jsonl", records)
    return folder


def test_the_measures_are_those_of_the_paper(tmp_path: Path) -> None:
    found = assess(
        release(
            tmp_path,
            record("a.jpg", FACE, POSTER, FACING, AWAY, CAR),
            record("b.jpg", FACING),
            record("c.mp4", frame=0),
        ),
        rules="published",
    )
    assert (found.images, found.frames) == (2, 1)
    assert (found.people.TDP, found.people.PAP, found.people.PNRF) == (3, 1, 1)
    assert (found.people.PAQ, found.people.PARAM) == pytest.approx((2 / 3, 1 / 3))
    assert (found.vehicles.TDV, found.vehicles.PAV, found.vehicles.VNRLP) == (1, 0, 0)
    assert (found.vehicles.VAQ, found.vehicles.VARAM) == (0, 1)
    assert (found.overall.ASA, found.overall.PA, found.overall.SANP) == (4, 1, 1)
    assert (found.overall.AQ, found.overall.ARAM) == (0.5, 0.5)
    assert found.by_rules["published"].overall == found.overall
    assert found.reasons == {"turned-away": 1}
    assert [(leak.image, leak.carrier) for leak in found.leaks] == [("a.jpg", 2), ("b.jpg", 0)][::-1]
    assert [(loose.image, loose.target) for loose in found.targets_without_carrier] == [("a.jpg", 1)]


def test_nothing_to_assess_is_null_and_not_zero(tmp_path: Path) -> None:
    assess(release(tmp_path, record("a.jpg", FACE)))
    written = json.loads((tmp_path / "assessment.json").read_text())
    assert written["people"] == {"TDP": 0, "PAP": 0, "PNRF": 0, "PAQ": None, "PARAM": None}
    assert written["vehicles"] == {"TDV": 0, "PAV": 0, "VNRLP": 0, "VAQ": None, "VARAM": None}
    assert written["overall"] == {"ASA": 0, "PA": 0, "SANP": 0, "AQ": None, "ARAM": None}


def test_an_empty_set_of_records_can_be_assessed(tmp_path: Path) -> None:
    assert assess(release(tmp_path)).overall.ARAM is None


def test_the_verdicts_stand_in_the_records(tmp_path: Path) -> None:
    assess(release(tmp_path, record("a.jpg", FACE, FACING, AWAY)))
    [judged] = read_records(tmp_path / "records.jsonl")
    assert [one.verdict for one in judged.carriers] == [Verdict.ANONYMIZED, Verdict.UNRECOGNISABLE]


def test_what_judging_does_not_touch_is_kept(tmp_path: Path) -> None:
    release(tmp_path, record("a.jpg", FACING))
    before = Assessment(
        rules="other",
        quarantined=(Quarantined("x.jpg", "truncated"),),
        checks={"changed": Checked(images=1, cases=3)},
    )
    write_assessment(tmp_path / "assessment.json", before)
    after = assess(tmp_path, rules="published", thresholds=Thresholds(small_area=0.5))
    assert (after.quarantined, after.checks) == (before.quarantined, before.checks)
    assert after.thresholds["small_area"] == 0.5
    assert read_assessment(tmp_path / "assessment.json") == after
    assert after.overall.ARAM == 0


def test_of_many_leaks_the_worst_are_listed_and_the_rest_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTED", 3)
    tally = Tally()
    for width in (100, 500, 300, 200, 400):
        person = Carrier(id=0, kind="person", box=(0, 0, width, 500), score=0.9)
        tally.judged(record(f"{width}.jpg", person))
    found = tally.assessment()
    assert [leak.image for leak in found.leaks] == ["500.jpg", "400.jpg", "300.jpg"]
    assert found.leaks_not_listed == 2
    assert found.overall.ARAM == 1


def test_rules_of_no_known_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no rules called lenient; there are"):
        assess(release(tmp_path), rules="lenient")


@pytest.mark.parametrize("text", ["", "[]", '{"images": "many"}'])
def test_a_broken_assessment_is_named(tmp_path: Path, text: str) -> None:
    release(tmp_path)
    (tmp_path / "assessment.json").write_text(text)
    with pytest.raises(BadInput, match=r"assessment\.json is not an assessment"):
        assess(tmp_path)
