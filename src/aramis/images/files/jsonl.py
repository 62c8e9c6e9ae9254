"""records.jsonl ⇄ ImageRecord: one JSON object a line, sorted by path, then frame.

Any tool can write these records, so reading checks them and says which line and which key is wrong. Keys we do not know
are kept at every level, in `extra`, and written back. Neither reading nor writing holds more than a part of the file.
"""

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import IO, Any, get_args

import msgspec

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.images.geometry import bounds
from aramis.images.records import Box, Carrier, CarrierKind, ImageRecord, Orientation, Target, Verdict

SORTED_AT_ONCE = 20_000  # records; some 40 MB
METHOD_NOT_STATED = "not stated"

Key = tuple[str, int]


def read_records(path: Path) -> Iterator[ImageRecord]:
    """The records of a file, one at a time.

    >>> import aramis, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "records.jsonl"
    >>> _ = path.write_text('{"image": "street.jpg", "width": 640, "height": 480, "camera": "left"}')
    >>> [(record.image, record.extra) for record in aramis.read_records(path)]
    [('street.jpg', {'camera': 'left'})]
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read ({error.strerror}); a release holds its records there"
        ) from None
    return _records(file, path.name)


def write_records(path: Path, records: Iterable[ImageRecord]) -> None:
    """Write records, sorted by path and frame, whatever their order and number; the file appears when complete.

    >>> import aramis, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "records.jsonl"
    >>> aramis.write_records(path, [aramis.ImageRecord(image="street.jpg", width=640, height=480)])
    >>> path.read_text()
    '{"image":"street.jpg","frame":null,"width":640,"height":480,"targets":[],"carriers":[]}\\n'
    """
    with ExitStack() as spilled, whole(path) as file:
        merged = heapq.merge(*_sorted_runs(records, path.parent, spilled))
        for (image, frame), same in groupby(merged, key=itemgetter(0)):
            lines = [line for _, line in same]
            if len(lines) > 1:
                of = f"frame {frame} of {image!r}" if frame >= 0 else repr(image)
                raise BadInput(f"{of} has {len(lines)} records; an image or frame has one")
            file.write(lines[0] + b"\n")


def as_record(data: object, where: str) -> ImageRecord:
    """A record from plain JSON values, checked; `where` begins the sentence that says what is wrong."""
    try:
        record = msgspec.convert(_with_extra(data), ImageRecord)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {plain_error(error)}") from None
    if wrong := _wrong(record):
        raise BadInput(f"{where}: {wrong}")
    return record


def as_line(record: ImageRecord) -> bytes:
    """A record as one line of JSON, without the line's end."""
    return msgspec.json.encode(
        as_plain(record) | {part: [as_plain(one) for one in getattr(record, part)] for part in PARTS}
    )


def as_plain(thing: ImageRecord | Target | Carrier) -> dict[str, object]:
    """What a record, target or carrier says of itself, in plain JSON values, without its parts."""
    fields = msgspec.structs.asdict(thing)
    named = zip(thing.__struct_encode_fields__, fields.values(), strict=True)
    own = {
        name: value
        for name, value in named
        if name != "extra" and name not in PARTS and (value is not None or name in SAID_THOUGH_NULL)
    }
    return thing.extra | own


def plain_error(error: Exception) -> str:
    """msgspec's sentence with the key first: carriers[0].score: expected `float` <= 1.0."""
    message, _, place = str(error).partition(" - at `$")
    said = message[0].lower() + message[1:]
    key = place.rstrip("`").lstrip(".")
    if said.startswith("invalid enum value") and (words := WORDS.get(key.rpartition(".")[2])):
        said = f"{said.removeprefix('invalid enum value ')} is none of {', '.join(words)}"
    return f"{key}: {said}" if key else said


WORDS: dict[str, tuple[str, ...]] = {
    "kind": get_args(CarrierKind),
    "verdict": tuple(Verdict),
    **dict.fromkeys(("orientation", "head"), tuple(Orientation)),
}
"""What may stand where a record takes one of a few words."""
PARTS: dict[str, type[Target] | type[Carrier]] = {"targets": Target, "carriers": Carrier}
# What stands in a line though it is null: a reader should not have to guess whether it was left out.
SAID_THOUGH_NULL = {"frame", "target", "method"}


def _records(file: IO[bytes], name: str) -> Iterator[ImageRecord]:
    with file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                where = f"{name} line {number}"
                yield as_record(_object(line, where), where)


def _object(line: bytes, where: str) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{where} is not JSON: {error}") from None


def _with_extra(data: object) -> object:
    """The same with all unknown keys moved to `extra`, targets and carriers numbered where they are not."""
    if not isinstance(data, dict):
        return data
    record = _apart(data, ImageRecord)
    for part, kind in PARTS.items():
        if isinstance(record.get(part), list):
            record[part] = [_apart(one, kind, number) for number, one in enumerate(record[part])]
    return record


def _apart(data: Any, kind: type[msgspec.Struct], number: int | None = None) -> Any:
    if not isinstance(data, dict):
        return data
    known = set(kind.__struct_encode_fields__) - {"extra"}
    parted = {key: value for key, value in data.items() if key in known}
    parted["extra"] = {key: value for key, value in data.items() if key not in known}
    if number is not None:
        parted.setdefault("id", number)
    if kind is Target:
        parted.setdefault("method", METHOD_NOT_STATED)
        if "box" not in parted and _are_points(parted.get("corners")):
            parted["box"] = bounds(parted["corners"])
    if kind is Carrier and parted.get("orientation", "") is None:
        del parted["orientation"]
    return parted


def _are_points(corners: object) -> bool:
    """Whether a box can be drawn around these: anything else is left for the types to complain about."""
    return (
        isinstance(corners, list)
        and len(corners) == 4
        and all(isinstance(point, list) and len(point) == 2 for point in corners)
        and all(isinstance(number, int | float) for point in corners for number in point)
    )


def _wrong(record: ImageRecord) -> str | None:
    """What no type can say: names that leave the folder, boxes that cannot be, ids that point nowhere."""
    path = PurePosixPath(record.image)
    if not record.image or path.is_absolute() or ".." in path.parts or "\0" in record.image:
        return f"image: {record.image!r} is not a path below the released folder"
    for part in PARTS:
        things: tuple[Target | Carrier, ...] = getattr(record, part)
        for place, thing in enumerate(things):
            if wrong := _wrong_box(thing.box, record.width, record.height):
                return f"{part}[{place}].box: {wrong}"
        if len({thing.id for thing in things}) < len(things):
            return f"{part}: two have the same id"
    known = {target.id for target in record.targets} | {None}
    lost = [carrier.target for carrier in record.carriers if carrier.target not in known]
    return f"carriers: there is no target {lost[0]}" if lost else None


def _wrong_box(box: Box, width: int, height: int) -> str | None:
    x1, y1, x2, y2 = box
    if x2 < x1 or y2 < y1:
        return f"{list(box)} is not [x1, y1, x2, y2]: its right lies left of its left, or its bottom above its top"
    if x2 < 1 and y2 < 1:
        return f"{list(box)} ends within the first pixel: boxes are in pixels, not in shares of the image"
    if x1 >= width or y1 >= height or x2 <= 0 or y2 <= 0:
        return f"{list(box)} lies outside the image of {width} x {height} pixels"
    return None


def _key(record: "ImageRecord | _Name") -> Key:
    return record.image, -1 if record.frame is None else record.frame


class _Name(msgspec.Struct):
    """As much of a line as sorting needs."""

    image: str
    frame: int | None = None


def _sorted_runs(
    records: Iterable[ImageRecord], folder: Path, spilled: ExitStack
) -> Iterator[Iterable[tuple[Key, bytes]]]:
    """Sorted parts of a stream; all but the last lie on disk."""
    stream = iter(records)
    while run := sorted((_key(record), as_line(record)) for record in islice(stream, SORTED_AT_ONCE)):
        if len(run) == SORTED_AT_ONCE:
            file = spilled.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115  # closed by `spilled`
            file.writelines(line + b"\n" for _, line in run)
            file.seek(0)
            yield _read_back(file)
        else:
            yield run


def _read_back(file: IO[bytes]) -> Iterator[tuple[Key, bytes]]:
    for line in file:
        yield _key(msgspec.json.decode(line, type=_Name)), line.rstrip(b"\n")
