"""What the checks of the released pixels come to: for each how much it looked at, and the leaks it found, the worst listed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from aramis.images.kept import Worst
from aramis.images.records import Box, Finding, ImageRecord

LISTED = 1_000  # leaks of one check; every one stands in the records


class CheckLeak(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something in a released file by which somebody could be known."""

    image: str
    frame: int | None = None
    kind: str
    box: Box | None = None
    target: int | None = None
    value: float | None = None
    why: str = ""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What one check came to over all images."""

    images: int = 0  # in which it ran, frames included
    images_with_leaks: int = 0
    cases: int = 0  # what it measured or found: hidden regions, faces, lines of text, words of metadata
    leaks: int = 0
    mean: float | None = None  # of what it measured
    highest: float | None = None
    listed: tuple[CheckLeak, ...] = ()  # leaks, the worst first
    not_listed: int = 0  # more than fit
    more: dict[str, Any] = {}  # what this check alone has to tell


def with_more(
    checks: Mapping[str, Checked], told: Mapping[str, Callable[[], dict[str, Any]]]
) -> dict[str, Checked]:
    """The checks with what some have to tell of the whole set; who has nothing new to tell keeps what was told before."""
    more = {name: tell() for name, tell in told.items() if name in checks}
    return {
        name: msgspec.structs.replace(check, more=more[name]) if more.get(name) else check
        for name, check in checks.items()
    }


class CheckTally:
    """Adds up what checks found as records go by."""

    def __init__(self) -> None:
        self._sums: dict[str, _Sum] = {}

    def add(self, record: ImageRecord) -> None:
        for name, findings in (record.checks or {}).items():
            self._sums.setdefault(name, _Sum()).add(record, findings)

    def total(self, before: Mapping[str, Checked]) -> dict[str, Checked]:
        """Every check that ran; what no record tells is that of `before`."""
        told = {name: one.total(before.get(name, Checked()).more) for name, one in self._sums.items()}
        return {**before, **told}


class _Sum:
    """One check's."""

    def __init__(self) -> None:
        self.images = self.images_with_leaks = self.cases = self.leaks = self.measured = 0
        self.sum, self.highest = 0.0, 0.0
        self.worst = Worst[CheckLeak](LISTED)

    def add(self, record: ImageRecord, findings: tuple[Finding, ...]) -> None:
        leaks = list(_leaks(record, findings))
        values = [finding.value for finding in findings if finding.value is not None]
        self.images += 1
        self.images_with_leaks += bool(leaks)
        self.cases += len(findings)
        self.leaks += len(leaks)
        self.measured += len(values)
        self.sum += sum(values)
        self.highest = max([self.highest, *values])
        for leak in leaks:
            self.worst.add(1.0 if leak.value is None else leak.value, leak)

    def total(self, more: dict[str, Any]) -> Checked:
        return Checked(
            images=self.images,
            images_with_leaks=self.images_with_leaks,
            cases=self.cases,
            leaks=self.leaks,
            mean=round(self.sum / self.measured, 4) if self.measured else None,
            highest=round(self.highest, 4) if self.measured else None,
            listed=self.worst.first(),
            not_listed=self.worst.dropped,
            more=more,
        )


def _leaks(record: ImageRecord, findings: tuple[Finding, ...]) -> Iterator[CheckLeak]:
    for finding in findings:
        if finding.leak:
            yield CheckLeak(
                image=record.image,
                frame=record.frame,
                kind=finding.kind,
                box=finding.box,
                target=finding.target,
                value=finding.value,
                why=finding.why,
            )
