"""What every anonymizer does, whichever it is: new ones are found by their entry point and held to it."""

from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis import plugins
from aramis.errors import BadInput, Unreachable
from aramis.tables.anonymizers.anonymizer import Anonymizer

EVERY = plugins.names("anonymizer")
EASY: dict[str, dict[str, Any]] = {  # what an anonymizer may be built on, at a level easy to reach
    "t": {"t": 0.5},
    "alpha": {"alpha": 0.9},
    "beta": {"beta": 4.0},
    "protection": {"protection": {"RD": 0.6}, "denied": {"denied": "yes"}, "protected": {"sex": "f"}},
}


def people(rows: int = 240) -> pl.DataFrame:
    """A small town: numbers, categories with and without a hierarchy, a missing value, and a column that is nobody's."""
    random = np.random.default_rng(7)
    age = random.integers(20, 60, rows)
    return pl.DataFrame(
        {
            "row": range(rows),
            "age": age,
            "zip": [
                None if one == "0" else str(one)
                for one in random.choice(["1010", "1020", "1021", "2010", "0"], rows)
            ],
            "job": random.choice(["cook", "clerk", "nurse"], rows),
            "ill": random.choice(["flu", "cold", "ulcer", "gastritis"], rows, p=[0.4, 0.3, 0.2, 0.1]),
            "denied": random.choice(["yes", "no"], rows, p=[0.3, 0.7]),
            "sex": random.choice(["f", "m"], rows),
        }
    )


ZIPS = {"*": {"1": ["1010", "1020", "1021"], "2": ["2010"]}}


def town(algorithm: str, frame: pl.DataFrame | None = None) -> Any:
    decided = ["denied", "sex"] if "protection" in of(algorithm).needs else []
    return aramis.table(
        people() if frame is None else frame,
        quasi=["age", "zip", "job"],
        sensitive=["ill", *decided],
        hierarchies={"age": "intervals:5,10,20", "zip": ZIPS},
    )


@pytest.fixture(params=EVERY)
def algorithm(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def goals(algorithm: str) -> dict[str, Any]:
    """What every anonymizer is asked for, and what it is built on besides."""
    wanted = {"k": 4, "l": 2}
    return wanted | {
        option: level for model in of(algorithm).needs for option, level in EASY.get(model, {}).items()
    }


def of(algorithm: str) -> Anonymizer:
    found = plugins.find("anonymizer", algorithm)
    assert isinstance(found, Anonymizer)
    return found


def test_it_says_what_it_guarantees(algorithm: str) -> None:
    found = of(algorithm)
    assert found.name == algorithm
    assert found.guarantee
    assert found.paper


def test_the_release_has_what_is_wanted_and_accounts_for_every_row(algorithm: str) -> None:
    found = town(algorithm).anonymize(algorithm=algorithm, **goals(algorithm))
    assert found.check.holds
    assert found.check.k >= 4
    assert found.frame.height + found.suppressed == 240
    sensitive = town(algorithm).schema.sensitive
    separate = [*(name for name in people().columns if name not in sensitive), "group"]
    assert found.frame.columns == (separate if of(algorithm).separates else people().columns)
    assert (found.utility.suppressed, found.check.rows) == (found.suppressed, found.frame.height)


def test_what_is_neither_quasi_identifier_nor_sensitive_stays(algorithm: str) -> None:
    frame = town(algorithm).anonymize(algorithm=algorithm, **goals(algorithm)).frame
    kept = people().filter(pl.col("row").is_in(frame["row"].implode()))
    assert frame.select("row", "denied").equals(kept.select("row", "denied"))


def test_what_was_done_is_a_page(algorithm: str, tmp_path: Path) -> None:
    found = town(algorithm).anonymize(algorithm=algorithm, **goals(algorithm))
    page = aramis.write_release_report(found, tmp_path / "page.html").read_text()
    assert found.algorithm.guarantee in unescape(page)
    assert "What was lost" in page


def test_the_same_seed_gives_the_same(algorithm: str) -> None:
    first, second = (
        town(algorithm).anonymize(algorithm=algorithm, **goals(algorithm), seed=3).frame for _ in range(2)
    )
    assert first.equals(second)


def test_the_table_stays_as_it_is(algorithm: str) -> None:
    given = people()
    town(algorithm, given).anonymize(algorithm=algorithm, **goals(algorithm))
    assert given.equals(people())


def test_a_table_of_one_class_is_left_alone(algorithm: str) -> None:
    same = pl.DataFrame(
        {"age": [30] * 6, "zip": ["1010"] * 6, "job": ["cook"] * 6, "ill": ["flu", "cold"] * 3}
        | {"denied": ["yes", "no"] * 3, "sex": ["f", "m", "m"] * 2}
    )
    found = town(algorithm, same).anonymize(algorithm=algorithm, **goals(algorithm))
    assert found.frame.height == 6
    assert found.utility.ncp == 0


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"k": 500}, "k = 500 is out of reach .*240"),
        ({"k": 4, "l": 9}, "l = 9 of ill is out of reach .*has 4"),
    ],
)
def test_a_goal_that_no_recoding_reaches_is_said_to_be_out_of_reach(
    algorithm: str, wanted: dict[str, Any], why: str
) -> None:
    with pytest.raises(Unreachable, match=why):
        town(algorithm).anonymize(algorithm=algorithm, **goals(algorithm) | wanted)


def test_no_more_is_suppressed_than_is_allowed(algorithm: str) -> None:
    found = town(algorithm).anonymize(algorithm=algorithm, suppress=0.1, **goals(algorithm))
    assert found.suppressed <= 24
    assert found.check.holds
    assert found.frame.height + found.suppressed == 240


def test_what_it_is_built_on_must_be_wanted(algorithm: str) -> None:
    needs = of(algorithm).needs
    wanted = {name: level for name, level in {"alpha": 0.9, **goals(algorithm)}.items() if name not in needs}
    if "l_distinct" in needs:
        del wanted["l"]
    if needs:
        with pytest.raises(BadInput, match=f"{algorithm} is built on"):
            town(algorithm).anonymize(algorithm=algorithm, **wanted)
    else:
        assert town(algorithm).anonymize(algorithm=algorithm, alpha=0.9).check.holds


def test_every_model_holds_of_what_it_releases(algorithm: str) -> None:
    wanted = goals(algorithm) | {"t": 0.5, "alpha": 0.9, "beta": 4}
    assert town(algorithm).anonymize(algorithm=algorithm, **wanted).check.holds


@pytest.mark.parametrize("seed", range(8))
def test_values_that_mask_gives_do_not_make_true_classes_fail(seed: int) -> None:
    wanted = goals("mask") | {"t": 0.5, "alpha": 0.9, "beta": 4}
    assert town("mask").anonymize(algorithm="mask", seed=seed, **wanted).check.holds
