"""SRC → names: a file, a folder (walked, hidden files skipped) or a glob. And from a name to its bytes, read only.

Every file below SRC is named, picture or not: what cannot be processed is then quarantined by name, never passed over.
"""

import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path, PurePosixPath

from aramis.errors import BadInput, Unreadable

LONGEST_NAME = 255  # bytes, on every common disk
LARGEST_FILE = 2 << 30  # bytes read into memory at once; no photograph comes near


@dataclass(frozen=True, slots=True)
class Source:
    """What SRC stands for: a folder, and the names below it, sorted, with forward slashes."""

    root: Path
    names: tuple[str, ...]
    is_walked: bool  # everything below root is meant, not a single file


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file changes. ctime cannot be set back by copying, as mtime can."""

    size: int
    mtime_ns: int
    ctime_ns: int


def walk(source: str | Path) -> Source:
    """Name what SRC holds."""
    path = Path(source)
    if path.is_dir():
        found = Source(path.resolve(), tuple(sorted(_below(path))), is_walked=True)
    elif path.exists():
        found = Source(path.parent.resolve(), (path.name,), is_walked=False)
    elif has_magic(str(source)):
        found = _matches(str(source))
    else:
        raise BadInput(f"there is no file or folder {source}")
    if not found.names:
        raise BadInput(f"{source} holds no files (hidden ones are skipped)")
    return found


def read(path: Path) -> bytes:
    """All bytes of a regular file; never waits on a pipe, never writes."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:  # noqa: PTH123 (a descriptor, not a path)
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("not a regular file")
            if status.st_size > LARGEST_FILE:
                raise Unreadable(f"{status.st_size / 1e9:.1f} GB: too large for a picture")
            return file.read()
    except OSError as error:
        raise Unreadable(_why(path, error)) from None


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file, or None where there is none to be had."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class Names:
    """Which name below the output folder belongs to which source: its own, unless another source has it.

    >>> names = Names(["a.heic", "a.heic.jpg"], folds=False)
    >>> names.released("a.heic.jpg"), names.released("a.heic", ".jpg")
    ('a.heic.jpg', 'a.heic-2.jpg')
    """

    def __init__(self, sources: Iterable[str], *, folds: bool) -> None:
        self._folds = folds  # the output folder takes A.jpg and a.jpg for one name
        self._owners: dict[str, str] = {}
        self._renamed: dict[str, str] = {}
        losers = [one for one in sources if self._owners.setdefault(self._folded(one), one) != one]
        for source in losers:
            self._renamed[source] = self._free(source, source, PurePosixPath(source).suffix)
            self._owners[self._folded(self._renamed[source])] = source

    def released(self, source: str, suffix: str = "") -> str:
        """The name of a source's release, which ends in `suffix` where it is of another format."""
        own = self._renamed.get(source, source)
        name = self._free(own + suffix, own, suffix) if suffix else own
        if len(os.fsencode(PurePosixPath(name).name)) > LONGEST_NAME:
            raise Unreadable(f"its name is too long to be released as {suffix}")
        return name

    def _free(self, name: str, stem: str, ending: str) -> str:
        """The name, numbered where it belongs to a source."""
        number = 2
        while self._folded(name) in self._owners:
            name, number = f"{stem}-{number}{ending}", number + 1
        return name

    def _folded(self, name: str) -> str:
        return unicodedata.normalize("NFC", name).casefold() if self._folds else name


def _matches(pattern: str) -> Source:
    parts = Path(pattern).parts
    plain = next(index for index, part in enumerate(parts) if has_magic(part))
    root = Path(*parts[:plain])
    names: set[str] = set()
    for match in glob(pattern, recursive=True):  # noqa: PTH207  # as shells do: hidden files are skipped
        path = Path(match)
        inner = _below(path) if path.is_dir() else iter(("",))
        names.update((path / name).relative_to(root).as_posix() for name in inner)
    return Source(root.resolve(), tuple(sorted(names)), is_walked="**" in parts)


def _below(top: Path) -> Iterator[str]:
    """The files below a folder. A folder that cannot be listed is named itself, so that it gets reported."""
    waiting = [("", frozenset[tuple[int, int]]())]
    while waiting:
        folder, above = waiting.pop()
        try:
            status = (top / folder).stat()
            entries = list(os.scandir(top / folder))
        except OSError:
            yield folder or "."
            continue
        here = (status.st_dev, status.st_ino)
        if here in above:  # a link that leads back up
            continue
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith("."):
                continue
            if _is_folder(entry):
                waiting.append((name, above | {here}))
            else:
                yield name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _why(path: Path, error: OSError) -> str:
    if path.is_symlink() and isinstance(error, FileNotFoundError):
        return "a link that leads nowhere"
    return f"cannot be read: {(error.strerror or str(error)).lower()}"
