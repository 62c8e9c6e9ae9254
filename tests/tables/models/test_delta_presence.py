"""delta-presence: the share of each class of a population that is in the release."""

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput

POPULATION = aramis.table(pl.DataFrame({"zip": [*"aaaabbbbcc"]}), quasi="zip")
RELEASE = aramis.table(pl.DataFrame({"zip": [*"aaab"]}), quasi="zip")


def test_the_share_of_every_class_is_told_also_of_those_without_anybody() -> None:
    assert RELEASE.check(population=POPULATION).presence == (0, 0.75)
    assert RELEASE.check().presence is None


@pytest.mark.parametrize(
    ("presence", "holds", "failing"),
    [((0, 0.75), True, 0), ((0, 0.5), False, 3), ((0.1, 1), False, 0), ((0.3, 1), False, 1)],
)
def test_presence_may_be_neither_too_sure_nor_too_unlikely(
    presence: tuple[float, float], holds: bool, failing: int
) -> None:
    found = RELEASE.check(population=POPULATION, presence=presence)
    assert (found.holds, found.wanted[0].failing_records) == (holds, failing)


def test_a_release_of_people_who_are_not_in_the_population_is_refused() -> None:
    with pytest.raises(
        BadInput, match="3 records of the release share a class of which the population has 0"
    ):
        RELEASE.check(population=aramis.table(pl.DataFrame({"zip": [*"bb"]}), quasi="zip"))


def test_values_that_one_of_them_lacks_are_matched() -> None:
    release = aramis.table(pl.DataFrame({"zip": [2, 9], "age": [1, 1]}), quasi=["zip", "age"])
    people = aramis.table(pl.DataFrame({"zip": [9, 2, 1, 2], "age": [1, 1, 3, 1]}), quasi=["zip", "age"])
    assert release.check(population=people).presence == (0, 1)
