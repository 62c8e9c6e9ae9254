"""Who saw what, told from records; and how many are open, told from that."""

from unittest.mock import patch

import numpy as np
import pytest

from aramis.images.records import Box, Carrier, Finding, ImageRecord, Target, Verdict
from aramis.images.risk import estimates
from aramis.images.risk.estimates import EstimateTally, Sighting, missed, right, sightings
from aramis.images.risk.recapture import histories

HERE: Box = (100, 100, 140, 150)
THERE: Box = (300, 100, 340, 150)
FACE = Target(id=4, kind="face", box=HERE, method="blur", votes={"yunet": 0.8, "centerface": 0.1})
PLATE = Target(id=5, kind="plate", box=HERE, method="blur")
CAR = Carrier(id=0, kind="vehicle", box=(50, 50, 200, 200), score=0.9, verdict=Verdict.ANONYMIZED, target=5)
OPEN_CAR = Carrier(id=1, kind="vehicle", box=(250, 50, 400, 200), score=0.9, verdict=Verdict.LEAK)

OPEN_WOMAN = Carrier(id=1, kind="person", box=(250, 50, 400, 450), score=0.9, verdict=Verdict.LEAK)
HIDDEN_WOMAN = Carrier(
    id=0, kind="person", box=(50, 50, 200, 450), score=0.9, verdict=Verdict.ANONYMIZED, target=4
)


def record(*things: Target | Carrier, **checks: tuple[Finding, ...]) -> ImageRecord:
    return ImageRecord(
        image="a.jpg",
        width=640,
        height=480,
        targets=tuple(one for one in things if isinstance(one, Target)),
        carriers=tuple(one for one in things if isinstance(one, Carrier)),
        checks={"heads": (), "residual": (), "legibility": (), **checks},
    )


def finding(kind: str, box: Box, target: int | None = None, votes: dict[str, float] | None = None) -> Finding:
    return Finding(kind=kind, box=box, target=target, leak=target is None, votes=votes)


@pytest.mark.parametrize(
    ("seen", "who", "is_hidden"),
    [
        (record(FACE), (True, False, False), True),
        (record(FACE, heads=(finding("face", HERE, 4),)), (True, False, True), True),
        (record(heads=(finding("face", HERE),)), (False, False, True), False),
        (
            record(
                heads=(finding("face", HERE),),
                residual=(finding("face", HERE, votes={"centerface": 0.4, "yunet": 0.1}),),
            ),
            (False, True, True),
            False,
        ),
        (record(residual=(finding("face", HERE, votes={"yunet": 0.2}),)), (True, False, False), False),
        (record(OPEN_WOMAN), (False, False, True), False),
        (
            record(OPEN_WOMAN, residual=(finding("face", THERE, votes={"yunet": 0.4}),)),
            (True, False, True),
            False,
        ),
        (record(FACE, HIDDEN_WOMAN), (True, False, True), True),
        (record(PLATE), (True, False, False), True),
        (record(PLATE, CAR), (True, False, True), True),
        (record(PLATE, CAR, legibility=(finding("text", HERE, 5),)), (True, True, True), True),
        (record(legibility=(finding("text", HERE),)), (False, True, False), False),
        (record(OPEN_CAR), (False, False, True), False),
        (record(OPEN_CAR, legibility=(finding("text", THERE),)), (False, True, True), False),
        (record(OPEN_CAR, residual=(finding("plate", THERE),)), (True, False, True), False),
    ],
)
def test_each_sighting_says_who_saw_it(seen: ImageRecord, who: tuple[bool, ...], is_hidden: bool) -> None:
    (one,) = sightings(seen)
    assert (one.seen_by, one.is_hidden) == (who, is_hidden)


def test_records_whose_checks_did_not_run_and_frames_in_between_tell_nothing() -> None:
    assert list(sightings(ImageRecord(image="a", width=9, height=9, targets=(FACE,)))) == []
    tally = EstimateTally()
    tally.add(ImageRecord(image="a", width=9, height=9, targets=(FACE,)))
    assert tally.total() == {}


def test_every_kind_of_sighting_has_a_rate_between_nought_and_one() -> None:
    for kind in estimates.SOURCES:
        for who in histories(3):
            for is_hidden in (True, False):
                rate = right(Sighting(kind, who, is_hidden, HERE, is_target=is_hidden))
                assert 0 <= rate <= 1
                assert rate or not (is_hidden and who[0])  # a detector that hides is sometimes right


def drawn(images: int, seed: int) -> tuple[list[list[Sighting]], int]:
    """Faces that three independent sources see; what the first two see is hidden. And how many are open."""
    draw = np.random.default_rng(seed)
    made, opened = [], 0
    for _ in range(images):
        saw = draw.random((draw.poisson(3), 3)) < [0.8, 0.7, 0.6]
        opened += int((~saw[:, :2].any(axis=1)).sum())
        made.append([_face(tuple(map(bool, one))) for one in saw if one.any()])
    return made, opened


def _face(who: tuple[bool, ...]) -> Sighting:
    return Sighting("face", who, who[0] or who[1], HERE, 0.5, is_target=who[0] or who[1])


def test_what_is_open_is_told_from_true_sightings() -> None:
    sure = {"face": {(hidden, *who, False): 1.0 for hidden in (True, False) for who in histories(3)}}
    images, opened = drawn(250, 3)
    with patch.dict(estimates.RIGHT, sure):
        told = missed("face", images)
    assert told
    assert told.low <= opened <= told.high
    assert told.estimate == pytest.approx(told.seen_open + told.unseen, abs=0.2)
    assert told.estimate == pytest.approx(opened, rel=0.5)
    assert told.hidden == sum(one.is_hidden for image in images for one in image)


def test_false_alarms_count_as_often_as_such_are_right() -> None:
    half = {"face": {(hidden, *who, False): 0.5 for hidden in (True, False) for who in histories(3)}}
    images, _ = drawn(250, 3)
    with patch.dict(estimates.RIGHT, half):
        told = missed("face", images)
    assert told
    assert told.hidden == 0.5 * sum(one.is_hidden for image in images for one in image)


def test_what_detectors_are_sure_of_is_as_right_where_another_tool_left_it_open() -> None:
    """In an audit most that is open was found for sure; in a release only what is doubtful is."""
    left_open = Target(id=4, kind="face", box=HERE, votes=FACE.votes)
    (one,), (other,) = sightings(record(left_open)), sightings(record(FACE))
    assert (one.is_hidden, other.is_hidden) == (False, True)
    assert right(one) == right(other) > 0


def test_frames_of_one_video_are_drawn_together() -> None:
    tally = EstimateTally()
    for frame in range(30):
        one = record(FACE)
        tally.add(
            ImageRecord(
                image="a.mp4", frame=frame, width=640, height=480, targets=one.targets, checks=one.checks
            )
        )
    told = tally.total()["face"]
    assert told.images == 1


def test_a_few_images_give_an_answer_too() -> None:
    tally = EstimateTally()
    tally.add(record(FACE))
    told = tally.total()
    assert set(told) == {"face"}
    assert np.isfinite([told["face"].low, told["face"].high]).all()
