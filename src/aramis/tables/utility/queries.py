"""How wrong the answers to counting questions become.

Xiao, Tao, "Anatomy", VLDB 2006, and LeFevre et al., "Workload-aware anonymization", KDD 2006: how many records have
their values in these ranges? The release is answered for by sharing out each class evenly over what its cells cover.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Counts, FrequencySet, Shares
from aramis.tables.utility.pair import Pair

QUERIES = 500
SELECTIVITY = 0.05  # the share of records that a query is made to find, if columns were independent
DIMENSIONS = 3  # columns in a query, at most


@dataclass(frozen=True, slots=True)
class QueryError:
    """The relative error of random counting queries: |answer - truth| / truth, or / 0.1 % of the records where more."""

    queries: int
    median: float
    mean: float


def query_error(pair: Pair, seed: int = 0) -> QueryError:
    """Ask the same random questions of both tables."""
    random = np.random.default_rng(seed)
    records = [pair.before.records_of(column) for column in (*pair.before.quasi, *pair.before.sensitive)]
    before, after = _positions(pair.before), _positions(pair.after)
    errors = []
    for _ in range(QUERIES):
        asked = _question(records, random)
        truth, answer = _truth(pair, before, asked), _answer(pair, after, asked)
        errors.append(abs(answer - truth) / max(truth, 0.001 * pair.before.rows))
    return QueryError(QUERIES, float(np.median(errors)), float(np.mean(errors)))


Positions = Sequence[NDArray[np.intp]]
Question = Sequence[tuple[int, NDArray[np.bool_]]]
"""Columns by their place, each with which of its original values are asked for."""


def _question(records: Sequence[Counts], random: np.random.Generator) -> Question:
    """A few columns, quasi-identifiers or sensitive, and for each a run of values with enough records."""
    number = min(DIMENSIONS, len(records))
    chosen = random.choice(len(records), int(random.integers(1, number + 1)), replace=False)
    share = SELECTIVITY ** (1 / len(chosen))
    return [(int(place), _run(records[place], share, random)) for place in sorted(chosen)]


def _run(records: Counts, share: float, random: np.random.Generator) -> NDArray[np.bool_]:
    """Values that follow one another, from a random one on, until they have this share of the records."""
    first = int(random.integers(len(records)))
    turned = np.roll(records, -first).cumsum()
    asked = np.arange(len(records)) <= np.searchsorted(turned, share * records.sum())
    return np.roll(asked, first)


def _positions(frequency: FrequencySet) -> Positions:
    """The codes of each column, as numpy looks up by without turning them into that each time."""
    return [column.astype(np.intp) for column in frequency.codes.T]


def _truth(pair: Pair, codes: Positions, asked: Question) -> float:
    found = np.ones(len(pair.before.counts), dtype=bool)
    for place, values in asked:
        found &= values.take(codes[place])
    return float(pair.before.counts[found].sum())


def _answer(pair: Pair, codes: Positions, asked: Question) -> float:
    records = pair.after.counts.astype(np.float64)  # not `@`: the threads of BLAS wait longer than they count
    for place, values in asked:
        records *= _covered(pair, place, values).take(codes[place])
    return float(records.sum())


def _covered(pair: Pair, place: int, values: NDArray[np.bool_]) -> Shares:
    """For each released label of a column, which share of what it covers is asked for."""
    if place >= len(pair.cells):
        return values[pair.true(pair.before.sensitive[place - len(pair.cells)])].astype(np.float64)
    cells = pair.cells[place]
    return np.add.reduceat(values[cells.values], cells.starts[:-1]) / np.diff(cells.starts)
