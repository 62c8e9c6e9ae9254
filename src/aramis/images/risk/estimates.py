"""How many faces and plates are open in a release, those included that nobody has seen; from records, no pixels.

Each face or plate that anything has seen is a *sighting*: which of three sources saw it, how large and how sharp it is,
whether it was hidden. The sources fail differently:

faces    YuNet on the whole picture; CenterFace on the whole picture; the inspection, where the rules expect a face on a person
plates   the detector; text recognition on the whole picture; the inspection, where the rules expect a plate on a vehicle

Whether the enlarged head of a person shows a face says how much the inspection's word is worth. A sighting may be a false
alarm. So each counts as much as such sightings were right on annotated photographs (RIGHT), and
how many no source saw is told from these counts (recapture.py), apart for large and small, sharp and blurred ones where there
are enough of each. The interval comes from drawing the images again and again (bootstrap), and from chance: who was
missed here is one draw of who might have been.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from aramis.images.geometry import centre, is_inside
from aramis.images.kept import Drawn
from aramis.images.records import Box, Finding, ImageRecord, Verdict
from aramis.images.risk.recapture import histories, interval, log_linear, lower_bound, spread
from aramis.images.risk.review import Certified, SampleSize
from aramis.images.rules.expected import place

Floats = NDArray[np.float64]

SOURCES = {
    "face": ("yunet", "centerface", "people"),
    "plate": ("detector", "text", "vehicles"),
}
VOTE = 0.3  # of a network, from which on it has seen a face
SMALL = {"face": 32.0, "plate": 24.0}  # pixels of height, below which a sighting is small
BLURRED = 0.35  # of the contrast of a sharp edge
ENOUGH = 40  # sightings of each kind, or kinds are taken together
IMAGES = 4_000  # drawn at random, of a larger release
DRAWS = 400
METHOD = "log-linear model of three sources, by size and sharpness; bootstrap over images"

RIGHT: dict[str, dict[tuple[bool, ...], float]] = {
    "face": {
        (True, True, True, True, True): 0.937,
        (True, True, True, True, False): 0.533,
        (True, True, True, False, False): 0.485,
        (True, True, False, True, True): 0.535,
        (True, True, False, True, False): 0.312,
        (True, True, False, False, False): 0.192,
        (True, False, True, True, True): 0.625,
        (True, False, True, True, False): 0.26,
        (True, False, True, False, False): 0.088,
        (False, True, True, True, True): 0.25,
        (False, True, True, False, False): 0.25,
        (False, True, False, True, True): 0.216,
        (False, True, False, True, False): 0.133,
        (False, True, False, False, False): 0.066,
        (False, False, True, True, True): 0.167,
        (False, False, True, True, False): 0.061,
        (False, False, True, False, False): 0.027,
        (False, False, False, True, True): 0.155,
        (False, False, False, True, False): 0.043,
    },
    "plate": {
        (True, True, True, True, False): 0.993,
        (True, True, True, False, False): 0.9,
        (True, True, False, True, False): 0.465,
        (True, True, False, False, False): 0.191,
        (False, True, True, False, False): 0.167,
        (False, True, False, True, False): 0.062,
        (False, True, False, False, False): 0.01,
        (False, False, True, False, False): 0.833,
        (False, False, False, True, False): 0.018,
    },
}
"""By whether detectors would hide it, who saw it, and whether an enlarged head shows it: how often a sighting was right, as `python -m benchmarks.estimates` prints it."""
NOT_MEASURED = 0.5  # of those that are too rare


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
    strata = _strata(every)
    counts = _counts(kind, images, strata)  # image, stratum, history
    draw = np.random.default_rng(0).multinomial(len(images), np.full(len(images), 1 / len(images)), DRAWS)
    again = np.tensordot(draw, counts, axes=1)
    unseen = float(log_linear(counts.sum(axis=0), 3).sum())
    unseen_again = log_linear(again, 3).sum(axis=1)
    open_ = np.array(
        [_right(one for one in image if one.kind == kind and not one.is_hidden) for image in images]
    )
    # besides what drawing tells: how many are open here is one draw of how many might have been (Poisson)
    variance = spread(unseen_again + draw @ open_) ** 2 + unseen + float(open_.sum())
    low, high = interval(unseen + float(open_.sum()), variance)
    return Missed(
        estimate=round(scale * (unseen + float(open_.sum())), 1),
        low=round(scale * low, 1),
        high=round(scale * high, 1),
        method=METHOD,
        sources=SOURCES[kind],
        hidden=round(scale * _right(one for one in every if one.is_hidden), 1),
        seen_open=round(scale * float(open_.sum()), 1),
        unseen=round(scale * unseen, 1),
        unseen_at_least=round(scale * float(lower_bound(counts.sum(axis=0), 3).sum()), 1),
        images=round(scale * len(images)),
    )


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
    for face in record.targets:
        if face.kind == "face" and face.votes:
            is_confirmed = face.id in in_heads
            seen_by = (*_votes(face.votes), is_confirmed or face.id in borne)
            yield Sighting(
                "face",
                seen_by,
                face.method is not None,
                face.box,
                sharp.get(face.id),
                is_confirmed,
                is_target=True,
            )
    opened = [finding for finding in heads if finding.leak and finding.box]
    for finding in opened:
        votes = next((other.votes for other in again if _same(finding, other)), None) or {}
        yield Sighting(
            "face", (*_votes(votes), True), False, _box(finding), finding.sharpness, is_confirmed=True
        )
    rest = [finding for finding in again if not any(_same(finding, other) for other in opened)]
    for finding in rest:
        seen_by = (*_votes(finding.votes or {}), _lies_in(finding, [one.box for one in leaking]))
        if any(seen_by):
            yield Sighting("face", seen_by, False, _box(finding), finding.sharpness)
    for person in leaking:
        if not any(is_inside(centre(_box(finding)), person.box) for finding in (*opened, *rest)):
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
    for plate in record.targets:
        if plate.kind == "plate":
            seen_by = (True, plate.id in in_text, plate.id in borne)
            yield Sighting(
                "plate", seen_by, plate.method is not None, plate.box, sharp.get(plate.id), is_target=True
            )
    opened = [finding for finding in texts if finding.kind == "text" and finding.leak]
    for finding in opened:
        by_detector = any(_same(finding, other) for other in again)
        yield Sighting(
            "plate", (by_detector, True, _lies_in(finding, leaking)), False, _box(finding), finding.sharpness
        )
    rest = [finding for finding in again if not any(_same(finding, other) for other in opened)]
    for finding in rest:
        yield Sighting(
            "plate", (True, False, _lies_in(finding, leaking)), False, _box(finding), finding.sharpness
        )
    for box in leaking:
        if not any(is_inside(centre(_box(finding)), box) for finding in (*opened, *rest)):
            yield Sighting("plate", (False, False, True), False, box)


def _leaks(findings: Iterable[Finding], kind: str) -> list[Finding]:
    return [finding for finding in findings if finding.leak and finding.kind == kind and finding.box]


def _votes(votes: dict[str, float]) -> tuple[bool, bool]:
    """Which of the two networks saw a face; the surer one did in any case."""
    said = [votes.get(name, 0.0) for name in SOURCES["face"][:2]]
    first, second = (vote >= VOTE or vote == max(said) > 0 for vote in said)
    return first, second


def _same(one: Finding, other: Finding) -> bool:
    return is_inside(centre(_box(one)), _box(other)) or is_inside(centre(_box(other)), _box(one))


def _lies_in(finding: Finding, boxes: list[Box]) -> bool:
    return any(is_inside(centre(_box(finding)), box) for box in boxes)


def _box(finding: Finding) -> Box:
    assert finding.box is not None, "what was found in pixels has a place"
    return finding.box


def right(one: Sighting) -> float:
    """How often such a sighting was right on annotated photographs."""
    return RIGHT[one.kind].get((one.is_target, *one.seen_by, one.is_confirmed), NOT_MEASURED)


def _right(some: Iterable[Sighting]) -> float:
    return sum(right(one) for one in some)


def _strata(every: list[Sighting]) -> Callable[[Sighting], int]:
    """The finest division by size and sharpness of which each part has enough sightings: its number for each."""
    for divide in (_by_both, _by_size):
        sizes = np.bincount([divide(one) for one in every])
        if all(size == 0 or size >= ENOUGH for size in sizes):
            return divide
    return lambda _: 0


def _by_size(one: Sighting) -> int:
    return int(one.box[3] - one.box[1] < SMALL[one.kind])


def _by_both(one: Sighting) -> int:
    return 2 * _by_size(one) + int(one.sharpness is not None and one.sharpness < BLURRED)


def _counts(kind: str, images: list[list[Sighting]], stratum: Callable[[Sighting], int]) -> Floats:
    """For each image, stratum and history the number of sightings, false alarms taken off."""
    column = {history: index for index, history in enumerate(histories(3))}
    counts = np.zeros((len(images), 4, len(column)))
    for row, image in enumerate(images):
        for one in image:
            if one.kind == kind:
                counts[row, stratum(one), column[one.seen_by]] += right(one)
    return counts
