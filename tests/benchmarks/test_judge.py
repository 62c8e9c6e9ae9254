import pytest
from benchmarks.judge import Case, by_aramis, by_chance, outcome, table

from aramis.images.records import Box, Carrier, Finding, ImageRecord, Target

PEOPLE: tuple[Box, ...] = ((100, 100, 200, 400), (500, 100, 600, 400))
FACES: tuple[Box, ...] = ((130, 118, 170, 158), (530, 118, 570, 158), (800, 100, 820, 130))
SEEN = ImageRecord(
    image="a.jpg",
    width=1000,
    height=1000,
    targets=(Target(kind="face", box=FACES[0], score=0.9),),
    carriers=tuple(Carrier(id=n, kind="person", box=box, score=0.9) for n, box in enumerate(PEOPLE)),
    checks={
        "residual": (
            Finding(kind="face", box=FACES[0], leak=True),
            Finding(kind="face", box=FACES[2], leak=True),
        ),
        "heads": (),
    },
)
CASE = Case("face", FACES, SEEN)


def hidden(*boxes: Box) -> list[Target]:
    return [Target(kind="face", box=box, method="blur") for box in boxes]


def test_an_open_face_in_a_leak_is_flagged_and_a_flag_without_one_is_burden() -> None:
    found = outcome(CASE, hidden(FACES[0]), FACES[1:])
    rules = {"rules strict", "rules published"}
    assert [(one.height, one.in_carrier, set(one.flagged_by)) for one in found.open] == [
        (40, True, rules),
        (30, False, {"residual"}),
    ]
    assert found.flags == {"rules strict": 1, "rules published": 1, "residual": 1, "heads": 0}
    assert set(found.idle.values()) == {0}
    bare = outcome(CASE, (), ())
    assert bare.idle == bare.flags == {"rules strict": 2, "rules published": 2, "residual": 2, "heads": 0}


def test_each_target_is_open_once_by_chance() -> None:
    found = list(by_chance(CASE, seed=3))
    assert sorted(one.height for outcome in found for one in outcome.open) == [30, 40, 40]
    (line,) = (line for line in table(found) if line.startswith("| all"))
    in_carrier, strict, published, residual, heads, together = (
        cell[:6].strip() for cell in line.split("|")[2:-1]
    )
    assert (in_carrier, strict, published) == ("0.667",) * 3
    assert (residual, heads, together) == ("0.667", "0.000", "1.000")


def test_what_aramis_misses_is_open() -> None:
    (found,) = by_aramis(CASE)
    assert [one.height for one in found.open] == [40, 30]


@pytest.mark.parametrize("share", [0.7, 0.2])
def test_a_face_counts_as_hidden_when_half_of_it_is_painted_over(share: float) -> None:
    x1, y1, x2, y2 = FACES[0]
    part = Target(kind="face", box=(x1, y1, x1 + share * (x2 - x1), y2), score=0.9)
    (found,) = by_aramis(
        Case("face", FACES[:1], ImageRecord(image="a", width=1000, height=1000, targets=(part,)))
    )
    assert len(found.open) == (share < 0.5)
