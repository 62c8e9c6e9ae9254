import pytest

from aramis.images.assess import Tally
from aramis.images.records import Carrier, ImageRecord, Orientation
from aramis.images.risk.sensitivity import Moved, sensitivity
from aramis.images.rules.judge import PUBLISHED, STRICT
from aramis.images.rules.thresholds import Thresholds, described

TALL = Carrier(id=0, kind="person", box=(0, 0, 100, 300), score=0.9, orientation=Orientation.FRONT)
SMALL = Carrier(
    id=1, kind="person", box=(500, 0, 520, 60), score=0.9, orientation=Orientation.FRONT
)  # a face of 12 px
RECORDS = [ImageRecord(image="a.jpg", width=1000, height=1000, carriers=(TALL, SMALL))]


def test_the_risk_is_told_at_each_value_that_is_tried_and_at_the_one_in_use() -> None:
    moves = sensitivity(RECORDS, STRICT, Thresholds())["face_floor_px"]
    assert moves == (Moved(6, 1), Moved(8, 1), Moved(10, 1), Moved(14, 0.5), Moved(20, 0.5))
    assert Moved(13, 0.5) in sensitivity(RECORDS, STRICT, Thresholds(face_floor_px=13))["face_floor_px"]


@pytest.mark.parametrize("rules", [STRICT, PUBLISHED], ids=lambda rules: rules.name)
def test_only_thresholds_that_the_rules_read_are_moved(rules: object) -> None:
    assert rules in (STRICT, PUBLISHED)
    of = STRICT if rules is STRICT else PUBLISHED
    read = {name for name, about in described().items() if about["rules"] in (None, of.name)}
    assert set(sensitivity([], of, Thresholds())) == read


def test_without_carriers_no_risk_is_invented() -> None:
    assert {one.ARAM for moves in sensitivity([], STRICT, Thresholds()).values() for one in moves} == {None}


def test_an_assessment_says_how_it_depends_on_the_thresholds() -> None:
    tally = Tally()
    tally.judged(RECORDS[0])
    assert Moved(14, 0.5) in tally.assessment().sensitivity["face_floor_px"]
