from benchmarks.judge import Case, outcome, outcomes, table

from aramis.images.records import Box, Carrier, ImageRecord
from aramis.images.rules.judge import STRICT
from aramis.images.rules.thresholds import Thresholds

PEOPLE: tuple[Box, ...] = ((100, 100, 200, 400), (500, 100, 600, 400))
FACES: tuple[Box, ...] = ((130, 118, 170, 158), (530, 118, 570, 158), (800, 100, 820, 130))
SEEN = ImageRecord(
    image="a.jpg",
    width=1000,
    height=1000,
    carriers=tuple(Carrier(id=n, kind="person", box=box, score=0.9) for n, box in enumerate(PEOPLE)),
)
CASE = Case("face", FACES, SEEN)


def test_an_open_face_in_a_leak_is_flagged_and_a_flag_without_one_is_burden() -> None:
    found = outcome(CASE, FACES[:1], FACES[1:], STRICT, Thresholds())
    assert [(one.height, one.in_carrier, one.flagged) for one in found.open] == [
        (40, True, True),
        (30, False, False),
    ]
    assert (found.idle, found.flags, found.carriers) == (0, 1, 2)
    bare = outcome(CASE, (), (), STRICT, Thresholds())
    assert (bare.idle, bare.flags) == (2, 2)


def test_each_target_is_open_once() -> None:
    found = list(outcomes(CASE, STRICT, Thresholds(), seed=3))
    assert sorted(one.height for outcome in found for one in outcome.open) == [30, 40, 40]
    assert any(line.startswith("| all | 0.667") for line in table(found))
