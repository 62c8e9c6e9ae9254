"""What a check is: the pixels of an original and of its release, the targets that were hidden → what it found."""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from aramis.images.network import Pixels
from aramis.images.records import Finding, ImageRecord, Target

Check = Callable[[Pixels, Pixels, Sequence[Target]], Sequence[Finding]]
"""Both pictures are of one size, as displayed, red first."""


def checked(
    record: ImageRecord, original: Pixels, released: Pixels, checks: Mapping[str, Check]
) -> ImageRecord:
    """The record with what every check found, each by its name."""
    found = {name: tuple(check(original, released, record.targets)) for name, check in checks.items()}
    return msgspec.structs.replace(with_changes(record, found.get("changed", ())), checks=found)


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
