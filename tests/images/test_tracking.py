import dataclasses
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.images.test_motion import picture

from aramis.images.geometry import centre, intersection
from aramis.images.motion import Grey
from aramis.images.records import Box, Target
from aramis.images.tracking import USUAL, Habits, Seen, follow

SIZE = (640, 480)


def face(x: float, y: float = 200, size: float = 30, score: float = 0.9) -> Target:
    return Target(kind="face", box=(x, y, x + size, y + size), score=score, found_by="test")


def way(xs: Sequence[float | None], every: int = 1) -> list[Seen]:
    """One face on its way; None where the detector misses it."""
    return [Seen(i, None if i % every else [face(x)] if x is not None else []) for i, x in enumerate(xs)]


def given_for(frames: Sequence[Seen], habits: Habits = USUAL) -> list[tuple[Target, ...]]:
    return [targets for _, targets in follow(frames, rate=25, size=SIZE, habits=habits)]


def covered(target: Target, box: Box) -> float:
    return intersection(target.box, box) / ((box[2] - box[0]) * (box[3] - box[1]))


@pytest.mark.parametrize(
    ("what", "speed", "seen_in"),
    [
        ("every frame", 3, range(60)),
        ("all but a few", 3, [i for i in range(60) if i not in {20, 21, 22, 40}]),
        ("every tenth frame", 4, range(0, 60, 10)),
        ("a way behind a lamp post", 3, [*range(20), *range(44, 60)]),
        ("late, and lost early", 3, range(12, 48)),
        ("twice only", 2, (12, 24)),
        ("out of the picture", -6, range(10, 48)),
    ],
)
def test_a_face_found_in_some_frames_is_covered_in_all(
    what: str, speed: float, seen_in: Sequence[int]
) -> None:
    xs = [300 + speed * i for i in range(min(60, seen_in[-1] + 15))]
    frames = [Seen(i, [face(x)] if i in seen_in else []) for i, x in enumerate(xs)]
    for x, targets in zip(xs, given_for(frames), strict=True):
        true = (max(x, 0), 200, x + 30, 230)
        assert true[2] < 2 or max(covered(t, true) for t in targets) > 0.97, what
        assert {t.track for t in targets} <= {0}


def test_a_margin_is_not_given_for_ever() -> None:
    targets = given_for([Seen(i, [face(300)] if i == 100 else []) for i in range(200)])
    assert [i for i, found in enumerate(targets) if found] == list(range(85, 116))


def test_what_is_inferred_says_so_and_what_is_seen_keeps_its_score() -> None:
    targets = given_for(way([300, None, 300]))
    assert [(t.score, t.found_by) for (t,) in targets] == [(0.9, "test"), (None, "tracking"), (0.9, "test")]


def test_two_faces_that_cross_are_both_covered_all_the_way() -> None:
    frames = [
        Seen(i, [face(100 + 5 * i, 200), face(400 - 5 * i, 215)] if i % 3 == 0 and not 24 < i < 36 else None)
        for i in range(60)
    ]
    for i, targets in enumerate(given_for(frames)):
        for x, y in ((100 + 5 * i, 200), (400 - 5 * i, 215)):
            assert max(covered(t, (x, y, x + 30, y + 30)) for t in targets) > 0.9


def test_a_sweep_of_the_camera_is_undone() -> None:
    camera = [0, 0, 40, 90, 90, 90, 150, 200, 200]  # jerks that no straight line follows
    frames = [Seen(i, [face(100 + x)] if i in {0, 8} else None, (x, 0)) for i, x in enumerate(camera)]
    for x, (target,) in zip(camera, given_for(frames), strict=True):
        assert centre(target.box)[0] == pytest.approx(115 + x)


def test_what_a_sweep_brings_in_from_the_border_is_not_taken_to_move_by_itself() -> None:
    """As the camera turns right a face comes in; its visible part stays at the border while more and more of it is seen."""
    sweep = [-6 * i for i in range(20)]
    true = [(650 + x, 200, 690 + x, 240) for x in sweep]
    seen_in = {3: (632, 200, 640, 240), 8: (602, 200, 640, 240)}
    frames = [
        Seen(i, [Target(kind="face", box=seen_in[i], score=0.9)] if i in seen_in else None, (x, 0))
        for i, x in enumerate(sweep)
    ]
    for i, targets in list(enumerate(given_for(frames)))[8:]:
        assert max(covered(t, true[i]) for t in targets) > 0.7, i


def test_a_cut_ends_every_track() -> None:
    frames = [Seen(i, [face(300)] if i in {5, 14} else [], scene=int(i >= 10)) for i in range(20)]
    targets = given_for(frames)
    assert [{t.track for t in found} for found in targets] == [{0}] * 10 + [{1}] * 10


def test_doubtful_sightings_continue_a_track_both_ways_and_never_begin_one() -> None:
    habits = Habits(sure=0.5, margin=0.04)
    frames = [Seen(i, [face(100 + 4 * i, score=0.9 if 20 <= i < 25 else 0.3)]) for i in range(45)]
    assert all(given_for(frames, habits))
    assert not any(given_for([Seen(i, [face(100, score=0.3)]) for i in range(45)], habits))


def test_a_small_face_and_a_plate_are_not_taken_for_one_another() -> None:
    plate = msgspec.structs.replace(face(300), kind="plate")
    targets = given_for([Seen(0, [face(300)]), Seen(1, [plate]), Seen(2, [face(300)])])
    assert [sorted((t.kind, t.track) for t in found) for found in targets] == [
        [("face", 0), ("plate", 1)]
    ] * 3


def test_the_corners_of_a_plate_move_with_it() -> None:
    def plate(x: float) -> Target:
        return Target(
            kind="plate",
            box=(x, 0, x + 40, 12),
            corners=((x, 2), (x + 40, 0), (x + 40, 10), (x, 12)),
            score=1,
        )

    targets = given_for([Seen(0, [plate(100)]), Seen(1, []), Seen(2, [plate(130)]), Seen(3, [])])
    for (target,), x in zip(targets, (100, 115, 130, 145), strict=True):
        doubt = 40 * USUAL.widen / 25 if x in {115, 145} else 0
        assert np.allclose(target.corners or (), plate(x).corners or (), atol=doubt + 0.1)


def test_what_is_inferred_is_wider_by_its_doubt_also_along_its_corners_and_its_outline() -> None:
    corners = ((100.0, 200.0), (140.0, 200.0), (140.0, 212.0), (100.0, 212.0))
    plate = Target(kind="plate", box=(100, 200, 140, 212), corners=corners, polygon=corners[:3], score=1)
    frames = [Seen(i, [plate] if i in {0, 20} else []) for i in range(21)]
    doubt = 10 / 25 * USUAL.widen
    (target,) = given_for(frames)[10]
    wider = np.array(corners) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [40 * doubt, 12 * doubt]
    assert np.allclose(target.corners or (), wider)
    assert np.allclose(target.polygon or (), wider[:3])


def test_an_outline_moves_with_its_target() -> None:
    def drawn(x: float) -> Target:
        return Target(
            kind="face", box=(x, 200, x + 30, 230), polygon=((x, 200), (x + 30, 200), (x, 230)), score=1
        )

    targets = given_for([Seen(i, [drawn(100 + 10 * i)] if i % 2 == 0 else None) for i in range(9)])
    for i, (target,) in enumerate(targets):
        assert np.allclose(target.polygon or (), drawn(100 + 10 * i).polygon or (), atol=1)


WAY = np.cumsum([4, 9, 2, 9, 4, 0, 12, 7, 3, 14, 2, 8] * 5)  # as steps of a film that stutters
STREET = 100 + picture(1, SIZE[0], SIZE[1]) // 8


def shown(x: int, y: int = 200, size: int = 30) -> Grey:
    """A still street with a blotched thing in it."""
    grey: Grey = STREET.copy()
    thing = picture(3, 64, 64)[:size, :size]
    grey[y : y + size, x : x + size] = thing[:, : max(0, SIZE[0] - x)]
    return grey


def filmed(seen_in: Sequence[int], hidden_in: Sequence[int] = ()) -> list[Seen]:
    return [
        Seen(i, [face(x)] if i in seen_in else [], grey=STREET if i in hidden_in else shown(x))
        for i, x in enumerate(WAY)
    ]


@pytest.mark.parametrize("seen_in", [(25,), (20, 30), (18, 25, 32), range(0, 60, 7)])
def test_the_pixels_of_a_thing_are_followed_from_where_it_was_seen(seen_in: Sequence[int]) -> None:
    """However uneven its way, and before and after it was seen for longer than it is guessed at."""
    reach = round(USUAL.gap * 25)
    for i, (x, targets) in enumerate(zip(WAY, given_for(filmed(seen_in)), strict=True)):
        if min(seen_in) - reach <= i <= max(seen_in) + reach and x < 600:
            (target,) = targets
            assert covered(target, (x, 200, x + 30, 230)) > 0.93, i


def test_what_is_followed_ends_at_a_cut() -> None:
    frames = [dataclasses.replace(seen, scene=int(seen.index >= 30)) for seen in filmed((25,))]
    assert [bool(targets) for targets in given_for(frames)][28:34] == [True, True, False, False, False, False]


def test_behind_a_post_a_thing_goes_straight_from_where_it_was_lost_to_where_it_comes_out() -> None:
    lost, back = 17, 22
    frames = filmed([*range(14), *range(25, 60)], range(lost + 1, back))
    for i, targets in list(enumerate(given_for(frames)))[14:26]:
        (target,) = targets
        straight = np.interp(i, [lost, back], WAY[[lost, back]]) if lost < i < back else WAY[i]
        assert centre(target.box)[0] == pytest.approx(straight + 15, abs=1.5), i
        assert target.track == 0


def test_only_a_few_seconds_are_held() -> None:
    held = 0
    asked = iter(range(100_000))
    frames = (Seen(i, [face(300)] if i % 5 == 0 else None) for i in asked)
    for given_so_far, _ in enumerate(follow(frames, rate=25, size=SIZE)):
        held = max(held, next(asked) - given_so_far if given_so_far == 5_000 else 0)
        if given_so_far > 5_000:
            break
    assert 0 < held < 80


ways = st.lists(st.tuples(st.floats(0, 600), st.floats(0, 440), st.booleans()), min_size=1, max_size=40)


@given(ways, st.integers(1, 6))
def test_every_sighting_is_covered_and_every_frame_is_given_once(
    places: list[tuple[float, float, bool]], every: int
) -> None:
    frames = [Seen(i, None if i % every else [face(x, y)] * seen) for i, (x, y, seen) in enumerate(places)]
    targets = given_for(frames)
    assert len(targets) == len(frames)
    for frame, found in zip(frames, targets, strict=True):
        for target in frame.found or ():
            x1, y1, x2, y2 = target.box
            inside = (x1, y1, min(x2, 640.0), min(y2, 480.0))
            assert max(covered(t, inside) for t in found) > 0.999
        assert len({t.track for t in found}) == len(found)
        assert all(0 <= t.box[0] < t.box[2] <= 640 and 0 <= t.box[1] < t.box[3] <= 480 for t in found)


@pytest.mark.parametrize(("spared_in", "is_spared"), [(range(10), True), (range(7), True), (range(5), False)])
def test_a_track_is_spared_as_a_whole_where_most_of_its_sightings_are(
    spared_in: range, is_spared: bool
) -> None:
    spared = msgspec.structs.replace(face(300), extra={"spared": "the face in anna.jpg", "lens": 2})
    frames = [Seen(i, [spared if i in spared_in else face(300)]) for i in range(10)]
    assert [["spared" in t.extra for t in found] for found in given_for(frames)] == [[is_spared]] * 10
