"""How many faces and plates are open in a release, those included that nobody has seen; from records, no pixels.

Each face or plate that anything has seen is a *sighting*: which of three sources saw it, how large and how sharp it is,
whether it was hidden. The sources fail differently:

faces    YuNet on the whole picture; CenterFace on the whole picture; the inspection, where the rules expect a face on a person
plates   the detector; text recognition on the whole picture; the inspection, where the rules expect a plate on a vehicle

Whether the enlarged head of a person shows a face says how much the inspection's word is worth. A sighting may be a false
alarm. So each counts as much as such sightings were right on annotated photographs (RIGHT), and
how many no source saw is told from these counts (recapture.py), apart for large and small, sharp and blurred ones where there
are enough of each. The interval comes from drawing the images again and again (bootstrap), from how surely RIGHT is known, and
from chance: who was missed here is one draw of who might have been.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import centre, is_inside
from aramis.images.kept import Drawn
from aramis.images.records import Box, Finding, ImageRecord, Verdict
from aramis.images.risk.recapture import (
    AKAIKE,
    DRAWN_AGAIN,
    histories,
    interval,
    log_linear,
    lower_bound,
    sample_coverage,
    spread,
)
from aramis.images.risk.review import Certified, SampleSize
from aramis.images.rules.expected import place

Floats = NDArray[np.float64]

SOURCES = {
    "face": ("yunet", "centerface", "people"),
    "plate": ("detector", "text", "vehicles"),
}
VOTE = 0.3  # of a network, from which on it has seen a face
SMALL = {"face": 32.0, "plate": 80.0}  # pixels of a face's height, of a plate's width
OF_A_VEHICLE = 0.31  # its plate, as a share of its width: see rules/expected.py
TINY = 16.0  # pixels of a face's height, below which all sources miss the same ones
MANY_TINY = 0.05  # of the true ones: from this share on the estimate is said to be too low
ENOUGH = 40  # sightings of each kind, or kinds are taken together
IMAGES = 4_000  # drawn at random, of a larger release
DRAWS = 400
METHOD = "log-linear model of three sources, by size and sharpness; bootstrap over images"
CAUTION = "{:.0%} of the faces seen are less than {:g} pixels high: all sources miss the same ones of these, so more are open than is told"

RIGHT: dict[str, dict[tuple[bool, ...], tuple[int, int]]] = {
    "face": {
        (True, True, True, True, True): (1882, 1984),
        (True, True, True, True, False): (71, 127),
        (True, True, True, False, False): (128, 240),
        (True, True, False, True, True): (45, 79),
        (True, True, False, True, False): (36, 88),
        (True, True, False, False, False): (42, 226),
        (True, False, True, True, True): (3, 5),
        (True, False, True, True, False): (12, 30),
        (True, False, True, False, False): (9, 63),
        (False, True, False, True, True): (8, 23),
        (False, True, False, True, False): (19, 195),
        (False, True, False, False, False): (28, 515),
        (False, False, True, True, True): (2, 3),
        (False, False, True, True, False): (6, 85),
        (False, False, True, False, False): (4, 224),
        (False, False, False, True, True): (0, 13),
        (False, False, False, True, False): (15, 448),
    },
    "plate": {
        (True, True, True, True, False): (69, 69),
        (True, True, True, False, False): (6, 7),
        (True, True, False, True, False): (35, 74),
        (True, True, False, False, False): (14, 65),
        (False, True, False, True, False): (0, 12),
        (False, True, False, False, False): (0, 37),
        (False, False, True, False, False): (0, 1),
        (False, False, False, True, False): (1, 138),
    },
}
"""By whether detectors would hide it, who saw it, and whether an enlarged head shows it: how many such sightings were right, of how many, as
`python -m benchmarks.estimates` prints it. What was never seen may be right or not."""


class Sighting(msgspec.Struct, frozen=True):
    """A face or plate that was seen."""

    kind: str
    seen_by: tuple[bool, ...]  # by each of the sources
    is_hidden: bool
    box: Box
    sharpness: float | None = None
    is_confirmed: bool = False  # a face: the enlarged head of a person shows it
    is_target: bool = False  # the detectors were sure enough of it to hide it, whether or not it is hidden


class Missed(msgspec.Struct, frozen=True, kw_only=True):
    """How many are open in the release."""

    estimate: float  # all that are open: seen by some source and not hidden, or seen by none
    low: float
    high: float
    method: str
    sources: tuple[str, ...]
    hidden: float  # expected to be true, false alarms taken off; as the next ones
    seen_open: float
    unseen: float
    unseen_at_least: float  # Chao's lower bound: it assumes nothing of how sources differ, but that they do not see together
    unseen_by_coverage: float | None = None  # by another model, sample coverage; None: it cannot tell
    caution: str | None = None  # why this one is too low
    images: int  # that it is told from


class Estimates(msgspec.Struct, frozen=True, kw_only=True):
    """What the assessment says beyond what was seen."""

    missed_targets: dict[str, Missed] = {}
    sample_size_for: tuple[SampleSize, ...] = ()
    reviewed: Certified | None = None  # images that somebody has looked at
    reviewed_tracks: Certified | None = None  # people and vehicles in videos


class EstimateTally:
    """Keeps the sightings of images as records go by, of a large release those of images drawn at random."""

    def __init__(self) -> None:
        self._images = Drawn[list[Sighting]](IMAGES)
        self._last: tuple[str, list[Sighting]] | None = None  # frames of one video belong together

    def add(self, record: ImageRecord) -> None:
        """Add a judged record. One whose checks did not run says nothing."""
        seen = list(sightings(record))
        if self._last is not None and record.frame is not None and self._last[0] == record.image:
            self._last[1].extend(seen)
            return
        self._last = record.image, seen
        if can_tell(record):
            self._images.offer(seen)

    def total(self) -> dict[str, Missed]:
        """For faces and plates, where anything was seen of them."""
        images = self._images.drawn
        scale = self._images.seen / max(len(images), 1)
        made = {kind: missed(kind, images, scale) for kind in SOURCES}
        return {kind: one for kind, one in made.items() if one is not None}


def can_tell(record: ImageRecord) -> bool:
    """Whether all sources were asked."""
    return (
        record.inspected is not False and {"heads", "residual", "legibility"} <= (record.checks or {}).keys()
    )


def sightings(record: ImageRecord) -> Iterator[Sighting]:
    """All faces and plates that any source saw in an image."""
    if not can_tell(record):
        return
    checks: dict[str, tuple[Finding, ...]] = record.checks or {}
    sharp = {finding.target: finding.sharpness for finding in checks.get("changed", ())}
    yield from _faces(record, checks["heads"], _leaks(checks["residual"], "face"), sharp)
    yield from _plates(record, checks["legibility"], _leaks(checks["residual"], "plate"), sharp)


def missed(kind: str, images: list[list[Sighting]], scale: float = 1.0) -> Missed | None:
    """How many of this kind are open in images with these sightings; times `scale` in the release."""
    every = [one for image in images for one in image if one.kind == kind]
    if not every:
        return None
    sorts = sorted({_sort(one) for one in every})
    counts = _counts(kind, images, sorts)  # image, stratum, sort
    draw = np.random.default_rng(0)
    images_again = draw.multinomial(len(images), np.full(len(images), 1 / len(images)), DRAWS)
    again = _told(
        np.tensordot(images_again, counts, axes=1), sorts, _rates_again(kind, sorts, draw), DRAWN_AGAIN
    )
    told = _told(counts.sum(axis=0), sorts, np.array([rate(kind, sort[1:]) for sort in sorts]))
    unseen, seen_open = float(told.unseen), float(told.seen_open)
    # besides what drawing tells: how many are open here is one draw of how many might have been (Poisson)
    variance = spread(again.unseen + again.seen_open) ** 2 + unseen + seen_open
    low, high = interval(unseen + seen_open, variance)
    by_coverage = sum(sample_coverage(part)[2] - sum(part) for part in told.histories.tolist() if sum(part))
    return Missed(
        estimate=round(scale * (unseen + seen_open), 1),
        low=round(scale * low, 1),
        high=round(scale * high, 1),
        method=METHOD,
        sources=SOURCES[kind],
        hidden=round(scale * float(told.hidden), 1),
        seen_open=round(scale * seen_open, 1),
        unseen=round(scale * unseen, 1),
        unseen_at_least=round(scale * float(lower_bound(told.histories, 3).sum()), 1),
        unseen_by_coverage=round(scale * max(by_coverage, 0.0), 1) if isfinite(by_coverage) else None,
        caution=_caution(kind, every),
        images=round(scale * len(images)),
    )


Sort = tuple[bool, ...]
"""Whether a sighting is hidden, then its key in RIGHT."""


class _Told(NamedTuple):
    """What counts come to when false alarms are taken off; each for every draw, if there are draws."""

    histories: Floats  # stratum, history
    unseen: Floats
    seen_open: Floats
    hidden: Floats


def _told(counts: Floats, sorts: list[Sort], rates: Floats, price: float = AKAIKE) -> _Told:
    true = counts * rates[..., None, :]
    column = {history: number for number, history in enumerate(histories(3))}
    of_history = np.zeros((len(sorts), len(column)))
    for row, (_, _, *seen_by, _) in enumerate(sorts):
        of_history[row, column[tuple(seen_by)]] = 1
    is_hidden = np.array([sort[0] for sort in sorts])
    by_history = true @ of_history
    by_sort = true.sum(axis=-2)
    return _Told(
        by_history,
        log_linear(by_history, 3, price).sum(axis=-1),
        by_sort[..., ~is_hidden].sum(axis=-1),
        by_sort[..., is_hidden].sum(axis=-1),
    )


def rate(kind: str, key: tuple[bool, ...]) -> float:
    """How often such a sighting was right on annotated photographs; nearer to a half the fewer there were (Jeffreys)."""
    hits, cases = RIGHT[kind].get(key, (0, 0))
    return (hits + 0.5) / (cases + 1)


def _rates_again(kind: str, sorts: list[Sort], draw: np.random.Generator) -> Floats:
    """Rates as they might be, by how many sightings each was measured on."""
    keys = sorted({sort[1:] for sort in sorts})
    measured = np.array([RIGHT[kind].get(key, (0, 0)) for key in keys])
    drawn = draw.beta(measured[:, 0] + 0.5, measured[:, 1] - measured[:, 0] + 0.5, (DRAWS, len(keys)))
    return np.asarray(drawn[:, [keys.index(sort[1:]) for sort in sorts]])


def _caution(kind: str, every: list[Sighting]) -> str | None:
    """A sentence where so many faces are tiny that what no source saw is told too low."""
    share = _right(one for one in every if _size(one) < TINY) / _right(every)
    return CAUTION.format(share, TINY) if kind == "face" and share >= MANY_TINY else None


def _faces(
    record: ImageRecord,
    heads: tuple[Finding, ...],
    again: list[Finding],
    sharp: dict[int | None, float | None],
) -> Iterator[Sighting]:
    in_heads = {finding.target for finding in heads}
    people = [one for one in record.carriers if one.kind == "person"]
    borne = {one.target for one in people}
    leaking = [one for one in people if one.verdict is Verdict.LEAK]
    bodies = [one.box for one in leaking]
    opened = [finding for finding in heads if finding.leak and finding.box]
    faces = [one for one in record.targets if one.kind == "face" and one.votes]
    for face in faces:  # an open one, as audits have them, is found by the checks as well
        is_open = face.method is None
        is_confirmed = face.id in in_heads or (is_open and _is_at(face.box, opened))
        by_people = is_confirmed or face.id in borne or (is_open and _lies_in(face.box, bodies))
        yield Sighting(
            "face",
            (*_votes(face.votes or {}), by_people),
            not is_open,
            face.box,
            sharp.get(face.id),
            is_confirmed,
            is_target=True,
        )
    left_open = [face.box for face in faces if face.method is None]
    opened = _elsewhere(opened, left_open)
    for finding in opened:
        votes = next((other.votes for other in again if _same(_box(finding), _box(other))), None) or {}
        yield Sighting(
            "face", (*_votes(votes), True), False, _box(finding), finding.sharpness, is_confirmed=True
        )
    known = [*left_open, *map(_box, opened)]
    rest = _elsewhere(again, known)
    for finding in rest:
        seen_by = (*_votes(finding.votes or {}), _lies_in(_box(finding), bodies))
        if any(seen_by):
            yield Sighting("face", seen_by, False, _box(finding), finding.sharpness)
    for person in leaking:
        if not any(is_inside(centre(box), person.box) for box in (*known, *map(_box, rest))):
            yield Sighting("face", (False, False, True), False, place(person).likely)


def _plates(
    record: ImageRecord,
    texts: tuple[Finding, ...],
    again: list[Finding],
    sharp: dict[int | None, float | None],
) -> Iterator[Sighting]:
    in_text = {finding.target for finding in texts if finding.kind == "text"}
    borne = {one.target for one in record.carriers if one.kind == "vehicle"}
    leaking = [one.box for one in record.carriers if one.kind == "vehicle" and one.verdict is Verdict.LEAK]
    opened = [finding for finding in texts if finding.kind == "text" and finding.leak]
    plates = [one for one in record.targets if one.kind == "plate"]
    for plate in plates:
        is_open = plate.method is None
        by_text = plate.id in in_text or (is_open and _is_at(plate.box, opened))
        by_vehicle = plate.id in borne or (is_open and _lies_in(plate.box, leaking))
        yield Sighting(
            "plate",
            (True, by_text, by_vehicle),
            not is_open,
            plate.box,
            sharp.get(plate.id),
            is_target=True,
        )
    left_open = [plate.box for plate in plates if plate.method is None]
    opened = _elsewhere(opened, left_open)
    for finding in opened:
        box = _box(finding)
        seen_by = (_is_at(box, again), True, _lies_in(box, leaking))
        yield Sighting("plate", seen_by, False, box, finding.sharpness)
    known = [*left_open, *map(_box, opened)]
    rest = _elsewhere(again, known)
    for finding in rest:
        box = _box(finding)
        yield Sighting("plate", (True, False, _lies_in(box, leaking)), False, box, finding.sharpness)
    for vehicle in leaking:
        if not any(is_inside(centre(box), vehicle) for box in (*known, *map(_box, rest))):
            yield Sighting("plate", (False, False, True), False, vehicle)


def _leaks(findings: Iterable[Finding], kind: str) -> list[Finding]:
    return [finding for finding in findings if finding.leak and finding.kind == kind and finding.box]


def _votes(votes: dict[str, float]) -> tuple[bool, bool]:
    """Which of the two networks saw a face; the surer one did in any case."""
    said = [votes.get(name, 0.0) for name in SOURCES["face"][:2]]
    first, second = (vote >= VOTE or vote == max(said) > 0 for vote in said)
    return first, second


def _same(one: Box, other: Box) -> bool:
    return is_inside(centre(one), other) or is_inside(centre(other), one)


def _is_at(box: Box, findings: Iterable[Finding]) -> bool:
    return any(_same(box, _box(finding)) for finding in findings)


def _elsewhere(findings: Iterable[Finding], boxes: Sequence[Box]) -> list[Finding]:
    return [finding for finding in findings if not any(_same(_box(finding), box) for box in boxes)]


def _lies_in(box: Box, others: Iterable[Box]) -> bool:
    return any(is_inside(centre(box), other) for other in others)


def _box(finding: Finding) -> Box:
    assert finding.box is not None, "what was found in pixels has a place"
    return finding.box


def right(one: Sighting) -> float:
    """How often such a sighting was right on annotated photographs."""
    return rate(one.kind, _sort(one)[1:])


def _right(some: Iterable[Sighting]) -> float:
    return sum(right(one) for one in some)


def _sort(one: Sighting) -> Sort:
    return (one.is_hidden, one.is_target, *one.seen_by, one.is_confirmed)


def _counts(kind: str, images: list[list[Sighting]], sorts: list[Sort]) -> Floats:
    """For each image, stratum and sort the number of sightings."""
    shares = _strata([one for image in images for one in image if one.kind == kind])
    column = {sort: number for number, sort in enumerate(sorts)}
    counts = np.zeros((len(images), 4, len(sorts)))
    for row, image in enumerate(images):
        for one in image:
            if one.kind == kind:
                counts[row, :, column[_sort(one)]] += shares(one)
    return counts


def _strata(every: list[Sighting]) -> Callable[[Sighting], Floats]:
    """How much of a sighting belongs to each part by size and sharpness, in the finest division whose parts have enough of them.

    Sharp is what is sharper than half of its size. Whose sharpness nobody could measure belongs to both halves.
    """
    sharp = [
        [one.sharpness for one in every if _is_small(one) == small and one.sharpness is not None]
        for small in (0, 1)
    ]
    sizes = [sum(_is_small(one) == small for one in every) for small in (0, 1)]
    by_size = all(size == 0 or size >= ENOUGH for size in sizes)
    halves = [median(some) if len(some) >= 2 * ENOUGH else None for some in sharp]

    def shares(one: Sighting) -> Floats:
        part = np.zeros((2, 2))  # size, sharpness
        small = _is_small(one) if by_size else 0
        half = halves[small] if by_size else None
        if half is None:
            part[small, 0] = 1
        elif one.sharpness is None:
            part[small] = 0.5
        else:
            part[small, int(one.sharpness < half)] = 1
        return part.reshape(4)

    return shares


def _is_small(one: Sighting) -> int:
    return int(_size(one) < SMALL[one.kind])


def _size(one: Sighting) -> float:
    """Pixels that a face is high, a plate wide; where only a vehicle was seen, as wide as its plate would be."""
    x1, y1, x2, y2 = one.box
    if one.kind == "face":
        return y2 - y1
    return (x2 - x1) * (OF_A_VEHICLE if one.seen_by == (False, False, True) else 1)
