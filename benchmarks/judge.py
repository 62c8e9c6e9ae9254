"""How good the judge is: true faces and plates are left open, and the rules are asked who leaks.

    python -m benchmarks.judge --data DATA [--set faces_personfaces548] [--seen FOLDER]

Every true face or plate of an annotated photograph is taken as hidden but for a random quarter; the photograph is inspected, judged and
done again with the next quarter, until each has been open once. An open one is *flagged* when it lies in a carrier that the rules
call a leak, so that whoever looks at the leaks sees it. A flag without an open target in it is *burden*.

`--seen` keeps what the inspection saw, to judge again in seconds.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.annotations import SETS, Annotated
from benchmarks.matching import HEIGHTS, share

from aramis.images.files.jsonl import read_records, write_records
from aramis.images.geometry import centre, is_inside
from aramis.images.records import Box, Carrier, ImageRecord, Target, Verdict
from aramis.images.rules.judge import RULE_SETS, RuleSet, judge
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.look import Look, look_around
from aramis.images.unify import unify

ROUNDS = 4
BENCHED = ("faces_personfaces548", "faces_mask853", "plates_ro_dashcam", "plates_pl_roboflow")


class Case(NamedTuple):
    """One photograph: its true targets, and what the inspection saw."""

    kind: str
    true: tuple[Box, ...]
    seen: ImageRecord


class Open(NamedTuple):
    """A target that was left open."""

    height: float
    in_carrier: bool  # whether the inspection saw anything that it could belong to: else no rule can flag it
    flagged: bool


class Outcome(NamedTuple):
    """What the rules said of one photograph with some targets open; how many flags had none of them in it."""

    open: tuple[Open, ...]
    idle: int
    flags: int
    carriers: int


def cases(
    name: str, photographs: Iterable[Annotated], look: Look | None, kept: Path | None
) -> Iterator[Case]:
    """The photographs of a set, inspected; what was kept is not looked at again."""
    kind = "face" if name.startswith("faces") else "plate"
    path = kept / f"{name}.jsonl" if kept else None
    photographs = list(photographs)
    if path and path.exists():
        seen = {record.image: record for record in read_records(path)}
    else:
        seen = {
            photograph.path.name: _inspected(photograph.path, look or look_around(2))
            for photograph in photographs
        }
        if path:
            write_records(path, seen.values())
    for photograph in photographs:
        true = tuple(tuple(box) for box in photograph.boxes.tolist())
        yield Case(kind, true, seen[photograph.path.name])


def outcomes(case: Case, rules: RuleSet, thresholds: Thresholds, seed: int) -> Iterator[Outcome]:
    """Each quarter of the true targets left open in turn."""
    quarter = np.random.default_rng(seed).permutation(len(case.true)) % ROUNDS
    for turn in range(ROUNDS):
        hidden = [box for box, part in zip(case.true, quarter, strict=True) if part != turn]
        open_ = [box for box, part in zip(case.true, quarter, strict=True) if part == turn]
        yield outcome(case, hidden, open_, rules, thresholds)


def outcome(
    case: Case, hidden: Iterable[Box], open_: Iterable[Box], rules: RuleSet, thresholds: Thresholds
) -> Outcome:
    """What the rules say when these are hidden and those are open."""
    record = unify(
        case.seen.image,
        case.seen.width,
        case.seen.height,
        targets=[Target(kind=case.kind, box=box, method="blur") for box in hidden],
        carriers=[one for one in case.seen.carriers if (one.kind == "person") == (case.kind == "face")],
    )
    judged = [one for one in judge(record, rules, thresholds).carriers if one.verdict]
    leaks = [one for one in judged if one.verdict is Verdict.LEAK]
    return Outcome(
        tuple(
            Open(
                box[3] - box[1],
                any(_shows(one, box) for one in record.carriers),
                any(_shows(leak, box) for leak in leaks),
            )
            for box in open_
        ),
        sum(not any(_shows(leak, box) for box in open_) for leak in leaks),
        len(leaks),
        len(judged),
    )


def table(found: list[Outcome]) -> list[str]:
    """Lines: the share flagged by height, and the burden."""
    cases = [one for outcome in found for one in outcome.open]
    lines = []
    for low, high in HEIGHTS:
        chosen = [one for one in cases if low <= one.height < (high or np.inf)]
        name = f"{low}-{high} px" if high else f"{low} px and more" if low else "all"
        shares = (
            share(sum(which), len(chosen))
            for which in zip(*((one.in_carrier, one.flagged) for one in chosen), strict=True)
        )
        lines.append(f"| {name} | {' | '.join(map(str, shares)) or '- | -'} |")
    idle, flags = sum(one.idle for one in found), sum(one.flags for one in found)
    carriers = sum(one.carriers for one in found)
    return [
        *lines,
        f"| flags with nothing open in them: an image | | {idle / max(len(found), 1):.2f} |",
        f"| of the flags | | {share(idle, flags)} |",
        f"| of the carriers | | {share(idle, carriers)} |",
    ]


def _inspected(path: Path, look: Look) -> ImageRecord:
    from PIL import Image, ImageOps

    with Image.open(path) as image:
        pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    return unify(path.name, pixels.shape[1], pixels.shape[0], carriers=look(pixels))


def _shows(carrier: Carrier, box: Box) -> bool:
    return is_inside(centre(box), carrier.box)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", action="append", choices=BENCHED)
    parser.add_argument("--seen", type=Path, help="a folder that keeps what the inspection saw")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name in chosen.set or BENCHED:
        inspected = list(cases(name, SETS[name](chosen.data), None, chosen.seen))
        for rules in RULE_SETS:
            print(
                f"\n{name}, rules {rules.name}, {len(inspected)} photographs\n\n| left open | in a carrier | flagged |\n| --- | --- | --- |"
            )
            found = [
                one
                for place, case in enumerate(inspected)
                for one in outcomes(case, rules, Thresholds(), chosen.seed + place)
            ]
            print("\n".join(table(found)), flush=True)


if __name__ == "__main__":
    main()
