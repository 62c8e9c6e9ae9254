"""What a release comes to: the measures, the leaks, and all that is needed to believe them.

Assessment
├── People, Vehicles, Overall   counts and measures under the chosen rules
├── Measures by rules           the same three under every rule set
├── Leak                        one carrier for a person to look at
├── LooseTarget                 one face or plate on nobody: on a poster, on a stand
└── Quarantined                 one file that could not be processed, and was not copied
"""

from typing import Any

import msgspec

from aramis.images.records import Box, CarrierKind
from aramis.images.risk.checks import Checked
from aramis.images.risk.estimates import Estimates
from aramis.images.risk.quality import Counts, quality, risk
from aramis.images.risk.sensitivity import Moved
from aramis.images.risk.tracks import Tracks


class People(msgspec.Struct, frozen=True):
    """TDP people detected, PAP properly anonymized, PNRF with no recognisable face."""

    TDP: int
    PAP: int
    PNRF: int
    PAQ: float | None
    PARAM: float | None


class Vehicles(msgspec.Struct, frozen=True):
    """TDV vehicles detected, PAV properly anonymized, VNRLP with no recognisable licence plate."""

    TDV: int
    PAV: int
    VNRLP: int
    VAQ: float | None
    VARAM: float | None


class Overall(msgspec.Struct, frozen=True):
    """ASA all carriers, PA properly anonymized, SANP with no recognisable target."""

    ASA: int
    PA: int
    SANP: int
    AQ: float | None
    ARAM: float | None


class Measures(msgspec.Struct, frozen=True):
    """The three families of measures under one rule set."""

    people: People
    vehicles: Vehicles
    overall: Overall


class Leak(msgspec.Struct, frozen=True, kw_only=True):
    """A carrier whose target should be recognisable and was not hidden."""

    image: str
    frame: int | None
    carrier: int
    kind: CarrierKind
    box: Box
    score: float


class LooseTarget(msgspec.Struct, frozen=True, kw_only=True):
    """A target that lies in no carrier; listed, because the rules say nothing of it."""

    image: str
    frame: int | None
    target: int
    kind: str
    box: Box


class Quarantined(msgspec.Struct, frozen=True):
    """A file that could not be processed, and was not copied."""

    image: str
    why: str


def measures(people: Counts, vehicles: Counts) -> Measures:
    """The published measures of these counts."""
    both = people + vehicles
    return Measures(
        People(people.total, people.anonymized, people.unrecognisable, quality(people), risk(people)),
        Vehicles(
            vehicles.total, vehicles.anonymized, vehicles.unrecognisable, quality(vehicles), risk(vehicles)
        ),
        Overall(both.total, both.anonymized, both.unrecognisable, quality(both), risk(both)),
    )


_NOTHING = measures(Counts(), Counts())


class Assessment(msgspec.Struct, frozen=True, kw_only=True):
    """assessment.json."""

    images: int = 0
    frames: int = 0
    tracks: Tracks = Tracks()  # of videos: who and what the frames show, each counted once
    quarantined: tuple[Quarantined, ...] = ()
    rules: str = ""
    people: People = _NOTHING.people
    vehicles: Vehicles = _NOTHING.vehicles
    overall: Overall = _NOTHING.overall
    by_rules: dict[str, Measures] = {}
    reasons: dict[str, int] = {}
    leaks: tuple[Leak, ...] = ()  # the worst first
    leaks_not_listed: int = 0  # more than fit; every one stands in the records
    targets_without_carrier: tuple[LooseTarget, ...] = ()  # the largest first
    targets_without_carrier_not_listed: int = 0
    checks: dict[str, Checked] = {}  # of the released pixels; one that is not here did not run
    estimates: Estimates = Estimates()  # of what nobody saw, and of how many pictures a person must look at
    thresholds: dict[str, float] = {}
    sensitivity: dict[
        str, tuple[Moved, ...]
    ] = {}  # how ARAM moves with each threshold, on a sample of the records
    models: tuple[dict[str, Any], ...] = ()
    versions: dict[str, str] = {}
    seconds: dict[str, float] = {}

    @property
    def has_leaks(self) -> bool:
        """Whether there is something to look at: by the rules, by a check, or by somebody who has looked."""
        reviews = (self.estimates.reviewed, self.estimates.reviewed_tracks)
        seen = any(review.with_leaks for review in reviews if review)
        return seen or bool(self.leaks) or any(check.leaks for check in self.checks.values())
