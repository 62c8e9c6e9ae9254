"""The node of least loss: every node is either looked at, or known to fail or to lose more than the best one.

The idea of looking at few nodes by what one tells of others is that of FLASH: Kohlmayer et al., "Flash: efficient,
stable and optimal k-anonymity", 2012. Ours differs in the order: the coarsest node that could still be better comes
first. Where it fails, all that is finer fails; what it has to suppress, all that is finer has to suppress.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Counts, Shares
from aramis.tables.goals import Goals, judged
from aramis.tables.lattice import Lattice, Packed
from aramis.tables.losses import Loss
from aramis.tables.rollup import Grouping, Node, Rollup

ROUNDING = 1e-12

Tell = Callable[[int, int | None, str], None]
"""Called with how much is done, of how much (None: not known), and the best so far, in words."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best node that a search has found."""

    node: Node
    loss: float


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to."""

    best: Best | None
    checked: int  # nodes looked at
    complete: bool  # False: it was interrupted, and there may be better


def least_loss(rollup: Rollup, goals: Goals, loss: Loss, tell: Tell) -> Searched:
    """Search the whole lattice."""
    search = _Search(rollup, goals, loss)
    try:
        while len(search.nodes):
            best = f"loss {search.best.loss:.4g}" if search.best else "nothing yet"
            tell(search.checked, search.checked + len(search.nodes), best)
            search.step()
        search.refine()
    except KeyboardInterrupt:
        if search.best is None:
            raise
        return Searched(search.best, search.checked, complete=False)
    return Searched(search.best, search.checked, complete=True)


class _Search:
    """The nodes that may yet be better than the best one, in the order in which they are looked at."""

    def __init__(self, rollup: Rollup, goals: Goals, loss: Loss) -> None:
        self.rollup, self.goals, self.loss = rollup, goals, loss
        self.lattice = Lattice(rollup.heights)
        self.allowed = goals.allowed(int(rollup.bottom.sizes.sum()))
        self.best: Best | None = None
        self.checked = 0
        base = self.lattice.total(loss.base)
        order = np.lexsort((base, -self._tells_of_others()))
        self.nodes: Packed = self.lattice.nodes()[order]
        self.base = base[order]
        self.bounds: Shares = self.base.copy()  # what each loses, at least

    def step(self) -> None:
        """Look at the next node."""
        packed = self.nodes[0]
        grouping = self.rollup.at(self.lattice.unpack(packed))
        self.checked += 1
        self.nodes, self.bounds, self.base = self.nodes[1:], self.bounds[1:], self.base[1:]
        found = judged(grouping, self.goals)
        self._judge(grouping, found.kept)
        self._learn(packed, grouping, found.must_go)
        if self.best is not None:
            self._keep(self.bounds < self.best.loss)

    def refine(self) -> None:
        """Of nodes that lose the same, the finest: what has a narrower label for the same values says more to a reader."""
        finer = [] if self.best is None else list(self._one_finer(self.best.node))
        while finer:
            grouping = self.rollup.at(finer.pop())
            kept = judged(grouping, self.goals).kept
            if int(grouping.sizes[~kept].sum()) <= self.allowed:
                value = self.loss.value(grouping, kept)
                if self.best is not None and value <= self.best.loss + ROUNDING:
                    self.best = Best(grouping.node, min(value, self.best.loss))
                    finer = list(self._one_finer(grouping.node))

    def _one_finer(self, node: Node) -> Iterator[Node]:
        """The nodes one level down in one column, where that alone would not lose less."""
        for column, level in enumerate(node):
            if level and self.loss.base[column][level - 1] >= self.loss.base[column][level] - ROUNDING:
                yield (*node[:column], level - 1, *node[column + 1 :])

    def _judge(self, grouping: Grouping, kept: NDArray[np.bool_]) -> None:
        if int(grouping.sizes[~kept].sum()) <= self.allowed:
            value = self.loss.value(grouping, kept)
            if self.best is None or value < self.best.loss:
                self.best = Best(grouping.node, value)

    def _learn(self, packed: np.uint64, grouping: Grouping, gone: Counts) -> None:
        """What the classes of a node tell of finer and of coarser ones."""
        if int(gone.sum()) > self.allowed:
            self._keep(~self.lattice.finer(self.nodes, packed))
        elif gone.any():
            finer = np.flatnonzero(self.lattice.finer(self.nodes, packed))
            if len(finer):
                bounds = self.base[finer] + self.loss.finer(grouping, gone)
                self.bounds[finer] = np.maximum(self.bounds[finer], bounds)
        if least := self.loss.coarser(grouping):
            coarser = self.lattice.coarser(self.nodes, packed)
            np.maximum(self.bounds, least, out=self.bounds, where=coarser)

    def _keep(self, which: NDArray[np.bool_]) -> None:
        if not which.all():
            self.nodes, self.bounds, self.base = self.nodes[which], self.bounds[which], self.base[which]

    def _tells_of_others(self) -> Shares:
        """Of how many other nodes each may tell something, as a logarithm."""
        heights = self.lattice.heights
        finer = self.lattice.total([np.log(np.arange(1, height + 2)) for height in heights])
        if any(of_column.any() for of_column in self.loss.base):
            return finer
        # the loss of a node bounds that of coarser ones: it pays to ask in the middle
        coarser = self.lattice.total([np.log(np.arange(height + 1, 0, -1)) for height in heights])
        return np.minimum(finer, coarser)
