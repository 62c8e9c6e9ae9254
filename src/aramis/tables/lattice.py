"""Every node of a lattice as one number each, so that one subtraction tells which of them are finer than a given one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.rollup import Node

Packed = NDArray[np.uint64]

LARGEST = 2**24  # nodes; each costs about 40 bytes and a look at every step


class Lattice:
    """The nodes between all-zero and `heights`. A node's levels lie side by side in one number.

    Above each level lies a guard bit. With the guards of b set, b - a borrows a guard exactly where a level of a is
    above that of b.
    """

    def __init__(self, heights: Node) -> None:
        self.heights = heights
        self.size = int(np.prod([float(height + 1) for height in heights]))
        if self.size > LARGEST:
            raise BadInput(
                f"these hierarchies have {self.size:.3g} combinations of levels; a search of all is possible up to "
                f"{LARGEST:.3g}; leave out levels or columns, or use the algorithm mondrian or datafly"
            )
        widths = [height.bit_length() + 1 for height in heights]
        self._shifts = np.cumsum([0, *widths[:-1]]).astype(np.uint64)
        self._masks = np.array([(1 << (width - 1)) - 1 for width in widths], np.uint64)
        self._guards = np.bitwise_or.reduce((self._masks + np.uint64(1)) << self._shifts)

    def nodes(self) -> Packed:
        """Every node, the last quasi-identifier's level running fastest."""
        packed = np.zeros(1, np.uint64)
        for height, shift in zip(self.heights, self._shifts, strict=True):
            packed = np.add.outer(packed, np.arange(height + 1, dtype=np.uint64) << shift).ravel()
        return packed

    def total(self, of_levels: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """For every node, in the order of `nodes`, the sum of what each column has for its level."""
        total = np.zeros(1)
        for values in of_levels:
            total = np.add.outer(total, values).ravel()
        return total

    def pack(self, node: Node) -> np.uint64:
        return np.bitwise_or.reduce(np.array(node, np.uint64) << self._shifts)

    def unpack(self, packed: np.uint64) -> Node:
        return tuple(((packed >> self._shifts) & self._masks).tolist())

    def finer(self, nodes: Packed, than: np.uint64) -> NDArray[np.bool_]:
        """Which nodes have no level above that of the given one; the node itself is among them."""
        borrowed: NDArray[np.bool_] = (((than | self._guards) - nodes) & self._guards) == self._guards
        return borrowed

    def coarser(self, nodes: Packed, than: np.uint64) -> NDArray[np.bool_]:
        """Which nodes have no level below that of the given one; the node itself is among them."""
        borrowed: NDArray[np.bool_] = (((nodes | self._guards) - than) & self._guards) == self._guards
        return borrowed
