"""All minimal full-domain recodings: those of which no column can become finer."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from aramis.errors import Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task, full_domain
from aramis.tables.goals import are_reached, kept_classes
from aramis.tables.hierarchy import Hierarchy
from aramis.tables.lattice import Lattice
from aramis.tables.reach import must_be_possible, within_reach
from aramis.tables.recoding import STAR, Recoding
from aramis.tables.rollup import Node, Rollup

Columns = tuple[int, ...]
Nodes = NDArray[np.bool_]
"""Yes or no for every node over some columns: an axis for each column, a place for each of its levels."""


def _recode(task: Task) -> Recoding:
    must_be_possible(task.frequency, task.goals)
    search, why = _Search(task), task.goals.not_monotone
    try:
        found = search.all_nodes() if why else search.by_subsets()
    except KeyboardInterrupt:
        if not search.reached:
            raise
        return replace(_finest(task, search.reached), checked=search.checked, complete=False)
    if not found.any():
        raise Unreachable(within_reach(task.rollup, task.goals))
    minimal = nodes_of(minimal_nodes(found))
    return replace(
        _finest(task, minimal),
        minimal=tuple(dict(zip(task.frequency.quasi, node, strict=True)) for node in minimal),
        checked=search.checked,
        remarks=(f"every node of the lattice was looked at: {why}",) if why else (),
    )


class _Search:
    """The nodes over every set of columns. A column that is not in the set is at a level above all of its own."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.levels = tuple(one.levels for one in task.hierarchies)
        Lattice(self.levels)  # says so where there are too many nodes
        self.rollup = Rollup(task.frequency, [_topped(one) for one in task.hierarchies], task.goals.columns)
        self.checked = 0
        self.reached: list[Node] = []  # of the nodes over all columns that were looked at

    def all_nodes(self) -> Nodes:
        """Those of all nodes that reach the goals."""
        columns = tuple(range(len(self.levels)))
        return np.array([self._reaches(columns, node) for node in np.ndindex(self.levels)]).reshape(
            self.levels
        )

    def by_subsets(self) -> Nodes:
        """The same, where what fails for some columns fails for more of them."""
        found: Mapping[Columns, Nodes] = {(): np.ones((), dtype=bool)}
        for size in range(1, len(self.levels) + 1):
            sets = combinations(range(len(self.levels)), size)
            found = {columns: self._from_below(columns, self._joined(columns, found)) for columns in sets}
        return found[tuple(range(len(self.levels)))]

    def _joined(self, columns: Columns, fewer: Mapping[Columns, Nodes]) -> Nodes:
        """The nodes that are not known to fail when any one column is left out: the paper's join and prune."""
        parts = (
            np.expand_dims(fewer[columns[:place] + columns[place + 1 :]], place)
            for place in range(len(columns))
        )
        return np.broadcast_to(
            reduce(np.logical_and, parts), tuple(self.levels[column] for column in columns)
        )

    def _from_below(self, columns: Columns, candidates: Nodes) -> Nodes:
        """The candidates that reach the goals, the finest first: all that is coarser reaches them too."""
        known = np.zeros_like(candidates)
        for node in sorted(nodes_of(candidates), key=sum):
            if not known[node] and self._reaches(columns, node):
                known[tuple(slice(level, None) for level in node)] = True
        return known

    def _reaches(self, columns: Columns, node: Node) -> bool:
        whole = list(self.levels)
        for column, level in zip(columns, node, strict=True):
            whole[column] = level
        reached = are_reached(self.task.goals, self.rollup.at(tuple(whole)))
        if reached and len(columns) == len(self.levels):
            self.reached.append(node)
        self.checked += 1
        together = f"{len(columns)} of {len(self.levels)} columns together"
        self.task.tell(self.checked, None, f"{together}, {len(self.reached)} found")
        return reached


def minimal_nodes(found: Nodes) -> Nodes:
    """Those nodes among the found ones to which no other is finer."""
    at_or_below = found
    for axis in range(found.ndim):
        at_or_below = np.logical_or.accumulate(at_or_below, axis=axis)
    minimal = found.copy()
    for axis in range(found.ndim):
        above, below = [slice(None)] * found.ndim, [slice(None)] * found.ndim
        above[axis], below[axis] = slice(1, None), slice(None, -1)
        minimal[tuple(above)] &= ~at_or_below[tuple(below)]
    return minimal


def nodes_of(found: Nodes) -> list[Node]:
    """The levels of the nodes that are found."""
    return [tuple(int(level) for level in node) for node in np.argwhere(found)]


def _finest(task: Task, nodes: list[Node]) -> Recoding:
    """The recoding of that node which loses least."""
    loss = task.loss_over(task.rollup)
    value = {}
    for node in nodes:
        grouping = task.rollup.at(node)
        value[node] = loss.value(grouping, kept_classes(grouping, task.goals))
    best = min(nodes, key=value.__getitem__)
    return full_domain(task, best, kept_classes(task.rollup.at(best), task.goals))


def _topped(one: Hierarchy) -> Hierarchy:
    """A hierarchy with a level above its last on which all values are one."""
    top = np.zeros_like(one.codes[:1])
    return replace(one, labels=(*one.labels, (STAR,)), codes=np.concatenate([one.codes, top]))


incognito = Anonymizer(
    name="incognito",
    recode=_recode,
    guarantee="every minimal choice of one level for each quasi-identifier is told, and the one of them that loses least "
    "is released",
    paper="LeFevre, DeWitt, Ramakrishnan, Incognito: efficient full-domain k-anonymity, SIGMOD 2005",
)
