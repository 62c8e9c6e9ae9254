"""Many files on their way at once: on every core, in bounded memory, each ending as an entry of the journal."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path

import msgspec

from aramis.errors import AramisError, Unreadable
from aramis.images.clock import Clock
from aramis.images.files.walk import read, stamp
from aramis.images.passes import Passed, Passes, through_both
from aramis.images.release import Entry, Folder
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
    with ThreadPoolExecutor(workers, "look") as beside:
        work = partial(_processed, source=source, folder=folder, passes=passes, beside=beside, room=room)
        for done, entry in enumerate(_as_finished(work, names, workers), start=1):
            folder.note(entry)
            if progress:
                progress(done, len(names), entry.image)


def cores(workers: int | None) -> int:
    """How many files at once: as many as asked for, else as many as there are cores for us."""
    return workers or len(os.sched_getaffinity(0))


def _as_finished(work: Callable[[str], Entry], names: list[str], workers: int) -> Iterator[Entry]:
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
    try:
        with clock("read"):
            data = read(path)
        with room.visit() as admit:
            passed = through_both(data, passes, beside, clock, admit)
        return _written(entry, passed, sha256(data).hexdigest(), folder, clock)
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
    renamed = {"source": entry.image} if image != entry.image else {}
    return msgspec.structs.replace(
        entry,
        sha256=digest,
        released=released,
        size=len(passed.data or b""),
        records=tuple(
            msgspec.structs.replace(record, image=image, sha256=digest, extra=renamed)
            for record in passed.records
        ),
    )
