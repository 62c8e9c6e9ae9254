"""The published Algorithms 1 (vehicles) and 2 (people), line by line, on records written by hand."""

import pytest

from aramis.images.records import Box, Carrier, ImageRecord, Orientation, Target, Verdict
from aramis.images.rules.judge import PUBLISHED, judge
from aramis.images.rules.thresholds import Thresholds

FRONT, SIDE, BACK, UNKNOWN = Orientation
GREEN, BLUE, RED = Verdict
NEAR: Box = (100, 100, 300, 600)  # a tenth of the image
FACE_OF_NEAR: Box = (180, 120, 220, 170)
PLATE_OF_NEAR: Box = (180, 500, 220, 510)
FAR: Box = (900, 100, 950, 190)  # 0.45 % of the image


def carrier(
    kind: str, box: Box = NEAR, facing: Orientation = FRONT, score: float = 0.9, at: int = 0
) -> Carrier:
    assert kind in ("person", "vehicle")
    return Carrier(
        id=at, kind="person" if kind == "person" else "vehicle", box=box, orientation=facing, score=score
    )


def target(kind: str, box: Box, at: int = 0) -> Target:
    return Target(id=at, kind=kind, box=box, method="blur")


def record(targets: list[Target], carriers: list[Carrier]) -> ImageRecord:
    return ImageRecord(
        image="a.jpg", width=1000, height=1000, targets=tuple(targets), carriers=tuple(carriers)
    )


@pytest.mark.parametrize(
    ("person", "faces", "verdict", "reasons"),
    [
        # step 1: a face whose centre lies inside
        (carrier("person"), [FACE_OF_NEAR], GREEN, []),
        (carrier("person", facing=BACK), [FACE_OF_NEAR], GREEN, []),  # before any excuse
        (carrier("person", FAR), [(910, 100, 930, 120)], GREEN, []),
        (carrier("person"), [(0, 0, 200, 250)], GREEN, []),  # its centre alone decides
        (carrier("person"), [(0, 0, 199, 250)], RED, []),
        (carrier("person"), [(180, 400, 220, 460)], GREEN, []),  # two thirds down
        (carrier("person"), [(180, 420, 220, 470)], RED, []),  # at their feet
        # step 2: excuses, each with its edge
        (carrier("person", facing=BACK), [], BLUE, ["turned-away"]),
        (carrier("person", facing=SIDE), [], RED, []),  # a person in profile is not excused
        (carrier("person", facing=UNKNOWN), [], RED, []),
        (carrier("person", FAR), [], BLUE, ["too-small"]),
        (carrier("person", (900, 100, 950, 199.9)), [], BLUE, ["too-small"]),
        (carrier("person", (900, 100, 950, 200)), [], RED, []),  # 0.5 % is not below 0.5 %
        (carrier("person", score=0.49), [], BLUE, ["low-score"]),
        (carrier("person", score=0.5), [], RED, []),
        (carrier("person", FAR, BACK, 0.4), [], BLUE, ["turned-away", "too-small", "low-score"]),
        # step 3
        (carrier("person"), [], RED, []),
        # below the floor: not judged
        (carrier("person", score=0.29), [], None, []),
        (carrier("person", score=0.3), [], BLUE, ["low-score"]),
    ],
)
def test_people(person: Carrier, faces: list[Box], verdict: Verdict | None, reasons: list[str]) -> None:
    judged = judge(record([target("face", box, at) for at, box in enumerate(faces)], [person]), PUBLISHED)
    assert (judged.carriers[0].verdict, list(judged.carriers[0].reasons)) == (verdict, reasons)
    if verdict is BLUE:
        assert len(judged.carriers[0].why) == len(reasons)


@pytest.mark.parametrize(
    ("vehicle", "plates", "verdict", "reasons"),
    [
        (carrier("vehicle"), [PLATE_OF_NEAR], GREEN, []),
        (carrier("vehicle"), [FACE_OF_NEAR], GREEN, []),  # a plate may lie anywhere inside
        (carrier("vehicle", facing=SIDE), [PLATE_OF_NEAR], GREEN, []),
        (carrier("vehicle", facing=SIDE), [], BLUE, ["side-on"]),
        (carrier("vehicle", facing=BACK), [], RED, []),
        (carrier("vehicle", facing=UNKNOWN), [], RED, []),
        (carrier("vehicle", FAR), [], BLUE, ["too-small"]),
        (carrier("vehicle", score=0.4), [], BLUE, ["low-score"]),
        (carrier("vehicle", FAR, SIDE, 0.4), [], BLUE, ["side-on", "too-small", "low-score"]),
        (carrier("vehicle"), [], RED, []),
        (carrier("vehicle", score=0.1), [], None, []),
    ],
)
def test_vehicles(vehicle: Carrier, plates: list[Box], verdict: Verdict | None, reasons: list[str]) -> None:
    judged = judge(record([target("plate", box, at) for at, box in enumerate(plates)], [vehicle]), PUBLISHED)
    assert (judged.carriers[0].verdict, list(judged.carriers[0].reasons)) == (verdict, reasons)


def test_a_plate_is_nothing_to_a_person_nor_a_face_to_a_vehicle() -> None:
    for kind, other in (("person", "plate"), ("vehicle", "face")):
        judged = judge(record([target(other, FACE_OF_NEAR)], [carrier(kind)]), PUBLISHED)
        assert judged.carriers[0].verdict is RED


def test_a_region_drawn_by_hand_is_a_target_of_anybody() -> None:
    for kind in ("person", "vehicle"):
        judged = judge(record([target("region", FACE_OF_NEAR)], [carrier(kind)]), PUBLISHED)
        assert judged.carriers[0].verdict is GREEN


def test_the_first_carrier_takes_every_target_inside_it() -> None:
    beside = (150, 100, 350, 600)
    people = [carrier("person", NEAR, at=0), carrier("person", beside, at=1)]
    both_inside = [target("face", FACE_OF_NEAR, 0), target("face", (230, 120, 270, 170), 1)]
    judged = judge(record(both_inside, people), PUBLISHED)
    assert [(one.verdict, one.target) for one in judged.carriers] == [(GREEN, 0), (BLUE, None)]
    assert judged.carriers[1].reasons == ("overlapped",)


@pytest.mark.parametrize(
    ("other", "verdict"),
    [
        (carrier("person", (299, 100, 500, 600), at=1), BLUE),  # the least overlap excuses
        (carrier("person", (300, 100, 500, 600), at=1), RED),  # touching is no overlap
        (carrier("vehicle", (250, 100, 500, 600), at=1), BLUE),  # of whatever kind
        (
            carrier("person", (250, 100, 500, 600), score=0.2, at=1),
            RED,
        ),  # what is below the floor covers nothing
    ],
)
def test_overlap_excuses(other: Carrier, verdict: Verdict) -> None:
    assert judge(record([], [carrier("person"), other]), PUBLISHED).carriers[0].verdict is verdict


def test_overlap_excuses_both_of_a_pair() -> None:
    pair = [carrier("vehicle", at=0), carrier("vehicle", (250, 100, 500, 600), at=1)]
    assert [one.verdict for one in judge(record([], pair), PUBLISHED).carriers] == [BLUE, BLUE]


def test_an_empty_image_stays_empty() -> None:
    assert judge(record([], []), PUBLISHED) == record([], [])


def test_judging_again_forgets_the_last_verdict() -> None:
    first = judge(record([], [carrier("person", facing=BACK)]), PUBLISHED)
    again = judge(first, PUBLISHED, Thresholds(detection_floor=0.95))
    assert again.carriers[0] == carrier("person", facing=BACK)


@pytest.mark.parametrize(
    ("changed", "person", "verdict"),
    [
        (Thresholds(small_area=0.5), carrier("person"), BLUE),
        (Thresholds(low_score=0.95), carrier("person"), BLUE),
        (Thresholds(face_in_upper=0.05), carrier("person"), RED),
        (Thresholds(detection_floor=0.95), carrier("person"), None),
    ],
)
def test_every_threshold_moves_a_verdict(
    changed: Thresholds, person: Carrier, verdict: Verdict | None
) -> None:
    face = [] if verdict is BLUE else [target("face", FACE_OF_NEAR)]
    assert judge(record(face, [person]), PUBLISHED, changed).carriers[0].verdict is verdict


def test_the_overlap_threshold_moves_a_verdict() -> None:
    pair = [carrier("person"), carrier("person", (290, 100, 490, 600), at=1)]
    judged = judge(record([], pair), PUBLISHED, Thresholds(overlap=0.06))
    assert [one.verdict for one in judged.carriers] == [RED, RED]
