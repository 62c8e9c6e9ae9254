"""RELEASE/private/review.csv ⇄ what a person looks at: a line for each image or track that was drawn; its last column waits for
their answer.

Whatever program filled it in may have written it: semicolons for commas, capitals, a mark of the byte order at the start.
"""

import csv
from collections.abc import Iterable
from io import StringIO
from pathlib import Path, PurePosixPath

import msgspec

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.images.records import Box
from aramis.images.risk.review import Unit

COLUMNS = ("image", "what", "track", "frames", "seconds", "best seen", "leak")
ANSWERS = {"": None, "yes": True, "y": True, "1": True, "true": True}
ANSWERS |= {"no": False, "n": False, "0": False, "false": False}
FORMULA = ("=", "+", "-", "@")  # with which a program for tables begins to calculate


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A unit, where it is to be found, and the answer: does it leak? None: nobody has looked yet."""

    unit: Unit
    frames: tuple[int, int] | None = None  # the first and the last in which it is seen
    seconds: tuple[float, float] | None = None
    best: tuple[int, Box] | None = None  # the frame in which it is largest, and where
    leak: bool | None = None


def write_sheet(path: Path, rows: Iterable[Row]) -> None:
    """Write the sheet; the file appears when complete."""
    text = StringIO(newline="")
    write = csv.writer(text).writerow
    write(COLUMNS)
    for row in rows:
        write((*_cells(row), {None: "", True: "yes", False: "no"}[row.leak]))
    with whole(path) as file:
        file.write(text.getvalue().encode())


def read_sheet(path: Path) -> list[Row]:
    """The units of a sheet and the answers, in the order in which they were drawn."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({(error.strerror or str(error)).lower()})") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path.name} is not UTF-8: save it as CSV UTF-8") from None
    separator = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.DictReader(StringIO(text, newline=""), delimiter=separator, restval="")
    if missing := [name for name in ("image", "leak") if name not in (reader.fieldnames or ())]:
        raise BadInput(f"{path.name} has no column {missing[0]}; `aramis sample` writes {', '.join(COLUMNS)}")
    return [_row(cells, f"{path.name} line {reader.line_num}") for cells in reader]


def _row(cells: dict[str, str], where: str) -> Row:
    answer, track = cells["leak"].strip().lower(), (cells.get("track") or "").strip()
    if answer not in ANSWERS:
        raise BadInput(
            f"{where}: leak is {cells['leak']!r}; it takes yes, no, or nothing where nobody has looked"
        )
    if track and not track.isdecimal():
        raise BadInput(f"{where}: track is {track!r}, which is no number")
    name = PurePosixPath(cells["image"]).as_posix()  # without the ./ that keeps a name from being a formula
    unit = Unit(name, (cells.get("what") or "image").strip(), int(track) if track else None)
    return Row(unit=unit, leak=ANSWERS[answer])


def _cells(row: Row) -> tuple[str, ...]:
    name = row.unit.image
    track = "" if row.unit.track is None else str(row.unit.track)
    frames = "" if row.frames is None else "{} to {}".format(*row.frames)
    seconds = "" if row.seconds is None else "{:.1f} to {:.1f}".format(*row.seconds)
    best = (
        ""
        if row.best is None
        else "frame {} at {:.0f},{:.0f} to {:.0f},{:.0f}".format(row.best[0], *row.best[1])
    )
    return f"./{name}" if name.startswith(FORMULA) else name, row.unit.what, track, frames, seconds, best
