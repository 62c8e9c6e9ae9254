"""A record in, the same record with a verdict for each carrier out."""

from collections.abc import Iterable

import msgspec

from aramis.errors import BadInput
from aramis.images.records import Carrier, CarrierKind, ImageRecord, Verdict
from aramis.images.rules import people, vehicles
from aramis.images.rules.assignment import Assign, first_come
from aramis.images.rules.scene import Rule, Scene, code, scene
from aramis.images.rules.thresholds import Thresholds


class RuleSet(msgspec.Struct, frozen=True):
    """How targets are assigned, and which rules excuse a carrier that has none."""

    name: str
    assign: Assign
    excuses: dict[CarrierKind, tuple[Rule, ...]]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule once, in order."""
        return tuple(dict.fromkeys(rule for rules in self.excuses.values() for rule in rules))


PUBLISHED = RuleSet("published", first_come, {"person": people.PUBLISHED, "vehicle": vehicles.PUBLISHED})
RULE_SETS = (PUBLISHED,)
DEFAULT = "published"


def rule_set(name: str) -> RuleSet:
    """The rule set of this name."""
    for rules in RULE_SETS:
        if rules.name == name:
            return rules
    raise BadInput(
        f"there are no rules called {name}; there are {', '.join(rules.name for rules in RULE_SETS)}"
    )


def judge(
    record: ImageRecord, rules: RuleSet = PUBLISHED, thresholds: Thresholds | None = None
) -> ImageRecord:
    """Give every carrier above the detection floor a verdict; the others have none and count nowhere."""
    seen = scene(record, thresholds or Thresholds())
    judged = {carrier.id: carrier for carrier in _judged(seen, rules)}
    unjudged = {"verdict": None, "target": None, "reasons": (), "why": ()}
    return msgspec.structs.replace(
        record,
        carriers=tuple(
            judged[carrier.id] if carrier.id in judged else msgspec.structs.replace(carrier, **unjudged)
            for carrier in record.carriers
        ),
    )


def _judged(seen: Scene, rules: RuleSet) -> Iterable[Carrier]:
    taken = rules.assign(seen)
    for carrier in seen.carriers:
        if targets := taken.get(carrier.id):
            yield _verdict(carrier, Verdict.ANONYMIZED, target=targets[0])
        elif excuses := _excuses(rules.excuses[carrier.kind], seen, carrier):
            yield _verdict(carrier, Verdict.UNRECOGNISABLE, excuses=excuses)
        else:
            yield _verdict(carrier, Verdict.LEAK)


def _excuses(rules: Iterable[Rule], seen: Scene, carrier: Carrier) -> dict[str, str]:
    """Every reason that holds: its code, and the sentence."""
    return {code(rule): why for rule in rules if (why := rule(seen, carrier))}


def _verdict(
    carrier: Carrier, verdict: Verdict, *, target: int | None = None, excuses: dict[str, str] | None = None
) -> Carrier:
    return msgspec.structs.replace(
        carrier,
        verdict=verdict,
        target=target,
        reasons=tuple(excuses or ()),
        why=tuple((excuses or {}).values()),
    )
