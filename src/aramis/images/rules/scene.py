"""What a rule sees: one record, its carriers above the floor, the thresholds. And what it answers."""

from collections.abc import Callable

import msgspec

from aramis.images.records import Carrier, ImageRecord
from aramis.images.rules.thresholds import Thresholds


class Scene(msgspec.Struct, frozen=True):
    """One image as the rules see it."""

    record: ImageRecord
    carriers: tuple[Carrier, ...]  # those above the detection floor
    thresholds: Thresholds


class Answer(msgspec.Struct, frozen=True):
    """Whether a carrier is excused, and in either case why: a sentence with what was measured."""

    excused: bool
    why: str


Rule = Callable[[Scene, Carrier], Answer]
"""Says of a carrier to which no target belongs whether it holds none that could be recognised."""


def code(rule: Rule) -> str:
    """What a rule is counted as: `turned-away` for `turned_away`."""
    return rule.__name__.replace("_", "-")


def scene(record: ImageRecord, thresholds: Thresholds) -> Scene:
    """A record as the rules see it: with the carriers that reach the detection floor."""
    above = tuple(carrier for carrier in record.carriers if carrier.score >= thresholds.detection_floor)
    return Scene(record, above, thresholds)
