from aramis.images.assess import Tally
from aramis.images.records import Carrier, ImageRecord, Orientation
from aramis.report.findings import EXAMPLES, gathered


def records(many: int) -> list[ImageRecord]:
    back = Carrier(id=0, kind="person", box=(0, 0, 400, 900), score=0.9, orientation=Orientation.BACK)
    return [ImageRecord(image=f"{n}.jpg", width=1000, height=1000, carriers=(back,)) for n in range(many)]


def test_examples_are_drawn_evenly_and_the_same_in_every_run() -> None:
    tally = Tally()
    judged = [tally.judged(record) for record in records(300)]
    shown = gathered(tally.assessment(), judged, leaks=5).examples["head-turned-away"]
    assert shown == gathered(tally.assessment(), judged, leaks=5).examples["head-turned-away"]
    assert len({case.record.image for case in shown}) == EXAMPLES
    places = [int(case.record.image.removesuffix(".jpg")) for case in shown]
    assert max(places) > EXAMPLES  # not simply the first
