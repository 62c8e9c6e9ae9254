from aramis.images.records import Carrier, Target
from aramis.images.unify import unify


def test_everything_is_numbered_and_within_the_image() -> None:
    record = unify(
        "a.jpg",
        100,
        50,
        targets=[
            Target(kind="face", box=(-5, -5, 10, 10)),
            Target(kind="face", box=(200, 0, 300, 40)),  # outside
            Target(kind="face", box=(99.5, 0, 130, 40)),  # half a pixel of it
            Target(kind="plate", box=(50, 20, 90, 60)),
        ],
        carriers=[
            Carrier(kind="person", box=(0, 0, 0, 0), score=1),
            Carrier(kind="person", box=(0, 0, 9, 9), score=1),
        ],
    )
    assert [(one.id, one.kind, one.box) for one in record.targets] == [
        (0, "face", (0, 0, 10, 10)),
        (1, "plate", (50, 20, 90, 50)),
    ]
    assert [(one.id, one.box) for one in record.carriers] == [(0, (0, 0, 9, 9))]
