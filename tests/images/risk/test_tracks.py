from aramis.images.records import Carrier, ImageRecord, Target, Verdict
from aramis.images.risk.tracks import Tracks, TrackTally


def frame(image: str, number: int, people: dict[int, Verdict], faces: tuple[int, ...] = ()) -> ImageRecord:
    return ImageRecord(
        image=image,
        frame=number,
        width=64,
        height=48,
        targets=tuple(Target(kind="face", box=(0, 0, 9, 9), track=track) for track in faces),
        carriers=tuple(
            Carrier(kind="person", box=(0, 0, 9, 9), score=1, track=track, verdict=verdict)
            for track, verdict in people.items()
        ),
    )


def test_a_person_is_counted_once_a_video_and_leaks_if_any_frame_does() -> None:
    tally = TrackTally()
    for record in (
        frame("a.mp4", 0, {0: Verdict.ANONYMIZED, 1: Verdict.LEAK}, (0, 3)),
        frame("a.mp4", 1, {0: Verdict.LEAK, 1: Verdict.LEAK}, (0,)),
        frame("a.mp4", 2, {0: Verdict.ANONYMIZED}),
        frame("b.mp4", 0, {0: Verdict.UNRECOGNISABLE}, (0,)),
    ):
        tally.add(record)
    assert tally.total() == Tracks(people=3, people_leaking=2, faces=3)
    assert tally.total() == tally.total()


def test_photographs_have_no_tracks() -> None:
    tally = TrackTally()
    tally.add(
        ImageRecord(image="a.jpg", width=64, height=48, targets=(Target(kind="face", box=(0, 0, 9, 9)),))
    )
    assert tally.total() == Tracks()
