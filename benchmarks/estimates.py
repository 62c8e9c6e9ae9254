"""How good the estimates of what everybody missed are: `python -m benchmarks.estimates --data DIR --seen FOLDER`

What Aramis finds in annotated photographs is hidden; the truth of what is open is known. First, how often each kind of sighting is
right: by whom something was seen, and whether it was hidden (RIGHT in risk/estimates.py; to be fair, each half of the photographs is
estimated with what the other half says). Then, for sets of photographs drawn at random, what is estimated and what is true, and how
often the interval holds the truth; beside it what two sources by Chapman's formula say.

FOLDER holds what benchmarks.judge saw.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from unittest.mock import patch

import msgspec
import numpy as np
from benchmarks.annotations import SETS
from benchmarks.judge import Case, cases
from benchmarks.matching import share

from aramis.images.checks.residual import at_hidden, is_legible
from aramis.images.geometry import centre, is_inside
from aramis.images.records import Box, Finding, ImageRecord, Target
from aramis.images.risk import estimates
from aramis.images.risk.estimates import Sighting, missed, sightings
from aramis.images.risk.recapture import chapman
from aramis.images.rules.judge import judge

POOLS = {
    "face": ("faces_personfaces548", "faces_mask853"),
    "plate": ("plates_ro_dashcam", "plates_pl_roboflow"),
}
DRAWN, TIMES = 100, 200
Rates = dict[tuple[bool, ...], tuple[int, int]]
Photograph = tuple[list[Sighting], tuple[Box, ...]]


def released(case: Case) -> ImageRecord:
    """The record as a release has it: what was found is hidden, and the checks say what lies there."""
    targets = tuple(
        msgspec.structs.replace(one, id=place, method="blur") for place, one in enumerate(case.seen.targets)
    )
    checks = {"heads": (), "legibility": (), **(case.seen.checks or {})}
    told = {name: tuple(_held(finding, targets) for finding in found) for name, found in checks.items()}
    return judge(msgspec.structs.replace(case.seen, targets=targets, checks=told))


def _held(finding: Finding, targets: tuple[Target, ...]) -> Finding:
    assert finding.box
    at = at_hidden(Target(kind=finding.kind, box=finding.box), targets)
    return msgspec.structs.replace(finding, target=at.id if at else None, leak=finding.leak and at is None)


def with_truth(seen: list[Sighting], true: Iterable[Box]) -> Iterator[tuple[Sighting, bool]]:
    """Each sighting with whether it stands for a true one that no other stands for; hidden ones first."""
    left = list(true)
    for one in sorted(seen, key=lambda one: not one.is_hidden):
        there = next((box for box in left if _fits(one.box, box, one)), None)
        if there is not None:
            left.remove(there)
        yield one, there is not None


def _fits(found: Box, box: Box, one: Sighting) -> bool:
    if one.kind == "plate" and one.seen_by == (False, False, True):  # a vehicle: its plate lies in it
        return is_inside(centre(box), found)
    return is_inside(centre(found), box) or is_inside(centre(box), found)


def rates(
    photographs: Iterable[Photograph],
) -> dict[tuple[bool, ...], list[bool]]:
    """By whether it was hidden and who saw it: whether each was right."""
    found = defaultdict(list)
    for seen, true in photographs:
        for one, is_right in with_truth(seen, true):
            found[one.is_target, *one.seen_by, one.is_confirmed].append(is_right)
    return found


def told_rates(photographs: Iterable[Photograph]) -> Rates:
    """The same as counts: how many were right, of how many."""
    return {key: (sum(hits), len(hits)) for key, hits in rates(photographs).items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seen", type=Path, help="a folder that keeps what was seen")
    parser.add_argument("--kind", action="append", choices=list(POOLS))
    given = parser.parse_args()
    for kind in given.kind or POOLS:
        every = []
        for name in POOLS[kind]:
            photographs = [
                ([one for one in sightings(released(case)) if one.kind == kind], known_by(kind, case.true))
                for case in cases(name, SETS[name](given.data), given.seen)
            ]
            told(kind, name, photographs)
            every += photographs
        print(f"\nRIGHT of {kind}: {dict(sorted(told_rates(every).items(), reverse=True))}")


def known_by(kind: str, true: Iterable[Box]) -> tuple[Box, ...]:
    """Those that are large enough for somebody to be known by them: of others no check speaks, and no estimate."""
    return tuple(box for box in true if is_legible(Target(kind=kind, box=box)))


def told(kind: str, name: str, photographs: list[Photograph]) -> None:
    print(f"\n{name}, {len(photographs)} photographs\n\n| hidden | seen by | right |\n| --- | --- | --- |")
    for (hidden, *seen_by, confirmed), hits in sorted(rates(photographs).items(), reverse=True):
        who = ", ".join(source for source, saw in zip(estimates.SOURCES[kind], seen_by, strict=True) if saw)
        who += ", in an enlarged head" if confirmed else ""
        print(f"| {'yes' if hidden else 'no'} | {who} | {share(sum(hits), len(hits))} |")
    halves = photographs[::2], photographs[1::2]
    print(
        "\n| | truth: open | of them unseen by all | estimated open (95 %) | unseen | at least unseen | by sample coverage |"
        " Chapman, two sources, raw | said to be too low |"
    )
    print("| --- |" + " --- |" * 8)
    for number, (half, other) in enumerate((halves, halves[::-1]), start=1):
        learnt = told_rates(other)
        print(f"| half {number} | {' | '.join(map(str, compared(kind, half, learnt)))} |")
    print(f"\n{covering(kind, halves)}")


def compared(kind: str, some: list[Photograph], learnt: Rates) -> list[object]:
    opened, unseen = truth(some)
    with patch.dict(estimates.RIGHT, {kind: learnt}):
        found = missed(kind, [seen for seen, _ in some])
    if found is None:
        return [opened, unseen, *"------"]
    every = [one for seen, _ in some for one in seen]
    first, second = (sum(one.seen_by[source] for one in every) for source in (0, 2))
    both = sum(one.seen_by[0] and one.seen_by[2] for one in every)
    interval = f"{found.estimate} ({found.low}-{found.high})"
    return [
        opened,
        unseen,
        interval,
        found.unseen,
        found.unseen_at_least,
        found.unseen_by_coverage,
        round(chapman(first, second, both), 1),
        "yes" if found.caution else "no",
    ]


def truth(some: Iterable[Photograph]) -> tuple[int, int]:
    """How many true ones are open, and how many of these nobody has seen."""
    opened = unseen = 0
    for seen, true in some:
        hits = [one for one, is_right in with_truth(seen, true) if is_right]
        opened += len(true) - sum(one.is_hidden for one in hits)
        unseen += len(true) - len(hits)
    return opened, unseen


def covering(kind: str, halves: tuple[list[Photograph], ...]) -> str:
    """How often the interval holds the truth, over sets drawn from one half with what the other half says."""
    draw, holds, off = np.random.default_rng(1), [], []
    for half, other in (halves, halves[::-1]):
        with patch.dict(estimates.RIGHT, {kind: told_rates(other)}):
            for _ in range(TIMES // 2):
                some = [
                    half[place]
                    for place in draw.choice(len(half), min(DRAWN, len(half) * 2 // 3), replace=False)
                ]
                found, (opened, _unseen) = missed(kind, [seen for seen, _ in some]), truth(some)
                if found is not None:
                    holds.append(found.low <= opened <= found.high)
                    off.append(found.estimate / max(opened, 1))
    if not holds:
        return "nothing was seen"
    return (
        f"Of {len(holds)} random sets the interval holds the truth in {share(sum(holds), len(holds))};"
        f" the estimate is {np.median(off):.2f} of the truth (median; 5-95 %: {np.quantile(off, 0.05):.2f}-{np.quantile(off, 0.95):.2f})."
    )


if __name__ == "__main__":
    main()
