"""What a check is: the pixels of an original and of its release, the record of both → what it found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from aramis.images.network import Pixels
from aramis.images.records import Finding, ImageRecord

Check = Callable[[Pixels, Pixels, ImageRecord], Sequence[Finding]]
"""Both pictures are of one size, as displayed, red first."""
FileCheck = Callable[[bytes | Path], Sequence[Finding]]
"""What else than pixels is in a released file: the bytes of a photograph, the path of a video."""

NAMES = ("changed", "residual", "heads", "reidentification", "legibility", "metadata")


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of a run, by name; and what some have to tell of the whole set when it is through."""

    pixels: Mapping[str, Check] = field(default_factory=dict)
    files: Mapping[str, FileCheck] = field(default_factory=dict)
    told: Mapping[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [*self.pixels, *self.files]


NO_CHECKS = Checks()


def checked(
    record: ImageRecord, original: Pixels, released: Pixels, checks: Mapping[str, Check]
) -> ImageRecord:
    """The record with what every check found, each by its name."""
    if not checks:
        return record
    found = {name: tuple(check(original, released, record)) for name, check in checks.items()}
    return with_findings(with_changes(record, found.get("changed", ())), found)


def with_files(record: ImageRecord, file: bytes | Path, checks: Mapping[str, FileCheck]) -> ImageRecord:
    """The record with what the checks found in the file besides its pixels."""
    return with_findings(record, {name: check(file) for name, check in checks.items()}) if checks else record


def with_findings(record: ImageRecord, found: Mapping[str, Sequence[Finding]]) -> ImageRecord:
    """The record with what some checks found, beside what others have."""
    more = {name: tuple(findings) for name, findings in found.items()}
    return msgspec.structs.replace(record, checks={**(record.checks or {}), **more})


def with_changes(record: ImageRecord, changes: Sequence[Finding]) -> ImageRecord:
    """The record whose targets say whether their pixels are others now: the rules read that, and no findings."""
    same = {finding.target: finding.leak for finding in changes}
    return msgspec.structs.replace(
        record,
        targets=tuple(
            msgspec.structs.replace(target, changed=not same[target.id]) if target.id in same else target
            for target in record.targets
        ),
    )
