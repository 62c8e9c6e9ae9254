"""Many files on their way at once: on every core, in bounded memory, each ending as an entry of the journal."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from hashlib import file_digest, sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.errors import AramisError, Unreadable
from aramis.images.checks.film import checked_film
from aramis.images.clock import Clock
from aramis.images.files.jsonl import as_line, read_records
from aramis.images.files.video import SUFFIXES
from aramis.images.files.walk import read, stamp
from aramis.images.film import through_film
from aramis.images.passes import Passed, Passes, through_both
from aramis.images.records import ImageRecord
from aramis.images.release import RECORDS, Entry, Folder
from aramis.images.room import Room

Progress = Callable[[int, int | None, str], None]
"""Called with how many are done, of how many, and the name of the last."""

PIXELS_PER_WORKER = 32_000_000  # a large photograph each


def flow(
    source: Path, folder: Folder, passes: Passes, workers: int | None, progress: Progress | None
) -> None:
    """Take every file that is left through both passes, and note in the folder what became of it."""
    workers = cores(workers)
    names = folder.left()
    room = Room(workers * PIXELS_PER_WORKER)
    done = 0

    def tell(what: str) -> None:
        if progress:
            progress(done, len(names), what)

    with ThreadPoolExecutor(workers, "look") as beside:
        photo = partial(_processed, source=source, folder=folder, passes=passes, beside=beside, room=room)
        film = partial(_filmed, source=source, folder=folder, passes=passes, tell=tell, pool=beside)
        for entry in as_finished(lambda name: (film if is_film(name) else photo)(name), names, workers):
            folder.note(entry)
            done += 1
            tell(entry.image)


def cores(workers: int | None) -> int:
    """How many files at once: as many as asked for, else as many as there are cores for us."""
    return workers or len(os.sched_getaffinity(0))


def as_finished(work: Callable[[str], Entry], names: list[str], workers: int) -> Iterator[Entry]:
    """The entries in the order in which they are ready; few wait, and an interruption leaves none behind."""
    left = iter(names)
    pool = ThreadPoolExecutor(workers, "file")
    try:
        waiting: set[Future[Entry]] = {pool.submit(work, name) for name in islice(left, 2 * workers)}
        while waiting:
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(work, name) for name in islice(left, len(finished))}
            yield from (one.result() for one in finished)
    finally:
        pool.shutdown(cancel_futures=True)


def _processed(
    name: str, *, source: Path, folder: Folder, passes: Passes, beside: Executor, room: Room
) -> Entry:
    """One file. What cannot be processed comes back with the reason, and nothing of it is written."""
    path, clock = source / name, Clock()
    entry = Entry(image=name, stamp=stamp(path), seconds=clock.seconds)

    def work() -> Entry:
        with clock("read"):
            data = read(path)
        with room.visit() as admit:
            passed = through_both(name, data, passes, beside=beside, clock=clock, admit=admit)
        return _written(entry, passed, sha256(data).hexdigest(), folder, clock)

    return or_quarantined(entry, work)


def is_film(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in SUFFIXES


def _filmed(
    name: str,
    *,
    source: Path,
    folder: Folder,
    passes: Passes,
    tell: Callable[[str], None],
    pool: Executor,
) -> Entry:
    """One video, written as it is read: neither it nor its records are ever held."""
    path, clock = source / name, Clock()
    entry = Entry(image=name, stamp=stamp(path), seconds=clock.seconds)

    def work() -> Entry:
        digest = _digest(path)
        released = folder.released_name(name, "") if passes.releases else None
        records, masks = f"{RECORDS}{sha256(name.encode()).hexdigest()[:32]}.jsonl", f"masks/{name}.mkv"
        made = [records, *([released] if released else []), *([masks] if passes.masks else [])]
        with folder.whole(made), folder.unfinished(records).open("wb") as lines:
            through_film(
                path,
                name,
                passes,
                lambda record: _append(lines, record, digest),
                target=folder.unfinished(released) if released else None,
                masks=folder.unfinished(masks) if passes.masks else None,
                clock=clock,
                tell=lambda done, total: tell(f"{name}: frame {done} of {total or 'an unknown number'}"),
                beside=pool,
            )
        if released and passes.checks.names:
            with clock("check"):
                _check_film(path, folder.unfinished(released), folder.unfinished(records), digest, passes)
        beside = (records, masks) if passes.masks else (records,)
        size = folder.unfinished(released).stat().st_size if released else 0
        return msgspec.structs.replace(entry, sha256=digest, released=released, size=size, beside=beside)

    return or_quarantined(entry, work)


def _check_film(source: Path, released: Path, records: Path, digest: str, passes: Passes) -> None:
    """Put what the checks found in the released video into its records, one at a time."""
    with_checks = records.with_suffix(".checked")
    with with_checks.open("wb") as lines:
        for record in checked_film(read_records(records), source, released, passes.checks):
            _append(lines, record, digest)
    with_checks.replace(records)


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def _append(lines: IO[bytes], record: ImageRecord, digest: str) -> None:
    lines.write(as_line(msgspec.structs.replace(record, sha256=digest)) + b"\n")


def or_quarantined(entry: Entry, work: Callable[[], Entry]) -> Entry:
    """What came of a file; what cannot be processed is named with the reason, and nothing of it is released."""
    try:
        return work()
    except Unreadable as error:
        return msgspec.structs.replace(entry, why=str(error))
    except AramisError:  # nothing that concerns this file alone: the run cannot go on
        raise
    except Exception as error:  # noqa: BLE001  # one odd file must not end a run over a million
        return msgspec.structs.replace(entry, why=f"could not be processed: {type(error).__name__}: {error}")


def _written(entry: Entry, passed: Passed, digest: str, folder: Folder, clock: Clock) -> Entry:
    released = None if passed.data is None else folder.released_name(entry.image, passed.suffix)
    if passed.data is not None and released is not None:
        with clock("write"):
            folder.write(released, passed.data)
    image = released or entry.image
    masks = tuple(_mask_names(image, len(passed.masks)))
    for one, mask in zip(masks, passed.masks, strict=True):
        folder.write(one, encoded_mask(mask))
    renamed = {"source": entry.image} if image != entry.image else {}
    return msgspec.structs.replace(
        entry,
        sha256=digest,
        released=released,
        size=len(passed.data or b""),
        beside=masks,
        records=tuple(
            msgspec.structs.replace(record, image=image, sha256=digest, extra=renamed)
            for record in passed.records
        ),
    )


def _mask_names(image: str, count: int) -> Iterator[str]:
    """masks/a.jpg.png; with a number for each page or frame where there are several."""
    for number in range(count):
        yield f"masks/{image}.png" if count == 1 else f"masks/{image}.{number:04d}.png"


def encoded_mask(mask: NDArray[np.uint8]) -> bytes:
    """A mask as a PNG file."""
    import cv2

    done, data = cv2.imencode(".png", mask)
    assert done
    return data.tobytes()
