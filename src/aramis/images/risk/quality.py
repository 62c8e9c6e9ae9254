"""Anonymization quality: of all carriers, the share that nobody can be recognised by.

The same quantity over three sets of carriers (Aramburu, Redó, García-Castaño 2024): AQ over all, PAQ over people, VAQ over
vehicles. Counts add up, so a million images are judged one at a time.
"""

from collections.abc import Iterable

import msgspec

from aramis.images.records import Carrier, Verdict


class Counts(msgspec.Struct, frozen=True):
    """How many carriers got which verdict."""

    anonymized: int = 0
    unrecognisable: int = 0
    leaks: int = 0

    @property
    def total(self) -> int:
        return self.anonymized + self.unrecognisable + self.leaks

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.anonymized + other.anonymized,
            self.unrecognisable + other.unrecognisable,
            self.leaks + other.leaks,
        )


def counts(carriers: Iterable[Carrier]) -> Counts:
    """The verdicts of some carriers, counted; a carrier without a verdict counts nowhere."""
    verdicts = [carrier.verdict for carrier in carriers]
    return Counts(
        *(verdicts.count(kind) for kind in (Verdict.ANONYMIZED, Verdict.UNRECOGNISABLE, Verdict.LEAK))
    )


def quality(of: Counts) -> float | None:
    """AQ = (PA + SANP) / ASA: properly anonymized, and those with no recognisable target, over all carriers.

    Over people PAQ = (PAP + PNRF) / TDP, over vehicles VAQ = (PAV + VNRLP) / TDV. None where there are no carriers:
    nothing to assess is not the same as nothing to hide.
    """
    return (of.anonymized + of.unrecognisable) / of.total if of.total else None


def risk(of: Counts) -> float | None:
    """ARAM = 1 - AQ; over people PARAM = 1 - PAQ, over vehicles VARAM = 1 - VAQ."""
    return of.leaks / of.total if of.total else None
