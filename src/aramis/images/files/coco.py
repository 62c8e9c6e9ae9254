"""COCO JSON ⇄ ImageRecord, so that what other tools found can be judged, and what we found can be looked at in theirs.

An annotation of category face or plate is a target; person, car, van, truck, bus, motorcycle, bicycle is a carrier; the rest is
left out. What COCO has no key for (orientation, verdict, reasons, found_by, method) stands under our own name, in the annotation
or in its `attributes`, where annotation tools write it. Lin et al., "Microsoft COCO: common objects in context", ECCV 2014.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from aramis.errors import BadInput
from aramis.images.files.jsonl import as_plain, as_record, plain_error, read_records
from aramis.images.files.whole import whole
from aramis.images.geometry import area
from aramis.images.records import Carrier, ImageRecord, Target

PLATES = ("plate", "licenseplate", "licenceplate", "numberplate")
VEHICLES = ("car", "van", "truck", "bus", "motorcycle", "bicycle")
OTHER_NAMES = {"motorbike": "motorcycle", "pedestrian": "person", **dict.fromkeys(PLATES, "plate")}
CATEGORIES = ("face", "plate", "region", "person", "vehicle", *VEHICLES)
TARGETS = ("face", "plate", "region")

COCO_KEYS = {"id", "image_id", "category_id", "bbox", "area", "segmentation", "iscrowd", "attributes"}
JUDGED = {"verdict", "target", "reasons", "why"}  # judging makes them anew


class _Image(msgspec.Struct):
    id: int | str
    file_name: str
    width: int
    height: int
    frame: int | None = None


class _Category(msgspec.Struct):
    id: int
    name: str


class _Annotation(msgspec.Struct):
    image_id: int | str
    category_id: int
    bbox: tuple[float, float, float, float]
    score: float | None = None
    iscrowd: int = 0


class _File(msgspec.Struct):
    images: list[_Image]
    annotations: list[dict[str, Any]]
    categories: list[_Category]


def read_coco(path: Path) -> Iterator[ImageRecord]:
    """A record for each image of a COCO file; crowds (`iscrowd`), which are nobody in particular, are left out."""
    file = _file(path)
    kinds = {
        category.id: kind for category in file.categories if (kind := _kind(category.name)) in CATEGORIES
    }
    if not kinds:
        names = ", ".join(category.name for category in file.categories) or "none at all"
        raise BadInput(
            f"{path.name}: no category is a face, a plate, a person or a vehicle; there are {names}"
        )
    parts: dict[int | str, dict[str, list[dict[str, Any]]]] = {
        image.id: {"targets": [], "carriers": []} for image in file.images
    }
    if len(parts) < len(file.images):
        ids = [image.id for image in file.images]
        raise BadInput(f"{path.name} has image id {next(one for one in ids if ids.count(one) > 1)} twice")
    for place, data in enumerate(file.annotations):
        annotation = _annotation(data, f"{path.name} annotations[{place}]")
        if annotation.image_id not in parts:
            raise BadInput(f"{path.name} annotations[{place}]: there is no image {annotation.image_id}")
        kind = kinds.get(annotation.category_id, "")
        if kind and not annotation.iscrowd:
            part = "targets" if kind in TARGETS else "carriers"
            parts[annotation.image_id][part].append(_part(kind, annotation, data))
    for image in file.images:
        known = {"image": image.file_name, "frame": image.frame, "width": image.width, "height": image.height}
        yield as_record({**known, **parts[image.id]}, f"{path.name} image {image.file_name}")


def write_coco(records: Path, path: Path) -> None:
    """Write the records of a file as COCO JSON, in two passes and one record at a time."""
    numbers = count(1)
    with whole(path) as file:
        file.write(b'{"categories": [\n')
        file.writelines(_listed({"id": place, "name": name} for name, place in PLACES.items()))
        file.write(b'],\n"images": [\n')
        file.writelines(_listed(map(_image, count(1), read_records(records))))
        file.write(b'],\n"annotations": [\n')
        file.writelines(
            _listed(
                {"id": next(numbers), "image_id": image} | annotation
                for image, record in enumerate(read_records(records), start=1)
                for annotation in _annotations(record)
            )
        )
        file.write(b"]}\n")


def _file(path: Path) -> _File:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror})") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name} is not COCO JSON: {plain_error(error)}") from None


def _annotation(data: dict[str, Any], where: str) -> _Annotation:
    try:
        return msgspec.convert(data, _Annotation)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {plain_error(error)}") from None


def _kind(category: str) -> str:
    """A category's name as we call it."""
    name = "".join(letter for letter in category.lower() if letter.isalnum())
    return OTHER_NAMES.get(name, name)


def _part(kind: str, annotation: _Annotation, data: dict[str, Any]) -> dict[str, Any]:
    """A target or carrier as it stands in a record."""
    left, top, width, height = annotation.bbox
    box = [left, top, left + width, top + height]
    attributes = data.get("attributes")
    named = {**data, **attributes} if isinstance(attributes, dict) else data
    own = {key: value for key, value in named.items() if key not in COCO_KEYS | JUDGED}
    if kind in TARGETS:
        outline = {} if {"polygon", "corners"} & set(own) else _outlined(data.get("segmentation"))
        return own | outline | {"kind": kind, "box": box, "score": annotation.score}
    score = 1.0 if annotation.score is None else annotation.score  # what a person annotated is certain
    if kind == "person":
        return own | {"kind": "person", "box": box, "score": score}
    return own | {"kind": "vehicle", "class": None if kind == "vehicle" else kind, "box": box, "score": score}


def _outlined(segmentation: Any) -> dict[str, Any]:
    """The outline of one polygon. What comes in parts, or as a mask, goes by its box, which holds all of it."""
    if not isinstance(segmentation, list) or len(segmentation) != 1:
        return {}
    (numbers,) = segmentation
    if not isinstance(numbers, list) or len(numbers) < 6 or len(numbers) % 2:
        return {}
    return {"polygon": list(zip(numbers[::2], numbers[1::2], strict=True))}


PLACES = {name: place for place, name in enumerate(CATEGORIES, start=1)}


def _image(place: int, record: ImageRecord) -> dict[str, Any]:
    plain = {key: value for key, value in as_plain(record).items() if value is not None and key != "image"}
    return {"id": place, "file_name": record.image} | plain


def _annotations(record: ImageRecord) -> Iterator[dict[str, Any]]:
    things: tuple[Target | Carrier, ...] = (*record.targets, *record.carriers)
    yield from map(_as_annotation, things)


def _as_annotation(thing: Target | Carrier) -> dict[str, Any]:
    x1, y1, x2, y2 = thing.box
    plain = {
        key: value for key, value in as_plain(thing).items() if key not in ("id", "kind", "class", "box")
    }
    place = PLACES.get(thing.label or "") if isinstance(thing, Carrier) else None
    outline = (thing.polygon or thing.corners) if isinstance(thing, Target) else None
    return {
        "category_id": place or PLACES.get(thing.kind) or PLACES["region"],
        "bbox": [x1, y1, x2 - x1, y2 - y1],
        "area": area(thing.box),
        "iscrowd": 0,
        "segmentation": [sum(outline, ())] if outline else [],
    } | plain


def _listed(things: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """JSON objects, a comma between each two."""
    for place, thing in enumerate(things):
        yield (b",\n" if place else b"") + msgspec.json.encode(thing)
