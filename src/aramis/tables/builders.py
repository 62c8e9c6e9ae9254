"""Hierarchies that need no file: made from the values of a column and how often they occur.

A builder is told once how to coarsen, and makes the hierarchy of any column: `intervals(5, 10, 20)` of ages,
`masks()` of postcodes, `dates("month", "year")` of days, `rounding(2, 1, 0)` of coordinates, `grouping(100)` of rare words.
The last level of each is `*`, everything. A missing value is left out; `Hierarchy.covering` keeps it apart until the top.
"""

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime
from itertools import pairwise

from aramis.errors import BadInput
from aramis.tables.frequency import Counts
from aramis.tables.hierarchy import Hierarchy, hierarchy, text

Builder = Callable[[str, Sequence[object], Counts], Hierarchy]
"""Called with a column's name, the values that occur in order, and the records of each."""

TOP = "*"
STEPS = ("day", "month", "quarter", "year", "decade")


def intervals(*widths: float, start: float = 0) -> Builder:
    """Numbers in intervals of these widths, each a multiple of the one before: `intervals(5, 10, 20)`.

    >>> from aramis.tables.builders import intervals
    >>> intervals(5, 10)("age", [29, 31, 40], [1, 1, 1]).labels
    (('29', '31', '40'), ('25-29', '30-34', '40-44'), ('20-29', '30-39', '40-49'), ('*',))
    """
    _must_nest("widths", widths)

    def build(column: str, values: Sequence[object], _: Counts) -> Hierarchy:
        numbers = _numbers("intervals", column, values)
        whole = all(float(number).is_integer() for number in (*numbers, *widths, start))

        def interval(number: float, width: float) -> str:
            low = start + math.floor((number - start) / width) * width
            return f"{low:.0f}-{low + width - 1:.0f}" if whole else f"[{low:.12g}, {low + width:.12g})"

        return _built(column, numbers, [[interval(number, width) for width in widths] for number in numbers])

    return build


def quantiles(*numbers: int) -> Builder:
    """Numbers in so many intervals of about equally many records: `quantiles(8, 4, 2)`, each a multiple of the next."""
    _must_nest("numbers of quantiles", numbers[::-1])

    def build(column: str, values: Sequence[object], records: Counts) -> Hierarchy:
        found = _numbers("quantiles", column, values)
        weights = [float(times) for value, times in zip(values, records, strict=True) if value is not None]
        part = _parts(weights, numbers[0])

        def span(number: int, among: int) -> str:
            inside = [
                value
                for value, other in zip(found, part, strict=True)
                if other * among // numbers[0] == number
            ]
            return f"{text(inside[0])}-{text(inside[-1])}"

        return _built(
            column, found, [[span(one * among // numbers[0], among) for among in numbers] for one in part]
        )

    return build


def masks(character: str = "*") -> Builder:
    """One character after the other is hidden, from the right: 01749, 0174*, 017**, ..."""

    def build(column: str, values: Sequence[object], _: Counts) -> Hierarchy:
        found = [text(value) for value in values if value is not None]
        longest = max(map(len, found), default=0)
        rows = [
            [
                value.ljust(longest)[: longest - hidden].rstrip() + character * hidden
                for hidden in range(1, longest)
            ]
            for value in found
        ]
        return _built(column, found, rows)

    return build


def dates(*steps: str) -> Builder:
    """Days in months, quarters, years or decades: `dates("month", "year")`.

    >>> from aramis.tables.builders import dates
    >>> dates("quarter", "year")("born", ["31.12.2001"], [1]).labels
    (('31.12.2001',), ('2001-Q4',), ('2001',), ('*',))
    """
    places = [STEPS.index(step) if step in STEPS else -1 for step in steps]
    if not steps or -1 in places or places != sorted(set(places)):
        raise BadInput(
            f"dates become coarser by some of {', '.join(STEPS)}, in this order; {', '.join(steps)} is not"
        )

    def build(column: str, values: Sequence[object], _: Counts) -> Hierarchy:
        known = [value for value in values if value is not None]
        return _built(
            column, known, [[_dated(_day(column, value), step) for step in steps] for value in known]
        )

    return build


def rounding(*decimals: int) -> Builder:
    """Coordinates to so many decimals, always downwards: `rounding(2, 1, 0)` of degrees is about 1, 11 and 111 km."""
    if not decimals or list(decimals) != sorted(set(decimals), reverse=True):
        raise BadInput(
            f"rounding keeps fewer decimals at every level; {', '.join(map(str, decimals))} does not"
        )

    def build(column: str, values: Sequence[object], _: Counts) -> Hierarchy:
        found = [value for value in values if value is not None]
        pairs = [[_number("rounding", column, part) for part in text(value).split(",")] for value in found]
        rows = [[",".join(_floored(part, places) for part in pair) for places in decimals] for pair in pairs]
        return _built(column, found, rows)

    return build


def grouping(*records: int) -> Builder:
    """Values with fewer records than this become `other`, level by level: `grouping(10, 100)`."""
    if not records or list(records) != sorted(set(records)):
        raise BadInput(
            f"grouping takes rising numbers of records; {', '.join(map(str, records))} do not rise"
        )

    def build(column: str, values: Sequence[object], counts: Counts) -> Hierarchy:
        often = {
            text(value): int(times) for value, times in zip(values, counts, strict=True) if value is not None
        }
        rows = [[value if times >= least else "other" for least in records] for value, times in often.items()]
        return _built(column, list(often), rows)

    return build


BUILDERS: dict[str, tuple[Callable[..., Builder], Callable[[str], object]]] = {
    "intervals": (intervals, float),
    "quantiles": (quantiles, int),
    "masks": (masks, str),
    "dates": (dates, str),
    "rounding": (rounding, int),
    "grouping": (grouping, int),
}


def builder(words: str) -> Builder | None:
    """A builder from words such as `intervals:5,10,20` or `masks`; None where they name none."""
    name, _, arguments = words.partition(":")
    if name not in BUILDERS:
        return None
    make, kind = BUILDERS[name]
    try:
        return make(*(kind(argument.strip()) for argument in arguments.split(",") if argument.strip()))
    except (ValueError, TypeError):
        raise BadInput(
            f"{words} is not understood; it is written like intervals:5,10,20 or dates:month,year"
        ) from None


def _built(column: str, values: Sequence[object], rows: Sequence[Sequence[str]]) -> Hierarchy:
    return hierarchy(column, [[text(value), *row, TOP] for value, row in zip(values, rows, strict=True)])


def _must_nest(what: str, numbers: Sequence[float]) -> None:
    """So that what is together at one level stays together at the next."""
    if not numbers or min(numbers) <= 0:
        raise BadInput(f"{what} are above 0, and there is at least one")
    for small, large in pairwise(numbers):
        if large <= small or (large / small) % 1:
            raise BadInput(f"{what} must nest: {large:g} is not a multiple of {small:g}")


def _parts(weights: Sequence[float], number: int) -> list[int]:
    """In which of so many parts each value lies when they are to have about equal weight."""
    whole, before, parts = sum(weights), 0.0, []
    for weight in weights:
        parts.append(min(int((before + weight / 2) * number / whole), number - 1))
        before += weight
    return parts


def _day(column: str, value: object) -> date:
    """A day, also one that stands in a text: 2001-12-31 with or without a time, 31.12.2001."""
    if isinstance(value, date):
        return value
    for read in (datetime.fromisoformat, lambda words: datetime.strptime(words, "%d.%m.%Y")):  # noqa: DTZ007  # a day has no zone
        try:
            return read(str(value))
        except ValueError:
            continue
    raise BadInput(f"a hierarchy of dates needs dates; {column} has {value!r}")


def _dated(day: date, step: str) -> str:
    match step:
        case "day":
            return f"{day:%Y-%m-%d}"
        case "month":
            return f"{day:%Y-%m}"
        case "quarter":
            return f"{day.year}-Q{(day.month + 2) // 3}"
        case "year":
            return f"{day.year}"
    return f"{day.year // 10 * 10}s"


def _floored(number: float, decimals: int) -> str:
    scale = 10.0**decimals
    return f"{math.floor(round(number * scale, 6)) / scale:.{max(decimals, 0)}f}"


def _numbers(builder: str, column: str, values: Sequence[object]) -> list[float]:
    return [_number(builder, column, value) for value in values if value is not None]


def _number(builder: str, column: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError):
        raise BadInput(f"a hierarchy of {builder} needs numbers; {column} has {value!r}") from None
    if not math.isfinite(number):
        raise BadInput(f"a hierarchy of {builder} needs finite numbers; {column} has {value!r}")
    return number
