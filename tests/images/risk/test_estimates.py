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


def measured(right: int, cases: int) -> dict[str, dict[tuple[bool, ...], tuple[int, int]]]:
    return {
        "face": {(hidden, *who, False): (right, cases) for hidden in (True, False) for who in histories(3)}
    }


def _face(who: tuple[bool, ...]) -> Sighting:
    return Sighting("face", who, who[0] or who[1], HERE, 0.5, is_target=who[0] or who[1])


def test_what_is_open_is_told_from_true_sightings() -> None:
    images, opened = drawn(250, 3)
    with patch.dict(estimates.RIGHT, measured(10_000, 10_000)):
        told = missed("face", images)
    assert told
    assert told.low <= opened <= told.high
    assert told.estimate == pytest.approx(told.seen_open + told.unseen, abs=0.2)
    assert told.estimate == pytest.approx(opened, rel=0.5)
    assert told.hidden == sum(one.is_hidden for image in images for one in image)


def test_false_alarms_count_as_often_as_such_are_right() -> None:
    images, _ = drawn(250, 3)
    with patch.dict(estimates.RIGHT, measured(500, 1000)):
        told = missed("face", images)
    assert told
    assert told.hidden == 0.5 * sum(one.is_hidden for image in images for one in image)


def test_a_rate_that_was_measured_on_a_few_makes_the_interval_wide() -> None:
    images, _ = drawn(250, 3)
    width = {}
    for cases in (4, 10_000):
        with patch.dict(estimates.RIGHT, measured(cases // 2, cases)):
            told = missed("face", images)
        assert told
        width[cases] = told.high - told.low
    assert width[4] > 1.5 * width[10_000]


def test_another_model_and_a_lower_bound_stand_beside_the_estimate() -> None:
    """Of independent sources all say the same, in the mean."""
    runs = []
    with patch.dict(estimates.RIGHT, measured(10_000, 10_000)):
        for seed in range(8):
            told = missed("face", drawn(250, seed)[0])
            assert told
            runs.append((told.unseen, told.unseen_by_coverage, told.unseen_at_least))
    theory = 250 * 3 * 0.2 * 0.3 * 0.4
    assert np.mean(np.array(runs, float), axis=0) == pytest.approx([theory] * 3, rel=0.35)


@pytest.mark.parametrize(
    ("size", "sharpness", "parts"),
    [
        (60.0, 0.3, [1, 0, 0, 0]),
        (60.0, 0.1, [0, 1, 0, 0]),
        (20.0, 0.3, [0, 0, 1, 0]),
        (20.0, 0.1, [0, 0, 0, 1]),
        (20.0, None, [0, 0, 0.5, 0.5]),
    ],
)
@pytest.mark.parametrize("kind", ["face", "plate"])
def test_sightings_are_parted_by_size_and_at_the_median_of_its_sharpness(
    kind: str, size: float, sharpness: float | None, parts: list[float]
) -> None:
    every = [
        sighting(kind, size, sharp)
        for size in (60.0, 20.0)
        for sharp in (0.1, 0.3)
        for _ in range(estimates.ENOUGH)
    ]
    assert estimates._strata(every)(sighting(kind, size, sharpness)).tolist() == parts


@pytest.mark.parametrize("kind", ["face", "plate"])
def test_few_sightings_are_not_parted(kind: str) -> None:
    every = [
        sighting(kind, size, 0.1 + size / 100) for size in (60.0, 20.0) for _ in range(estimates.ENOUGH - 1)
    ]
    assert {tuple(estimates._strata(every)(one)) for one in every} == {(1, 0, 0, 0)}
    every += [sighting(kind, size, 0.3) for size in (60.0, 20.0)]
    assert {tuple(estimates._strata(every)(one)) for one in every} == {(1, 0, 0, 0), (0, 0, 1, 0)}


def sighting(kind: str, size: float, sharpness: float | None) -> Sighting:
    wide = size if kind == "face" else 3 * size  # 180 and 60 pixels
    return Sighting(kind, (True, True, False), True, (0, 0, wide, size), sharpness, is_target=True)


def test_where_many_faces_are_tiny_it_is_said_that_the_estimate_is_too_low() -> None:
    tiny = [[sighting("face", 12.0, 0.2)], *[[sighting("face", 40.0, 0.2)]] * 4]
    told, other = missed("face", tiny), missed("face", tiny[1:])
    assert told
    assert other
    assert told.caution == (
        "20% of the faces seen are less than 16 pixels high: all sources miss the same ones of these, so more are open than is told"
    )
    assert other.caution is None


def test_what_detectors_are_sure_of_is_as_right_where_another_tool_left_it_open() -> None:
    """In an audit most that is open was found for sure; in a release only what is doubtful is."""
    left_open = Target(id=4, kind="face", box=HERE, votes=FACE.votes)
    (one,), (other,) = sightings(record(left_open)), sightings(record(FACE))
    assert (one.is_hidden, other.is_hidden) == (False, True)
    assert right(one) == right(other) > 0


@pytest.mark.parametrize(
    ("seen", "who"),
    [
        (
            record(
                Target(id=4, kind="face", box=THERE, votes=FACE.votes),
                OPEN_WOMAN,
                heads=(finding("face", THERE),),
                residual=(finding("face", THERE, votes={"yunet": 0.8}),),
            ),
            (True, False, True),
        ),
        (
            record(
                Target(id=5, kind="plate", box=THERE),
                OPEN_CAR,
                legibility=(finding("text", THERE),),
                residual=(finding("plate", THERE),),
            ),
            (True, True, True),
        ),
    ],
)
def test_what_another_tool_left_open_is_counted_once_though_detectors_and_checks_find_it(
    seen: ImageRecord, who: tuple[bool, ...]
) -> None:
    (one,) = sightings(seen)
    assert (one.seen_by, one.is_hidden, one.is_target) == (who, False, True)
    assert one.is_confirmed == (one.kind == "face")


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
