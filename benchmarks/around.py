"""What the look around finds: people and vehicles. `python -m benchmarks.around --data DIR [--seen FOLDER]`

- coco256: recall and precision at an overlap of 0.5, by size (COCO's: small below 32 x 32, large from 96 x 96 pixels) and by
  height; what each network adds.
- plates_ro_dashcam, plates_pl_roboflow: how many of the annotated plates, all of which can be read, lie inside a vehicle.

`--seen` keeps what the networks saw, so that the second time takes seconds. `--speed` measures instead how long each takes.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec
import numpy as np
from benchmarks.annotations import Annotated, Around, coco256, plates_pl_roboflow, plates_ro_dashcam
from benchmarks.detection import picture
from benchmarks.matching import Share, matched, share
from numpy.typing import NDArray

from aramis.images.files.jsonl import read_records, write_records
from aramis.images.geometry import centre, is_inside
from aramis.images.network import Pixels, inside_seconds
from aramis.images.records import Carrier, ImageRecord
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.look import FLOOR, NETWORKS, Look, look_around, networks
from aramis.images.surroundings.people import OVERLAP as ONE_PERSON
from aramis.images.surroundings.seen import LABELS, PERSON, See, Seen, clipped, together
from aramis.images.surroundings.vehicles import OVERLAP as ONE_VEHICLE
from aramis.images.unify import unify

OVERLAP = 0.5
SIZES = ((0, 32, "small"), (32, 96, "medium"), (96, np.inf, "large"), (0, np.inf, "all"))
"""By the square root of the area."""
HEIGHTS = ((0, 16), (16, 32), (32, 64), (64, 128), (128, np.inf))
PLATES: dict[str, Callable[[Path], Iterable[Annotated]]] = {
    "plates_ro_dashcam, valid": plates_ro_dashcam,
    "plates_ro_dashcam, train": partial(plates_ro_dashcam, part="train"),
    "plates_pl_roboflow": plates_pl_roboflow,
}
ROUNDS = 3
TOGETHER = "together"
FLOORS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
LEGIBLE_FROM = Thresholds().plate_floor_px / 0.45
"""Pixels of width from which a vehicle may show a plate that can be read: no plate is a larger share of its vehicle."""


class Found(NamedTuple):
    """What is there and what was found, over all photographs: a row for each box, its width and height, and whether the two agree."""

    true: NDArray[np.float64]
    is_found: NDArray[np.bool_]
    boxes: NDArray[np.float64]
    is_right: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seen", type=Path, help="a folder that keeps what the networks saw")
    parser.add_argument("--models", choices=sorted(NETWORKS), default="default", help="a profile")
    parser.add_argument("--speed", action="store_true", help="milliseconds a photograph, instead")
    given = parser.parse_args()
    if given.speed:
        print(speed(given.data))
        return
    everyday = list(coco256(given.data))
    plates = {of: list(read(given.data)) for of, read in PLATES.items()}
    seen_everyday = _kept("coco256", everyday, given.seen, given.models)
    seen_plates = {of: _kept(of, photographs, given.seen, given.models) for of, photographs in plates.items()}
    for name in (*NETWORKS[given.models], TOGETHER):
        print(f"\n{name}\n")
        for kind in ("person", "vehicle"):
            found = compared(everyday, from_floor(seen_everyday[name], FLOOR), kind)
            print(f"{table(found, kind)}\n")
            if name == TOGETHER:
                print(f"{heights(found, kind)}\n\n{floors(everyday, seen_everyday[name], kind)}\n")
        for of, photographs in plates.items():
            hits = inside(photographs, from_floor(seen_plates[of][name], FLOOR))
            print(f"{of}: readable plates inside a vehicle {hits}", flush=True)


def _kept(
    of: str, photographs: Sequence[Annotated | Around], kept: Path | None, models: str
) -> dict[str, list[ImageRecord]]:
    """What each network saw in each photograph, and what they come to."""
    alone = {
        name: _seen_or_kept(photographs, _alone(name, models), kept / f"{of}-{name}.jsonl" if kept else None)
        for name in NETWORKS[models]
    }
    return alone | {
        TOGETHER: [merged(dict(zip(alone, each, strict=True))) for each in zip(*alone.values(), strict=True)]
    }


def _seen_or_kept(
    photographs: Sequence[Annotated | Around], look: Look, path: Path | None
) -> list[ImageRecord]:
    if path and path.exists():
        by_name = {record.image: record for record in read_records(path)}
        return [by_name[photograph.path.name] for photograph in photographs]
    seen = []
    for photograph in photographs:
        pixels = picture(photograph.path)
        seen.append(unify(photograph.path.name, pixels.shape[1], pixels.shape[0], carriers=look(pixels)))
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_records(path, seen)
    return seen


def merged(records: dict[str, ImageRecord]) -> ImageRecord:
    """What the networks saw in one photograph, each person and vehicle once, as the inspection puts it together."""
    several = {name: _seen(record) for name, record in records.items()}
    people, _ = together(several, lambda seen: seen.labels == PERSON, ONE_PERSON)
    vehicles, _ = together(several, lambda seen: seen.labels != PERSON, ONE_VEHICLE)
    first = next(iter(records.values()))
    return msgspec.structs.replace(first, carriers=(*_carriers(people), *_carriers(vehicles)))


def compared(photographs: Iterable[Around], seen: Iterable[ImageRecord], kind: str) -> Found:
    """Every photograph's boxes of one kind, matched."""
    rows = [_compared(photograph, record, kind) for photograph, record in zip(photographs, seen, strict=True)]
    return Found(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _compared(photograph: Around, record: ImageRecord, kind: str) -> Found:
    true = photograph.boxes[[(label == "person") == (kind == "person") for label in photograph.labels]]
    carriers = [one for one in record.carriers if one.kind == kind]
    boxes = np.array([one.box for one in carriers], np.float64).reshape(-1, 4)
    pairs = matched(true, boxes, np.array([one.score for one in carriers]), OVERLAP)
    return Found(
        true[:, 2:] - true[:, :2],
        np.isin(np.arange(len(true)), list(pairs.values())),
        boxes[:, 2:] - boxes[:, :2],
        np.isin(np.arange(len(boxes)), list(pairs)),
    )


def table(found: Found, kind: str) -> str:
    """A line for each size: recall of what has it, precision of what was found to have it."""
    lines = [f"| {kind} | recall | precision |", "| --- | --- | --- |"]
    for low, high, name in SIZES:
        there, seen = (
            _between(np.sqrt(sizes.prod(axis=1)), low, high) for sizes in (found.true, found.boxes)
        )
        lines.append(f"| {name} | {_share(found.is_found[there])} | {_share(found.is_right[seen])} |")
    return "\n".join(lines)


def heights(found: Found, kind: str) -> str:
    """Recall by height in pixels."""
    lines = [f"| {kind}, height | recall |", "| --- | --- |"]
    for low, high in HEIGHTS:
        there = _between(found.true[:, 1], low, high)
        name = f"{low}-{high} px" if np.isfinite(high) else f"{low} px and more"
        lines.append(f"| {name} | {_share(found.is_found[there])} |")
    return "\n".join(lines)


def floors(photographs: Sequence[Around], seen: Sequence[ImageRecord], kind: str) -> str:
    """Recall and precision from other scores on; and recall of what is wide enough to show a plate that can be read."""
    wide = f"{LEGIBLE_FROM:.0f} px wide and more"
    lines = [f"| {kind}, score from | recall | of {wide} | precision |", "| --- | --- | --- | --- |"]
    for floor in FLOORS:
        found = compared(photographs, from_floor(seen, floor), kind)
        large = found.is_found[found.true[:, 0] >= LEGIBLE_FROM]
        lines.append(f"| {floor} | {_share(found.is_found)} | {_share(large)} | {_share(found.is_right)} |")
    return "\n".join(lines)


def from_floor(seen: Iterable[ImageRecord], floor: float) -> list[ImageRecord]:
    """The records without what scores less."""
    return [
        msgspec.structs.replace(record, carriers=tuple(one for one in record.carriers if one.score >= floor))
        for record in seen
    ]


def inside(photographs: Iterable[Annotated | Around], seen: Iterable[ImageRecord]) -> Share:
    """How many plates have their middle in a vehicle that can bear one."""
    hits = [
        any(
            one.label not in {"person", "bicycle"} and is_inside(centre(plate), one.box)
            for one in record.carriers
        )
        for photograph, record in zip(photographs, seen, strict=True)
        for plate in photograph.boxes.tolist()
    ]
    return share(sum(hits), len(hits))


def _alone(name: str, models: str) -> Look:
    """A look with one network: boxes, no orientation."""
    see: list[See] = []

    def look(pixels: Pixels) -> list[Carrier]:
        if not see:  # what was kept needs no network
            see.append(networks(models=models, floor=min(FLOORS))[name])
        return _carriers(clipped(see[0](pixels), pixels.shape[1], pixels.shape[0]))

    return look


def _carriers(seen: Seen) -> list[Carrier]:
    return [
        Carrier(
            kind="person" if label == PERSON else "vehicle", label=LABELS[label], box=tuple(box), score=score
        )
        for box, score, label in zip(
            seen.boxes.tolist(), seen.scores.tolist(), seen.labels.tolist(), strict=True
        )
    ]


def _seen(record: ImageRecord) -> Seen:
    return Seen(
        np.array([one.box for one in record.carriers], np.float64).reshape(-1, 4),
        np.array([one.score for one in record.carriers], np.float64),
        np.array([LABELS.index(one.label or "car") for one in record.carriers], np.intp),
    )


def speed(data: Path) -> str:
    """Milliseconds a photograph on one thread, the best of some rounds; and how much of the time networks ran."""
    sets = {
        "coco256, 640x480": [each.path for each in coco256(data)][:8],
        "plates_ro_dashcam, 1280x720": [each.path for each in plates_ro_dashcam(data)][:4],
    }
    lines = ["| photographs | network | ms a photograph | inside the networks |", "| --- | --- | --- | --- |"]
    for of, paths in sets.items():
        photographs = [picture(path) for path in paths]
        for name, look in {**networks(1), "together, with orientations": look_around()}.items():
            runs = sorted(_run(look, photographs) for _ in range(ROUNDS))
            lines.append(f"| {of} | {name} | {runs[0][0] * 1000 / len(paths):.0f} | {runs[0][1]:.0%} |")
    return "\n".join(lines)


def _run(look: Callable[[Pixels], object], photographs: Iterable[Pixels]) -> tuple[float, float]:
    """Seconds, and the share of them that networks ran."""
    begun, inside = perf_counter(), inside_seconds()
    for pixels in photographs:
        look(pixels)
    seconds = perf_counter() - begun
    return seconds, (inside_seconds() - inside) / seconds


def _between(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.bool_]:
    return np.asarray((values >= low) & (values < high))


def _share(hits: NDArray[np.bool_]) -> Share:
    return share(int(hits.sum()), len(hits))


if __name__ == "__main__":
    main()
