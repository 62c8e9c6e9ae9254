"""What a table has of every model, where it is worst, and whether what is wanted holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aramis.errors import BadInput
from aramis.tables.frequency import JOINT, Classes, Counts, FrequencySet, Shares
from aramis.tables.models.delta_presence import DeltaPresence
from aramis.tables.models.distances import Equal, Ground
from aramis.tables.models.divergence import jensen_shannon, kullback_leibler
from aramis.tables.models.joint import Joint
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.l_diversity import DistinctL, EntropyL
from aramis.tables.models.model import Model
from aramis.tables.models.t_closeness import TCloseness
from aramis.tables.protection import Discrimination
from aramis.tables.wanted import all_models

SHOWN = 3  # of the worst classes of a model
SHOWN_MODELS = (
    "l_distinct",
    "t",
)  # whose worst classes are always shown, beside k's and those of wanted models
PLACEHOLDERS = frozenset(
    ("?", "-", "--", ".", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "missing")
)  # what people write where there is no value
RECURSIVE_L = 2  # the l for which the c of recursive (c,l)-diversity is told


@dataclass(frozen=True, slots=True)
class WorstClass:
    """A class in which a model is worst."""

    model: str
    column: str | None
    level: float
    records: int
    quasi: Mapping[str, object]  # who they are: the value of each quasi-identifier
    distribution: Mapping[str, Mapping[object, int]]  # what they have: sensitive column -> value -> records


@dataclass(frozen=True, slots=True)
class Gain:
    """How much the class of worst t tells beyond its distance, which hides it."""

    value: object  # the sensitive value that gains most
    factor: float  # how many times as likely it is in the class: max p/q
    jensen_shannon: float  # bits
    kullback_leibler: float  # bits


@dataclass(frozen=True, slots=True)
class Levels:
    """What a table has of the models of one sensitive column; each is the level of the worst class."""

    column: str
    distance: str  # the ground distance of t
    l_distinct: int
    l_entropy: float
    l_distinct_others: (
        float | None
    )  # the l that is left when any value of any other sensitive column is known
    l_entropy_others: float | None  # None: there is no other
    l_recursive: float  # the c that it has for l = 2; infinite where a class has one value only
    t: float
    alpha: float
    beta: float
    beta_enhanced: float
    delta: float
    gain: Gain
    domain: tuple[object, ...]
    reference: Shares  # (values,) the share of each value of the domain in the reference
    l_of_class: Shares  # (classes,) distinct l
    t_of_class: Shares  # (classes,)


@dataclass(frozen=True, slots=True)
class Together:
    """What a table has of all sensitive columns together: of the combinations of their values."""

    levels: Levels  # t at equal distance: any two combinations are as far apart as any others
    t_mean: (
        tuple[float, float] | None
    )  # t at the mean of the columns' distances, from and to; None: too many to say
    distance: str  # how that mean is made


@dataclass(frozen=True, slots=True)
class Held:
    """Whether a wanted level holds, and how many records are in classes where it does not."""

    model: Model
    level: float
    failing: NDArray[np.bool_]  # (classes,)
    failing_records: int

    @property
    def holds(self) -> bool:
        """Whether every class is as good as wanted."""
        return not self.failing.any()


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a check."""

    source: str  # what was read, and what was found out on reading
    rows: int
    quasi: tuple[str, ...]
    missing: Mapping[
        str, int
    ]  # column -> rows without a value; columns that have a value everywhere are left out
    placeholders: Mapping[str, Mapping[str, int]]  # column -> what may stand for no value there -> its rows
    k: int
    sizes: Counts  # (classes,) records of each class
    reference: str  # released, original or given: what t, beta and delta compare a class with
    sensitive: Mapping[str, Levels]  # each column on its own
    joint: Together | None  # None: fewer than two sensitive columns
    presence: (
        tuple[float, float] | None
    )  # least and highest share of a class of the population; None: none is given
    discrimination: Discrimination | None  # None: no decision and no group are named
    wanted: tuple[Held, ...]
    worst: tuple[WorstClass, ...]

    @property
    def classes(self) -> int:
        """How many classes the table has."""
        return len(self.sizes)

    @property
    def holds(self) -> bool:
        """Whether everything that was wanted holds."""
        return all(held.holds for held in self.wanted)


def check(
    frequency: FrequencySet,
    grounds: Mapping[str, Ground],
    wanted: Sequence[Model] = (),
    *,
    references: Mapping[str, Shares] | None = None,
    reference: str = "released",
    source: str = "",
    presence: tuple[DeltaPresence, Classes] | None = None,
    discrimination: Discrimination | None = None,
) -> Checked:
    """Every level of a table.

    A joint distance in `grounds` (under `JOINT`) has its column in the frequency set. `references` are over the
    domains of the frequency set; the table's own where absent.
    """
    given = references or {}
    classes = {column: frequency.classes(column, given.get(column)) for column in frequency.sensitive}
    sizes = frequency.classes()
    found = {
        column: [
            (model, model.levels(of_column))
            for model in all_models(column, Equal() if column == JOINT else grounds[column], RECURSIVE_L)
        ]
        for column, of_column in classes.items()
    }
    levels = {column: _levels(frequency, classes[column], found[column]) for column in classes}
    asked = [
        (model, of_column, model.levels(of_column))
        for model, of_column in ((model, classes.get(model.column or "", sizes)) for model in wanted)
    ]
    return Checked(
        source=source,
        rows=frequency.rows,
        quasi=frequency.quasi,
        missing=_missing(frequency),
        placeholders=dict(_placeholders(frequency)),
        k=int(sizes.sizes.min()),
        sizes=sizes.sizes,
        reference=reference,
        sensitive={column: of_column for column, of_column in levels.items() if column != JOINT},
        joint=_together(levels[JOINT], grounds[JOINT], classes[JOINT]) if JOINT in classes else None,
        presence=_span(*presence) if presence else None,
        discrimination=discrimination,
        wanted=(
            *(_held(model, of_column, of_class) for model, of_column, of_class in asked),
            *([_presence_held(*presence)] if presence else ()),
        ),
        worst=tuple(
            _worst_of_all(frequency, sizes, found, [(model, of_class) for model, _, of_class in asked])
        ),
    )


def _levels(frequency: FrequencySet, classes: Classes, found: Sequence[tuple[Model, Shares]]) -> Levels:
    column = str(found[0][0].column)
    table = {model.name: _table_level(model, of_class) for model, of_class in found}
    of_classes = {model.name: of_class for model, of_class in found}
    t = next(model for model, _ in found if isinstance(model, TCloseness))
    domain = frequency.domains[column]
    return Levels(
        column=column,
        distance=t.ground.name,
        l_distinct=int(table.pop("l_distinct")),
        l_distinct_others=_with_others(frequency, column, DistinctL(column)),
        l_entropy_others=_with_others(frequency, column, EntropyL(column)),
        **table,
        gain=_gain(classes, int(of_classes["t"].argmax()), domain),
        domain=domain,
        reference=classes.reference,
        l_of_class=of_classes["l_distinct"],
        t_of_class=of_classes["t"],
    )


def _with_others(frequency: FrequencySet, column: str, model: Model) -> float | None:
    """The level that is left when any one value of any other sensitive column is known of a person."""
    others = [other for other in frequency.sensitive if JOINT not in {other, column} and other != column]
    return min(
        (_table_level(model, model.levels(frequency.classes_within(column, other))) for other in others),
        default=None,
    )


def _together(levels: Levels, ground: Ground, classes: Classes) -> Together:
    try:
        t_mean = ground.worst(classes) if isinstance(ground, Joint) else None
    except BadInput:  # too many combinations; nobody asked for it, and the level at equal distance bounds it
        t_mean = None
    return Together(levels, t_mean, ground.name)


def _worst_of_all(
    frequency: FrequencySet,
    sizes: Classes,
    found: Mapping[str, Sequence[tuple[Model, Shares]]],
    asked: Sequence[tuple[Model, Shares]],
) -> Iterator[WorstClass]:
    """Of k, of what is always shown of a column, and of what else is wanted, at the levels it is wanted for."""
    yield from _worst(frequency, sizes, KAnonymity(), KAnonymity().levels(sizes))
    for column, models in found.items():
        shown = [one for one in models if one[0].name in SHOWN_MODELS and column != JOINT]
        names = {"k", *(model.name for model, _ in shown)}
        wanted = [one for one in asked if one[0].column == column and one[0].name not in names]
        for model, of_class in (*shown, *wanted):
            yield from _worst(frequency, sizes, model, of_class)


def _table_level(model: Model, of_class: Shares) -> float:
    return float(of_class.min() if model.larger_is_safer else of_class.max())


def _gain(classes: Classes, which: int, domain: Sequence[object]) -> Gain:
    entries = slice(classes.starts[which], classes.starts[which + 1])
    factors = classes.gains[entries]
    most = int(factors.argmax())
    p = np.zeros(len(classes.reference))
    p[classes.values[entries]] = classes.shares[entries]
    return Gain(
        domain[classes.values[entries][most]],
        float(factors[most]),
        jensen_shannon(p, classes.reference),
        kullback_leibler(p, classes.reference),
    )


def _held(model: Model, classes: Classes, of_class: Shares) -> Held:
    failing = ~model.holds(of_class)
    return Held(model, _table_level(model, of_class), failing, int(classes.sizes[failing].sum()))


def _span(model: DeltaPresence, classes: Classes) -> tuple[float, float]:
    of_class = model.levels(classes)
    return float(of_class.min()), float(of_class.max())


def _presence_held(model: DeltaPresence, classes: Classes) -> Held:
    """Its classes are the population's; of their people those who are released count as failing."""
    of_class = model.levels(classes)
    failing = ~model.holds(of_class)
    return Held(model, float(of_class.max()), failing, int((of_class * classes.sizes)[failing].sum().round()))


def _missing(frequency: FrequencySet) -> dict[str, int]:
    last = {column: len(domain) - 1 for column, domain in frequency.domains.items() if domain[-1] is None}
    return {
        column: int(frequency.counts[frequency.codes_of(column) == code].sum())
        for column, code in last.items()
    }


def _placeholders(frequency: FrequencySet) -> Iterator[tuple[str, dict[str, int]]]:
    """Columns of text with what may stand for no value. Nobody but who knows the table can tell."""
    for column, domain in frequency.domains.items():
        if isinstance(domain[0], str) and (found := sorted(PLACEHOLDERS.intersection(domain))):
            records = frequency.records_of(column)
            yield column, {word: int(records[domain.index(word)]) for word in found}


def _worst(frequency: FrequencySet, classes: Classes, model: Model, of_class: Shares) -> list[WorstClass]:
    """The worst classes of a model; of equally bad ones, those of more people first."""
    starts = frequency.class_starts()
    badness = -of_class if model.larger_is_safer else of_class
    columns = [model.column] if model.column else [name for name in frequency.sensitive if name != JOINT]
    return [
        WorstClass(
            model.name,
            model.column,
            float(of_class[which]),
            int(classes.sizes[which]),
            _who(frequency, starts[which]),
            {column: _what(frequency, starts[which : which + 2], column) for column in columns},
        )
        for which in _largest(badness, classes.sizes, SHOWN)
    ]


def _largest(values: Shares, then: Counts, number: int) -> list[int]:
    number = min(number, len(values))
    candidates = np.flatnonzero(values >= np.partition(values, -number)[-number])
    order = np.lexsort((-then[candidates], -values[candidates]))
    return [int(which) for which in candidates[order[:number]]]


def _who(frequency: FrequencySet, first: np.intp) -> dict[str, object]:
    codes = frequency.codes[first, : len(frequency.quasi)]
    return {
        column: frequency.domains[column][code] for column, code in zip(frequency.quasi, codes, strict=True)
    }


def _what(frequency: FrequencySet, tuples: NDArray[np.intp], column: str) -> dict[object, int]:
    """The values of a class, the most frequent first."""
    of_class = slice(*tuples)
    domain = frequency.domains[column]
    records = np.bincount(frequency.codes_of(column)[of_class], frequency.counts[of_class])
    present = np.flatnonzero(records)
    return {
        domain[code]: int(records[code]) for code in present[np.argsort(-records[present], kind="stable")]
    }
