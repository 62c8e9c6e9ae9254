from pathlib import Path

import numpy as np
from benchmarks.annotations import Annotated, Around
from benchmarks.around import compared, heights, inside, merged, table

from aramis.images.records import Box, Carrier, ImageRecord

PATH = Path("a.jpg")


def seen(*carriers: tuple[str, Box, float]) -> ImageRecord:
    return ImageRecord(
        image="a.jpg",
        width=500,
        height=500,
        carriers=tuple(
            Carrier(kind="person" if label == "person" else "vehicle", label=label, box=box, score=score)
            for label, box, score in carriers
        ),
    )


def test_a_car_is_no_person_and_each_is_found_once() -> None:
    there = Around(PATH, np.array([[0, 0, 20, 20], [100, 100, 300, 300.0]]), ["person", "car"])
    record = seen(
        ("car", (0, 0, 20, 20), 0.9), ("car", (100, 100, 300, 300), 0.8), ("bus", (105, 100, 300, 300), 0.7)
    )
    people, vehicles = (compared([there], [record], kind) for kind in ("person", "vehicle"))
    assert people.is_found.tolist() == [False]
    assert vehicles.is_found.tolist() == [True]
    assert vehicles.is_right.tolist() == [False, True, False]
    assert "| small | - | 0.000" in table(vehicles, "vehicle")
    assert "| large | 1.000" in table(vehicles, "vehicle")
    assert "| 16-32 px | 0.000" in heights(people, "person")


def test_a_plate_lies_in_a_vehicle_but_not_in_a_person_or_a_bicycle() -> None:
    photograph = Annotated(PATH, np.array([[40, 40, 60, 50], [240, 40, 260, 50.0]]))
    record = seen(
        ("car", (0, 0, 100, 100), 0.9),
        ("bicycle", (200, 0, 300, 100), 0.9),
        ("person", (200, 0, 300, 100), 0.9),
    )
    assert inside([photograph], [record]).value == 0.5


def test_what_two_networks_saw_is_counted_once() -> None:
    one, other = (
        seen(("car", (0, 0, 100, 100), 0.6)),
        seen(("truck", (2, 0, 100, 100), 0.8), ("person", (0, 0, 9, 9), 0.5)),
    )
    both = merged({"one": one, "other": other})
    assert [(each.label, each.score) for each in both.carriers] == [("person", 0.5), ("truck", 0.8)]
