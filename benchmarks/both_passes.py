"""Annotated photographs through both passes, as `aramis release` takes them; kept, so that the rest takes seconds."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from benchmarks.annotations import Annotated
from benchmarks.detection import picture

from aramis.images.detect.faces import faces
from aramis.images.detect.plates import plates
from aramis.images.files.jsonl import read_records, write_records
from aramis.images.passes import Detect
from aramis.images.records import Box, ImageRecord
from aramis.images.surroundings.look import Look, look_around
from aramis.images.unify import unify


class Case(msgspec.Struct, frozen=True):
    """One photograph: what it truly shows, and what the two passes found and hid."""

    kind: str
    true: tuple[Box, ...]
    record: ImageRecord
    path: Path


def cases(name: str, photographs: Iterable[Annotated], kept: Path | None, threads: int = 1) -> list[Case]:
    """The photographs of a set; what the folder `kept` holds is not looked at again."""
    kind = "face" if name.startswith("faces") else "plate"
    photographs = list(photographs)
    path = kept / f"{name}.jsonl" if kept else None
    if path and path.exists():
        records = read_records(path)
    else:
        detect = (faces if kind == "face" else plates)(threads=threads)
        records = _passed(photographs, detect, look_around(threads))
    by_name = {record.image: record for record in records}
    if path and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_records(path, by_name.values())
    return [_case(kind, photograph, by_name) for photograph in photographs]


def _passed(photographs: Iterable[Annotated], detect: Detect, look: Look) -> Iterator[ImageRecord]:
    for photograph in photographs:
        pixels = picture(photograph.path)
        hidden = [msgspec.structs.replace(target, method="blur") for target in detect(pixels)]
        height, width = pixels.shape[:2]
        yield unify(photograph.path.name, width, height, targets=hidden, carriers=look(pixels))


def _case(kind: str, photograph: Annotated, records: dict[str, ImageRecord]) -> Case:
    true = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in photograph.boxes)
    return Case(kind, true, records[photograph.path.name], photograph.path)
