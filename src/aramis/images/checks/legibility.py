"""Can text recognition still read a plate: one that was hidden, or one that nobody found?

Hidden plates are read in the original and in the release, between the same corners; what counts is the share of characters that
are still there, in order. And the whole picture is searched for lines of text that read like a plate, whether or not anybody
found a vehicle or a plate there; what the release still shows of such a line is a leak. It is searched in the original, which
shows every line that the release can show but for plates that we drew ourselves.

What was read is personal data: no finding repeats it.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from math import dist

import cv2
import numpy as np

from aramis.images.checks.check import Check
from aramis.images.checks.residual import at_hidden, same_place
from aramis.images.checks.sharpness import sharpness
from aramis.images.geometry import bounds, corners
from aramis.images.network import Pixels
from aramis.images.reading import Lines, Reading, Text
from aramis.images.records import Box, Corners, Finding, ImageRecord, Target
from aramis.images.tiles import tiles

STILL_LEGIBLE = 0.5
"""From this share of its characters on a plate counts as legible."""
SURE = 0.5  # of the least sure sign: below, the original itself cannot be read
FEWEST, MOST = 4, 9  # characters of a plate
LONGER = (1.8, 9.0)  # times as wide as high is a line on a plate
READ_AT = 2_500_000  # pixels: larger pictures are made smaller
TILE, OVERLAP = 1600, 0.1
ALIKE = str.maketrans("OQI", "001")  # signs that nobody tells apart on a plate


def legibility(lines: Lines, read: Reading) -> Check:
    """The check; `value` is the share of characters still right."""

    def check(original: Pixels, released: Pixels, record: ImageRecord) -> list[Finding]:
        plates = [one for one in record.targets if one.kind == "plate" and one.method is not None]
        hidden = [finding for one in plates for finding in _hidden(original, released, one, read)]
        leaking = {finding.target for finding in hidden if finding.leak}
        return hidden + [
            _elsewhere(
                line,
                text,
                read(released, line),
                record.targets,
                leaking,
                sharp=sharpness(original, bounds(line)),
            )
            for line, text in _plates_in_text(original, lines, read)
        ]

    return check


def reads_like_a_plate(text: Text, line: Corners) -> bool:
    """Whether a line of text could be a plate: of its length and shape, letters and digits in few groups, surely read."""
    signs = text.signs
    groups = [list(group) for _, group in groupby(signs, str.isdigit)]
    digits = sum(sign.isdigit() for sign in signs)
    a, b, _, d = line
    longer = dist(a, b) / max(dist(a, d), 1e-9)
    return (
        FEWEST + 1 <= len(signs) <= MOST
        and 2 <= digits < len(signs)
        and len(groups) <= 4
        and LONGER[0] <= longer <= LONGER[1]
        and text.score >= SURE
    )


def still_right(before: str, after: str) -> float:
    """The share of characters that are still there, in order: the longest common subsequence."""
    old, new = (signs.upper().translate(ALIKE) for signs in (before, after))
    longest = [0] * (len(new) + 1)
    for sign in old:
        above = 0  # the value up and to the left
        for place, other in enumerate(new, start=1):
            above, longest[place] = (
                longest[place],
                above + 1 if sign == other else max(longest[place], longest[place - 1]),
            )
    return longest[-1] / max(len(old), 1)


def _hidden(original: Pixels, released: Pixels, plate: Target, read: Reading) -> Iterator[Finding]:
    at = plate.corners or corners(plate.box)
    before = read(original, at)
    if len(before.signs) < FEWEST or before.score < SURE:
        return
    share = still_right(before.signs, read(released, at).signs)
    yield Finding(
        kind="plate",
        box=plate.box,
        target=plate.id,
        value=round(share, 3),
        leak=share >= STILL_LEGIBLE,
        why=f"{share:.0%} of its {len(before.signs)} characters can still be read; legible from {STILL_LEGIBLE:.0%} on",
    )


def _plates_in_text(pixels: Pixels, lines: Lines, read: Reading) -> Iterator[tuple[Corners, Text]]:
    """Every line of text in a picture that reads like a plate."""
    for line in _lines(pixels, lines):
        text = read(pixels, line)
        if reads_like_a_plate(text, line):
            yield line, text


def _elsewhere(
    line: Corners,
    text: Text,
    after: Text,
    targets: Sequence[Target],
    leaking: Collection[int | None],
    *,
    sharp: float | None,
) -> Finding:
    """What the release still shows of a line; what is a leak already is not counted twice."""
    box, share = bounds(line), still_right(text.signs, after.signs)
    at = at_hidden(Target(kind="plate", box=box), targets)
    is_settled = at is not None and (at.method is None or at.id in leaking)
    what = f"text that reads like a plate, {len(text.signs)} characters, {share:.0%} of them still legible"
    return Finding(
        kind="text",
        box=box,
        target=at.id if at else None,
        value=round(share, 3),
        sharpness=None if at else sharp,
        leak=share >= STILL_LEGIBLE and not is_settled,
        why=what if at is None else f"{what}, at target {at.id}",
    )


def _lines(pixels: Pixels, lines: Lines) -> Iterator[Corners]:
    """Lines of text in a picture of any size; in the overlap of two tiles each once."""
    height, width = pixels.shape[:2]
    scale = min(1.0, (READ_AT / max(height * width, 1)) ** 0.5)
    small = (
        pixels if scale == 1 else cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    seen: list[Box] = []
    for x1, y1, x2, y2 in tiles(small.shape[1], small.shape[0], TILE, OVERLAP):
        for line in lines(np.ascontiguousarray(small[y1:y2, x1:x2])):
            a, b, c, d = (((x + x1) / scale, (y + y1) / scale) for x, y in line)
            box = bounds((a, b, c, d))
            if not any(same_place(box, other) for other in seen):
                seen.append(box)
                yield a, b, c, d
