"""A saved recoding: applied to other records, checked anew, and what it says of values that it does not know."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aramis
from aramis.errors import BadInput, Unreachable

JOBS = {"*": {"care": ["nurse", "doctor"], "food": ["cook", "baker"]}}
Rows = dict[str, list[Any]]
FIRST: Rows = {
    "age": [31, 34, 38, 52, 57, 59],
    "job": ["nurse", "doctor", "nurse", "cook", "baker", "cook"],
    "ill": ["flu", "cold", "flu", "cold", "flu", "gout"],
}


def with_one_more(*record: Any) -> Rows:
    return {name: [*values, value] for (name, values), value in zip(FIRST.items(), record, strict=True)}


STRANGER = with_one_more(35, "pilot", "flu")


def people(rows: Rows, **options: Any) -> Any:
    options = {"hierarchies": {"age": "intervals:10,20", "job": JOBS}} | options
    return aramis.table(pl.DataFrame(rows), quasi=["age", "job"], sensitive=["ill"], **options)


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "levels.json"
    found = people(FIRST).anonymize(k=3, l=2, save_recoding=path)
    assert found.generalization == {"age": 1, "job": 1}
    return path


def test_the_same_records_get_the_same_release(levels: Path) -> None:
    first = people(FIRST).anonymize(k=3, l=2).frame
    assert people(FIRST).anonymize(reuse=levels).frame.equals(first)


def test_columns_hierarchies_and_what_was_wanted_come_from_the_file(levels: Path) -> None:
    found = aramis.table(pl.DataFrame(FIRST), schema=levels).anonymize(reuse=levels)
    assert [(held.model.name, held.model.wanted) for held in found.check.wanted] == [
        ("k", 3),
        ("l_distinct", 2),
    ]
    assert found.frame["job"].to_list() == ["care"] * 3 + ["food"] * 3


def test_what_is_wanted_may_be_another_this_time(levels: Path) -> None:
    found = people(FIRST).anonymize(reuse=levels, k=2)
    assert [held.model.name for held in found.check.wanted] == ["k"]


def test_other_records_get_the_same_levels(levels: Path) -> None:
    other: Rows = {"age": [31, 34, 38], "job": ["doctor"] * 3, "ill": ["flu", "flu", "gout"]}
    found = people(other).anonymize(reuse=levels)
    assert found.frame["age"].to_list() == ["30-39"] * 3
    assert (found.algorithm.name, found.recoding.checked) == ("optimal, reused", None)


def test_classes_that_fail_this_time_are_suppressed_as_far_as_is_allowed(levels: Path) -> None:
    other = with_one_more(52, "nurse", "flu")
    with pytest.raises(Unreachable, match=r"with the levels of the recoding, k = 3 .* needs 14.3 % of the"):
        people(other).anonymize(reuse=levels)
    found = people(other).anonymize(reuse=levels, suppress=0.2)
    assert (found.suppressed, found.frame.height) == (1, 6)


def test_a_record_with_a_value_that_it_does_not_know_is_suppressed_and_told(levels: Path) -> None:
    unknown = aramis.table(pl.DataFrame(STRANGER), schema=levels)
    with pytest.raises(
        Unreachable, match=r"1 record has a value .* does not know: '35' of age, 'pilot' of job"
    ):
        unknown.anonymize(reuse=levels)
    found = unknown.anonymize(reuse=levels, suppress=0.2)
    assert found.frame["job"].to_list() == ["care"] * 3 + ["food"] * 3
    assert found.recoding.remarks == (
        "1 record has a value that the recoding does not know: '35' of age, 'pilot' of job",
    )


def test_a_hierarchy_given_anew_may_know_more_values(levels: Path) -> None:
    more = {"*": {"care": ["nurse", "doctor", "pilot"], "food": ["cook", "baker"]}}
    found = people(STRANGER, hierarchies={"age": "intervals:10,20", "job": more}).anonymize(reuse=levels)
    assert found.frame["job"].to_list() == ["care"] * 3 + ["food"] * 3 + ["care"]


def test_a_kept_value_is_kept_whether_known_or_not(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    two = {"age": [30, 30], "ill": ["a", "b"]}
    aramis.table(pl.DataFrame(two), quasi="age").anonymize(k=2, save_recoding=path)
    other = pl.DataFrame({"age": [41, 41]})
    assert aramis.table(other, quasi="age").anonymize(reuse=path).frame.equals(other)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"hierarchies": {"age": "intervals:15,30"}},
            "has '30-44' for '31' at level 1; the recoding has '30-39'",
        ),
        (
            {"hierarchies": {"job": [["nurse"], ["doctor"], ["cook"], ["baker"]]}},
            "has 1 levels; .* needs level 1",
        ),
    ],
)
def test_a_hierarchy_that_says_otherwise_is_refused(levels: Path, options: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        people(FIRST, **options).anonymize(reuse=levels)


def test_other_columns_are_refused(levels: Path) -> None:
    table = aramis.table(pl.DataFrame(FIRST), quasi=["age"], sensitive=["ill"])
    with pytest.raises(BadInput, match="the recoding is of age, job; the quasi-identifiers named are age"):
        table.anonymize(reuse=levels)


@pytest.mark.parametrize("algorithm", ["cldpp", "sabre", "dsabre", "microaggregation", "anatomy", "mask"])
def test_classes_that_mean_nothing_to_other_records_cannot_be_saved(algorithm: str, tmp_path: Path) -> None:
    out, path = tmp_path / "out.csv", tmp_path / "levels.json"
    with pytest.raises(
        BadInput, match=f"the classes of {algorithm} are drawn for what their own records have"
    ):
        people(FIRST).anonymize(k=2, algorithm=algorithm, out=out, save_recoding=path)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def classes(tmp_path: Path) -> Path:
    path = tmp_path / "classes.json"
    people(FIRST, hierarchies={"job": JOBS}).anonymize(k=3, algorithm="mondrian", save_recoding=path)
    return path


def test_saved_classes_say_what_the_release_says_and_no_more(classes: Path) -> None:
    saved = json.loads(classes.read_text())
    released = people(FIRST, hierarchies={"job": JOBS}).anonymize(k=3, algorithm="mondrian").frame
    distinct = released.select("age", "job").unique().sort("age", "job")
    assert saved["classes"] == distinct.to_dict(as_series=False)
    assert saved["classes"] == {"age": ["[31, 38]", "[52, 59]"], "job": ["care", "food"]}
    assert saved["generalization"] == {}


def test_other_records_go_to_the_class_that_covers_them(classes: Path) -> None:
    other: Rows = {"age": [33, 31, 38, 70], "job": ["doctor"] * 4, "ill": ["flu", "flu", "gout", "flu"]}
    table = aramis.table(pl.DataFrame(other), schema=classes)
    with pytest.raises(
        Unreachable, match=r"classes of the recoding, k = 3 needs 25 % .*; 1 record is in no class"
    ):
        table.anonymize(reuse=classes)
    found = table.anonymize(reuse=classes, suppress=0.25)
    assert found.frame["age"].to_list() == ["[31, 38]"] * 3
    assert found.recoding.remarks == ("1 record is in no class of the recoding",)


@pytest.mark.parametrize("algorithm", ["mondrian", "mondrian-relaxed"])
def test_the_narrowest_class_that_covers_a_record_is_its_own(tmp_path: Path, algorithm: str) -> None:
    """Without hierarchies Mondrian's strict classes do not overlap: the same records get the same release."""
    path, days = (
        tmp_path / "classes.json",
        pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 20), eager=True),
    )
    data = pl.DataFrame({"x": [i * 7 % 20 for i in range(20)], "born": days, "job": [*"aabbbccccd"] * 2})
    first = aramis.table(data, quasi=["x", "born", "job"]).anonymize(
        k=2, algorithm=algorithm, save_recoding=path
    )
    again = aramis.table(data, schema=path).anonymize(reuse=path)
    assert again.frame.equals(first.frame)
    assert again.algorithm.name == f"{algorithm}, reused"


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "there is no recoding"), ("{}", "is no recoding"), ("age,zip\n", "is no recoding")],
)
def test_a_file_that_is_none_is_said(tmp_path: Path, content: str | None, why: str) -> None:
    path = tmp_path / "levels.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadInput, match=why):
        people(FIRST).anonymize(reuse=path)


rows = st.lists(
    st.tuples(
        st.integers(20, 59), st.sampled_from(["nurse", "doctor", "cook", "baker"]), st.sampled_from("ab")
    ),
    min_size=4,
    max_size=40,
)


@given(first=rows, other=rows)
@settings(max_examples=25, deadline=None)
def test_classes_that_are_reused_cover_their_records_and_have_what_is_wanted(
    tmp_path_factory: pytest.TempPathFactory, first: list[Any], other: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("reused") / "classes.json"
    before, after = (
        {name: [row[place] for row in table] for place, name in enumerate(FIRST)} for table in (first, other)
    )
    given_ = {"hierarchies": {"job": JOBS}}
    people(before, **given_).anonymize(k=2, algorithm="mondrian", save_recoding=path)
    try:
        found = people(after, **given_).anonymize(reuse=path, suppress=0.9, star=True)
    except Unreachable:
        return
    assert found.check.k >= 2
    under = {
        "care": ["nurse", "doctor"],
        "food": ["cook", "baker"],
        "*": ["nurse", "doctor", "cook", "baker"],
    }
    for (age, job, _), (said_age, said_job, _) in zip(other, found.frame.rows(), strict=True):
        if said_age == said_job == "*":  # suppressed, or a class of all
            continue
        low, _, high = str(said_age).strip("[]").partition(", ")
        assert int(low) <= age <= int(high or low)
        assert job in under.get(said_job, [said_job])


@given(first=rows, other=rows)
@settings(max_examples=25, deadline=None)
def test_whatever_is_reused_has_what_is_wanted_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, first: list[Any], other: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("levels") / "levels.json"
    people(as_columns(first)).anonymize(k=2, suppress=0.3, save_recoding=path)
    try:
        found = people(as_columns(other)).anonymize(reuse=path)
    except Unreachable:
        return
    assert found.check.k >= 2
    assert found.suppressed <= 0.3 * len(other)


def as_columns(records: list[Any]) -> Rows:
    return dict(zip(["age", "job", "ill"], map(list, zip(*records, strict=True)), strict=True))
