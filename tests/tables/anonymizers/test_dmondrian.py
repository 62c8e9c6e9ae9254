"""dMondrian cuts as Mondrian does, but no class that it leaves discriminates beyond what is wanted."""

import polars as pl
import pytest
from tests.tables.anonymizers.loans import WHO, loans, measures

import aramis
from aramis.errors import BadInput, Unreachable


@pytest.mark.parametrize(("measure", "level"), [("RD", 0.12), ("RD", 0.3), ("RC", 0.8)])
def test_no_class_discriminates_beyond_what_is_wanted(measure: str, level: float) -> None:
    found = loans().anonymize(algorithm="dmondrian", k=5, protection={measure: level}, **WHO)
    worst = measures(found.frame, measure)
    assert len(worst) > 1
    assert max(worst) <= level if measure == "RD" else min(worst) >= level


def test_classes_that_say_the_same_are_judged_as_the_one_class_that_they_are() -> None:
    """Cut by town and then by floor, each class is fair; those of one floor say the same, and together they are not."""
    towns = {"*": ["a", "b", "c", "d"]}
    people = {("ab", 1): ("fff", "m", "no"), ("ab", 2): ("fff", "m", "yes")}
    people |= {("cd", 1): ("mmm", "f", "yes"), ("cd", 2): ("mmm", "f", "no")}
    rows = [
        (where[number == 0], floor, sex, credit)
        for (where, floor), (many, one, credit) in people.items()
        for number, sex in enumerate(many + one)
    ]
    data = pl.DataFrame(rows, schema=["town", "floor", "sex", "credit"], orient="row")
    table = aramis.table(
        data, quasi=["town", "floor"], sensitive=["credit", "sex"], hierarchies={"town": towns}
    )
    assert table.anonymize(algorithm="dmondrian", k=4, protection={"RD": 0.1}, **WHO).check.holds


def test_where_everything_is_allowed_it_is_mondrian() -> None:
    easy = loans().anonymize(algorithm="dmondrian", k=5, protection={"RD": 1.0}, **WHO)
    assert easy.frame.equals(loans().anonymize(algorithm="mondrian", k=5).frame)


def test_the_less_is_allowed_the_fewer_cuts_are_made() -> None:
    classes = [
        loans().anonymize(algorithm="dmondrian", k=5, protection={"RD": level}, **WHO).check.classes
        for level in (0.1, 0.2, 0.4)
    ]
    assert classes == sorted(classes)
    assert classes[0] < classes[-1]


@pytest.mark.parametrize("algorithm", ["dmondrian", "mondrian"])
def test_what_the_whole_table_does_not_have_is_out_of_reach(algorithm: str) -> None:
    with pytest.raises(Unreachable, match=r"RD = 0.01 is out of reach for what begins with the whole table"):
        loans().anonymize(algorithm=algorithm, k=5, protection={"RD": 0.01}, **WHO)


def test_it_is_not_run_without_protection() -> None:
    with pytest.raises(BadInput, match="dmondrian is built on protection"):
        loans().anonymize(algorithm="dmondrian", k=5)
