"""The optima that ARX publishes for UCI Adult in its own test suite, and those of its Loss.

Node and loss of TestAnonymizationKAnonymity, TestAnonymizationLDiversity and TestAnonymizationTCloseness, Apache-2.0,
https://github.com/arx-deidentifier/arx. The data is not part of the repository.
"""

import csv
import os
from functools import cache
from pathlib import Path

import narwhals as nw
import polars as pl
import pytest

from aramis.tables.counting import frequency_set
from aramis.tables.frequency import FrequencySet
from aramis.tables.goals import Goals, kept_classes
from aramis.tables.hierarchy import Hierarchy, hierarchy
from aramis.tables.losses import EntropyLoss, loss_of
from aramis.tables.models.distances import Equal, hierarchical
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL, EntropyL
from aramis.tables.models.model import Model
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.rollup import Rollup
from aramis.tables.search import least_loss

DATA = Path(os.environ.get("ARAMIS_DATA", Path(__file__).parents[3] / "shared" / "data")) / "tables" / "arx"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="UCI Adult and its hierarchies: ARAMIS_DATA")

COLUMNS = (
    *("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"),
    "salary-class",
)
WITHOUT_OCCUPATION = tuple(column for column in COLUMNS if column != "occupation")


@cache
def adult(quasi: tuple[str, ...], sensitive: tuple[str, ...]) -> FrequencySet:
    frame = pl.read_csv(DATA / "adult.csv", separator=";", infer_schema=False)
    return frequency_set(nw.from_native(frame.lazy()), quasi, sensitive)


@cache
def of_column(column: str) -> Hierarchy:
    with (DATA / f"adult_hierarchy_{column}.csv").open() as file:
        return hierarchy(column, csv.reader(file, delimiter=";"))


def rollup_of(quasi: tuple[str, ...], models: tuple[Model, ...]) -> tuple[Rollup, list[Hierarchy]]:
    hierarchies = [of_column(column) for column in quasi]
    sensitive = ("occupation",) if any(model.column for model in models) else ()
    return Rollup(adult(quasi, sensitive), hierarchies, sensitive), hierarchies


def by_occupation() -> TCloseness:
    domain = adult(WITHOUT_OCCUPATION, ("occupation",)).domains["occupation"]
    return TCloseness("occupation", hierarchical(of_column("occupation").over(domain)), 0.2)


EQUAL = TCloseness("occupation", Equal(), 0.2)


@pytest.mark.parametrize(
    ("quasi", "models", "suppress", "node", "bits"),
    [
        (COLUMNS, [KAnonymity(5)], 0.0, (1, 2, 1, 1, 3, 2, 2, 1, 1), 407289.5388925293),
        (COLUMNS, [KAnonymity(100)], 0.0, (0, 4, 1, 1, 3, 2, 2, 1, 1), 453196.8932458743),
        (WITHOUT_OCCUPATION, [EntropyL("occupation", 5)], 0.0, (1, 1, 1, 1, 3, 2, 2, 1), 324620.5269918695),
        (WITHOUT_OCCUPATION, [EntropyL("occupation", 5)], 0.04, (1, 0, 1, 1, 2, 2, 2, 1), 228878.2039109519),
        (
            WITHOUT_OCCUPATION,
            ["hierarchical", KAnonymity(5)],
            0.0,
            (0, 4, 1, 1, 3, 2, 2, 1),
            398400.0741806447,
        ),
        (
            WITHOUT_OCCUPATION,
            ["hierarchical", KAnonymity(100)],
            0.0,
            (0, 4, 1, 1, 3, 2, 2, 1),
            398400.0741806447,
        ),
    ],
)
def test_optima_by_non_uniform_entropy(
    quasi: tuple[str, ...], models: list[Model | str], suppress: float, node: tuple[int, ...], bits: float
) -> None:
    asked = tuple(by_occupation() if isinstance(model, str) else model for model in models)
    rollup, hierarchies = rollup_of(quasi, asked)
    loss = loss_of("entropy", rollup, hierarchies)
    assert isinstance(loss, EntropyLoss)
    best = least_loss(rollup, Goals(asked, suppress, "original"), loss, lambda *_: None).best
    assert best is not None
    assert best.node == node
    assert best.loss * loss.bits == pytest.approx(bits, rel=1e-12)


def test_the_optimum_by_discernibility() -> None:
    models = (EQUAL, KAnonymity(5))
    rollup, hierarchies = rollup_of(WITHOUT_OCCUPATION, models)
    loss = loss_of("discernibility", rollup, hierarchies)
    best = least_loss(rollup, Goals(models), loss, lambda *_: None).best
    assert best is not None
    assert (best.node, best.loss) == ((1, 4, 1, 1, 3, 2, 2, 1), 456853172)


@pytest.mark.parametrize(
    ("node", "models", "size"),
    [
        ((0, 0, 0, 0, 0, 0, 0, 0), [KAnonymity(5)], 29.113899613899616),
        ((0, 3, 1, 0, 0, 1, 1, 0), [KAnonymity(5)], 53.38407079646018),
        ((1, 1, 1, 1, 3, 2, 2, 1), [KAnonymity(5)], 1005.4),
        ((0, 0, 0, 0, 0, 0, 0, 0), ["hierarchical"], 1774.235294117647),
        ((0, 1, 0, 2, 3, 0, 2, 1), ["hierarchical"], 914.0),
    ],
)
def test_average_class_sizes_of_single_nodes(
    node: tuple[int, ...], models: list[Model | str], size: float
) -> None:
    asked = tuple(by_occupation() if isinstance(model, str) else model for model in models)
    rollup, hierarchies = rollup_of(WITHOUT_OCCUPATION, asked)
    grouping = rollup.at(node)
    kept = kept_classes(grouping, Goals(asked, 0.5, "original"))
    assert loss_of("class-size", rollup, hierarchies).value(grouping, kept) == pytest.approx(size, rel=1e-12)


@pytest.mark.parametrize(
    ("quasi", "models", "suppress", "loss"),
    [
        (COLUMNS, [KAnonymity(5)], 0.05, 0.26963466),
        (COLUMNS, [KAnonymity(5)], 0.0, 0.63554385),
        (WITHOUT_OCCUPATION, [KAnonymity(5), DistinctL("occupation", 2)], 0.0, 0.625),
        (WITHOUT_OCCUPATION, [KAnonymity(5), EQUAL], 0.0, 0.92914512),
        (WITHOUT_OCCUPATION, [KAnonymity(5), EQUAL], 0.05, 0.83969443),
    ],
)
def test_optima_by_loss(quasi: tuple[str, ...], models: list[Model], suppress: float, loss: float) -> None:
    rollup, hierarchies = rollup_of(quasi, tuple(models))
    goals = Goals(tuple(models), suppress, "original")
    best = least_loss(rollup, goals, loss_of("loss", rollup, hierarchies), lambda *_: None).best
    assert best is not None
    assert best.loss == pytest.approx(loss, abs=5e-9)


def test_the_release_at_five_percent() -> None:
    rollup, hierarchies = rollup_of(COLUMNS, (KAnonymity(5),))
    goals = Goals((KAnonymity(5),), 0.05)
    best = least_loss(rollup, goals, loss_of("loss", rollup, hierarchies), lambda *_: None).best
    assert best is not None
    grouping = rollup.at(best.node)
    kept = kept_classes(grouping, goals)
    assert (int(kept.sum()), int(grouping.sizes[~kept].sum())) == (397, 1346)
