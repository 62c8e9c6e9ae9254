"""The worked examples of the papers, number for number."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import aramis
from aramis.tables.frequency import Classes, classes_of
from aramis.tables.hierarchy import hierarchy
from aramis.tables.models.distances import Equal, hierarchical, numeric, ordered
from aramis.tables.models.l_diversity import EntropyL, RecursiveCL

# Li, Li, Venkatasubramanian 2007, section 5.2 (figure 1)
DISEASES = hierarchy(
    "disease",
    [
        [leaf, kind, system, "*"]
        for system, kind, leaves in (
            ("respiratory", "respiratory infection", ("flu", "pneumonia", "bronchitis")),
            ("respiratory", "vascular lung", ("pulmonary edema", "pulmonary embolism")),
            ("digestive", "stomach", ("gastric ulcer", "gastritis", "stomach cancer")),
            ("digestive", "colon", ("colitis", "colon cancer")),
        )
        for leaf in leaves
    ],
)
# the same paper, table 3: nine records in three classes
SALARIES = [3, 5, 9, 6, 11, 8, 4, 7, 10]
ILLNESSES = [
    *("gastric ulcer", "stomach cancer", "pneumonia"),
    *("gastritis", "flu", "bronchitis"),
    *("gastritis", "bronchitis", "stomach cancer"),
]
PUBLISHED = pl.DataFrame({"class": list("aaabbbccc"), "salary": SALARIES, "disease": ILLNESSES})


def one_class(values: list[int], reference: list[float]) -> Classes:
    codes = np.array(values, np.int32)
    return classes_of(
        np.zeros(len(codes), np.intp),
        codes,
        np.ones(len(codes), np.int64),
        len(reference),
        np.array(reference),
    )


@pytest.mark.parametrize(("salaries", "distance"), [([3, 4, 5], 0.375), ([6, 8, 11], 1 / 6)])
@pytest.mark.parametrize("ground", [ordered(9), numeric(list(range(3, 12)))], ids=lambda ground: ground.name)
def test_distances_of_salaries(salaries: list[int], distance: float, ground: Any) -> None:
    of_class = one_class([salary - 3 for salary in salaries], [1 / 9] * 9)
    assert ground.emd(of_class)[0] == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize(
    ("other", "distance"), [("bronchitis", 1 / 3), ("pulmonary embolism", 2 / 3), ("stomach cancer", 1)]
)
def test_distances_from_flu(other: str, distance: float) -> None:
    ground = hierarchical(DISEASES.over(["flu", other]))
    assert ground.apart(np.array([0]), np.array([1])) == pytest.approx(distance, abs=1e-12)


@pytest.mark.parametrize(
    ("diseases", "uniform", "of_the_records"),
    [
        (["gastric ulcer", "gastritis", "stomach cancer"], 0.5, 0.4444444444444),
        (["gastric ulcer", "stomach cancer", "pneumonia"], 0.2777777777777, 0.2592592592592),
    ],
)
def test_distances_of_diseases_depend_on_the_reference(
    diseases: list[str], uniform: float, of_the_records: float
) -> None:
    domain = sorted(set(ILLNESSES))
    ground = hierarchical(DISEASES.over(domain))
    codes = [domain.index(disease) for disease in diseases]
    records = [ILLNESSES.count(disease) / 9 for disease in domain]
    assert ground.emd(one_class(codes, [1 / 6] * 6))[0] == pytest.approx(uniform, abs=1e-12)
    assert ground.emd(one_class(codes, records))[0] == pytest.approx(of_the_records, abs=1e-12)


def test_the_published_table_is_one_sixth_close_in_salary_and_8_27ths_in_disease() -> None:
    table = aramis.table(
        PUBLISHED, quasi=["class"], sensitive=["salary", "disease"], hierarchies={"disease": DISEASES}
    )
    found = table.check()
    salary, disease = found.sensitive["salary"], found.sensitive["disease"]
    assert (salary.distance, disease.distance) == ("ordered", "hierarchical")
    assert salary.t_of_class == pytest.approx([1 / 6, 1 / 6, 1 / 12], abs=1e-12)
    assert disease.t_of_class == pytest.approx([7 / 27, 8 / 27, 5 / 27], abs=1e-12)
    assert salary.t == pytest.approx(1 / 6, abs=1e-12)
    assert disease.t == pytest.approx(8 / 27, abs=1e-12)


@pytest.mark.parametrize(
    ("q", "p", "gain"), [([0.01, 0.99], [0.11, 0.89], 11.0), ([0.4, 0.6], [0.5, 0.5], 1.25)]
)
def test_one_distance_hides_two_gains(q: list[float], p: list[float], gain: float) -> None:
    counts = np.array([round(100 * share) for share in p])
    of_class = classes_of(np.zeros(2, np.intp), np.arange(2, dtype=np.int32), counts, 2, np.array(q))
    assert Equal().emd(of_class)[0] == pytest.approx(0.1, abs=1e-12)
    assert of_class.gains.max() == pytest.approx(gain, abs=1e-12)


def test_four_customers_who_bought_the_same_are_one_diverse() -> None:
    bought = [*("Robot", "Robot", "Game Server", "Game Server")]
    bought += ["Power", "Robot", "Game Server", "Game Server", *["Power"] * 4]
    table = pl.DataFrame(
        {"zip": [code for code in ("4757*", "4790*", "4760*") for _ in range(4)], "bought": bought}
    )
    found = aramis.table(table, quasi=["zip"], sensitive=["bought"]).check(l=2)
    assert (found.k, found.sensitive["bought"].l_distinct) == (4, 1)
    assert found.wanted[0].failing_records == 4
    worst = next(worst for worst in found.worst if worst.model == "l_distinct")
    assert worst.distribution == {"bought": {"Power": 4}}


def test_entropy_of_three_equally_frequent_values_is_exactly_three() -> None:
    for times in (1, 2, 3, 7, 1000):
        of_class = one_class([0, 1, 2] * times, [1 / 3] * 3)
        assert EntropyL("ill").levels(of_class)[0] == 3


@pytest.mark.parametrize(("counts", "level", "holds"), [((4, 3, 2), 4 / 2, True), ((7, 1, 1), 7, False)])
def test_recursive_diversity_looks_at_the_most_frequent_value(
    counts: tuple[int, ...], level: float, holds: bool
) -> None:
    of_class = one_class([value for value, times in enumerate(counts) for _ in range(times)], [1 / 3] * 3)
    model = RecursiveCL("ill", c=3, l=3)
    levels = model.levels(of_class)
    assert levels[0] == level
    assert model.holds(levels)[0] == holds


def test_recursive_diversity_is_infinite_where_too_few_values_are_left() -> None:
    assert RecursiveCL("ill", c=1e9, l=3).levels(one_class([0, 0, 1], [0.5, 0.5]))[0] == math.inf
