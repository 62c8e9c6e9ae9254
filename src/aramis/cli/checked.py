"""The answer of a check on the terminal: levels by column, then where it is worst, then what was wanted."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from aramis.cli.assessment import plain

if TYPE_CHECKING:
    from aramis.tables.check import Checked, Gain, Held, Together, WorstClass

SHOWN = 6  # values of a distribution
ROWS: tuple[tuple[str, str], ...] = (
    ("distinct l", "l_distinct"),
    ("  others known", "l_distinct_others"),
    ("entropy l", "l_entropy"),
    ("  others known", "l_entropy_others"),
    ("recursive (c,2), c", "l_recursive"),
    ("t", "t"),
    ("  ground distance", "distance"),
    ("alpha", "alpha"),
    ("beta", "beta"),
    ("enhanced beta", "beta_enhanced"),
    ("delta", "delta"),
)

NAMES = {
    "l_distinct": "distinct l",
    "l_entropy": "entropy l",
    "l_recursive": "recursive c",
    "beta_enhanced": "enhanced beta",
    "nt": "(n,t)-closeness t",
}


def as_text(found: "Checked") -> str:
    """The whole answer."""
    parts = [
        *(_head(found), _levels(found), _gains(found), _discrimination(found)),
        *(_worst_of(found), _wanted(found)),
    ]
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def _head(found: "Checked") -> Iterator[str]:
    columns = ", ".join(plain(column) for column in found.quasi)
    counted = f"{found.rows:,} row{_s(found.rows)} in {found.classes:,} class{_s(found.classes, 'es')}"
    yield f"{plain(found.source)}: {counted} of {columns}"
    for column, rows in found.missing.items():
        yield f"missing, counted as a value of its own: {plain(column)} in {_of(rows, found.rows)}"
    for column, words in found.placeholders.items():
        for word, rows in words.items():
            yield f"{plain(column)} is {word} in {_of(rows, found.rows)}: if that stands for no value, say --missing '{word}'"
    alone = int((found.sizes == 1).sum())
    if found.presence:
        low, high = found.presence
        yield f"of every class of the population, from {low:.1%} to {high:.1%} are in this table (delta-presence)"
    stand = "stands alone in its class" if alone == 1 else "stand alone in their class"
    yield f"k = {found.k}" + (f"; {_of(alone, found.rows)} {stand}" if alone else "")


def _levels(found: "Checked") -> Iterator[str]:
    """A column for each sensitive column, and one for all together."""
    columns: dict[str, Any] = dict(found.sensitive)
    if found.joint:
        columns["all together"] = found.joint.levels
    if not columns:
        return
    table = [["", *(plain(column) for column in columns)]]
    table.append(["values", *(f"{len(levels.domain)}" for levels in columns.values())])
    for label, name in ROWS:
        cells = [getattr(levels, name) for levels in columns.values()]
        if any(cell is not None for cell in cells):
            table.append([label, *map(_level, cells)])
    yield from aligned(table)


def _gains(found: "Checked") -> Iterator[str]:
    """What the worst t does not show."""
    for column, levels in found.sensitive.items():
        gain = levels.gain
        if levels.t == 0:
            yield f"t of {plain(column)} compares each class with the {_reference(found)}, and all are like it"
            continue
        yield (
            f"t of {plain(column)} compares each class with the {_reference(found)}; where it is worst, "
            f"{_gain(gain, _reference(found))} "
            f"(Jensen-Shannon {gain.jensen_shannon:.3g} bits, Kullback-Leibler {_level(gain.kullback_leibler)})"
        )
    if found.joint:
        yield _mean(found.joint)


def _gain(gain: "Gain", reference: str) -> str:
    if math.isinf(gain.factor):
        return f"{_value(gain.value)} occurs, which the {reference} does not have"
    return f"{_value(gain.value)} is {_level(gain.factor)} times as likely"


def _mean(together: "Together") -> str:
    if together.t_mean is None:
        return f"t of all together by the {together.distance} distance: too many combinations to say; at most that above"
    low, high = together.t_mean
    level = _level(high) if low == high else f"between {_level(low)} and {_level(high)}"
    return f"t of all together by the {together.distance} distance: {level}"


def _discrimination(found: "Checked") -> Iterator[str]:
    """How often the protected group is denied, by every measure."""
    one = found.discrimination
    if one is None:
        return
    yield f"discrimination of {plain(str(one.protected))} where {plain(str(one.denied))}"
    yield from aligned(
        [
            ["", *one.measures],
            ["  whole table", *(_level(of.table) for of in one.measures.values())],
            ["  worst class", *(_level(of.worst) for of in one.measures.values())],
            ["  at the worst, by t", *(_level(of.bound) for of in one.measures.values())],
        ]
    )
    yield (
        f"t = {one.t:.5g}: the share denied in a class, among either group, is so far from the table's; "
        f"{_records(one.unjudged_records)} in {one.unjudged_classes:,} classes without one of the groups cannot be judged"
    )


def _worst_of(found: "Checked") -> Iterator[str]:
    yield "worst classes"
    yield from aligned([[f"  {_model(one)} {_level(one.level)}", _class(one)] for one in found.worst])


def _class(worst: "WorstClass") -> str:
    who = ", ".join(_value(value) for value in worst.quasi.values())
    what = "; ".join(_distribution(of) for of in worst.distribution.values())
    return f"{_records(worst.records)} ({who})" + (f": {what}" if what else "")


def _distribution(of: Mapping[object, int]) -> str:
    shown = [f"{_value(value)} {records}" for value, records in list(of.items())[:SHOWN]]
    return ", ".join([*shown, *([f"{len(of) - SHOWN} more values"] if len(of) > SHOWN else [])])


def _wanted(found: "Checked") -> Iterator[str]:
    if found.wanted:
        yield "wanted"
        yield from aligned([_held(found, held) for held in found.wanted])


def _held(found: "Checked", held: "Held") -> list[str]:
    model = held.model
    verdict = "holds" if held.holds else f"does not hold for {_of(held.failing_records, found.rows)}"
    sign = ">=" if model.larger_is_safer else "<=" if model.name not in {"delta", "l_recursive"} else "<"
    named = _model(model).replace("recursive c", f"recursive (c,{getattr(model, 'l', 0):g}), c")
    return [f"  {named} {sign} {_level(model.wanted)}", f"is {_level(held.level)}", verdict]


def _model(of: Any) -> str:
    from aramis.tables.frequency import JOINT

    model = getattr(of, "model", None) or of.name
    name = NAMES.get(model, model)
    column = {None: "", JOINT: " of all together"}.get(of.column, f" of {plain(str(of.column))}")
    stated = f" = {plain(words)}" if (words := getattr(of, "stated", "")) else ""
    if model.startswith("protection"):
        return str(model.replace("_", " "))
    return f"{name.replace('_', ' ')}{column}{stated}"


def _reference(found: "Checked") -> str:
    return {"released": "whole table", "original": "original table", "given": "given distribution"}[
        found.reference
    ]


def _level(level: object) -> str:
    if level is None:
        return ""
    if not isinstance(level, float):
        return str(level)
    return f"{level:.5g}" if math.isfinite(level) else "none"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return " + ".join(map(_value, value))
    return "(missing)" if value is None else plain(str(value))


def _records(number: int) -> str:
    return f"{number:,} record{_s(number)}"


def _s(number: int, ending: str = "s") -> str:
    return "" if number == 1 else ending


def _of(records: int, rows: int) -> str:
    return f"{_records(records)} ({records / rows:.1%})"


def aligned(table: Iterable[list[str]]) -> list[str]:
    """Cells under each other."""
    rows = list(table)
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
