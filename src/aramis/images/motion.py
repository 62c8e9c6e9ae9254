"""How a picture moves from one frame to the next: by how much the camera has swept, and where a scene is cut.

Read from small grey copies of the frames. The sweep is the peak of phase correlation (Kuglin, Hines, "The phase
correlation image alignment method", 1975); at a cut there is no such peak, and the picture is another one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

COPY = 640  # pixels along the longer side of the copies: enough to follow a face of 30 pixels in a film of 4K
SMALL = 160  # pixels along the longer side of what sweeps are read from: enough to tell one to a pixel of a full picture
PARTS, GAIN = 8, 0.5  # parts along each side, and by how many levels of grey one is mended or spoiled
LEAST_PEAK = 0.10  # unrelated pictures stay below it, mostly; sweeps of a fifth of the picture are above 0.6
LEAST_ALIKE = (
    0.50  # correlation once the sweep is undone: 97 of 99 cuts are below it, no other frame measured is
)


@dataclass(frozen=True, slots=True)
class Step:
    """From one frame to the next. The sweep is a share of the picture's width and height."""

    sweep: tuple[float, float] = (0.0, 0.0)
    is_cut: bool = False


def small_size(width: int, height: int) -> tuple[int, int]:
    """The size of the copies that are compared: no larger than the picture, but for the smallest."""
    return _scaled(width, height, min(1.0, COPY / max(width, height)))


def step(before: Grey, after: Grey) -> Step:
    """What happened between two small grey copies."""
    import cv2

    if (before == after).all():
        return Step()
    before, after = (_smaller(grey) for grey in (before, after))
    height, width = before.shape
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    (x, y), peak = cv2.phaseCorrelate(before.astype(np.float32), after.astype(np.float32), window)
    if peak < LEAST_PEAK or not _most_of_it_moved(before, after, round(x), round(y)):
        x = y = 0.0
    if _alike(before, after, round(x), round(y)) < LEAST_ALIKE:
        return Step(is_cut=True)
    return Step((x / width, y / height))


def _smaller(grey: Grey) -> Grey:
    import cv2

    height, width = grey.shape
    size = _scaled(width, height, SMALL / max(width, height))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(width: int, height: int, scale: float) -> tuple[int, int]:
    return max(16, round(width * scale)), max(16, round(height * scale))


def _most_of_it_moved(before: Grey, after: Grey, x: int, y: int) -> bool:
    """Whether undoing a sweep mends at least as many parts of the picture as it spoils. If not, something large has moved
    through a picture that stands still.
    """
    import cv2

    if not x and not y:
        return True
    then, now = _in_both(before.shape, x, y)
    old, still, new = (grey.astype(np.int16) for grey in (before[then], before[now], after[now]))
    gain = np.abs(still - new) - np.abs(old - new)
    parts = cv2.resize(gain.astype(np.float32), (PARTS, PARTS), interpolation=cv2.INTER_AREA)
    return bool((parts > GAIN).sum() >= (parts < -GAIN).sum())


def _alike(before: Grey, after: Grey, x: int, y: int) -> float:
    """The correlation of what both show, where the second has moved by (x, y); 1 where nothing is left to compare."""
    then, now = _in_both(before.shape, x, y)
    old, new = before[then].astype(np.float64), after[now].astype(np.float64)
    if not old.size:
        return 1.0
    old, new = old - old.mean(), new - new.mean()
    length = float(np.sqrt((old**2).sum() * (new**2).sum()))
    # a picture of one colour correlates with nothing: it is another one if its colour is
    return float((old * new).sum()) / length if length else float(np.allclose(before, after, atol=8))


def _in_both(shape: tuple[int, ...], x: int, y: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """What two pictures both show, the second moved by (x, y): where it is in the first, and in the second."""
    height, width = shape
    then = slice(max(0, -y), height - max(0, y)), slice(max(0, -x), width - max(0, x))
    now = slice(max(0, y), height + min(0, y)), slice(max(0, x), width + min(0, x))
    return then, now
