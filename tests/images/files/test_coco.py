import json
from pathlib import Path
from typing import Any

import pytest

from aramis.errors import BadInput
from aramis.images.assess import assess, export_coco
from aramis.images.files.coco import read_coco
from aramis.images.files.jsonl import read_records, write_records
from aramis.images.records import Carrier, ImageRecord, Orientation, Target

IMAGES = [{"id": 7, "file_name": "a/b.jpg", "width": 640, "height": 480, "license": 1}]
CATEGORIES = [
    {"id": n, "name": name}
    for n, name in enumerate(["person", "Car", "License-Plate", "face", "dog", "motorbike"])
]


def coco(folder: Path, *annotations: dict[str, Any], **changes: Any) -> Path:
    path = folder / "instances.json"
    file = {"images": IMAGES, "annotations": annotations, "categories": CATEGORIES, "info": {}, **changes}
    path.write_text(json.dumps(file))
    return path


def test_people_vehicles_faces_and_plates_are_taken_and_the_rest_is_left(tmp_path: Path) -> None:
    boxes = [{"id": n, "image_id": 7, "category_id": n, "bbox": [10, 20, 30, 40]} for n in range(6)]
    boxes[0] |= {"score": 0.5, "attributes": {"orientation": "back", "occluded": False}}
    boxes[3] |= {"segmentation": [[1, 2, 3, 4]], "area": 1200, "method": None}
    crowd = {"id": 9, "image_id": 7, "category_id": 0, "bbox": [0, 0, 9, 9], "iscrowd": 1}
    [record] = read_coco(coco(tmp_path, *boxes, crowd))
    box = (10, 20, 40, 60)
    assert record == ImageRecord(
        image="a/b.jpg",
        width=640,
        height=480,
        targets=(
            Target(id=0, kind="plate", box=box, method="not stated"),
            Target(id=1, kind="face", box=box, method=None),
        ),
        carriers=(
            Carrier(
                id=0,
                kind="person",
                box=box,
                score=0.5,
                orientation=Orientation.BACK,
                extra={"occluded": False},
            ),
            Carrier(id=1, kind="vehicle", label="car", box=box, score=1),
            Carrier(id=2, kind="vehicle", label="motorcycle", box=box, score=1),
        ),
    )


def test_what_is_exported_comes_back(tmp_path: Path) -> None:
    corners = ((100.0, 52.0), (109.0, 52.0), (109.0, 55.5), (100.0, 55.0))
    plate = Target(id=0, kind="plate", box=(100, 52, 109, 55.5), corners=corners, score=0.5, method="blur")
    car = Carrier(id=0, kind="vehicle", label="car", box=(0, 0, 300, 300), score=0.5, track=3)
    person = Carrier(id=1, kind="person", box=(50, 0, 60, 30), score=0.25, found_by="somebody")
    records = [
        ImageRecord(image="a.jpg", width=400, height=300),
        ImageRecord(image="b.mp4", frame=3, width=400, height=300, targets=(plate,), carriers=(car, person)),
    ]
    write_records(tmp_path / "records.jsonl", records)
    assert list(read_coco(export_coco(tmp_path))) == records
    written = json.loads((tmp_path / "coco.json").read_text())
    assert [one["id"] for one in written["annotations"]] == [1, 2, 3]
    assert written["annotations"][0]["segmentation"] == [[100, 52, 109, 52, 109, 55.5, 100, 55]]
    assert written["annotations"][0]["bbox"] == [100, 52, 9, 3.5]


def test_outlines_and_tracks_of_a_video_are_carried_out_and_back(tmp_path: Path) -> None:
    region = Target(id=0, kind="region", box=(0, 0, 9, 9), polygon=((0, 0), (9, 0), (4, 9)), track=7)
    record = ImageRecord(image="b.mp4", frame=3, width=400, height=300, targets=(region,))
    write_records(tmp_path / "records.jsonl", [record])
    assert list(read_coco(export_coco(tmp_path))) == [record]
    written = json.loads((tmp_path / "coco.json").read_text())
    (image,), (annotation,) = written["images"], written["annotations"]
    assert (image["file_name"], image["frame"]) == ("b.mp4", 3)
    assert (annotation["segmentation"], annotation["track"]) == ([[0, 0, 9, 0, 4, 9]], 7)


@pytest.mark.parametrize(
    ("segmentation", "polygon"),
    [
        ([[0, 0, 9, 0, 4, 9]], ((0, 0), (9, 0), (4, 9))),
        ([[0, 0, 4, 0, 4, 4], [5, 5, 9, 5, 9, 9]], None),
        ({"size": [300, 400], "counts": "abc"}, None),
        ([], None),
        ([[0, 0, 9, 0]], None),
    ],
)
def test_another_tools_outline_is_taken_where_it_is_one(
    segmentation: object, polygon: object, tmp_path: Path
) -> None:
    (tmp_path / "coco.json").write_text(
        json.dumps(
            {
                "images": [{"id": 1, "file_name": "a.jpg", "width": 400, "height": 300}],
                "categories": [{"id": 1, "name": "face"}],
                "annotations": [
                    {
                        "id": 1,
                        "image_id": 1,
                        "category_id": 1,
                        "bbox": [0, 0, 9, 9],
                        "segmentation": segmentation,
                    }
                ],
            }
        )
    )
    ((target,),) = (record.targets for record in read_coco(tmp_path / "coco.json"))
    assert (target.box, target.polygon) == ((0, 0, 9, 9), polygon)


def test_an_export_of_nothing_is_still_a_file_that_can_be_read(tmp_path: Path) -> None:
    write_records(tmp_path / "records.jsonl", [])
    assert list(read_coco(export_coco(tmp_path, tmp_path / "else.json"))) == []


def test_a_coco_file_can_be_assessed(tmp_path: Path) -> None:
    person = {"id": 1, "image_id": 7, "category_id": 0, "bbox": [10, 20, 200, 400]}
    found = assess(tmp_path / "new", rules="published", from_coco=coco(tmp_path, person))
    assert found.people.PARAM == 1
    assert len(list(read_records(tmp_path / "new" / "records.jsonl"))) == 1
    with pytest.raises(BadInput, match="has records already"):
        assess(tmp_path / "new", from_coco=coco(tmp_path, person))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"images": 3}, "instances.json is not COCO JSON: images: expected `array`"),
        (
            {"categories": [{"id": 0, "name": "dog"}]},
            "no category is a face, a plate, a person or a vehicle; there are dog",
        ),
        ({"categories": []}, "there are none at all"),
        ({"annotations": [{"image_id": 7}]}, "instances.json annotations[0]: object missing required field"),
        ({"annotations": [{"image_id": 8, "category_id": 0, "bbox": [1, 2, 3, 4]}]}, "there is no image 8"),
        (
            {"annotations": [{"image_id": 7, "category_id": 0, "bbox": [1, 2, -3, 4]}]},
            "instances.json image a/b.jpg: carriers[0].box: [1.0, 2.0, -2.0, 6.0] is not",
        ),
        (
            {"annotations": [{"image_id": 7, "category_id": 0, "bbox": [1, 2, 3, 4], "score": 3}]},
            "carriers[0].score: expected `float` <= 1",
        ),
        ({"images": IMAGES * 2}, "image id 7 twice"),
    ],
)
def test_a_wrong_file_is_refused_by_place(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as error:
        list(read_coco(coco(tmp_path, **changes)))
    assert said in str(error.value)


def test_no_file_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_coco(tmp_path / "no.json"))
