"""What a report tells, gathered in one pass over the records: counts, and the cases whose pictures are shown.

Memory holds the cases that are shown and nothing else, so a million records make a report too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import msgspec

from aramis.images.assess import without_carrier
from aramis.images.files.assessments import read_assessment
from aramis.images.files.jsonl import read_records
from aramis.images.kept import Drawn
from aramis.images.records import Box, Carrier, Finding, ImageRecord, Target, Verdict
from aramis.images.risk.assessment import Assessment, Overall, People, Vehicles

EXAMPLES = 3  # of each reason, and of what is anonymized: enough to see what a rule excuses
LOOSE = 12
OF_A_CHECK = 12  # leaks of each check


class Case(msgspec.Struct, frozen=True):
    """One carrier or target, or what a check found, with the record it stands in."""

    record: ImageRecord
    thing: Carrier | Target | Finding


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """A release as its report tells it."""

    assessment: Assessment
    targets: dict[tuple[str, str], int]  # kind and method → how many
    images_with_leaks: int
    leaks: tuple[Case, ...]  # the worst first
    examples: dict[str, tuple[Case, ...]]  # reason, or "anonymized" → some drawn at random
    loose: tuple[Case, ...]  # targets without a carrier, the largest first
    check_leaks: dict[str, tuple[Case, ...]]  # by check, those that can be shown, the worst first

    @property
    def cases(self) -> Iterator[Case]:
        """All that are shown."""
        return chain(self.leaks, self.loose, *self.examples.values(), *self.check_leaks.values())


def findings(release: Path, *, leaks: int) -> Findings:
    """What a release folder holds; so many leaks are shown."""
    assessment = read_assessment(release / "assessment.json")
    return gathered(assessment, read_records(release / "records.jsonl"), leaks=leaks)


def gathered(assessment: Assessment, records: Iterable[ImageRecord], *, leaks: int) -> Findings:
    """The same from an assessment and its records."""
    worst = {
        (leak.image, leak.frame, leak.carrier): rank for rank, leak in enumerate(assessment.leaks[:leaks])
    }
    loose = {
        (one.image, one.frame, one.target): rank
        for rank, one in enumerate(assessment.targets_without_carrier[:LOOSE])
    }
    targets: Counter[tuple[str, str]] = Counter()
    with_leaks = 0
    shown: dict[int, Case] = {}
    shown_loose: dict[int, Case] = {}
    drawn: dict[str, Drawn[Case]] = {}
    of_checks = _CheckLeaks(assessment)
    for record in records:
        targets.update((target.kind, target.method or "not hidden") for target in record.targets)
        with_leaks += any(carrier.verdict is Verdict.LEAK for carrier in record.carriers)
        for carrier in record.carriers:
            for reason in carrier.reasons or (
                ["anonymized"] if carrier.verdict is Verdict.ANONYMIZED else []
            ):
                drawn.setdefault(reason, Drawn(EXAMPLES)).offer(Case(record, carrier))
            if (rank := worst.get((record.image, record.frame, carrier.id))) is not None:
                shown[rank] = Case(record, carrier)
        of_checks.add(record)
        for target in without_carrier(record):
            if (rank := loose.get((record.image, record.frame, target.id))) is not None:
                shown_loose[rank] = Case(record, target)
    return Findings(
        assessment=assessment,
        targets=dict(targets.most_common()),
        images_with_leaks=with_leaks,
        leaks=tuple(shown[rank] for rank in sorted(shown)),
        examples={reason: tuple(some.drawn) for reason, some in drawn.items()},
        loose=tuple(shown_loose[rank] for rank in sorted(shown_loose)),
        check_leaks=of_checks.worst(),
    )


class _CheckLeaks:
    """The leaks of each check that are shown, met again in the records."""

    def __init__(self, assessment: Assessment) -> None:
        self._rank: dict[tuple[str, str, int | None, Box], int] = {
            (name, leak.image, leak.frame, leak.box): rank
            for name, check in assessment.checks.items()
            for rank, leak in enumerate(check.listed[:OF_A_CHECK])
            if leak.box is not None
        }
        self._met: dict[str, dict[int, Case]] = {}

    def add(self, record: ImageRecord) -> None:
        for name, findings in (record.checks or {}).items():
            for finding in findings:
                place = name, record.image, record.frame, finding.box
                if finding.box is not None and (rank := self._rank.get(place)) is not None:  # type: ignore[arg-type]  # it has a box
                    self._met.setdefault(name, {})[rank] = Case(record, finding)

    def worst(self) -> dict[str, tuple[Case, ...]]:
        return {name: tuple(met[rank] for rank in sorted(met)) for name, met in self._met.items()}


class Row(msgspec.Struct, frozen=True):
    """One line of the table of measures."""

    rules: str
    who: str
    total: int
    anonymized: int
    unrecognisable: int
    quality_name: str
    quality: float | None
    risk_name: str
    risk: float | None

    @property
    def leaks(self) -> int:
        return self.total - self.anonymized - self.unrecognisable


def measure_rows(assessment: Assessment) -> list[Row]:
    """The measures under every rule set, the one in use first. The fields of each measure are in the paper's order."""
    used_first = sorted(assessment.by_rules.items(), key=lambda named: named[0] != assessment.rules)
    return [
        _row(name, who, family)
        for name, of in used_first
        for who, family in (("people", of.people), ("vehicles", of.vehicles), ("all", of.overall))
    ]


def _row(rules: str, who: str, family: People | Vehicles | Overall) -> Row:
    total, anonymized, unrecognisable, quality, risk = msgspec.structs.astuple(family)
    *_, quality_name, risk_name = family.__struct_fields__
    return Row(rules, who, total, anonymized, unrecognisable, quality_name, quality, risk_name, risk)
