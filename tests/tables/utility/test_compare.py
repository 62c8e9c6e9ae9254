"""What a release has lost, worked by hand."""

import math
from typing import Any

import polars as pl
import pytest

import aramis
from aramis.errors import BadInput

BEFORE: dict[str, list[Any]] = {
    "age": [20, 22, 30, 40],
    "job": ["cook", "clerk", "cook", "clerk"],
    "ill": ["flu", "cold", "flu", "cold"],
}
# one class of three; the last record is suppressed
AFTER = {"age": ["[20, 40)"] * 3, "job": ["*"] * 3, "ill": ["flu", "cold", "flu"]}


def lost(after: dict[str, Any], **options: Any) -> Any:
    table = aramis.table(pl.DataFrame(BEFORE), quasi=["age", "job"], sensitive=["ill"])
    return table.compare(pl.DataFrame(after), **options)


def test_every_measure_of_a_small_release() -> None:
    found = lost(AFTER)
    assert found.suppressed == 1
    assert found.ncp == pytest.approx((3 * (10 / 20 + 1) + 2) / 8)
    assert found.loss == pytest.approx((3 * (2 / 3 + 1) + 2) / 8)
    assert found.precision is None
    assert (found.discernibility, found.discernibility_star) == (9 + 4, 9 + 1)
    assert found.average_class_size == 2
    # age: which of three values, three times, and nothing for the fourth; job: which of two, four times
    assert found.non_uniform_entropy == pytest.approx((3 * math.log2(3) + 4) / (4 * 2 + 4))
    assert found.marginals == {"age": pytest.approx(0.25), "job": 0, "ill": pytest.approx(1 / 6)}


def test_of_means_the_variance_is_told_that_they_no_longer_show() -> None:
    # classes {20, 22} and {30, 40}: 1 + 1 + 25 + 25 of 64 + 36 + 4 + 144
    means = {**BEFORE, "age": [21.0, 21.0, 35.0, 35.0]}
    assert lost(means).variance_lost == {"age": pytest.approx(52 / 248)}
    assert lost(BEFORE).variance_lost == {}
    # a hierarchy does not make them less; its labels are no means, whatever they look like
    tree = {"age": [["20", "21"], ["22", "21"], ["30", "35"], ["40", "35"]]}
    table = aramis.table(pl.DataFrame(BEFORE), quasi=["age", "job"], sensitive="ill", hierarchies=tree)
    assert table.compare(pl.DataFrame(means)).variance_lost == {}
    assert table.compare(pl.DataFrame({**means, "age": [21.0, 21.0, 34.5, 35.5]})).variance_lost.keys() == {
        "age"
    }
    assert lost(AFTER).variance_lost == {}
    # nobody knows what the suppressed record had to do with it
    assert lost({column: values[:3] for column, values in means.items()}).variance_lost == {}


def test_without_a_hierarchy_a_star_is_all_the_way_up() -> None:
    after = {"age": [20, 22, 30, 40], "job": ["*"] * 4, "ill": BEFORE["ill"]}
    assert lost(after).precision == 0.5


def test_nothing_is_lost_by_the_table_itself() -> None:
    found = lost(BEFORE, label="ill")
    assert (
        found.ncp,
        found.loss,
        found.non_uniform_entropy,
        found.queries.median,
        found.association_lost,
    ) == (0,) * 5
    assert found.marginals == {"age": 0, "job": 0, "ill": 0}
    assert found.classifier.gap == 0


def test_rows_of_stars_are_suppressed_rows() -> None:
    starred = {column: [*values, "*"] for column, values in AFTER.items()}
    assert lost(starred) == lost(AFTER)


def test_a_classifier_that_learns_from_stars_tells_the_most_frequent() -> None:
    after = {"age": ["*"] * 4, "job": ["*"] * 4, "ill": BEFORE["ill"]}
    found = lost(after, label="ill").classifier
    assert (found.before, found.after, found.majority) == (1, 0.5, 0.5)


def test_a_counting_query_is_answered_by_sharing_out_a_class() -> None:
    """All of a class asked for: no error; half of what its cells cover: half of its records."""
    whole = lost({"age": ["[20, 40)"] * 3 + ["40"], "job": BEFORE["job"], "ill": BEFORE["ill"]})
    assert 0 < whole.queries.mean < lost(AFTER).queries.mean


@pytest.mark.parametrize(
    ("after", "label", "why"),
    [
        ({**BEFORE, "ill": ["flu", "cold", "flu", "gout"]}, None, "the release has 'gout' in ill"),
        ({name: values * 2 for name, values in BEFORE.items()}, None, "the other way round"),
        (BEFORE, "age", "label is a sensitive column; age is none of ill"),
        ({"age": [20], "ill": ["flu"]}, None, "has no column 'job'"),
    ],
)
def test_what_cannot_be_compared_is_said(after: dict[str, Any], label: str | None, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        lost(after, label=label)
