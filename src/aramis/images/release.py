"""The release folder: what is in it is complete, what is done is not done twice, and nothing else ever gets in.

OUT/media/                       the released files
OUT/private/        mode 0700
    journal.jsonl                first what was asked for, then a line for each file that is done or quarantined
    records/                     a file for each video
    unfinished/                  files being written; emptied at every start

A file is written to `unfinished`, brought to disk, entered in the journal, then renamed into `media`: whenever we are
killed, each file in `media` has its line, and a line without its file is done again.
"""

import fcntl
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from time import monotonic
from typing import IO, Any

import msgspec

from aramis.errors import BadInput
from aramis.images.files.jsonl import read_records
from aramis.images.files.walk import Names, Source, Stamp, stamp
from aramis.images.records import ImageRecord
from aramis.images.risk.assessment import Quarantined

SECONDS_BETWEEN_SYNCS = 2.0
RECORDS = "private/records/"  # of videos: too many for a line of the journal


class Order(msgspec.Struct, frozen=True):
    """What was asked for: the first line of the journal. A run with another order does not go on with this folder."""

    aramis: str  # the version
    command: str
    source: str
    options: dict[str, Any]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one source file."""

    image: str
    stamp: Stamp | None  # of the source, before it was read
    sha256: str | None = None
    released: str | None = None  # its name below media/
    size: int = 0  # of the released file
    records: tuple[ImageRecord, ...] = ()
    why: str | None = None  # it is quarantined, for this reason
    beside: tuple[str, ...] = ()  # other files made with it, by their names below OUT
    seconds: dict[str, float] = {}


class Summary(msgspec.Struct, frozen=True):
    """What became of all files together."""

    images: int  # that went through
    quarantined: tuple[Quarantined, ...]  # that did not, and were not copied
    seconds: dict[str, float]  # by step, over all threads and runs


@contextmanager
def open_release(out: Path, source: Source, order: Order) -> Iterator["Folder"]:
    """The folder, ours alone, with what earlier runs of the same order have done."""
    _refuse_overlap(out, source)
    _refuse_foreign(out)
    with ExitStack() as stack:
        with _writing(out):
            journal = stack.enter_context(_private(out).joinpath("journal.jsonl").open("a+b"))
            _lock(journal, out)
            _begin(journal, out, order)
            shutil.rmtree(out / "private" / "unfinished", ignore_errors=True)
            (out / "private" / "unfinished").mkdir()
            folder = Folder(out, source, journal)
            folder.resume()
        yield folder
        folder.sync()


class Folder:
    """A release folder during one run."""

    def __init__(self, path: Path, source: Source, journal: IO[bytes]) -> None:
        self.path = path
        self._source = source
        self._journal = journal
        self._done: dict[str, int] = {}  # source → where its line in the journal starts
        self._names = Names(source.names, folds=_folds(path / "private"))
        self._synced = monotonic()

    def left(self) -> list[str]:
        """The sources that are still to be done; what was quarantined is tried again."""
        done = {entry.image for entry in self.entries() if entry.why is None}
        return [name for name in self._source.names if name not in done]

    def released_name(self, name: str, suffix: str) -> str:
        """The name below media/: the source's own; where a suffix is added, one that no other source has."""
        return self._names.released(name, suffix)

    def write(self, name: str, data: bytes) -> None:
        """Bring a file to disk, under a name that nobody shares; it is released when its entry is noted."""
        with _writing(self.path), self._unfinished(name).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def unfinished(self, name: str) -> Path:
        """Where to write a file that is too large to be held, within `whole`."""
        return self._unfinished(name)

    @contextmanager
    def whole(self, names: Sequence[str]) -> Iterator[None]:
        """Bring the files that are written in between to disk; where that fails, none of them stays."""
        try:
            with _writing(self.path):
                yield
                for name in names:
                    with self._unfinished(name).open("rb") as file:
                        os.fsync(file.fileno())
        except BaseException:
            for name in names:
                self._unfinished(name).unlink(missing_ok=True)
            raise

    def note(self, entry: Entry) -> None:
        """Enter what became of a source; the file that was written for it appears in media/."""
        with _writing(self.path):
            self._done[entry.image] = self._journal.seek(0, os.SEEK_END)
            self._journal.write(msgspec.json.encode(entry) + b"\n")
            self._journal.flush()
            if entry.released is not None:
                released = self.path / "media" / entry.released
                released.parent.mkdir(parents=True, exist_ok=True)
                self._unfinished(entry.released).replace(released)
            for name in entry.beside:
                (self.path / name).parent.mkdir(parents=True, exist_ok=True)
                self._unfinished(name).replace(self.path / name)
        if monotonic() - self._synced > SECONDS_BETWEEN_SYNCS:
            self.sync()

    def entries(self) -> Iterator[Entry]:
        """What became of every source, read from the journal."""
        for place, entry in _entries(self._journal):
            if self._done.get(entry.image) == place:
                yield entry

    def records(self) -> Iterator[ImageRecord]:
        """Every record, in no order."""
        for entry in self.entries():
            yield from entry.records
            for name in entry.beside:
                if name.startswith(RECORDS):
                    yield from read_records(self.path / name)

    def summary(self) -> Summary:
        """What the run comes to, apart from the records."""
        images, quarantined, seconds = 0, list[Quarantined](), Counter[str]()
        for entry in self.entries():
            images += entry.why is None
            if entry.why is not None:
                quarantined.append(Quarantined(entry.image, entry.why))
            for step, spent in entry.seconds.items():
                seconds[step] += spent  # type: ignore[assignment]  # floats add up as well as whole numbers
        quarantined.sort(key=lambda one: one.image)
        return Summary(images, tuple(quarantined), {step: round(spent, 3) for step, spent in seconds.items()})

    def sync(self) -> None:
        """Bring the journal to disk."""
        with _writing(self.path):
            os.fsync(self._journal.fileno())
        self._synced = monotonic()

    def resume(self) -> None:
        """Keep what earlier runs did and still holds; take away what was released of sources that changed or went."""
        wanted = frozenset(self._source.names)
        self._done = {entry.image: place for place, entry in _entries(self._journal)}
        self._journal.truncate(self._journal.tell())  # a line that was being written when we were killed
        for entry in list(self._outdated(wanted)):
            del self._done[entry.image]
            if entry.released is not None:
                (self.path / "media" / entry.released).unlink(missing_ok=True)
            for name in entry.beside:
                (self.path / name).unlink(missing_ok=True)

    def _outdated(self, wanted: frozenset[str]) -> Iterator[Entry]:
        for entry in self.entries():
            if entry.image not in wanted or not self._holds(entry):
                yield entry

    def _holds(self, entry: Entry) -> bool:
        source = self._source.root / entry.image
        if stamp(source) != entry.stamp and not _same_bytes(source, entry):
            return False
        if not all((self.path / name).is_file() for name in entry.beside):
            return False
        released = stamp(self.path / "media" / entry.released) if entry.released is not None else None
        return entry.released is None or (released is not None and released.size == entry.size)

    def _unfinished(self, released: str) -> Path:
        name = sha256(released.encode()).hexdigest()[:32]  # short, and flat, whatever the name
        return self.path / "private" / "unfinished" / name


def _entries(journal: IO[bytes]) -> Iterator[tuple[int, Entry]]:
    """Every whole line after the first, with its place; stops before one that is not whole."""
    journal.seek(0)
    place = len(journal.readline())
    while (line := journal.readline()).endswith(b"\n"):
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except msgspec.DecodeError:
            break
        yield place, entry
        place += len(line)
        journal.seek(place)  # others may have read in between
    journal.seek(place)


def _same_bytes(path: Path, entry: Entry) -> bool:
    """Whether a file that was touched, moved or copied is still the one that was read."""
    now = stamp(path)
    if entry.sha256 is None or entry.stamp is None or now is None or now.size != entry.stamp.size:
        return False
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest() == entry.sha256


def _refuse_overlap(out: Path, source: Source) -> None:
    place, root = out.resolve(), source.root
    if root.is_relative_to(place):
        raise BadInput(f"the source {root} lies inside {out}: choose an output folder elsewhere")
    if source.is_walked and place.is_relative_to(root):
        raise BadInput(f"{out} lies inside the source {root}: choose an output folder outside of it")
    folders = {(root / name).parent for name in source.names}
    if any(folder.resolve().is_relative_to(place) for folder in folders):
        raise BadInput(f"through a link, the source {root} holds {out}: choose an output folder elsewhere")


def _refuse_foreign(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is a file; name a folder")
    if out.is_dir() and not (out / "private" / "journal.jsonl").is_file() and any(out.iterdir()):
        raise BadInput(f"{out} is not empty and was not made by Aramis: name a new or an empty folder")


def _private(out: Path) -> Path:
    """The part of the folder that is nobody else's business."""
    private = out / "private"
    private.mkdir(parents=True, exist_ok=True)
    private.chmod(0o700)
    return private


def _lock(journal: IO[bytes], out: Path) -> None:
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInput(f"another run is writing to {out}: wait for it, or choose another folder") from None


def _begin(journal: IO[bytes], out: Path, order: Order) -> None:
    journal.seek(0)
    first = journal.readline()
    if not first.endswith(b"\n"):  # a new journal, or one that was killed within its first line
        journal.truncate(0)
        journal.write(msgspec.json.encode(order) + b"\n")
        journal.flush()
        return
    if difference := _difference(msgspec.json.decode(first), msgspec.json.decode(msgspec.json.encode(order))):
        raise BadInput(
            f"{out} was begun with {difference}: go on with the same, or choose another output folder"
        )


def _difference(begun: dict[str, Any], order: dict[str, Any], name: str = "") -> str | None:
    """The first thing that differs, as 'method blur, this run has solid'."""
    for key in dict.fromkeys([*begun, *order]):
        was, now, what = begun.get(key), order.get(key), f"{name} {key}".strip()
        if isinstance(was, dict) and isinstance(now, dict):
            if inner := _difference(was, now, "" if key == "options" else what):
                return inner
        elif was != now:
            return f"{what} {_shown(was)}, this run has {_shown(now)}"
    return None


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _folds(folder: Path) -> bool:
    """Whether the disk takes A and a for the same name."""
    probe = folder / "Case"
    probe.touch()
    folds = (folder / "cASE").exists()
    probe.unlink()
    return folds


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """What to say when the disk is full, read-only or gone."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(
            f"{out} cannot be written: {reason}. What is done is kept; run the same command again to go on"
        ) from error
