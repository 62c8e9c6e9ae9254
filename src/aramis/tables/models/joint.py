"""Several sensitive columns at once: the distance between combinations of values is the mean of the columns' distances.

There is no closed form, so a class costs one linear program over its combinations and the table's. Two bounds decide
most classes without one: the columns' own distances from below, and moving each record on its own from above.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import Classes, Codes, Shares
from aramis.tables.models.distances import Ground

LARGEST = 250_000  # variables of one program: combinations of the class times combinations of the table
MOST = 500  # programs for one answer
COMBINATIONS = 3_000  # of a table; all pairs of them are looked at


@dataclass(frozen=True, slots=True)
class Joint:
    """The weighted mean of the distances of several columns, over the combinations that occur."""

    grounds: Sequence[Ground]
    weights: Sequence[float]  # add up to 1
    values: Codes  # (combinations, columns) the code of each column in a combination

    @property
    def name(self) -> str:
        return "mean of " + ", ".join(ground.name for ground in self.grounds)

    def apart(self, a: Codes, b: Codes) -> Shares:
        parts = [
            weight * ground.apart(self.values[a, place], self.values[b, place])
            for place, (ground, weight) in enumerate(zip(self.grounds, self.weights, strict=True))
        ]
        return np.sum(parts, axis=0)

    def emd(self, classes: Classes) -> Shares:
        """Exact for every class; refused where that takes more programs than can be waited for."""
        below, above = self.bounds(classes)
        open_ = np.flatnonzero(above - below > 0)
        if len(open_) > MOST:
            raise BadInput(
                f"the joint distance of {len(open_)} classes needs a linear program each, and {MOST} is the most; "
                "make the joint distance equal, or ask each column on its own"
            )
        for which in open_:
            above[which] = self._exact(classes, int(which))
        return above

    def worst(self, classes: Classes) -> tuple[float, float]:
        """The largest distance of any class: from and to, the same number where it is exact."""
        below, above = self.bounds(classes)
        best = float(below.max())
        for number, which in enumerate(np.argsort(-above)):
            if above[which] <= best:
                break
            if number == MOST:
                return best, float(above[which])
            if above[which] > below[which]:
                above[which] = self._exact(classes, int(which))
            best = max(best, float(above[which]))
        return best, best

    def bounds(self, classes: Classes) -> tuple[Shares, Shares]:
        """What each class is at least and at most from the reference; the same where it has one combination."""
        if len(self.values) > COMBINATIONS:
            raise BadInput(
                f"the sensitive columns have {len(self.values)} combinations, and {COMBINATIONS} are the most for "
                "their joint distance; make it equal, or ask each column on its own"
            )
        every = np.arange(len(self.values), dtype=np.int32)
        alone = np.array(
            [self.apart(np.full_like(every, value), every) @ classes.reference for value in every]
        )
        above = np.add.reduceat(classes.shares * alone[classes.values], classes.starts[:-1])
        below = np.sum(
            [
                weight * ground.emd(classes.coarser(self.values[:, place]))
                for place, (ground, weight) in enumerate(zip(self.grounds, self.weights, strict=True))
            ],
            axis=0,
        )
        single = np.diff(classes.starts) == 1
        return np.where(single, above, np.minimum(below, above)), above

    def between(self, p: Shares, q: Shares) -> Shares:
        return np.array([self._moved(one - other) for one, other in zip(p, q, strict=True)])

    def _exact(self, classes: Classes, which: int) -> float:
        entries = slice(classes.starts[which], classes.starts[which + 1])
        difference = -classes.reference
        difference[classes.values[entries]] += classes.counts[entries] / classes.sizes[which]
        return self._moved(difference)

    def _moved(self, difference: Shares) -> float:
        """The least work that moves what is too much to where too little is; the rest stays where it is."""
        much, little = np.flatnonzero(difference > 0), np.flatnonzero(difference < 0)
        if len(much) * len(little) > LARGEST:
            raise BadInput(
                f"a class has {len(much)} combinations to be moved to {len(little)}; {LARGEST} pairs are the most; "
                "make the joint distance equal, or ask each column on its own"
            )
        pairs = np.meshgrid(much.astype(np.int32), little.astype(np.int32), indexing="ij")
        cost = self.apart(pairs[0].ravel(), pairs[1].ravel())
        return transport(cost.reshape(len(much), len(little)), difference[much], -difference[little])


def transport(cost: Shares, supply: Shares, demand: Shares) -> float:
    """The least cost of moving all supply to all demand: a linear program, solved exactly."""
    if not len(supply) or not len(demand):
        return 0.0
    from scipy.optimize import linprog  # type: ignore[import-untyped]
    from scipy.sparse import csr_array, eye_array, kron, vstack  # type: ignore[import-untyped]

    rows, columns = cost.shape
    leaves = kron(eye_array(rows), np.ones((1, columns)))
    arrives = kron(np.ones((1, rows)), eye_array(columns))
    amount = supply.sum()
    # both sides as shares: they add up to the same but for rounding, which a solver would call impossible
    shares = np.append(supply / amount, demand / demand.sum())
    solved = linprog(
        cost.ravel(),
        A_eq=csr_array(vstack([leaves, arrives])[:-1]),
        b_eq=shares[:-1],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if not solved.success:
        raise ArithmeticError(f"the transport of {rows} x {columns} was not solved: {solved.message}")
    return float(solved.fun * amount)
