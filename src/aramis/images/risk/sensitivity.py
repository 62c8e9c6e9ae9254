"""How much the risk depends on each threshold: judged again with another value, all others as they are.

On at most SAMPLE records, drawn at random, so that it costs the same for a million images as for two thousand.
"""

from collections.abc import Iterable

import msgspec

from aramis.images.records import ImageRecord
from aramis.images.risk.quality import Counts, counts, risk
from aramis.images.rules.judge import RuleSet, judge
from aramis.images.rules.thresholds import Thresholds, described

SAMPLE = 2_000


class Moved(msgspec.Struct, frozen=True):
    """ARAM at one value of a threshold."""

    value: float
    ARAM: float | None


def sensitivity(
    records: Iterable[ImageRecord], rules: RuleSet, thresholds: Thresholds
) -> dict[str, tuple[Moved, ...]]:
    """For each threshold that these rules read: its value in use and those that are tried, from low to high."""
    records = list(records)
    used = ARAM(records, rules, thresholds)
    return {
        name: tuple(
            Moved(
                value,
                used
                if value == now
                else ARAM(records, rules, msgspec.structs.replace(thresholds, **{name: value})),
            )
            for now in [getattr(thresholds, name)]
            for value in sorted({now, *about["tried"]})
        )
        for name, about in described().items()
        if about["rules"] in (None, rules.name)
    }


def ARAM(records: Iterable[ImageRecord], rules: RuleSet, thresholds: Thresholds) -> float | None:  # noqa: N802  # its name
    """The risk over all carriers of these records."""
    verdicts = (counts(judge(record, rules, thresholds).carriers) for record in records)
    return risk(sum(verdicts, Counts()))
