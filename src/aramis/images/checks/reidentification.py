"""Could face recognition know a hidden face by its original, or take it for somebody else's in the set?

The five points of a face are found in the original, where it can be seen; the released pixels are brought upright by the
same points, so that nothing depends on whether a face is still found there. How alike the two are is the cosine of their
numbers. From `SAME_PERSON` on they count as one person, which is a leak; docs/measurements.md says how often two different
people reach it (the false-match rate).

The numbers of faces are themselves personal data: they are held in memory while the run lasts, of at most `GALLERY` faces
drawn at random, and are never written anywhere.
"""

from collections.abc import Iterator
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.images.embedding import Embedding, Landmarks
from aramis.images.kept import Drawn
from aramis.images.network import Pixels
from aramis.images.records import Finding, ImageRecord, Target

SAME_PERSON = 0.45
"""The cosine from which on two pictures count as one person's."""
FALSE_MATCHES = (
    0.03  # of pairs of different people in one photograph that reach it; most are of one age, light and blur
)
SMALLEST = 10.0  # pixels of height: a smaller face is known by nobody
GALLERY = 4_000  # faces that each released one is compared with

Pair = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The numbers of a face in its original, and in the release."""


class Reidentification:
    """The check, and what it has to tell of the whole set in the end."""

    def __init__(self, find: Landmarks, numbers: Embedding) -> None:
        self._find = find
        self._numbers = numbers
        self._pairs = Drawn[Pair](GALLERY)
        self._lock = Lock()

    def __call__(self, original: Pixels, released: Pixels, record: ImageRecord) -> list[Finding]:
        """For each hidden face that its original shows clearly enough, how alike the two are."""
        hidden = [one for one in record.targets if one.kind == "face" and one.method is not None]
        return [finding for one in hidden for finding in self._finding(original, released, one)]

    def told(self) -> dict[str, Any]:
        """How often the nearest original of all is a hidden face's own; nothing where no face was compared."""
        pairs = self._pairs.drawn
        if not pairs:
            return {}
        right = ranked_first([before for before, _ in pairs], [after for _, after in pairs])
        return {
            "compared with each other": len(pairs),
            "nearest of all to their own original": int(right.sum()),
            "rank-1 rate": round(float(right.mean()), 4),
            "rank-1 rate by chance": round(1 / len(pairs), 4),
            "threshold": SAME_PERSON,
            "false-match rate at the threshold": FALSE_MATCHES,
        }

    def _finding(self, original: Pixels, released: Pixels, face: Target) -> Iterator[Finding]:
        if face.box[3] - face.box[1] < SMALLEST:
            return
        points = self._find(original, face.box)
        if points is None:
            return
        pair = self._numbers(original, points), self._numbers(released, points)
        with self._lock:
            self._pairs.offer(pair)
        alike = float(pair[0] @ pair[1])
        yield Finding(
            kind="face",
            box=face.box,
            target=face.id,
            value=round(alike, 3),
            leak=alike >= SAME_PERSON,
            why=f"face recognition finds it {alike:.2f} alike to its original; one person from {SAME_PERSON:.2f} on",
        )


def ranked_first(
    originals: list[NDArray[np.float32]], released: list[NDArray[np.float32]]
) -> NDArray[np.bool_]:
    """Of each released face, whether no other original is as alike to it as its own."""
    alike = np.stack(released) @ np.stack(originals).T
    own = np.diag(alike).copy()
    np.fill_diagonal(alike, -np.inf)
    return np.asarray(own > alike.max(axis=1, initial=-np.inf))
