"""What a person should look at, drawn at random: RELEASE/private/review.csv; and what their answers certify.

Of photographs images are drawn; of videos tracks, each a person or a vehicle as long as it is followed, since its frames are alike. Who
is drawn follows from the seed and the names alone: a larger sample by the same seed holds the smaller one.
"""

import random
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile
from pathlib import Path

import msgspec

from aramis.errors import BadInput
from aramis.images.files.assessments import read_assessment
from aramis.images.files.jsonl import read_records
from aramis.images.files.review_sheet import Row, read_sheet, write_sheet
from aramis.images.files.video import SUFFIXES, probe
from aramis.images.geometry import area
from aramis.images.kept import Worst
from aramis.images.records import Box, ImageRecord
from aramis.images.risk.review import Certified, Unit, certified_by_units, sample_size, units

SHEET = "private/review.csv"


class Sample(msgspec.Struct, frozen=True):
    """What was drawn, and where it is written."""

    sheet: Path
    images: int
    tracks: int
    answered: int  # in a sheet that was there before; they are kept


def sample(release: Path | str, *, leak_rate: float = 0.01, seed: int = 0) -> Sample:
    """Draw what a person must look at to certify that less than this share leaks, as RELEASE/private/review.csv.

    The person writes yes or no in its column `leak`; `assess(release, review=...)` says what that certifies. Answers that the
    sheet has already are kept, so that a smaller leak rate goes on where a larger one ended.

    >>> import aramis, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for number in range(200):
    ...     with (folder / "records.jsonl").open("a") as file:
    ...         _ = file.write('{"image": "%03d.jpg", "width": 640, "height": 480}\\n' % number)
    >>> _ = aramis.assess(folder)
    >>> aramis.sample(folder, leak_rate=0.05).images  # of 200
    51
    """
    folder = Path(release)
    if not 0 < leak_rate < 1:
        raise BadInput(f"leak rate {leak_rate:g}: it is a share between 0 and 1; 0.01 is one in a hundred")
    assessment = read_assessment(folder / "assessment.json")
    tracks = assessment.tracks.people + assessment.tracks.vehicles
    drawn = {
        kind: Worst[Row](sample_size(many, leak_rate))
        for kind, many in (("image", assessment.images), ("track", tracks))
    }
    for row in _rows(read_records(folder / "records.jsonl")):
        drawn["image" if row.unit.track is None else "track"].add(_lot(row.unit, seed), row)
    rows = [_timed(row, folder) for kind in drawn.values() for row in kind.first()]
    rows, answered = _answered(rows, folder / SHEET)
    (folder / SHEET).parent.mkdir(mode=0o700, exist_ok=True)
    write_sheet(folder / SHEET, rows)
    images = sum(row.unit.track is None for row in rows)
    return Sample(folder / SHEET, images, len(rows) - images, answered)


def reviewed(sheet: Iterable[Row], images: int, tracks: int) -> tuple[Certified | None, Certified | None]:
    """What the answers certify of images and of tracks. They stand in the order in which they were drawn: those before the first
    gap are a random sample, those after it may have been chosen."""
    rows = list(sheet)
    return (
        _certified([row for row in rows if row.unit.track is None], images),
        _certified([row for row in rows if row.unit.track is not None], tracks),
    )


def _certified(rows: list[Row], units: int) -> Certified | None:
    answers = [(row.unit, row.leak) for row in takewhile(lambda row: row.leak is not None, rows)]
    return certified_by_units([(unit, bool(leak)) for unit, leak in answers], units) if answers else None


def _rows(records: Iterable[ImageRecord]) -> Iterator[Row]:
    """A row for each image and each track; no more than one video's are held."""
    for _, of_one in groupby(records, key=lambda record: record.image):
        rows: dict[Unit, Row] = {}
        for record in of_one:
            for unit in units(record):
                rows[unit] = _longer(rows.get(unit), unit, record)
        yield from rows.values()


def _longer(row: Row | None, unit: Unit, record: ImageRecord) -> Row:
    """The row, with what another record shows of its unit."""
    if record.frame is None:
        return Row(unit=unit)
    box = next(one.box for one in record.carriers if (one.kind, one.track) == (unit.what, unit.track))
    here: tuple[int, Box] = (record.frame, box)
    if row is None or row.frames is None or row.best is None:
        return Row(unit=unit, frames=(record.frame, record.frame), best=here)
    best = max(row.best, here, key=lambda one: area(one[1]))
    return Row(unit=unit, frames=(row.frames[0], record.frame), best=best)


def _timed(row: Row, folder: Path) -> Row:
    """The same with seconds, where the released video is to be had."""
    path = folder / "media" / row.unit.image
    if row.frames is None or path.suffix.lower() not in SUFFIXES or not path.is_file():
        return row
    first, last = (float(frame / probe(path).rate) for frame in row.frames)
    return msgspec.structs.replace(row, seconds=(first, last))


def _lot(unit: Unit, seed: int) -> float:
    return random.Random(f"{seed} {unit.image} {unit.what} {unit.track}").random()  # noqa: S311  # who is looked at is no secret


def _answered(rows: list[Row], path: Path) -> tuple[list[Row], int]:
    """The rows with the answers that a sheet of this place has; none of them gets lost."""
    if not path.exists():
        return rows, 0
    given = {row.unit: row.leak for row in read_sheet(path) if row.leak is not None}
    if given.keys() - {row.unit for row in rows}:
        raise BadInput(
            f"{path} holds answers that are not in this sample; name the seed and a leak rate no higher than it was drawn with,"
            " or move it away"
        )
    return [msgspec.structs.replace(row, leak=given.get(row.unit)) for row in rows], len(given)
