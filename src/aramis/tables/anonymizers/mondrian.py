"""Local recoding by cutting the records in two, again and again, while both sides may be a class."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.cuts import Positions, Records, divide, every_cut, middle_cuts
from aramis.tables.goals import satisfying
from aramis.tables.interpreted import is_kept, when_it_pays
from aramis.tables.local import local
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.nearest import ranges
from aramis.tables.parts import Parts
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding
from aramis.tables.scales import Places, scales_of
from aramis.tables.settling import settled

MayBe = Callable[[Parts], NDArray[np.bool_]]
"""Which of these parts may be a class?"""

Cuts = tuple[Positions, Positions, Positions]
"""Of each cut the part, the column, and the position in the column's order where its right side begins."""

FEW = 1_000  # tuples, which are cut in less time than it takes to load what was compiled
AT_ONCE = 2_000_000  # records in all the parts that are judged together


def cut_up(task: Task, may_be: MayBe | None, *, relaxed: bool) -> Recoding:
    """Cut the table, which may be a class, while there is a cut that leaves two parts which may be.

    `may_be`: None where any part may that has as many records as the goals ask for. `relaxed`: equal numbers may fall
    on both sides of a cut.
    """
    cutting = _Cutting(task, may_be, relaxed=relaxed)
    try:
        while len(cutting.starts):
            task.tell(cutting.classes, cutting.classes + len(cutting.starts), "every part may be a class")
            cutting.step()
    except KeyboardInterrupt:
        return replace(cutting.recoding(), complete=False)
    return cutting.recoding()


class _Cutting:
    """The parts that may yet be cut, and those that are classes."""

    def __init__(self, task: Task, may_be: MayBe | None, *, relaxed: bool) -> None:
        frequency = task.frequency
        self.task, self.may_be, self.relaxed = task, may_be, relaxed
        self.tuples, counts = np.arange(len(frequency.counts), dtype=np.int32), frequency.counts
        if relaxed:  # each record falls on a side of its own
            self.tuples = np.repeat(self.tuples, counts)
            counts = np.ones(len(self.tuples), np.int64)
        scales, places = scales_of(frequency, task.given)
        codes = frequency.codes[self.tuples]
        placed = np.stack([place[codes[:, column]] for column, place in enumerate(places)])
        self.records = Records(np.stack([_order(place) for place in placed]), placed, counts, scales)
        self.starts, self.ends = np.zeros(1, np.int64), np.array([len(self.tuples)])
        self.closed: list[tuple[Positions, Positions]] = []

    @property
    def classes(self) -> int:
        """How many parts are classes."""
        return sum(len(starts) for starts, _ in self.closed)

    def step(self) -> None:
        """Cut every part that can be cut; the others are classes."""
        columns, cuts = self._chosen()
        is_cut = cuts >= 0
        self.closed.append((self.starts[~is_cut], self.ends[~is_cut]))
        starts, cuts, ends = self.starts[is_cut], cuts[is_cut], self.ends[is_cut]
        orders, number = self.records.orders, len(self.tuples)
        is_left, right = np.zeros(number, np.bool_), np.empty(number, np.int32)
        self._loop(divide)(orders, starts, cuts, ends, columns[is_cut], is_left, right)
        self.starts = np.stack([starts, cuts], axis=1).ravel()
        self.ends = np.stack([cuts, ends], axis=1).ravel()

    def recoding(self) -> Recoding:
        """Every part as a class."""
        starts, ends = map(np.concatenate, zip(*self.closed, (self.starts, self.ends), strict=True))
        records = self.records.orders[0, ranges(starts, ends)]
        classes = np.repeat(np.arange(len(starts), dtype=np.int32), ends - starts)
        return local(self.task, self.tuples[records], self.records.counts[records], classes)

    def _chosen(self) -> tuple[Positions, Positions]:
        """The column and the position of each part's cut; the position is -1 where the part stays whole."""
        every = np.arange(len(self.starts))
        columns, cuts = np.zeros_like(every), np.full_like(every, -1)
        least = self.task.goals.least
        middles = np.full((len(every), len(self.records.orders)), -1)
        gains, cut_of = np.zeros(middles.shape), np.full(len(self.tuples), -1)
        loop = self._loop(middle_cuts)
        loop(self.records, self.starts, self.ends, least, self.relaxed, cut_of, middles, gains)
        for ranked in np.argsort(-gains, axis=1, kind="stable").T:
            open_ = np.flatnonzero((cuts < 0) & (middles[every, ranked] >= 0))
            if not len(open_):
                continue
            good = open_[self._are_good((open_, ranked[open_], middles[open_, ranked[open_]]))]
            columns[good], cuts[good] = ranked[good], middles[good, ranked[good]]
        for part, column, cut in self._elsewhere(np.flatnonzero((cuts < 0) & (middles >= 0).any(axis=1))):
            columns[part], cuts[part] = column, cut
        return columns, cuts

    def _elsewhere(self, parts: Positions) -> Iterator[tuple[int, int, int]]:
        """The most even cut of each of these parts, wherever it is, where there is one."""
        starts, ends = self.starts[parts], self.ends[parts]
        every = np.empty((4, int((ends - starts).sum()) * len(self.records.orders)), np.int64)
        number = self._loop(every_cut)(self.records, starts, ends, self.task.goals.least, every)
        of, columns, cuts, uneven = every[:, :number]
        order = np.lexsort((uneven, of))
        found = parts[of[order]], columns[order], cuts[order]
        good = np.flatnonzero(self._are_good(found))
        first = good[np.unique(found[0][good], return_index=True)[1]]
        return zip(*(of_cut[first].tolist() for of_cut in found), strict=True)

    def _are_good(self, cuts: Cuts) -> NDArray[np.bool_]:
        """Which of these cuts leave two parts that may be classes."""
        parts, columns, positions = cuts
        if self.may_be is None:
            return np.ones(len(parts), bool)
        starts, ends = self.starts[parts], self.ends[parts]
        good: list[NDArray[np.bool_]] = [np.empty(0, bool)]
        for these in _chunks(ends - starts):
            which = np.repeat(np.arange(len(starts))[these], (ends - starts)[these])
            at = ranges(starts[these], ends[these])
            records = self.records.orders[columns[which], at]
            side = 2 * (which - which[0]) + (at >= positions[which])
            sides = Parts(self.task.frequency, side, self.tuples[records], self.records.counts[records])
            may_be = self.may_be(sides)
            good.append(may_be[::2] & may_be[1::2])
        return np.concatenate(good)

    def _loop(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        if len(self.tuples) > FEW and is_kept(loop):
            return loop
        return when_it_pays(loop, 2 * len(self.tuples))


def _order(place: Places) -> Places:
    """The records by their place; a narrow type is sorted without comparing."""
    narrow = place.astype(np.uint16) if place.max() < 2**16 else place
    return np.argsort(narrow, kind="stable").astype(np.int32)


def _chunks(lengths: Positions) -> Iterator[slice]:
    """Slices of neighbours that are not too long together."""
    chunk = np.cumsum(lengths) // AT_ONCE
    edges = [*np.flatnonzero(np.diff(chunk, prepend=-1)), len(lengths)]
    return (slice(start, end) for start, end in pairwise(edges))


def _recode(task: Task, *, relaxed: bool) -> Recoding:
    goals = replace(task.goals, suppress=0.0)
    whole_must_be_good(task.frequency, goals)
    sizes_alone = all(isinstance(model, KAnonymity) for model in goals.models)
    found = cut_up(task, None if sizes_alone else partial(satisfying, goals=goals), relaxed=relaxed)
    if all(model.monotone for model in goals.models):
        return found
    # classes that say the same are one to whoever reads them, and what holds for each may not hold for all of them together
    tuples, classes = np.repeat(found.tuples, found.counts), np.repeat(found.classes, found.counts)
    together = settled(task, tuples, classes.astype(np.int64), dissolves=False)
    return replace(together, complete=found.complete)


mondrian = Anonymizer(
    name="mondrian",
    recode=partial(_recode, relaxed=False),
    guarantee="every class satisfies the models and cannot be cut in two that do; it says what its own records have in common; "
    "nothing is suppressed",
    paper="LeFevre et al., Mondrian multidimensional k-anonymity, 2006",
)
relaxed = Anonymizer(
    name="mondrian-relaxed",
    recode=partial(_recode, relaxed=True),
    guarantee="as mondrian, but people with the same number may be in different classes: these are more, smaller, and may overlap",
    paper="LeFevre et al., Mondrian multidimensional k-anonymity, 2006",
)
