"""Who of a population is in a release: the counts that delta-presence reads."""

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import Classes, Codes, Counts, FrequencySet, classes_of
from aramis.tables.models.delta_presence import INSIDE, OUTSIDE


def presence(release: FrequencySet, population: FrequencySet) -> Classes:
    """The classes of a population with the records inside and outside of the release.

    Both have the same quasi-identifiers, in the same generalization; everybody released is in the population.
    """
    for column in release.quasi:
        release = release.with_values(column, population.domains[column])
        population = population.with_values(column, release.domains[column])
    (codes, released), (of_all, records) = _classes(release), _classes(population)
    _, group = np.unique(np.vstack([codes, of_all]), axis=0, return_inverse=True)
    inside = np.bincount(group, np.append(released, np.zeros(len(of_all)))).astype(np.int64)
    whole = np.bincount(group, np.append(np.zeros(len(codes)), records)).astype(np.int64)
    if np.any(inside > whole):
        which = int(np.argmax(inside > whole))
        raise BadInput(
            f"{inside[which]} records of the release share a class of which the population has {whole[which]}; "
            "everybody released must be in the population, described alike"
        )
    return _of_two(inside, whole - inside)


def _classes(frequency: FrequencySet) -> tuple[Codes, Counts]:
    starts = frequency.class_starts()
    return frequency.codes[starts[:-1], : len(frequency.quasi)], frequency.classes().sizes


def _of_two(inside: Counts, outside: Counts) -> Classes:
    places = np.arange(len(inside))
    of_class = np.concatenate([places[inside > 0], places[outside > 0]])
    values = np.repeat(
        np.array([INSIDE, OUTSIDE], np.int32), [np.count_nonzero(inside), np.count_nonzero(outside)]
    )
    return classes_of(of_class, values, np.concatenate([inside[inside > 0], outside[outside > 0]]), 2)
