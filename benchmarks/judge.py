"""How good the judge is: true faces and plates are left open, and every judge is asked where.

    python -m benchmarks.judge --data DATA [--set faces_personfaces548] [--seen FOLDER]

*Left open by chance*: every true face or plate of an annotated photograph is taken as hidden but for a random quarter, and again with the
next quarter, until each has been open once. *Left open by Aramis*: what Aramis itself finds is hidden, and what it misses is open.

An open one is *flagged* by the rules when it lies in a carrier that they call a leak, and by a check when the check finds a
leak there. A flag with nothing open in it is *burden*. Plates count that are annotated; in plates_ro_dashcam those are the
readable ones.

`--seen` keeps what detectors, inspection and checks saw, to judge again in seconds.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.annotations import SETS, Annotated
from benchmarks.detection import WAYS, as_quads, share_under
from benchmarks.matching import HEIGHTS, share

from aramis.images.checks.check import Checks, checked
from aramis.images.checks.residual import FLOORS
from aramis.images.checks.sharpness import sharpness
from aramis.images.checks.suite import suite
from aramis.images.files.jsonl import as_line, read_records
from aramis.images.geometry import centre, is_inside
from aramis.images.models import Models, detector
from aramis.images.network import Pixels
from aramis.images.passes import Detect, Look
from aramis.images.records import Box, Finding, ImageRecord, Target, Verdict
from aramis.images.redact.regions import covered
from aramis.images.rules.judge import PUBLISHED, RULE_SETS, RuleSet, judge
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.look import look_around
from aramis.images.unify import unify

ROUNDS = 4
BENCHED = ("faces_personfaces548", "faces_mask853", "plates_ro_dashcam", "plates_pl_roboflow")
CHECKS = ("residual", "heads", "legibility")
HALF = 0.5  # of a true box under what a release paints over, from which on it is hidden


class Case(NamedTuple):
    """One photograph: its true targets; what was seen of it when nothing was hidden."""

    kind: str
    true: tuple[Box, ...]
    seen: ImageRecord


class Open(NamedTuple):
    """A target that was left open: whether any carrier could bear it, and who flagged it."""

    height: float
    in_carrier: bool
    flagged_by: frozenset[str]


class Outcome(NamedTuple):
    """One photograph with some targets open: these, and for each judge how many flags it raised, and how many in vain."""

    open: tuple[Open, ...]
    flags: Mapping[str, int]
    idle: Mapping[str, int]


def cases(name: str, photographs: Iterable[Annotated], kept: Path | None) -> Iterator[Case]:
    """The photographs of a set with what was seen; what a folder kept is not looked at again."""
    kind = "face" if name.startswith("faces") else "plate"
    kept = kept and kept / f"{name}.jsonl"
    seen = {record.image: record for record in read_records(kept)} if kept and kept.exists() else {}
    look = None
    for photograph in photographs:
        if photograph.path.name not in seen:
            look = look or looking(kind)
            seen[photograph.path.name] = look(photograph.path)
            if kept:
                _keep(kept, seen[photograph.path.name])
        true = tuple(tuple(box) for box in photograph.boxes.tolist())
        yield Case(kind, true, seen[photograph.path.name])


def _keep(path: Path, record: ImageRecord) -> None:
    """Every record at once, so that a run which is stopped goes on where it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(as_line(record) + b"\n")


def looking(kind: str) -> Callable[[Path], ImageRecord]:
    """Looks at a photograph as a release does: detectors, inspection, and the checks of what was not hidden."""
    found, again, around = (
        detector([kind], Models(), 1),
        detector([kind], Models(), 1, FLOORS),
        look_around(1),
    )
    own = "heads" if kind == "face" else "legibility"
    return partial(_seen, found=found, around=around, checks=suite(["residual", own], lambda: again))


def _seen(path: Path, found: Detect, around: Look, checks: Checks) -> ImageRecord:
    from PIL import Image, ImageOps

    with Image.open(path) as image:
        pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    record = unify(
        path.name, pixels.shape[1], pixels.shape[0], targets=found(pixels), carriers=around(pixels)
    )
    asked = {"changed": lambda *_: _sharpness(pixels, record.targets), **checks.pixels}
    return checked(record, pixels, pixels, asked)


def _sharpness(pixels: Pixels, targets: Iterable[Target]) -> list[Finding]:
    """What the check whether pixels changed says besides of what would be hidden."""
    return [
        Finding(kind=one.kind, box=one.box, target=one.id, sharpness=sharpness(pixels, one.box))
        for one in targets
    ]


def by_chance(case: Case, seed: int) -> Iterator[Outcome]:
    """Each quarter of the true targets left open in turn."""
    quarter = np.random.default_rng(seed).permutation(len(case.true)) % ROUNDS
    for turn in range(ROUNDS):
        hidden = [box for box, part in zip(case.true, quarter, strict=True) if part != turn]
        open_ = [box for box, part in zip(case.true, quarter, strict=True) if part == turn]
        yield outcome(case, [Target(kind=case.kind, box=box, method="blur") for box in hidden], open_)


def by_aramis(case: Case) -> Iterator[Outcome]:
    """What its own detectors find is hidden, and what they miss is open."""
    hidden = [Target(kind=case.kind, box=one.box, method="blur") for one in case.seen.targets]
    mask = covered((case.seen.width, case.seen.height), hidden, WAYS)
    under = [share_under(mask, quad) for quad in as_quads(_array(case.true))]
    yield outcome(case, hidden, [box for box, much in zip(case.true, under, strict=True) if much < HALF])


def outcome(case: Case, hidden: Sequence[Target], open_: Sequence[Box]) -> Outcome:
    """Who flags what, when these are hidden and those are open."""
    kind = "person" if case.kind == "face" else "vehicle"
    record = unify(
        case.seen.image,
        case.seen.width,
        case.seen.height,
        targets=hidden,
        carriers=[one for one in case.seen.carriers if one.kind == kind],
    )
    flags = {f"rules {rules.name}": _leaks(record, rules) for rules in RULE_SETS}
    flags |= {name: _found(case.seen, name, hidden) for name in CHECKS if name in (case.seen.checks or {})}
    return Outcome(
        tuple(
            Open(
                box[3] - box[1],
                any(_shows(one.box, box) for one in record.carriers),
                frozenset(who for who, boxes in flags.items() if any(_shows(flag, box) for flag in boxes)),
            )
            for box in open_
        ),
        {who: len(boxes) for who, boxes in flags.items()},
        {
            who: sum(not any(_shows(flag, box) for box in open_) for flag in boxes)
            for who, boxes in flags.items()
        },
    )


def table(found: Sequence[Outcome]) -> list[str]:
    """Lines: the share flagged by height and judge, and the burden of each."""
    judges = list(found[0].flags)
    together = [who for who in judges if who != f"rules {PUBLISHED.name}"]
    cases = [one for outcome in found for one in outcome.open]
    lines = [
        f"| left open | in a carrier | {' | '.join(judges)} | strict and checks |",
        "| --- |" + " --- |" * (len(judges) + 2),
    ]
    for low, high in HEIGHTS:
        chosen = [one for one in cases if low <= one.height < (high or np.inf)]
        name = f"{low}-{high} px" if high else f"{low} px and more" if low else "all"
        hits = [
            sum(one.in_carrier for one in chosen),
            *(sum(who in one.flagged_by for one in chosen) for who in judges),
            sum(not one.flagged_by.isdisjoint(together) for one in chosen),
        ]
        lines.append(f"| {name} | {' | '.join(str(share(hit, len(chosen))) for hit in hits)} |")
    flags, idle = (
        [sum(getattr(one, what)[who] for one in found) for who in judges] for what in ("flags", "idle")
    )
    images = max(len(found), 1)
    return [
        *lines,
        f"| flags in vain: an image | | {' | '.join(f'{count / images:.2f}' for count in idle)} | |",
        f"| of the flags | | {' | '.join(str(share(*both)) for both in zip(idle, flags, strict=True))} | |",
    ]


def _leaks(record: ImageRecord, rules: RuleSet) -> list[Box]:
    return [one.box for one in judge(record, rules, Thresholds()).carriers if one.verdict is Verdict.LEAK]


def _found(seen: ImageRecord, check: str, hidden: Sequence[Target]) -> list[Box]:
    """Where a check finds something that is not hidden."""
    boxes = [finding.box for finding in (seen.checks or {})[check] if finding.leak and finding.box]
    return [box for box in boxes if not any(_shows(one.box, box) or _shows(box, one.box) for one in hidden)]


def _shows(flag: Box, box: Box) -> bool:
    return is_inside(centre(box), flag)


def _array(boxes: Sequence[Box]) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    return np.array(boxes, np.float64).reshape(-1, 4)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", action="append", choices=BENCHED)
    parser.add_argument("--seen", type=Path, help="a folder that keeps what was seen")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name in chosen.set or BENCHED:
        every = list(cases(name, SETS[name](chosen.data), chosen.seen))
        chance = [one for place, case in enumerate(every) for one in by_chance(case, chosen.seed + place)]
        own = [one for case in every for one in by_aramis(case)]
        for title, found in (("left open by chance", chance), ("left open by Aramis", own)):
            print(
                f"\n{name}, {len(every)} photographs, {title}\n",
                "\n".join(table(found)),
                sep="\n",
                flush=True,
            )


if __name__ == "__main__":
    main()
