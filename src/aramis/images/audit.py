"""Somebody else's release → records: what was hidden is recovered from what changed, then judged as if it were ours.

 original ─align─▶ view ─┬─ detect ─▶ faces, plates ─┐
 released ───────────────┼─ compare ─▶ what changed ─┴▶ targets, hidden or open ─┐
                         └─ look ─▶ carriers ───────────────────────────────── unify ─▶ rules, risk

Without an original the released file is looked at alone: what detectors find in it, nobody has hidden.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import msgspec

import aramis
from aramis import plugins
from aramis.errors import Unreadable
from aramis.images.assess import Tally, before
from aramis.images.checks.check import NAMES, NO_CHECKS, Checks, checked, with_files
from aramis.images.checks.residual import FLOORS
from aramis.images.checks.suite import models_of, suite
from aramis.images.clock import Clock
from aramis.images.compare.align import aligned
from aramis.images.compare.changes import CHANGED, changed, is_hidden, regions
from aramis.images.compare.pairs import Looks, by_name, looks
from aramis.images.files import video
from aramis.images.files.assessments import write_assessment
from aramis.images.files.frame import seen
from aramis.images.files.jsonl import write_records
from aramis.images.files.still import MEGAPIXELS, decode
from aramis.images.files.video import Frame
from aramis.images.files.walk import Source, read, stamp, walk
from aramis.images.filming import USUAL_FILMING
from aramis.images.flow import Progress, as_finished, cores, is_film, or_quarantined
from aramis.images.models import CARRIER, Models, detector, inspector, used
from aramis.images.network import Pixels
from aramis.images.passes import Detect, Look
from aramis.images.pipeline import TARGETS, Release, kinds_of
from aramis.images.records import ImageRecord
from aramis.images.release import Entry, Folder, Order, open_release
from aramis.images.risk.checks import Checked, with_more
from aramis.images.rules.judge import DEFAULT
from aramis.images.rules.thresholds import Thresholds
from aramis.images.unify import unify

SAME_TIME = 0.01  # seconds by which the times of two frames that belong together may differ
ALONE, PAIRED, OTHER_SCENE = "none", "compared", "shows another scene"


def audit(
    originals: str | Path | None,
    released: str | Path,
    out: str | Path,
    *,
    targets: str | Sequence[str] = TARGETS,
    rules: str = DEFAULT,
    thresholds: Thresholds | None = None,
    detect: Detect | None = None,
    look: Look | None = None,
    checks: str | Sequence[str] = NAMES,
    models: str = "default",
    workers: int | None = None,
    max_megapixels: float = MEGAPIXELS,
    progress: Progress | None = None,
) -> Release:
    """Judge photographs and videos that some other tool released; with `originals` None, from the released files alone.

    >>> import aramis, pathlib, tempfile
    >>> from PIL import Image
    >>> place = pathlib.Path(tempfile.mkdtemp())
    >>> picture = Image.effect_noise((128, 96), 80).convert("RGB")
    >>> picture.save(place / "street.png")
    >>> picture.paste((0, 0, 0), (28, 20, 52, 52))  # their tool hides a face
    >>> picture.save(place / "street_anonymized.png")
    >>> def detect(pixels):
    ...     return [aramis.Target(kind="face", box=(30, 24, 50, 48))]
    >>> def look(pixels):
    ...     return [aramis.Carrier(kind="person", box=(10, 16, 70, 96), score=0.9)]
    >>> done = aramis.audit(place / "street.png", place / "street_anonymized.png", place / "out", detect=detect, look=look)
    >>> done.assessment.people.PAQ
    1.0
    """
    tally = Tally(rules, thresholds)
    kinds, chosen = kinds_of(targets), Models(models)
    found = walk(released)
    pairing = Pairing(walk(originals), found, max_megapixels) if originals is not None else None
    asked = suite(checks, lambda: detect or detector(kinds, chosen, workers, FLOORS), threads=cores(workers))
    said = {
        "originals": str(Path(originals).absolute()) if originals is not None else None,
        "targets": kinds,
        "checks": asked.names,
    }
    order = Order(aramis.__version__, "audit", str(Path(released).absolute()), said)
    with open_release(Path(out), found, order) as folder:
        eyes = Eyes(detect or detector(kinds, chosen, workers), look or inspector(chosen, workers), asked)
        work = partial(_audited, root=found.root, pairing=pairing, eyes=eyes, megapixels=max_megapixels)
        _through(work, folder, workers, progress)
        _show(folder, found)
        write_records(folder.path / "records.jsonl", map(tally.judged, folder.records()))
        summary = folder.summary()
        told = tally.assessment(before(folder.path))
        assessment = msgspec.structs.replace(
            told,
            quarantined=summary.quarantined,
            models=used(
                chosen,
                [*(kinds if detect is None else []), *([CARRIER] if look is None else [])],
                models_of(asked),
            ),
            checks={**with_more(told.checks, asked.told), "originals": Checked(more=_compared(folder))},
            versions={"aramis": aramis.__version__},
            seconds=summary.seconds,
        )
        write_assessment(folder.path / "assessment.json", assessment)
        plugins.find("report", "html")(folder.path)
        return Release(folder.path, summary.images, summary.quarantined, assessment)


@dataclass(frozen=True, slots=True)
class Eyes:
    """Who looks: for targets, for carriers, and for what is left of targets."""

    detect: Detect
    look: Look
    checks: Checks = NO_CHECKS


def compared(original: Pixels | None, released: Pixels, eyes: Eyes) -> ImageRecord:
    """One released picture as a record, beside its original where there is one."""
    height, width = released.shape[:2]
    view = None if original is None else aligned(original, released)
    if view is None:
        how = ALONE if original is None else OTHER_SCENE
        record = unify("", width, height, targets=eyes.detect(released), carriers=eyes.look(released))
    else:
        how, mask = PAIRED, changed(view, released)
        found = [
            msgspec.structs.replace(target, method=CHANGED if is_hidden(target.box, mask) else None)
            for target in eyes.detect(view)
        ]
        record = unify("", width, height, targets=[*found, *regions(mask)], carriers=eyes.look(view))
    record = msgspec.structs.replace(record, extra={"original": how})
    return checked(record, released if view is None else view, released, eyes.checks.pixels)


class Pairing:
    """The originals, and which of them belongs to a released file."""

    def __init__(self, originals: Source, released: Source, megapixels: float) -> None:
        self._originals = originals
        self._megapixels = megapixels
        self._named = by_name(originals.names, released.names)

    def film(self, name: str) -> Path | None:
        """The original of a released video, which is told by its name alone."""
        own = self._named.get(name)
        return self._originals.root / own if own is not None and is_film(own) else None

    def original(self, name: str, released: Pixels) -> Pixels | None:
        """The original of a released picture; None where none is like it."""
        if name in self._named:
            return self._pixels(self._named[name])
        candidates = (self._pixels(one) for one in self._looks.nearest(released))
        return next((one for one in candidates if aligned(one, released) is not None), None)

    @cached_property
    def _looks(self) -> Looks:
        named = set(self._named.values())
        return looks(
            (name for name in self._originals.names if name not in named and not is_film(name)), self._pixels
        )

    def _pixels(self, name: str) -> Pixels:
        try:
            return seen(decode(read(self._originals.root / name), self._megapixels).frames[0])
        except Unreadable as error:
            raise Unreadable(f"its original {name}: {error}") from None


def _through(
    work: Callable[[str], Entry], folder: Folder, workers: int | None, progress: Progress | None
) -> None:
    """Every released file that is left, several at a time, noted in the folder."""
    names = folder.left()
    for done, entry in enumerate(as_finished(work, names, cores(workers)), start=1):
        folder.note(entry)
        if progress:
            progress(done, len(names), entry.image)


def _audited(name: str, *, root: Path, pairing: "Pairing | None", eyes: Eyes, megapixels: float) -> Entry:
    path, clock = root / name, Clock()
    entry = Entry(image=name, stamp=stamp(path), seconds=clock.seconds)

    def work() -> Entry:
        if is_film(name):
            return _film_audited(entry, path, pairing.film(name) if pairing else None, eyes, clock)
        data = read(path)
        with clock("decode"):
            frames = [seen(frame) for frame in decode(data, megapixels).frames]
        with clock("pair"):
            original = pairing.original(name, frames[0]) if pairing else None
        with clock("compare and look"):
            records = [compared(original, frame, eyes) for frame in frames]
        records[0] = with_files(records[0], data, eyes.checks.files)
        digest = sha256(data).hexdigest()
        named = [
            msgspec.structs.replace(
                record, image=name, frame=place if len(frames) > 1 else None, sha256=digest
            )
            for place, record in enumerate(records)
        ]
        return msgspec.structs.replace(entry, sha256=digest, records=tuple(named))

    return or_quarantined(entry, work)


def _film_audited(entry: Entry, path: Path, original: Path | None, eyes: Eyes, clock: Clock) -> Entry:
    """A video, by a frame of every second: each is judged as a photograph is."""
    with clock("compare and look"):
        records = [
            msgspec.structs.replace(
                compared(before, frame.pixels, eyes), image=entry.image, frame=frame.index
            )
            for frame, before in _sampled(path, original)
        ]
    records[0] = with_files(records[0], path, eyes.checks.files)
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    named = tuple(msgspec.structs.replace(record, sha256=digest) for record in records)
    return msgspec.structs.replace(entry, sha256=digest, records=named)


def _sampled(path: Path, original: Path | None) -> Iterator[tuple[Frame, Pixels | None]]:
    """One frame a second, each with that of the original which is shown at the same time: rates may differ."""
    every = USUAL_FILMING.sampled(float(video.probe(path).rate))
    originals = iter(video.frames(original)) if original else None
    before = next(originals, None) if originals else None
    for frame in video.frames(path):
        while originals and before is not None and before.seconds < frame.seconds - SAME_TIME:
            before = next(originals, None)
        if frame.index % every == 0:
            yield frame, before.pixels if before is not None else None


def _show(folder: Folder, found: Source) -> None:
    """Let the report find the released files; they stay where they are."""
    media = folder.path / "media"
    if not media.is_symlink():
        media.symlink_to(found.root, target_is_directory=True)


def _compared(folder: Folder) -> dict[str, Any]:
    """How many released pictures had an original to be compared with, and what of it is still open."""
    how: Counter[str] = Counter()
    hidden: Counter[bool] = Counter()
    for record in folder.records():
        how[str(record.extra["original"])] += 1
        hidden.update(target.method is not None for target in record.targets if target.kind != "region")
    return {**how, "targets found": hidden.total(), "targets still open": hidden[False]}
