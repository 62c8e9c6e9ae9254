"""Groups of records that are near one another, each of which says its means.

Without a wanted t the groups are those of MDAV. With one, a group has a record from each of so many slices of the sorted sensitive
values that it is t-close whichever records these are: t-closeness first.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from aramis.errors import BadInput
from aramis.tables.anonymizers.anonymizer import Anonymizer, Task
from aramis.tables.drawing import UNTIL_THE_END, one_of_each_slice, slices_needed
from aramis.tables.interpreted import when_it_pays
from aramis.tables.mdav import grouped_around
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.nearest import Positions
from aramis.tables.reach import whole_must_be_good
from aramis.tables.recoding import Recoding
from aramis.tables.scales import Places, Scales, numbers_of
from aramis.tables.settling import points_of, settled

BLOCK = 4096  # records among whom groups are made, at most: MDAV takes time by the square of them


def _recode(task: Task) -> Recoding:
    whole_must_be_good(task.frequency, task.goals)
    averaged = [column for column in task.frequency.quasi if _is_averaged(task, column)]
    if not averaged:
        raise BadInput(
            f"microaggregation releases means, and none of {', '.join(task.frequency.quasi)} has numbers; mondrian or cldpp recode "
            "other values"
        )
    # means need no hierarchy
    task = replace(task, given={column: one for column, one in task.given.items() if column not in averaged})
    close = [model for model in task.goals.models if isinstance(model, TCloseness)]
    if close:
        wanted = min(close, key=lambda model: model.t)
        found = one_of_each_slice(task, wanted, slices_needed(task, wanted, task.goals.least))
    else:
        found = _mdav(task)
    return _with_means(task, averaged, found)


def _mdav(task: Task) -> Recoding:
    scales, points = points_of(task)
    tuples = np.repeat(np.arange(len(points), dtype=np.int32), task.frequency.counts)
    places, groups, number = points[tuples], np.empty(len(tuples), np.int64), 0
    loop = when_it_pays(grouped_around, len(tuples) * min(len(tuples), BLOCK) // 50)
    for block in _blocks(scales, places, np.arange(len(tuples)), max(BLOCK, 4 * task.goals.least)):
        apart, tally = np.zeros(len(block)), np.zeros(int(scales.sizes.max()), np.int64)
        number = loop(scales, places, block, task.goals.least, number, groups, apart, tally)
        task.tell(number, None, f"{number:,} groups; {UNTIL_THE_END}")
    return settled(task, tuples, groups, dissolves=False)


def _blocks(scales: Scales, places: Places, records: Positions, most: int) -> list[Positions]:
    """Records halved, where they are widest apart, until no part has too many."""
    if len(records) <= most:
        return [records]
    inside = places[records]
    lines = [scales.costs[start + inside[:, column]] for column, start in enumerate(scales.starts)]
    widest = int(
        np.argmax([line.std() if scales.numeric[column] else 0.0 for column, line in enumerate(lines)])
    )
    order = np.argsort(lines[widest], kind="stable")
    middle = len(order) // 2
    return [
        *_blocks(scales, places, records[order[:middle]], most),
        *_blocks(scales, places, records[order[middle:]], most),
    ]


def _with_means(task: Task, averaged: Sequence[str], recoding: Recoding) -> Recoding:
    """What is written: of numbers the mean of each class, of other values what they have in common."""
    cells, labels, said = recoding.cells.copy(), list(recoding.labels), list(recoding.labels)
    for column in averaged:
        place = task.frequency.quasi.index(column)
        said[place] = tuple(_means(task, column, recoding))
        labels[place] = tuple(labels[place][cell] for cell in cells[:, place])
        cells[:, place] = np.arange(len(cells))
    return replace(recoding, cells=cells, labels=tuple(labels), said=tuple(said))


def _means(task: Task, column: str, recoding: Recoding) -> list[float | int | None]:
    """The mean of each class, a whole number where all values are; none where a value is missing."""
    codes = task.frequency.codes_of(column)[recoding.tuples]
    values = np.array([np.nan if value is None else float(value) for value in task.frequency.domains[column]])  # type: ignore[arg-type]
    sizes = np.bincount(recoding.classes, recoding.counts)
    means = np.bincount(recoding.classes, recoding.counts * values[codes]) / sizes
    whole = all(isinstance(value, int | None) for value in task.frequency.domains[column])
    return [None if np.isnan(mean) else round(mean) if whole else float(mean) for mean in means.tolist()]


def _is_averaged(task: Task, column: str) -> bool:
    """Whether a column has numbers of which a mean can be said."""
    return numbers_of(task.frequency, column) is not None and all(
        isinstance(value, int | float | None) for value in task.frequency.domains[column]
    )


microaggregation = Anonymizer(
    name="microaggregation",
    recode=_recode,
    guarantee="every class satisfies the models and says the mean of its numbers; of other values it says what its own records have "
    "in common; nothing is suppressed. NCP and its kin count the span that a mean stands for",
    paper="Domingo-Ferrer, Mateo-Sanz, Practical data-oriented microaggregation, 2002 (MDAV); Soria-Comas et al., t-closeness "
    "through microaggregation, 2015",
    reusable=False,
)
