import json
from pathlib import Path
from typing import Any

import pytest

from aramis.errors import BadInput
from aramis.images.files import jsonl
from aramis.images.files.jsonl import METHOD_NOT_STATED, as_line, as_record, read_records, write_records
from aramis.images.records import Carrier, Finding, ImageRecord, Orientation, Target, Verdict

PERSON = {"kind": "person", "box": [10, 10, 60, 200], "score": 0.9, "orientation": "front"}
FACE = {"kind": "face", "box": [20, 15, 40, 40]}


def line(**changes: Any) -> dict[str, Any]:
    return {
        "image": "a/b.jpg",
        "width": 640,
        "height": 480,
        "targets": [FACE],
        "carriers": [PERSON],
        **changes,
    }


def written(folder: Path, *lines: object) -> Path:
    path = folder / "records.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))
    return path


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    corners = ((1.0, 2.0), (9.0, 2.0), (9.0, 5.5), (1.0, 5.0))
    records = [
        ImageRecord(image="a.jpg", width=10, height=10, sha256="ab"),
        ImageRecord(
            image="b.mp4",
            frame=3,
            width=10,
            height=10,
            targets=(
                Target(id=0, kind="plate", box=(1, 2, 9, 5.5), corners=corners, score=0.5, method="blur"),
            ),
            carriers=(
                Carrier(
                    id=0,
                    kind="vehicle",
                    label="car",
                    box=(0, 0, 10, 10),
                    score=0.5,
                    orientation=Orientation.FRONT,
                    verdict=Verdict.ANONYMIZED,
                    target=0,
                ),
            ),
            checks={
                "changed": (Finding(kind="plate", target=0, value=0.02, why="little is left"),),
                "metadata": (),
            },
            extra={"camera": "left"},
        ),
    ]
    write_records(tmp_path / "records.jsonl", records)
    assert list(read_records(tmp_path / "records.jsonl")) == records


def test_keys_of_other_tools_survive_at_every_level() -> None:
    theirs = line(
        camera={"name": "left"},
        targets=[FACE | {"lens": 7}],
        carriers=[PERSON | {"pose": [1, 2]}],
        extra="even one called extra",
    )
    record = as_record(theirs, "here")
    assert record.extra == {"camera": {"name": "left"}, "extra": "even one called extra"}
    again = json.loads(as_line(record))
    assert again["camera"] == {"name": "left"}
    assert again["extra"] == "even one called extra"
    assert again["targets"][0]["lens"] == 7
    assert again["carriers"][0]["pose"] == [1, 2]


def test_what_other_tools_leave_out_is_filled_in() -> None:
    record = as_record(line(carriers=[PERSON | {"orientation": None}, PERSON]), "here")
    assert [carrier.id for carrier in record.carriers] == [0, 1]
    assert record.carriers[0].orientation is Orientation.UNKNOWN
    assert record.targets[0].method == METHOD_NOT_STATED
    assert (
        as_record(line(targets=[FACE | {"method": None}]), "here").targets[0].method is None
    )  # stated: not hidden


def test_a_plate_known_by_its_corners_alone_gets_the_box_around_them() -> None:
    corners = [[10, 22], [50, 20], [51, 31], [11, 33]]
    plate = as_record(line(targets=[{"kind": "plate", "corners": corners}]), "here").targets[0]
    assert plate.box == (10, 20, 51, 33)
    with pytest.raises(BadInput, match="corners"):
        as_record(line(targets=[{"kind": "plate", "corners": corners[:3]}]), "here")


def test_records_come_out_sorted_by_path_then_frame_however_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "SORTED_AT_ONCE", 4)
    names = [(f"{n * 7 % 13}.mp4", frame) for n in range(13) for frame in (2, 0, 10)] + [("0.jpg", None)]
    write_records(
        tmp_path / "r", (ImageRecord(image=name, frame=frame, width=1, height=1) for name, frame in names)
    )
    found = [(record.image, record.frame) for record in read_records(tmp_path / "r")]
    assert found == [("0.jpg", None), *sorted((n, f) for n, f in names if f is not None)]
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_two_records_of_one_image_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    twice = [ImageRecord(image="a.mp4", frame=1, width=1, height=1)] * 2
    with pytest.raises(BadInput, match=r"frame 1 of 'a.mp4' has 2 records"):
        write_records(tmp_path / "records.jsonl", twice)
    assert not list(tmp_path.iterdir())


def test_a_failure_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = written(tmp_path, line())
    before = path.read_bytes()
    with pytest.raises(BadInput):
        write_records(path, (as_record(wrong, "here") for wrong in (line(), {"image": 3})))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{", "is not JSON"),
        ('{"image": "\\ud800"}', "is not JSON"),
        ("[]", "expected `object`, got `array`"),
        ({"image": "a.jpg", "height": 4}, "missing required field `width`"),
        (line(width=0), "width: expected `int` >= 1"),
        (line(width=True), "width: expected `int`, got `bool`"),
        (line(frame=-1), "frame: expected `int` >= 0"),
        (line(image=""), "image: '' is not a path below"),
        (line(image="/etc/passwd"), "is not a path below"),
        (line(image="a/../../b"), "is not a path below"),
        (line(carriers={}), "carriers: expected `array`"),
        (line(carriers=[3]), "carriers[0]: expected `object`"),
        (
            line(carriers=[PERSON | {"kind": "horse"}]),
            "carriers[0].kind: 'horse' is none of person, vehicle",
        ),
        (line(carriers=[PERSON | {"score": 90}]), "carriers[0].score: expected `float` <= 1"),
        (
            line(carriers=[PERSON | {"orientation": "rear"}]),
            "carriers[0].orientation: 'rear' is none of front, side, back, unknown",
        ),
        (line(carriers=[PERSON | {"box": [1, 2, 3]}]), "carriers[0].box: expected `array` of length 4"),
        (
            line(carriers=[PERSON | {"box": [60, 10, 50, 190]}]),
            "carriers[0].box: [60.0, 10.0, 50.0, 190.0] is not [x1",
        ),
        (
            line(targets=[FACE, FACE | {"box": [0.1, 0.2, 0.3, 0.4]}]),
            "targets[1].box: [0.1, 0.2, 0.3, 0.4] ends within",
        ),
        (line(targets=[FACE | {"box": [700, 1, 800, 9]}]), "lies outside the image of 640 x 480"),
        (line(targets=[FACE | {"id": 4}] * 2), "targets: two have the same id"),
        (line(carriers=[PERSON | {"target": 9}]), "carriers: there is no target 9"),
    ],
)
def test_a_wrong_record_is_refused_by_line_and_key(tmp_path: Path, wrong: object, said: str) -> None:
    with pytest.raises(BadInput) as error:
        list(read_records(written(tmp_path, line(), "", wrong)))
    assert str(error.value).startswith("records.jsonl line 3")
    assert said in str(error.value)


def test_no_file_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"records\.jsonl cannot be read .No such file"):
        read_records(tmp_path / "records.jsonl")
