"""The answer of an anonymization or a comparison on the terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from aramis.cli.assessment import plain
from aramis.cli.checked import NAMES, aligned

if TYPE_CHECKING:
    from aramis.tables.anonymize import Anonymized
    from aramis.tables.check import Held
    from aramis.tables.frontier import Frontier, Point
    from aramis.tables.utility.compare import Utility

SHOWN = 5  # pairs of columns whose association has changed most


def as_text(found: "Anonymized", out: Path) -> str:
    """What was done, what the release has, and what it lost."""
    return "\n\n".join(
        "\n".join(part) for part in (_done(found, out), _has(found), utility_lines(found.utility))
    )


def _done(found: "Anonymized", out: Path) -> Iterator[str]:
    utility = found.utility
    yield (
        f"{plain(str(out))}: {found.check.rows:,} rows in {found.check.classes:,} "
        f"{'class' if found.check.classes == 1 else 'classes'}; "
        f"{found.suppressed:,} of {utility.rows:,} suppressed ({100 * found.suppressed / utility.rows:.2f} %)"
    )
    yield f"by {found.algorithm.name}: {found.algorithm.guarantee}"
    if found.recoding.separate:
        beside = out.with_name(f"{out.stem}.sensitive{out.suffix}")
        yield f"{plain(str(beside))}: how often each group has each sensitive value; the two are joined by the group"
    if not found.recoding.complete:
        yield "interrupted: there may be a better one"
    if found.recoding.distorted:
        share = found.recoding.distorted / found.check.rows
        yield f"{found.recoding.distorted:,} records ({share:.2%}) have a sensitive value that is not their own"
    yield from found.recoding.remarks
    if found.recoding.minimal:
        yield f"minimal choices of levels: {len(found.recoding.minimal):,}; --json tells them all"
    if found.generalization:
        yield "levels: " + ", ".join(
            f"{plain(column)} {level}" for column, level in found.generalization.items()
        )


def _has(found: "Anonymized") -> Iterator[str]:
    yield "read back, the release has " + ", ".join(map(_level, found.check.wanted))
    for column, levels in found.check.sensitive.items():
        if ("t", column) in {(held.model.name, held.model.column) for held in found.check.wanted}:
            yield f"t of {plain(column)} is by the ground distance {levels.distance}"


def _level(held: "Held") -> str:
    from aramis.tables.frequency import JOINT

    model = held.model
    of = f" of {plain(model.column)}" if model.column not in {None, JOINT} else ""
    return f"{NAMES.get(model.name, model.name)} = {held.level:.6g}{of}"


def frontier_lines(found: "Frontier", out: Path) -> Iterator[str]:
    """What each level costs, a line each."""
    yield f"what each {found.varied} costs, by {found.how.algorithm}; drawn in {plain(str(out))}"
    head = [found.varied, found.how.loss, "suppressed", "classes", "levels of generalization"]
    yield from aligned([head, *(_point(found, one) for one in found.points)])
    for level, why in found.out_of_reach.items():
        yield f"{level:g} is out of reach: {why}"
    if not found.complete:
        yield "interrupted: levels are missing"


def _point(found: "Frontier", one: "Point") -> list[str]:
    levels = [f"{plain(column)} {level}" for column, level in (one.generalization or {}).items()]
    return [
        f"{one.level:g}",
        f"{one.loss:.4f}",
        f"{one.suppressed:,} ({one.suppressed / found.rows:.1%})",
        f"{one.classes:,}",
        ", ".join(levels) or "each class by itself",
    ]


def utility_lines(found: "Utility") -> Iterator[str]:
    """Every measure, a line each."""
    rows = {
        "NCP": f"{found.ncp:.4f}",
        "Loss": f"{found.loss:.4f}",
        "1 - Prec": "not every column has a hierarchy"
        if found.precision is None
        else f"{found.precision:.4f}",
        "non-uniform entropy": f"{found.non_uniform_entropy:.4f}",
        "discernibility": f"{found.discernibility:,} (without penalty {found.discernibility_star:,})",
        "average class size": f"{found.average_class_size:.4g}",
        "counting queries": f"median error {100 * found.queries.median:.3g} %, mean {100 * found.queries.mean:.3g} % "
        f"of {found.queries.queries}",
        "association": f"Cramer's V changed by {found.association_lost:.3f} in the mean",
    }
    if found.variance_lost:
        rows["variance"] = "lost to means: " + ", ".join(
            f"{plain(column)} {100 * lost:.3g} %" for column, lost in found.variance_lost.items()
        )
    if found.classifier:
        one = found.classifier
        rows["classifier"] = (
            f"tells {plain(one.label)} right in {100 * one.after:.2f} %; learnt from the original {100 * one.before:.2f} %, "
            f"most frequent alone {100 * one.majority:.2f} %"
        )
    width = max(map(len, rows))
    yield "what is lost"
    yield from (f"  {name:<{width}}  {value}" for name, value in rows.items())
    yield "distance of each column's distribution: " + ", ".join(
        f"{plain(column)} {moved:.3f}" for column, moved in found.marginals.items()
    )
    yield from _changed(found)


def _changed(found: "Utility") -> Iterator[str]:
    """The pairs of columns that lost most of what they tell of one another."""
    most = sorted(found.associations, key=lambda one: -abs(one.after - one.before))[:SHOWN]
    for one in most:
        yield f"  {plain(one.columns[0])} and {plain(one.columns[1])}: {one.before:.3f} before, {one.after:.3f} after"
