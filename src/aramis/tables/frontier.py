"""What each level costs: the loss at one k after another, or at one t after another, so that a person can choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymize import How, Writing, anonymize
from aramis.tables.interrupts import taken_between_steps
from aramis.tables.search import Tell

if TYPE_CHECKING:
    from aramis.tables.pipeline import Table

VARIED = ("k", "l", "t", "alpha", "beta", "beta_enhanced", "delta")
NOT_LEVELS = ("l_kind", "joint")


@dataclass(frozen=True, slots=True)
class Point:
    """What it costs to have one level."""

    level: float
    loss: float
    suppressed: int
    classes: int
    generalization: Mapping[str, int] | None  # None: values are recoded one by one


@dataclass(frozen=True, slots=True)
class Frontier:
    """The cost of every level that was asked for, in the order in which they were given."""

    varied: str  # k, t, ...
    others: Mapping[str, Any]  # what else was wanted
    how: How
    rows: int
    points: tuple[Point, ...]
    out_of_reach: Mapping[float, str]  # level -> why
    complete: bool  # False: it was interrupted, and levels are missing


def frontier(table: "Table", wanted: Mapping[str, Any], how: How, tell: Tell) -> Frontier:
    """Anonymize a table to one level after another. The wanted model whose level is a list is the one that varies."""
    varied, levels = _varied(wanted)
    points: list[Point] = []
    out_of_reach: dict[float, str] = {}
    complete = False
    try:
        with taken_between_steps(tell) as told:
            for done, level in enumerate(levels):
                here = partial(_tell_of_level, told, done, len(levels), f"{varied} = {level:g}")
                here(0, None, "")
                try:
                    points.append(_point(table, {**wanted, varied: level}, how, level, here))
                except Unreachable as error:
                    out_of_reach[level] = str(error)
        complete = True
    except KeyboardInterrupt:
        if not points:
            raise
    others = {name: of for name, of in wanted.items() if of and name not in {varied, *NOT_LEVELS}}
    return Frontier(varied, others, how, table.counted.rows, tuple(points), out_of_reach, complete)


def _varied(wanted: Mapping[str, Any]) -> tuple[str, Sequence[float]]:
    lists = {name: of for name, of in wanted.items() if isinstance(of, list | tuple | range)}
    if len(lists) != 1 or not set(lists) <= set(VARIED):
        raise BadInput(
            f"a frontier goes over the levels of one of {', '.join(VARIED)}: give it as a list, such as k=[2, 5, 10]"
        )
    ((varied, levels),) = lists.items()
    if not levels:
        raise BadInput(f"a frontier needs one level or more; the list of {varied} is empty")
    return varied, levels


def _tell_of_level(tell: Tell, level: int, levels: int, words: str, _: int, __: int | None, ___: str) -> None:
    """How far the search for a level has come says nothing of how far the levels have."""
    tell(level, levels, words)


def _point(table: "Table", wanted: Mapping[str, Any], how: How, level: float, tell: Tell) -> Point:
    found = anonymize(table, wanted, how, Writing(), tell)
    if not found.recoding.complete:  # there may be better
        raise KeyboardInterrupt
    return Point(level, found.loss, found.suppressed, found.check.classes, found.generalization)
