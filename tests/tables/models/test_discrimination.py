"""Discrimination: the measures of a class, what cannot be judged, and what a check tells of a table."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats.contingency import (  # type: ignore[import-untyped]  # it has no types
    odds_ratio,
    relative_risk,
)

import aramis
from aramis.errors import BadInput
from aramis.tables.answer import answer
from aramis.tables.frequency import classes_of
from aramis.tables.models.discrimination import MEASURES, Protection, measured

# protected and denied, protected and granted, others denied, others granted
COUNTS = np.array([[6, 4, 3, 7]])
CELLS = np.arange(4, dtype=np.int32)


@pytest.mark.parametrize(
    ("measure", "level"),
    [
        ("RD", 0.6 - 0.3),
        ("ED", 0.6 - 0.45),
        ("RR", 0.6 / 0.3),
        ("ER", 0.6 / 0.45),
        ("RC", 0.4 / 0.7),
        ("OR", (6 * 7) / (4 * 3)),
    ],
)
def test_measures_of_a_class(measure: str, level: float) -> None:
    assert measured(measure, COUNTS)[0] == pytest.approx(level, abs=1e-12)


@pytest.mark.parametrize("counts", [(6, 4, 3, 7), (1, 9, 5, 5), (20, 30, 40, 10)])
def test_scipy_says_the_same(counts: tuple[int, int, int, int]) -> None:
    a, b, c, d = counts
    risk = relative_risk(a, a + b, c, c + d).relative_risk
    odds = odds_ratio([[a, b], [c, d]], kind="sample").statistic
    assert measured("RR", np.array([counts]))[0] == pytest.approx(risk)
    assert measured("OR", np.array([counts]))[0] == pytest.approx(odds)


@pytest.mark.parametrize(
    ("counts", "ratio"), [((0, 5, 0, 5), 1), ((5, 0, 5, 0), 1), ((5, 0, 0, 5), np.inf), ((0, 5, 5, 0), 0)]
)
def test_nothing_over_nothing_is_no_difference(counts: tuple[int, ...], ratio: float) -> None:
    assert measured("OR", np.array([counts]))[0] == ratio


@pytest.mark.parametrize("measure", MEASURES)
def test_a_class_without_one_of_the_groups_cannot_be_judged_and_holds(measure: str) -> None:

    of_class = np.array([0, 0, 1, 1], np.intp)
    values = np.array([0, 1, 2, 3], np.int32)

    classes = classes_of(of_class, values, np.array([5, 1, 4, 2]), 4)
    model = Protection("both", CELLS, measure, 0.0)
    assert np.isinf(model.levels(classes)).all()
    assert model.holds(model.levels(classes)).all()
    assert np.isnan(measured(measure, np.array([[5, 1, 0, 0], [0, 0, 4, 2]]))).all()


def loans() -> Any:
    """Two towns: in the first both groups are denied as often, in the second women twice as often; a third has no men."""
    rows = [
        *([("a", "f", "no")] * 2 + [("a", "f", "yes")] * 2 + [("a", "m", "no")] + [("a", "m", "yes")]),
        *([("b", "f", "no")] * 2 + [("b", "f", "yes")] * 2 + [("b", "m", "no")] + [("b", "m", "yes")] * 3),
        *([("c", "f", "no")] * 2),
    ]
    frame = pl.DataFrame(rows, schema=["town", "sex", "credit"], orient="row")
    return aramis.table(frame, quasi="town", sensitive=["sex", "credit"])


WHO: dict[str, Any] = {"denied": {"credit": "no"}, "protected": {"sex": "f"}}


def test_a_check_tells_every_measure_of_the_table_and_of_its_worst_class() -> None:
    found = loans().check(**WHO)
    assert found.discrimination.unjudged_classes == 1
    assert found.discrimination.unjudged_records == 2
    whole, worst = (
        {name: getattr(one, of) for name, one in found.discrimination.measures.items()}
        for of in ("table", "worst")
    )
    assert whole["RD"] == pytest.approx(6 / 10 - 2 / 6)
    assert (worst["RD"], worst["RR"], worst["RC"]) == (0.25, 2, 0.5 / 0.75)
    assert found.discrimination.t == pytest.approx(1 - 8 / 16)  # town c
    assert found.holds


@pytest.mark.parametrize(
    ("wanted", "holds", "failing"),
    [
        ({"RD": 0.25}, True, 0),
        ({"RD": 0.2}, False, 8),
        ({"RC": 0.5}, True, 0),
        ({"RC": 0.7, "RR": 3}, False, 8),
    ],
)
def test_a_level_may_be_wanted(wanted: dict[str, float], holds: bool, failing: int) -> None:
    found = loans().check(protection=wanted, **WHO)
    assert found.holds is holds
    told = answer(found)["wanted"]
    assert set(told) == set(wanted)
    assert sum(told[measure]["failing_records"] for measure in wanted) == failing


def test_a_search_keeps_to_it() -> None:
    """Towns b and c together would do; the coarsest recoding does not, and the finest is the best that does."""
    found = loans().anonymize(protection={"RD": 0.25}, **WHO)
    assert found.generalization == {"town": 0}
    with pytest.raises(aramis.Unreachable, match="needs 50 % of the records suppressed"):
        loans().anonymize(protection={"RD": 0.1}, suppress=0.1, **WHO)
    assert loans().anonymize(protection={"RD": 0.1}, suppress=0.5, **WHO).suppressed == 8


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"protection": {"RD": 0.1}}, "say which value of which column denies"),
        (
            {"protection": {"XY": 0.1}, **WHO},
            "there is no measure of discrimination XY; choose one of RD, ED",
        ),
        ({"protection": {"RR": -0.5}, **WHO}, "RR = -0.5 means nothing; it is 0 or more"),
        ({**WHO, "denied": {"town": "a"}}, "town is not sensitive; sex, credit is"),
        ({**WHO, "denied": {"credit": "never"}}, "no record has never in credit; it has no, yes"),
        ({**WHO, "protected": {"credit": "yes"}}, "a decision and a group are two columns"),
        (
            {**WHO, "denied": {"credit": "no", "sex": "f"}},
            "denied is about one column; credit and sex is given",
        ),
    ],
)
def test_what_cannot_be_asked_is_said(wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        loans().check(**wanted)
