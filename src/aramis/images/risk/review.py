"""What looking at a random sample proves: how many to look at for a wanted leak rate, and what those looked at certify.

Exact, for units drawn without replacement from the release: nothing is assumed but that they were drawn at random, and that
whoever looks sees a leak. Units must be independent: of videos tracks are drawn, not frames, since a face that is open in one
frame is open in the next.
"""

from collections.abc import Iterable, Iterator
from math import ceil

import msgspec

from aramis.images.records import ImageRecord

CONFIDENCE = 0.95
RATES = (0.05, 0.01, 0.001)
_SLACK = 1e-9  # 0.01 times 300 is 3, whatever binary fractions make of it


class Unit(msgspec.Struct, frozen=True):
    """What is drawn and looked at as a whole: an image; or a person or a vehicle, as long as a video follows it."""

    image: str
    what: str = "image"
    track: int | None = None


class SampleSize(msgspec.Struct, frozen=True):
    """So many images, or tracks, drawn at random and free of leaks, certify a leak rate below this."""

    leak_rate: float
    confidence: float
    images: int
    tracks: int = 0


class Certified(msgspec.Struct, frozen=True):
    """What a review certifies: at this confidence no more than this share of all images, or tracks, has a leak."""

    reviewed: int
    with_leaks: int
    confidence: float
    leak_rate_at_most: float


def units(record: ImageRecord) -> Iterator[Unit]:
    """Those that a record shows: a photograph is one; a frame shows those who are followed in it."""
    if record.frame is None:
        yield Unit(record.image)
        return
    for carrier in record.carriers:
        if carrier.track is not None:
            yield Unit(record.image, carrier.kind, carrier.track)


def sample_sizes(images: int, tracks: int = 0) -> tuple[SampleSize, ...]:
    """For each of the usual leak rates at how many of so many images and tracks a person must look."""
    return tuple(
        SampleSize(rate, CONFIDENCE, sample_size(images, rate), sample_size(tracks, rate))
        for rate in RATES
        if images or tracks
    )


def sample_size(images: int, leak_rate: float, confidence: float = CONFIDENCE) -> int:
    """The fewest images which, free of leaks, certify that less than this share of all has one (hypergeometric).

    >>> sample_size(10_000, 0.01)
    294
    >>> sample_size(120, 0.01)  # 2 of 120 would be too many
    93
    """
    leaking = max(1, ceil(leak_rate * images - _SLACK))
    unseen = 1.0  # the chance that none of the leaking ones is among those drawn
    for drawn in range(images):
        if unseen <= 1 - confidence + _SLACK:
            return drawn
        unseen *= max(images - drawn - leaking, 0) / (images - drawn)
    return images


def certified(
    reviewed: int, with_leaks: int, images: int | None = None, confidence: float = CONFIDENCE
) -> Certified:
    """The leak rate that a review of so many images excludes from above, when so many of them had a leak.

    Of a release of so many images by the hypergeometric distribution; without their number by the binomial: Clopper, Pearson,
    "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 1934.

    >>> certified(299, 0).leak_rate_at_most < 0.01
    True
    """
    from scipy.stats import beta, hypergeom  # type: ignore[import-untyped]

    if images is None:
        most = (
            1.0
            if with_leaks == reviewed
            else float(beta.ppf(confidence, with_leaks + 1, reviewed - with_leaks))
        )
        return Certified(reviewed, with_leaks, confidence, most)
    low, high = with_leaks, images - (reviewed - with_leaks)
    while low < high:  # the most leaking images with which so few in the sample are no surprise
        middle = (low + high + 1) // 2
        if hypergeom.cdf(with_leaks, images, middle, reviewed) > 1 - confidence:
            low = middle
        else:
            high = middle - 1
    return Certified(reviewed, with_leaks, confidence, low / max(images, 1))


def certified_by_units(
    looked_at: Iterable[tuple[Unit, bool]], units: int | None = None, confidence: float = CONFIDENCE
) -> Certified:
    """The same from all that was looked at, each with the unit that it shows and whether it leaks.

    Frames of one track leak together: a unit counts once, and leaks where anything that was looked at of it does.
    """
    leaking: dict[Unit, bool] = {}
    for unit, leaks in looked_at:
        leaking[unit] = leaking.get(unit, False) or leaks
    return certified(len(leaking), sum(leaking.values()), units, confidence)
