"""Which original belongs to which released file: by its path, by its name, or else by what it shows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aramis.errors import Unreadable
from aramis.images.network import Pixels

SIDE = 16  # pixels of the small grey picture by which files are told apart
NEAREST = 5  # originals that are tried for a file of unknown name

Load = Callable[[str], Pixels]


def by_name(originals: Sequence[str], released: Iterable[str]) -> dict[str, str]:
    """Released file → original, for all that are told by path or name; one original alone belongs to all."""
    here = set(originals)
    stems = _once((_stem(name), name) for name in originals)
    names = _once((PurePosixPath(stem).name, name) for stem, name in stems.items())
    found = {}
    for name in released:
        own = name if name in here else stems.get(_stem(name)) or _extended(_stem(name), stems)
        own = own or names.get(PurePosixPath(_stem(name)).name) or (originals[0] if len(here) == 1 else None)
        if own:
            found[name] = own
    return found


class Looks(NamedTuple):
    """What originals look like, small: a row for each."""

    names: tuple[str, ...]
    rows: NDArray[np.float32]

    def nearest(self, pixels: Pixels) -> list[str]:
        """The originals that look most like this picture, however it is turned, the likeliest first."""
        if not self.names:
            return []
        turned = np.stack([_look(np.rot90(pixels, turns)) for turns in range(4)])
        alike = (self.rows @ turned.T).max(axis=1)
        return [self.names[place] for place in np.argsort(-alike)[:NEAREST]]


def looks(originals: Iterable[str], load: Load) -> Looks:
    """What each original looks like; one that cannot be read looks like nothing."""
    seen = {}
    for name in originals:
        try:
            seen[name] = _look(load(name))
        except Unreadable:  # it has nothing to be compared with; its release is judged alone, and says so
            continue
    rows = np.stack(list(seen.values())) if seen else np.zeros((0, SIDE * SIDE), np.float32)
    return Looks(tuple(seen), rows)


def _look(pixels: Pixels) -> NDArray[np.float32]:
    """A picture as one row of numbers, of length 1 and mean 0, whatever its size, light and contrast."""
    import cv2

    small = cv2.resize(
        pixels.mean(axis=2, dtype=np.float32), (SIDE, SIDE), interpolation=cv2.INTER_AREA
    ).ravel()
    small -= small.mean()
    return np.asarray(small / max(float(np.linalg.norm(small)), 1e-6), np.float32)


def _extended(stem: str, stems: Mapping[str, str]) -> str | None:
    """The original whose name this one goes on from: street_anonymized from street; the longest there is."""
    begun = [one for one in stems if stem.startswith(one) and not stem[len(one) : len(one) + 1].isalnum()]
    return stems[max(begun, key=len)] if begun else None


def _stem(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def _once(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The pairs whose first is there once: what is there twice tells nothing."""
    found: dict[str, str] = {}
    twice = set()
    for key, value in pairs:
        twice.update([key] if key in found else [])
        found[key] = value
    return {key: value for key, value in found.items() if key not in twice}
