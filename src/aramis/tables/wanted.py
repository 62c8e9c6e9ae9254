"""What a user wants of a table, in words and numbers, and the models that say whether it holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from aramis.errors import BadInput
from aramis.tables.frequency import JOINT, Codes, FrequencySet
from aramis.tables.hierarchy import Hierarchy, text
from aramis.tables.models.alpha import Alpha
from aramis.tables.models.beta_likeness import BetaLikeness
from aramis.tables.models.delta_disclosure import DeltaDisclosure
from aramis.tables.models.distances import Equal, Ground, hierarchical, numeric, ordered
from aramis.tables.models.joint import Joint
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL, EntropyL, RecursiveCL
from aramis.tables.models.model import Model
from aramis.tables.models.nt_closeness import NTCloseness
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.protection import Named, Records, records_of
from aramis.tables.supersets import Supersets

Of = float | Mapping[str, float] | None
"""A number for every sensitive column, or one for each column named."""

DISTANCES = ("equal", "ordered", "numeric", "hierarchical")
L_KINDS = ("distinct", "entropy", "recursive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The levels that a user wants; None: not asked for."""

    k: int | None = None
    l: Of = None
    l_kind: str = "distinct"
    c: Of = None
    t: Of = None
    n: int | None = None  # of (n,t)-closeness: how large a superset is large enough
    beta: Of = None
    beta_enhanced: Of = None
    delta: Of = None
    alpha: Of = None
    alpha_of: Named | None = (
        None  # which values must not be above alpha: {"disease": ["hiv"]}; any, if none is named
    )
    protection: Mapping[str, float] = field(default_factory=dict)  # measure of discrimination -> its level
    denied: Named | None = None  # which value of a sensitive column denies: {"credit": "no"}
    protected: Named | None = None  # which group is protected: {"sex": "female"}

    @property
    def is_denied(self) -> Records | None:
        return records_of("denied", self.denied)

    @property
    def is_protected(self) -> Records | None:
        return records_of("protected", self.protected)


def wanted_models(
    wanted: Wanted,
    sensitive: Sequence[str],
    grounds: Mapping[str, Ground],
    domains: Mapping[str, Sequence[object]],
    supersets: Callable[[], Supersets] | None = None,
) -> tuple[Model, ...]:
    """The models that say whether what is wanted holds. `supersets` are made where (n,t)-closeness is wanted."""
    if wanted.n is None:
        return tuple(_models(wanted, sensitive, grounds, domains))
    if wanted.t is None or supersets is None:
        raise BadInput("n is a part of (n,t)-closeness, which a table is checked for: give t as well")
    return (
        *_models(replace(wanted, t=None), sensitive, grounds, domains),
        *(
            NTCloseness(column, grounds[column], int(_between("n", wanted.n, 1, np.inf)), t, supersets())
            for column, t in _each("t", wanted.t, sensitive)
        ),
    )


def all_models(column: str, ground: Ground, recursive_l: int = 2) -> tuple[Model, ...]:
    """Every model that asks nothing but the counts of one sensitive column, with nothing wanted of it."""
    return (
        DistinctL(column),
        EntropyL(column),
        RecursiveCL(column, l=recursive_l),
        TCloseness(column, ground),
        Alpha(column),
        BetaLikeness(column),
        BetaLikeness(column, enhanced=True),
        DeltaDisclosure(column),
    )


def ground_of(
    frequency: FrequencySet, column: str, distance: str | None = None, hierarchy: Hierarchy | None = None
) -> Ground:
    """The ground distance of a sensitive column: the one asked for, else the one its values suggest.

    A column with a hierarchy: hierarchical. Numbers, dates and ordered categories: ordered. Else equal.
    """
    domain = frequency.domains[column]
    if distance is None:
        natural = "ordered" if column in frequency.ordered else "equal"
        distance = "hierarchical" if hierarchy else natural
    if distance not in DISTANCES:
        raise BadInput(f"there is no distance {distance}; choose one of {', '.join(DISTANCES)}")
    if distance == "hierarchical":
        if hierarchy is None:
            raise BadInput(f"the hierarchical distance needs a hierarchy of {column}; none is given")
        return hierarchical(hierarchy.covering(domain).over(domain))
    if distance == "numeric":
        return numeric(_numbers(column, domain))
    return ordered(len(domain)) if distance == "ordered" else Equal()


def joint_ground(
    frequency: FrequencySet, grounds: Mapping[str, Ground], weights: Mapping[str, float]
) -> Joint:
    """The distance between combinations of sensitive values: the weighted mean of the columns' own."""
    columns = list(grounds)
    values = _combined(frequency, columns)
    heavy = [weights.get(column, 1.0) for column in columns]
    if min(heavy) < 0 or not 0 < sum(heavy) < np.inf:
        raise BadInput("the weights of sensitive columns are 0 or more, and not all 0")
    return Joint(tuple(grounds.values()), tuple(weight / sum(heavy) for weight in heavy), values)


def _combined(frequency: FrequencySet, columns: Sequence[str]) -> Codes:
    """(combinations, columns) the code of each column in each combination, also of those that only a reference has."""
    every: Any = frequency.domains[JOINT]
    found, first = np.unique(frequency.codes_of(JOINT), return_index=True)
    values = np.full((len(every), len(columns)), -1, np.int32)
    values[found] = np.column_stack([frequency.codes_of(column)[first] for column in columns])
    for code in np.flatnonzero(values[:, 0] < 0):
        values[code] = [
            frequency.domains[column].index(value) for column, value in zip(columns, every[code], strict=True)
        ]
    return values


def _models(
    wanted: Wanted,
    sensitive: Sequence[str],
    grounds: Mapping[str, Ground],
    domains: Mapping[str, Sequence[object]],
) -> Iterator[Model]:
    if wanted.k is not None:
        yield KAnonymity(int(_between("k", wanted.k, 1, np.inf)))
    yield from _l_diversity(wanted, sensitive)
    for column, t in _each("t", wanted.t, sensitive):
        yield TCloseness(column, grounds[column], _between("t", t, 0, 1))
    yield from _alphas(wanted, sensitive, domains)
    for column, beta in _each("beta", wanted.beta, sensitive):
        yield BetaLikeness(column, _between("beta", beta, 0, np.inf))
    for column, beta in _each("beta_enhanced", wanted.beta_enhanced, sensitive):
        yield BetaLikeness(column, _between("beta_enhanced", beta, 0, np.inf), enhanced=True)
    for column, delta in _each("delta", wanted.delta, sensitive):
        yield DeltaDisclosure(column, _between("delta", delta, 0, np.inf))


def _alphas(
    wanted: Wanted, sensitive: Sequence[str], domains: Mapping[str, Sequence[object]]
) -> Iterator[Model]:
    """(alpha,k)-anonymity of any value, or of those that are stated. One that no record has, or has any more, is said so."""
    alphas, stated = dict(_each("alpha", wanted.alpha, sensitive)), wanted.alpha_of or {}
    for column in stated:
        if column not in alphas:
            raise BadInput(f"values of {column} are stated, and no alpha is wanted of it; {_some(alphas)} is")
    for column, alpha in alphas.items():
        _between("alpha", alpha, 0, 1)
        if column in stated:
            given = stated[column]
            values = (given,) if isinstance(given, str) else tuple(given)
            codes = {text(value): code for code, value in enumerate(domains[column])}
            words = " or ".join(value if value in codes else f"{value} (in no record)" for value in values)
            yield Alpha(column, alpha, [codes[value] for value in values if value in codes], words)
        else:
            yield Alpha(column, alpha)


def _some(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _l_diversity(wanted: Wanted, sensitive: Sequence[str]) -> Iterator[Model]:
    if wanted.l_kind not in L_KINDS:
        raise BadInput(f"there is no l-diversity called {wanted.l_kind}; choose one of {', '.join(L_KINDS)}")
    asks = dict(_each("l", wanted.l, sensitive))
    cs = dict(_each("c", wanted.c, sensitive))
    if (cs or wanted.l_kind == "recursive") and not (
        cs.keys() == asks.keys() and wanted.l_kind == "recursive"
    ):
        raise BadInput("recursive (c,l)-diversity needs both: l, with the kind recursive, and c")
    for column, l in asks.items():
        _between("l", l, 1, np.inf)
        if wanted.l_kind == "recursive":
            yield RecursiveCL(column, _between("c", cs[column], 0, np.inf), int(l))
        else:
            yield (EntropyL if wanted.l_kind == "entropy" else DistinctL)(column, l)


def _each(name: str, of: Of, sensitive: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The columns that a number is wanted of, and the number."""
    if of is None:
        return
    if not sensitive:
        raise BadInput(f"{name} is about a sensitive column; none is named")
    for column, number in (of if isinstance(of, Mapping) else dict.fromkeys(sensitive, of)).items():
        if column not in sensitive:
            raise BadInput(f"{name} is wanted of {column}, which is not sensitive; {', '.join(sensitive)} is")
        yield column, number


def _between(name: str, number: float, low: float, high: float) -> float:
    if not low <= number <= high:
        upper = f" to {high:g}" if high < np.inf else " or more"
        raise BadInput(f"{name} = {number:g} means nothing; it is {low:g}{upper}")
    return number


def _numbers(column: str, domain: Sequence[object]) -> list[float | None]:
    numbers = [None if value is None else _number(column, value) for value in domain]
    if not all(number is None or np.isfinite(number) for number in numbers):
        raise BadInput(
            f"{column} has an infinite value, and numeric distances to it mean nothing; use ordered"
        )
    return numbers


def _number(column: str, value: object) -> float:
    match value:
        case bool() | int() | float() | Decimal():
            return float(value)
        case datetime():
            return value.timestamp()
        case date():
            return float(value.toordinal())
        case timedelta():
            return value.total_seconds()
    raise BadInput(f"numeric distances need numbers or dates; {column} has {value!r}; use ordered or equal")
