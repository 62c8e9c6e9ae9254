"""Are the pixels of every hidden target really others now, by more than compressing them again does?

What tells faces and plates apart are their lines, finer than a tenth of their size. The check takes these lines from the
original and from the release, at no more than 24 pixels across, so that noise of the compression averages out, and
says which share of the original's is still there: 1 where nothing changed, about 0 under a solid colour. A face is no less
of a face for being darker or brighter as a whole, so a change of level alone does not count.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from aramis.images.checks.sharpness import sharpness
from aramis.images.geometry import clip, grow
from aramis.images.network import Pixels
from aramis.images.records import Finding, ImageRecord, Target
from aramis.images.redact.regions import inner

STILL_THERE = 0.6
"""From this share on nothing was hidden; docs/measurements.md says how often that is wrong."""
INWARDS = 0.1  # of the box on each side: the rim of a box shows what is beside the target
ACROSS = 24  # pixels of the shorter side that is looked at
FINER_THAN = 0.1  # of the shorter side
FLAT = 2.0  # lines weaker than this, in grey values, are none
LEVELS = 8.0  # grey values by which a flat region differs when it was painted over


def changed(original: Pixels, released: Pixels, record: ImageRecord) -> list[Finding]:
    """For each target that was hidden, the share of its lines that is still there; a leak where that is nearly all."""
    hidden = [target for target in record.targets if target.method is not None]
    return [finding for target in hidden for finding in _finding(original, released, target)]


def _finding(original: Pixels, released: Pixels, target: Target) -> Iterator[Finding]:
    height, width = original.shape[:2]
    box = clip(grow(target.box, -INWARDS, -INWARDS), width, height)
    share = still_there(inner(original, box), inner(released, box))
    if share is not None:
        why = f"{share:.0%} of its lines are still there; nothing was hidden from {STILL_THERE:.0%} on"
        yield Finding(
            kind=target.kind,
            box=target.box,
            target=target.id,
            value=round(share, 3),
            sharpness=sharpness(original, target.box),
            leak=share >= STILL_THERE,
            why=why,
        )


def still_there(before: Pixels, after: Pixels) -> float | None:
    """The share of the lines of one picture that the other still has; None where it never had any, and has none now."""
    old, new = _lines(before), _lines(after)
    strength = float(np.sqrt((old**2).mean()))
    if strength < FLAT:
        differs = np.abs(before.mean(axis=(0, 1)) - after.mean(axis=(0, 1))).max() > LEVELS
        return 0.0 if differs else None
    common = float((old * new).mean())
    alike = common / (strength * max(float(np.sqrt((new**2).mean())), 1e-9))
    return min(max(0.0, min(common / strength**2, alike)), 1.0)


def _lines(pixels: Pixels) -> NDArray[np.float32]:
    """What is finer than a tenth of the picture."""
    height, width = pixels.shape[:2]
    scale = min(1.0, ACROSS / min(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return small - cv2.GaussianBlur(small, (0, 0), max(0.6, FINER_THAN * min(size)))
