"""The files of `--regions`, `--ignore` and `--detections` → what is in them, checked."""

from pathlib import Path
from typing import TypeVar

import msgspec

from aramis.errors import BadInput
from aramis.images.by_hand import Ignored, Region, Regions, found_elsewhere
from aramis.images.files.coco import read_coco
from aramis.images.files.jsonl import plain_error, read_records
from aramis.images.records import Target

T = TypeVar("T", Regions, Ignored)


def read_regions(path: Path) -> tuple[Region, ...]:
    """What is to be hidden in any case; docs/reference/regions.schema.json says what such a file holds."""
    regions = _read(path, Regions).regions
    for place, region in enumerate(regions):
        _check(region, f"{path.name} regions[{place}]")
    return regions


def read_ignored(path: Path) -> Ignored:
    """What is to be spared; the photographs are named as this process finds them."""
    ignored = _read(path, Ignored)
    for place, zone in enumerate(ignored.zones):
        _check(zone, f"{path.name} zones[{place}]")
    photos = tuple(str(path.parent / name) for name in ignored.faces)
    missing = next((photo for photo in photos if not Path(photo).is_file()), None)
    if missing:
        raise BadInput(f"{path.name} faces: there is no photograph {missing}")
    return Ignored(zones=ignored.zones, faces=photos)


def read_detections(path: Path) -> dict[tuple[str, int | None], tuple[Target, ...]]:
    """What another tool found: COCO (.json), or records a line each (.jsonl)."""
    records = read_coco(path) if path.suffix.lower() == ".json" else read_records(path)
    return found_elsewhere(records)


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({(error.strerror or str(error)).lower()})") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name}: {plain_error(error)}") from None


def _check(region: Region, where: str) -> None:
    """What no type can say."""
    if (region.box is None) == (region.polygon is None):
        raise BadInput(f"{where}: give a box or a polygon, one of the two")
    if region.box is not None and not (region.box[0] < region.box[2] and region.box[1] < region.box[3]):
        raise BadInput(f"{where}.box: {list(region.box)} is not [x1, y1, x2, y2] with an area")
    if region.start is not None and region.end is not None and region.start >= region.end:
        raise BadInput(f"{where}: it ends at {region.end:g} s, before it begins at {region.start:g} s")
