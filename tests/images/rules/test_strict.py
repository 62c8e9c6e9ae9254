"""The strict rules on records written by hand: each rule, each edge, and the leaks that the published rules hide."""

import pytest
from msgspec.structs import replace

from aramis.images.records import Box, Carrier, ImageRecord, Orientation, Target, Verdict
from aramis.images.rules.judge import PUBLISHED, STRICT, judge
from aramis.images.rules.thresholds import Thresholds

FRONT, SIDE, BACK, UNKNOWN = Orientation
GREEN, BLUE, RED = Verdict
# A person of 100 x 300: face expected some 38 pixels tall, around (150, 138), in the upper 110 pixels.
PERSON: Box = (100, 100, 200, 400)
FACE: Box = (130, 118, 170, 158)
# A car of 200 x 160: plate expected some 62 pixels wide, around (300, 393).
CAR: Box = (200, 300, 400, 460)
PLATE: Box = (270, 385, 330, 400)


def person(box: Box = PERSON, at: int = 0, **known: object) -> Carrier:
    values = {"kind": "person", "box": box, "score": 0.9, "orientation": FRONT, "id": at} | known
    return Carrier(**values)  # type: ignore[arg-type]


def vehicle(box: Box = CAR, at: int = 0, **known: object) -> Carrier:
    values = {
        "kind": "vehicle",
        "label": "car",
        "box": box,
        "score": 0.9,
        "orientation": BACK,
        "id": at,
    } | known
    return Carrier(**values)  # type: ignore[arg-type]


def target(kind: str, box: Box, at: int = 0, method: str | None = "blur") -> Target:
    return Target(id=at, kind=kind, box=box, method=method)


def judged(*things: Target | Carrier, limits: Thresholds | None = None) -> tuple[Carrier, ...]:
    targets = tuple(one for one in things if isinstance(one, Target))
    carriers = tuple(one for one in things if isinstance(one, Carrier))
    record = ImageRecord(image="a.jpg", width=4000, height=3000, targets=targets, carriers=carriers)
    return judge(record, STRICT, limits).carriers


@pytest.mark.parametrize(
    ("carrier", "verdict", "reasons"),
    [
        (person(), RED, []),
        # the head decides; the body only where nothing is known of it
        (person(orientation=BACK), BLUE, ["head-turned-away"]),
        (person(orientation=BACK, orientation_score=0.7), BLUE, ["head-turned-away"]),
        (person(orientation=BACK, orientation_score=0.69), RED, []),
        (person(orientation=SIDE), RED, []),
        (person(orientation=UNKNOWN), RED, []),
        (person(orientation=BACK, head=SIDE, head_score=0.9), RED, []),  # looks over the shoulder
        (person(orientation=BACK, head=UNKNOWN), RED, []),
        (person(orientation=SIDE, head=BACK, head_score=0.9), BLUE, ["head-turned-away"]),
        (person(orientation=SIDE, head=BACK, head_score=0.5), RED, []),
        (person(head=BACK), BLUE, ["head-turned-away"]),
        # pixels, not shares of the image
        (person((0, 0, 16, 48)), BLUE, ["face-too-small"]),  # a face of at most 9.6 pixels
        (person((0, 0, 17, 51)), RED, []),
        (person((0, 0, 100, 15)), BLUE, ["face-too-small"]),
        (person(head_box=(140, 100, 160, 109)), BLUE, ["face-too-small"]),  # the head is known to be small
        (person(head_box=(140, 100, 160, 110)), RED, []),
        (person(score=0.31), RED, []),  # a low score excuses nothing
        (person(score=0.29), None, []),
    ],
)
def test_people(carrier: Carrier, verdict: Verdict | None, reasons: list[str]) -> None:
    [found] = judged(carrier)
    assert (found.verdict, list(found.reasons)) == (verdict, reasons)


@pytest.mark.parametrize(
    ("carrier", "verdict", "reasons"),
    [
        (vehicle(), RED, []),
        (vehicle(orientation=FRONT), RED, []),
        (vehicle(orientation=UNKNOWN), RED, []),
        (vehicle(orientation=SIDE), BLUE, ["surely-side-on"]),
        (vehicle(orientation=SIDE, orientation_score=0.7), BLUE, ["surely-side-on"]),
        (vehicle(orientation=SIDE, orientation_score=0.69), RED, []),
        (vehicle(label="bicycle"), BLUE, ["bears-no-plate"]),
        (vehicle(label="motorcycle"), RED, []),
        (vehicle(label=None), RED, []),
        (vehicle((0, 0, 62, 62)), BLUE, ["plate-too-small"]),  # a plate of at most 27.9 pixels
        (vehicle((0, 0, 63, 63)), RED, []),
        (vehicle((0, 0, 300, 50)), BLUE, ["plate-too-small"]),
        (vehicle(score=0.31), RED, []),
        (vehicle((0, 0, 60, 60), orientation=SIDE), BLUE, ["surely-side-on", "plate-too-small"]),
    ],
)
def test_vehicles(carrier: Carrier, verdict: Verdict | None, reasons: list[str]) -> None:
    [found] = judged(carrier)
    assert (found.verdict, list(found.reasons)) == (verdict, reasons)


def test_a_leak_says_what_every_rule_measured() -> None:
    assert judged(person(orientation=BACK, orientation_score=0.5))[0].why == (
        "body seen from: back, 0.50 sure; sure is 0.70",
        "a face of at most 60 pixels; legible from 10",
        "0% of where its target would be lies behind something nearer",
    )


def test_what_is_nearly_sure_is_not_said_to_be_sure() -> None:
    [found] = judged(person(orientation=BACK, orientation_score=0.697))
    assert found.why[0] == "body seen from: back, 0.69 sure; sure is 0.70"


@pytest.mark.parametrize(
    ("kind", "box", "method", "verdict"),
    [
        ("face", FACE, "blur", GREEN),
        ("face", FACE, "not stated", GREEN),  # of a tool that does not say
        ("face", FACE, None, RED),  # found and not hidden
        ("plate", FACE, "blur", RED),
        ("face", (130, 300, 170, 340), "blur", RED),  # at the knee
        ("face", (130, 150, 170, 190), "blur", GREEN),  # most of a face too low: they stoop
        ("face", (130, 160, 170, 200), "blur", RED),  # a whole face too low
        ("face", (142, 130, 158, 146), "blur", GREEN),
        ("face", (143, 131, 157, 145), "blur", RED),  # 2.7 times too small: somebody behind
        ("face", (105, 93, 195, 183), "blur", GREEN),
        ("face", (95, 83, 205, 193), "blur", RED),  # 2.9 times too large: somebody nearer
        ("region", PERSON, "blur", GREEN),  # somebody hid all of them
        ("region", (120, 108, 180, 170), "blur", GREEN),
        ("region", (120, 140, 180, 170), "blur", RED),  # half of the face sticks out
        ("region", PERSON, None, RED),
    ],
)
def test_which_target_hides_a_person(kind: str, box: Box, method: str | None, verdict: Verdict) -> None:
    assert judged(target(kind, box, method=method), person())[0].verdict is verdict


@pytest.mark.parametrize(("changed", "verdict"), [(True, GREEN), (None, GREEN), (False, RED)])
def test_a_target_counts_as_hidden_only_where_its_pixels_changed(
    changed: bool | None, verdict: Verdict
) -> None:
    face = Target(id=0, kind="face", box=FACE, method="blur", changed=changed)
    assert judged(face, person())[0].verdict is verdict


def test_regions_hide_a_face_together_and_along_their_outlines() -> None:
    above, below = target("region", (120, 108, 180, 138)), target("region", (120, 138, 180, 170), 1)
    assert judged(above, person())[0].verdict is RED
    assert judged(above, below, person())[0].verdict is GREEN
    corner = replace(target("region", PERSON), polygon=((200, 100), (200, 400), (100, 400)))
    assert judged(corner, person())[0].verdict is RED  # its box holds the face, its outline does not


@pytest.mark.parametrize(
    ("box", "verdict"),
    [
        (PLATE, GREEN),
        ((330, 420, 390, 435), GREEN),  # at a corner: the car stands askew
        ((270, 302, 330, 312), GREEN),  # high up in the box, but no other plate is near
        ((270, 100, 330, 115), RED),
        ((294, 391, 306, 395), GREEN),
        ((295, 391, 305, 395), RED),  # six times too small
    ],
)
def test_which_target_hides_a_vehicle(box: Box, verdict: Verdict) -> None:
    assert judged(target("plate", box), vehicle())[0].verdict is verdict


def test_one_face_hides_one_person_whoever_comes_first() -> None:
    beside: Box = (140, 100, 240, 400)  # their expected face is at (190, 138)
    for ids in ((0, 1), (1, 0)):
        people = sorted([person(at=ids[0]), person(beside, at=ids[1])], key=lambda one: one.id)
        found = {one.box: one.verdict for one in judged(target("face", (175, 120, 210, 160)), *people)}
        assert found == {PERSON: RED, beside: GREEN}


def test_two_faces_between_two_people_go_one_to_each() -> None:
    beside: Box = (140, 100, 240, 400)
    both = target("face", FACE), target("face", (155, 118, 195, 158), 1)
    assert [(one.verdict, one.target) for one in judged(*both, person(), person(beside, at=1))] == [
        (GREEN, 0),
        (GREEN, 1),
    ]


def test_where_the_head_is_known_the_face_must_be_there() -> None:
    known = person(head_box=(105, 250, 145, 300))  # bent down
    assert judged(target("face", FACE), known)[0].verdict is RED
    assert judged(target("face", (108, 260, 142, 298)), known)[0].verdict is GREEN


CAR_BEHIND: Box = (210, 200, 390, 340)  # its plate would be between 242 and 333


@pytest.mark.parametrize(
    ("nearer", "verdict"),
    [
        ((190, 180, 420, 460), BLUE),  # a car that covers all of it
        ((190, 250, 420, 460), RED),  # a roof that covers the lower half
        ((190, 180, 300, 460), RED),  # the left half
        ((190, 180, 420, 330), RED),  # a car behind it covers nothing
    ],
)
def test_only_what_stands_nearer_excuses_and_only_what_it_covers(nearer: Box, verdict: Verdict) -> None:
    behind, _ = judged(vehicle(CAR_BEHIND), vehicle(nearer, at=1, orientation=SIDE))
    assert behind.verdict is verdict
    assert behind.reasons == (("covered",) if verdict is BLUE else ())


def test_the_nearer_of_two_that_overlap_is_a_leak_that_the_published_rules_hide() -> None:
    pair = vehicle(CAR_BEHIND), vehicle((190, 180, 420, 460), at=1)
    record = ImageRecord(image="a.jpg", width=1000, height=1000, carriers=pair)
    assert [one.verdict for one in judge(record, PUBLISHED).carriers] == [BLUE, BLUE]
    assert [one.verdict for one in judge(record, STRICT).carriers] == [BLUE, RED]


def test_beside_a_head_one_can_look_past() -> None:
    behind = person((100, 100, 200, 400))
    in_front = person(
        (150, 90, 350, 800), at=1
    )  # their box holds half of the face behind, their head does not
    assert judged(behind, in_front)[0].verdict is RED


def test_several_that_are_nearer_cover_together() -> None:
    left, right = vehicle((190, 180, 310, 460), at=1), vehicle((295, 180, 420, 460), at=2)
    assert judged(vehicle(CAR_BEHIND), left)[0].verdict is RED
    assert judged(vehicle(CAR_BEHIND), left, right)[0].verdict is BLUE


def test_of_two_that_the_lower_edge_cuts_off_none_is_nearer() -> None:
    behind, _ = judged(vehicle((210, 200, 390, 3000)), vehicle((100, 100, 500, 3000), at=1))
    assert behind.verdict is RED


def test_a_person_level_with_a_car_stands_before_it() -> None:
    wide: Box = (0, 100, 1000, 340)
    assert judged(vehicle(CAR_BEHIND), person(wide, at=1))[0].verdict is BLUE
    assert judged(person(CAR_BEHIND), vehicle((0, 0, 1000, 340), at=1))[0].verdict is RED


@pytest.mark.parametrize(
    ("limits", "things", "verdict"),
    [
        (Thresholds(sure_orientation=0.4), (person(orientation=BACK, orientation_score=0.5),), BLUE),
        (Thresholds(face_floor_px=61), (person(),), BLUE),
        (Thresholds(plate_floor_px=91), (vehicle(),), BLUE),
        (Thresholds(covered=0.4), (vehicle(CAR_BEHIND), vehicle((190, 180, 300, 460), at=1)), BLUE),
        (Thresholds(misfit=0.1), (person(), target("face", (140, 118, 180, 158))), RED),
        (Thresholds(region_covers=0.4), (person(), target("region", (120, 140, 180, 170))), GREEN),
    ],
)
def test_every_threshold_moves_a_verdict(
    limits: Thresholds, things: tuple[Target | Carrier, ...], verdict: Verdict
) -> None:
    assert judged(*things)[0].verdict is not verdict
    assert judged(*things, limits=limits)[0].verdict is verdict
