import json
from pathlib import Path
from typing import Any

import pytest

from aramis.errors import BadInput
from aramis.images.by_hand import Region
from aramis.images.files.regions import read_detections, read_ignored, read_regions


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_regions_are_read_as_they_are_documented(tmp_path: Path) -> None:
    path = written(
        tmp_path / "regions.json",
        {
            "regions": [
                {"image": "a/*.jpg", "box": [1, 2, 30, 40], "note": "the name on the door"},
                {"image": "ride.mp4", "from": 2, "to": 5.5, "polygon": [[0, 0], [9, 0], [0, 9]]},
            ]
        },
    )
    assert read_regions(path) == (
        Region(image="a/*.jpg", box=(1, 2, 30, 40), note="the name on the door"),
        Region(image="ride.mp4", start=2, end=5.5, polygon=((0, 0), (9, 0), (0, 9))),
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"regions": [{"image": "a.jpg"}]}, "box or a polygon"),
        ({"regions": [{"box": [0, 0, 1, 1], "polygon": [[0, 0], [1, 0], [1, 1]]}]}, "one of the two"),
        ({"regions": [{"box": [5, 0, 1, 1]}]}, r"regions\[0\]\.box"),
        ({"regions": [{"polygon": [[0, 0], [1, 0]]}]}, "polygon"),
        ({"regions": [{"box": [0, 0, 1, 1], "from": 5, "to": 2}]}, "before it begins"),
        ({"regions": [{"boxes": [0, 0, 1, 1]}]}, "boxes"),
        ({"zones": []}, "regions"),
        ([], "object"),
    ],
)
def test_a_file_of_regions_that_cannot_be_meant_is_refused_in_words(
    content: Any, words: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=words):
        read_regions(written(tmp_path / "regions.json", content))


def test_what_is_no_json_or_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"missing\.json cannot be read"):
        read_regions(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(BadInput, match=r"bad\.json"):
        read_regions(tmp_path / "bad.json")


def test_photographs_of_the_spared_lie_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "anna.jpg").touch()
    path = written(tmp_path / "ignore.json", {"zones": [{"box": [0, 0, 9, 9]}], "faces": ["anna.jpg"]})
    assert read_ignored(path).faces == (str(tmp_path / "anna.jpg"),)
    with pytest.raises(BadInput, match=r"ben\.jpg"):
        read_ignored(written(tmp_path / "ignore.json", {"faces": ["ben.jpg"]}))


def test_detections_are_read_from_coco_and_from_records(tmp_path: Path) -> None:
    coco = {
        "images": [{"id": 1, "file_name": "a.jpg", "width": 100, "height": 80}],
        "categories": [{"id": 4, "name": "face"}],
        "annotations": [{"image_id": 1, "category_id": 4, "bbox": [10, 20, 30, 40], "score": 0.5}],
    }
    line = {
        "image": "a.jpg",
        "width": 100,
        "height": 80,
        "targets": [{"kind": "face", "box": [10, 20, 40, 60], "score": 0.5}],
    }
    for path in (written(tmp_path / "d.json", coco), written(tmp_path / "d.jsonl", line)):
        ((key, (target,)),) = read_detections(path).items()
        assert (key, target.box, target.score) == (("a.jpg", None), (10, 20, 40, 60), 0.5)
