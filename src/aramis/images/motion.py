"""How a picture moves from one frame to the next: by how much the camera has swept, and where a scene is cut.

Read from small grey copies of the frames. The sweep is the peak of phase correlation (Kuglin, Hines, "The phase
correlation image alignment method", 1975); at a cut there is no such peak, and the picture is another one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

SMALL = 160  # pixels along the longer side: enough for a sweep to a pixel of a full picture
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
    """The size of the copies to compare."""
    scale = SMALL / max(width, height)
    return max(16, round(width * scale)), max(16, round(height * scale))


def step(before: Grey, after: Grey) -> Step:
    """What happened between two small grey copies."""
    import cv2

    if (before == after).all():
        return Step()
    height, width = before.shape
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    (x, y), peak = cv2.phaseCorrelate(before.astype(np.float32), after.astype(np.float32), window)
    if peak < LEAST_PEAK:
        x = y = 0.0
    if _alike(before, after, round(x), round(y)) < LEAST_ALIKE:
        return Step(is_cut=True)
    return Step((x / width, y / height))


def _alike(before: Grey, after: Grey, x: int, y: int) -> float:
    """The correlation of what both show, where the second has moved by (x, y); 1 where nothing is left to compare."""
    height, width = before.shape
    old = before[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)].astype(np.float64)
    new = after[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)].astype(np.float64)
    if not old.size:
        return 1.0
    old, new = old - old.mean(), new - new.mean()
    length = float(np.sqrt((old**2).sum() * (new**2).sum()))
    # a picture of one colour correlates with nothing: it is another one if its colour is
    return float((old * new).sum()) / length if length else float(np.allclose(before, after, atol=8))
