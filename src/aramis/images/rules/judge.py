"""A record in, the same record with a verdict for each carrier out."""

from collections.abc import Iterable

import msgspec

from aramis.errors import BadInput
from aramis.images.records import Carrier, CarrierKind, ImageRecord, Verdict
from aramis.images.rules import people, vehicles
from aramis.images.rules.assignment import Assign, first_come, least_cost
from aramis.images.rules.scene import Answer, Rule, Scene, code, scene
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
STRICT = RuleSet("strict", least_cost, {"person": people.STRICT, "vehicle": vehicles.STRICT})
RULE_SETS = (STRICT, PUBLISHED)
DEFAULT = STRICT.name


def rule_set(name: str) -> RuleSet:
    """The rule set of this name."""
    for rules in RULE_SETS:
        if rules.name == name:
            return rules
    raise BadInput(
        f"there are no rules called {name}; there are {', '.join(rules.name for rules in RULE_SETS)}"
    )


def judge(record: ImageRecord, rules: RuleSet = STRICT, thresholds: Thresholds | None = None) -> ImageRecord:
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
            yield msgspec.structs.replace(
                carrier, verdict=Verdict.ANONYMIZED, target=targets[0], reasons=(), why=()
            )
        else:
            yield _without_target(
                carrier, {code(rule): rule(seen, carrier) for rule in rules.excuses[carrier.kind]}
            )


def _without_target(carrier: Carrier, answers: dict[str, Answer]) -> Carrier:
    """Excused with every reason that holds; or a leak, with what each rule measured."""
    holding = {name: answer for name, answer in answers.items() if answer.excused}
    return msgspec.structs.replace(
        carrier,
        verdict=Verdict.UNRECOGNISABLE if holding else Verdict.LEAK,
        target=None,
        reasons=tuple(holding),
        why=tuple(answer.why for answer in (holding or answers).values()),
    )
