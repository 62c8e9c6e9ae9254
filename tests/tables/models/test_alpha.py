"""(alpha,k)-anonymity: of any value, or of those that are stated."""

from typing import Any

import polars as pl
import pytest

import aramis
from aramis.tables.answer import answer

PEOPLE = pl.DataFrame({"zip": [*"aaaabbb"], "ill": ["hiv", "flu", "flu", "flu", "hiv", "hiv", "cold"]})
TABLE = aramis.table(PEOPLE, quasi="zip", sensitive="ill")


@pytest.mark.parametrize(
    ("stated", "level", "failing"),
    [(None, 3 / 4, 7), ("hiv", 2 / 3, 3), (["hiv", "cold"], 2 / 3, 3), (["cold"], 1 / 3, 0), ("HIV", 0, 0)],
)
def test_stated_values_alone_may_not_be_frequent(stated: Any, level: float, failing: int) -> None:
    found = TABLE.check(alpha=0.5, alpha_of=stated and {"ill": stated})
    assert found.wanted[0].level == pytest.approx(level)
    assert found.wanted[0].failing_records == failing
    assert found.sensitive["ill"].alpha == 3 / 4


def test_which_values_are_meant_is_said_and_that_one_does_not_occur() -> None:
    told = answer(TABLE.check(alpha=0.5, alpha_of={"ill": ["HIV", "hiv"]}))["wanted"]["alpha"]
    assert told["columns"]["ill"]["of"] == "HIV (in no record) or hiv"


def test_values_of_a_column_without_an_alpha_are_refused() -> None:
    with pytest.raises(
        aramis.BadInput, match="values of ill are stated, and no alpha is wanted of it; none is"
    ):
        TABLE.check(alpha_of={"ill": "hiv"})


def test_a_release_keeps_to_it() -> None:
    assert not TABLE.check(alpha=0.5, alpha_of={"ill": "hiv"}).holds
    release = TABLE.anonymize(alpha=0.5, alpha_of={"ill": "hiv"})
    assert release.check.holds
    assert set(release.frame["zip"]) == {"*"}


def test_enhanced_beta_may_be_wanted() -> None:
    """Of hiv q = 3/7, p = 2/3: a gain of 5/9, below -ln q = 0.85; of cold q = 1/7, p = 1/3: a gain of 4/3."""
    found = TABLE.check(beta_enhanced=1.3, beta=1.4)
    assert [one.holds for one in found.wanted] == [True, False]
    assert found.wanted[1].level == pytest.approx(4 / 3)
    assert answer(found)["wanted"]["beta_enhanced"]["kind"] == "enhanced"
    assert set(answer(found)["wanted"]) == {"beta", "beta_enhanced"}
