"""What a classifier loses that learns from the release and is asked about the original."""

from dataclasses import dataclass

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import Shares
from aramis.tables.utility.pair import Pair


@dataclass(frozen=True, slots=True)
class Classifier:
    """The share of original records whose label is told right from the quasi-identifiers."""

    label: str
    majority: float  # always the most frequent label
    before: float  # a naive Bayes classifier that learnt from the original
    after: float  # the same that learnt from the release

    @property
    def gap(self) -> float:
        """What is lost, in share of records."""
        return self.before - self.after


def classifier(pair: Pair, label: str) -> Classifier:
    """Naive Bayes, which has no settings that could be tuned to the answer. `label` is a sensitive column."""
    if label not in pair.before.sensitive:
        raise BadInput(
            f"the classifier's label is a sensitive column; {label} is none of {', '.join(pair.before.sensitive)}"
        )
    labels = pair.before.records_of(label)
    before = [_counts_before(pair, column, label) for column in pair.before.quasi]
    after = [_counts_after(pair, place, label) for place in range(len(pair.cells))]
    return Classifier(
        label,
        float(labels.max() / labels.sum()),
        _accuracy(pair, label, before),
        _accuracy(pair, label, after),
    )


def _counts_before(pair: Pair, column: str, label: str) -> Shares:
    """(values, labels) how many original records have both."""
    whole = np.zeros((len(pair.before.domains[column]), len(pair.before.domains[label])))
    np.add.at(whole, (pair.before.codes_of(column), pair.before.codes_of(label)), pair.before.counts)
    return whole


def _counts_after(pair: Pair, place: int, label: str) -> Shares:
    """The same by the release, each label's records shared out over the original values that it covers."""
    column, cells = pair.before.quasi[place], pair.cells[place]
    true = pair.true(label)[pair.after.codes_of(label)]
    released = np.zeros((len(cells.under), len(pair.before.domains[label])))
    np.add.at(released, (pair.after.codes_of(column), true), pair.after.counts)
    each = np.repeat(released / np.diff(cells.starts)[:, None], np.diff(cells.starts), axis=0)
    whole = np.zeros((len(pair.before.domains[column]), released.shape[1]))
    np.add.at(whole, cells.values, each)
    return whole


def _accuracy(pair: Pair, label: str, tables: list[Shares]) -> float:
    """How many original records a classifier with these counts tells right. Every count starts at 1 (Laplace)."""
    scores = np.repeat(np.log(tables[0].sum(axis=0) + 1)[None, :], len(pair.before.counts), axis=0)
    for place, table in enumerate(tables):
        likely = np.log((table + 1) / (table.sum(axis=0) + len(table)))
        scores += likely[pair.before.codes[:, place]]
    right = scores.argmax(axis=1) == pair.before.codes_of(label)
    return float(pair.before.counts[right].sum() / pair.before.rows)
