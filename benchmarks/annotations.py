"""The annotated sets of a data folder, each as photographs with their true boxes. docs/measurements.md says what they are."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

TRAINING = Path(__file__).parents[1] / "training"


class Annotated(NamedTuple):
    """A photograph and what is in it. `corners` (n, 4, 2) only where the set gives them."""

    path: Path
    boxes: NDArray[np.float64]
    corners: NDArray[np.float64] | None = None


class Around(NamedTuple):
    """A photograph and the people and vehicles in it: a box and a class for each."""

    path: Path
    boxes: NDArray[np.float64]
    labels: list[str]


class Posed(NamedTuple):
    """A photograph and people in it: a box and COCO's 17 points for each (x, y; 2 visible, 1 hidden, 0 not given)."""

    path: Path
    boxes: NDArray[np.float64]
    points: NDArray[np.float64]


class Turned(NamedTuple):
    """A photograph and people in it: a box for each, and the angle of their way to the line of sight.

    In radians: 90 degrees is towards the camera, -90 away from it.
    """

    path: Path
    boxes: NDArray[np.float64]
    angles: NDArray[np.float64]


class Faced(NamedTuple):
    """A photograph and vehicles in it: a box and the side that is seen for each."""

    path: Path
    boxes: NDArray[np.float64]
    orientations: list[str]


def faces_personfaces548(data: Path) -> Iterator[Annotated]:
    """274 photographs, 448 faces, squeezed to 640x640 (COCO)."""
    folder = data / "faces_personfaces548" / "valid"
    coco = json.loads(next(folder.glob("*.json")).read_text())
    for image in coco["images"]:
        corner_and_size = [a["bbox"] for a in coco["annotations"] if a["image_id"] == image["id"]]
        boxes = _boxes(corner_and_size)
        boxes[:, 2:] += boxes[:, :2]
        yield Annotated(folder / image["file_name"], boxes)


def faces_mask853(data: Path) -> Iterator[Annotated]:
    """427 photographs of crowds and streets of about 400x300, many faces small or masked (VOC)."""
    return _voc(data / "faces_mask853" / "annotations", data / "faces_mask853" / "images")


def faces_dlib(data: Path) -> Iterator[Annotated]:
    """Photographs with boxes as dlib's detector gives them: brow to chin, square."""
    folder = data / "faces_dlib" / "faces"
    for name in ("training_with_face_landmarks.xml", "testing_with_face_landmarks.xml"):
        for image in ET.parse(folder / name).getroot().iter("image"):
            sides = [
                [float(box.get(side, 0)) for side in ("left", "top", "width", "height")]
                for box in image.iter("box")
            ]
            boxes = _boxes(sides)
            boxes[:, 2:] += boxes[:, :2]
            if (folder / image.get("file", "")).is_file():
                yield Annotated(folder / image.get("file", ""), boxes)


def plates_ro_dashcam(data: Path, part: str = "valid") -> Iterator[Annotated]:
    """Frames of one ride by day, 1280x720; only plates that can be read are annotated (VOC)."""
    folder = data / "plates_ro_dashcam" / part
    return _voc(folder / "annots", folder / "images")


def plates_pl_roboflow(data: Path) -> Iterator[Annotated]:
    """36 Polish photographs, squeezed to 640x640 (CSV)."""
    folder = data / "plates_pl_roboflow" / "train"
    with next(folder.glob("*.csv")).open() as lines:
        rows = list(csv.DictReader(lines))
    for path in sorted(folder.glob("*.jpg")):
        plates = [row for row in rows if row["filename"] == path.name and row["class"] == "license-plates"]
        yield Annotated(
            path, _boxes([[float(row[k]) for k in ("xmin", "ymin", "xmax", "ymax")] for row in plates])
        )


def plates_4corner(data: Path) -> Iterator[Annotated]:
    """Photographs with four corners of each plate, mostly Chinese."""
    for path in sorted((data / "plates_4corner" / "iwpod" / "train_dir").glob("*.jpg")):
        size = _size(path)
        numbers = [line.split(",")[1:9] for line in path.with_suffix(".txt").read_text().split()]
        corners = np.array(numbers, np.float64).reshape(-1, 2, 4).transpose(0, 2, 1) * size
        yield Annotated(path, np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1), corners)


CARRIERS = {0: "person", 1: "bicycle", 2: "car", 3: "motorcycle", 5: "bus", 7: "truck"}
"""COCO's numbers for what may bear a face or a plate."""


def coco256(data: Path) -> Iterator[Around]:
    """128 everyday photographs; people and vehicles of any size."""
    for path in sorted((data / "coco256" / "images" / "train2017").glob("*.jpg")):
        rows = _yolo(data / "coco256" / "object_detection" / "labels" / "train2017" / f"{path.stem}.txt")
        rows = [row for row in rows if row[0] in CARRIERS]
        yield Around(path, _in_pixels(path, rows), [CARRIERS[int(row[0])] for row in rows])


def coco256_poses(data: Path) -> Iterator[Posed]:
    """Those of them whose people's points are annotated."""
    for labels in sorted((data / "coco256" / "keypoints" / "train2017").glob("*.txt")):
        path, rows = data / "coco256" / "images" / "train2017" / f"{labels.stem}.jpg", _yolo(labels)
        points = np.array([row[5:] for row in rows]).reshape(-1, 17, 3) * [*_size(path), 1]
        yield Posed(path, _in_pixels(path, rows), points)


def coco256_vehicles(data: Path) -> Iterator[Faced]:
    """Those of them with vehicles whose side somebody has told by looking; the network never learned from them."""
    with (TRAINING / "vehicle_orientation" / "labels.csv").open() as lines:
        rows = [row for row in csv.DictReader(lines) if row["set"] == "coco"]
    for name in sorted({row["image"] for row in rows}):
        its = [row for row in rows if row["image"] == name]
        boxes = _boxes([[float(row[side]) for side in ("x1", "y1", "x2", "y2")] for row in its])
        yield Faced(
            data / "coco256" / "images" / "train2017" / name, boxes, [row["orientation"] for row in its]
        )


def street_view_of_delft(data: Path) -> Iterator[Turned]:
    """Three photographs of streets, faces blurred by the publisher; their pedestrians and riders (KITTI)."""
    folder = data / "street_view_of_delft"
    for labels in sorted((folder / "label_2").glob("*.txt")):
        rows = [line.split() for line in labels.read_text().splitlines()]
        numbers = [[float(cell) for cell in row[3:8]] for row in rows if row[0] in {"Pedestrian", "rider"}]
        table = np.array(numbers, np.float64).reshape(-1, 5)
        yield Turned(folder / "image_2" / f"{labels.stem}.jpg", table[:, 1:], table[:, 0])


SETS: dict[str, Callable[[Path], Iterator[Annotated]]] = {
    function.__name__: function
    for function in (
        faces_personfaces548,
        faces_mask853,
        faces_dlib,
        plates_ro_dashcam,
        plates_pl_roboflow,
        plates_4corner,
    )
}


def _voc(annotations: Path, images: Path) -> Iterator[Annotated]:
    for path in sorted(annotations.glob("*.xml")):
        objects = ET.parse(path).getroot().iter("bndbox")
        sides = [
            [float(box.findtext(side, "0")) for side in ("xmin", "ymin", "xmax", "ymax")] for box in objects
        ]
        image = images / f"{path.stem}.jpg"
        if image.is_file():
            yield Annotated(image, _boxes(sides))


def _yolo(path: Path) -> list[list[float]]:
    """The rows of a file of labels: class, centre and size as shares of the picture, and what else there is.

    A photograph that shows none of the classes has no such file.
    """
    lines = path.read_text().splitlines() if path.is_file() else []
    return [[float(cell) for cell in line.split()] for line in lines]


def _in_pixels(path: Path, rows: list[list[float]]) -> NDArray[np.float64]:
    boxes = _boxes([row[1:5] for row in rows])
    corners = np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], axis=1)
    return np.asarray(corners * np.tile(_size(path), 2))


def _size(path: Path) -> NDArray[np.float64]:
    """Width and height."""
    from PIL import Image

    with Image.open(path) as image:
        return np.array(image.size, np.float64)


def _boxes(rows: list[list[float]]) -> NDArray[np.float64]:
    return np.array(rows, np.float64).reshape(-1, 4)
