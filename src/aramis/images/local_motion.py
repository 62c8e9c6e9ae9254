"""Where a small part of a picture has gone by the next frame: what following goes by where nothing is detected.

Points in the box are followed with the optical flow of Lucas and Kanade and back again; those that return to where they
began vote. Kalal, Mikolajczyk, Matas, "Forward-Backward Error: Automatic Detection of Tracking Failures", ICPR 2010.
"""

import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import area, clip, grow, intersection
from aramis.images.records import Box

Grey = NDArray[np.uint8]
Floats = NDArray[np.float32]

POINTS = 5  # along each side of the box
AROUND = 96  # pixels about the box, in which it is looked for
WINDOW, LEVELS = 11, 4  # so a step of some 80 pixels can be followed
RETURNS = 1.0  # pixels: as far from where it began as a point may end that was followed there and back
LEAST_POINTS = 5
LEAST_ALIKE = 0.6  # correlation from one frame to the next: of what moves in real videos all but 1 in 100 steps are above
GROWTH = 1.1  # at most, from one frame to the next
EDGE = 0.1  # of the box, on each side
PATCH = 24  # pixels: the side of the patches that are compared


def moved(box: Box, before: Grey, after: Grey) -> Box | None:
    """Where what is in this box of one picture is in the next; None where it cannot be told, or mostly out of the picture.

    >>> before = np.random.default_rng(1).integers(0, 255, (60, 80), np.uint8)
    >>> after = np.roll(before, (2, 3), axis=(0, 1))
    >>> [round(side) for side in moved((20, 20, 40, 40), before, after)]
    [23, 22, 43, 42]
    """
    height, width = before.shape
    seen = clip(box, width, height)
    if intersection(box, seen) < 0.5 * area(box):
        return None
    left, top, right, bottom = (round(side) for side in clip(_about(seen), width, height))
    old, new = (np.ascontiguousarray(grey[top:bottom, left:right]) for grey in (before, after))
    points = _grid(seen) - np.array([left, top], np.float32)
    there, is_found = _flown(old, new, points)
    back, is_back = _flown(new, old, there)
    good = is_found & is_back & (np.abs(back - points).max(axis=1) <= RETURNS)
    if good.sum() < LEAST_POINTS:
        return None
    step, share = np.median(there[good] - points[good], axis=0), (_growth(points[good], there[good]) - 1) / 2
    x1, y1, x2, y2 = grow(box, share, share)
    found = x1 + float(step[0]), y1 + float(step[1]), x2 + float(step[0]), y2 + float(step[1])
    return found if likeness(box, before, found, after) >= LEAST_ALIKE else None


def likeness(a: Box, of: Grey, b: Box, other: Grey) -> float:
    """The correlation of what two boxes hold and a little around it, each in a picture of its own.

    What is of one colour correlates with nothing but by its edges.
    """
    import cv2

    one, two = _patch(grow(a, EDGE, EDGE), of), _patch(grow(b, EDGE, EDGE), other)
    return float(cv2.matchTemplate(one, two, cv2.TM_CCOEFF_NORMED)[0, 0])


def _about(box: Box) -> Box:
    return box[0] - AROUND, box[1] - AROUND, box[2] + AROUND, box[3] + AROUND


def _grid(box: Box) -> Floats:
    x1, y1, x2, y2 = box
    across, down = np.meshgrid(np.linspace(x1, x2, POINTS), np.linspace(y1, y2, POINTS))
    return np.stack([across.ravel(), down.ravel()], axis=1).astype(np.float32)


def _flown(before: Grey, after: Grey, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Where each point has gone, and whether that could be told."""
    import cv2

    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points, points.copy(), winSize=(WINDOW, WINDOW), maxLevel=LEVELS
    )
    return np.asarray(there, np.float32), found[:, 0] == 1


def _growth(old: Floats, new: Floats) -> float:
    """By how much points have moved apart: of those that were farther out than half of them, the median."""
    was, now = (np.linalg.norm(points - np.median(points, axis=0), axis=1) for points in (old, new))
    far = was > np.median(was)
    return float(np.clip(np.median(now[far] / was[far]), 1 / GROWTH, GROWTH)) if far.any() else 1.0


def _patch(box: Box, grey: Grey) -> Grey:
    import cv2

    across, down = max(box[2] - box[0], 1.0) / PATCH, max(box[3] - box[1], 1.0) / PATCH
    place = np.array([[across, 0, box[0]], [0, down, box[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(grey, place, (PATCH, PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)
