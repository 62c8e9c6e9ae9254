"""dSABRE draws from buckets of decision and group, so that no class discriminates beyond what is wanted."""

import pytest
from tests.tables.anonymizers.loans import WHO, loans, measures

from aramis.errors import BadInput, Unreachable


@pytest.mark.parametrize(("measure", "level"), [("RD", 0.2), ("RD", 0.4), ("RC", 0.6)])
def test_no_class_discriminates_beyond_what_is_wanted(measure: str, level: float) -> None:
    found = loans().anonymize(algorithm="dsabre", k=5, protection={measure: level}, seed=1, **WHO)
    worst = measures(found.frame, measure)
    assert len(worst) > 1
    assert max(worst) <= level if measure == "RD" else min(worst) >= level


def test_what_every_class_has_is_within_the_bound_of_its_t() -> None:
    """Ruggieri's theorem: the measure is no worse than bd_f(t), t being that of the decision among both groups."""
    found = loans().anonymize(algorithm="dsabre", k=5, protection={"RD": 0.3}, seed=1, **WHO)
    told = found.check.discrimination
    assert told
    assert told.measures["RD"].worst <= told.measures["RD"].bound
    assert told.measures["RC"].worst >= told.measures["RC"].bound


def test_t_closeness_may_be_wanted_as_well() -> None:
    found = loans().anonymize(algorithm="dsabre", t=0.3, protection={"RD": 0.3}, seed=1, **WHO)
    assert found.check.holds


def test_what_it_cannot_do_is_said() -> None:
    with pytest.raises(Unreachable, match=r"RD = 0.01 is out of reach for what begins with the whole table"):
        loans().anonymize(algorithm="dsabre", protection={"RD": 0.01}, **WHO)
    with pytest.raises(BadInput, match="dsabre is built on protection"):
        loans().anonymize(algorithm="dsabre", k=5)
