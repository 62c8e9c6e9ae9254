"""What a table has of every model, where it is worst, and whether what is wanted holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from aramis.tables.frequency import Classes, Counts, FrequencySet, Shares
from aramis.tables.models.distances import Ground
from aramis.tables.models.divergence import gains, jensen_shannon, kullback_leibler
from aramis.tables.models.k_anonymity import KAnonymity
from aramis.tables.models.model import Model
from aramis.tables.wanted import all_models

SHOWN = 3  # of the worst classes of a model
SHOWN_MODELS = (
    "l_distinct",
    "t",
)  # whose worst classes are always shown, beside k's and those of wanted models
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
    l_recursive: float  # the c that it has for l = 2; infinite where a class has one value only
    t: float
    alpha: float
    beta: float
    beta_enhanced: float
    delta: float
    gain: Gain
    domain: tuple[object, ...]
    reference: Shares  # (values,) the share of each value of the domain in the reference
    t_of_class: Shares  # (classes,)


@dataclass(frozen=True, slots=True)
class Held:
    """Whether a wanted level holds, and how many records are in classes where it does not."""

    model: Model
    level: float
    holds: bool
    failing_records: int


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a check."""

    rows: int
    quasi: tuple[str, ...]
    missing: Mapping[
        str, int
    ]  # column -> rows without a value; columns that have a value everywhere are left out
    k: int
    sizes: Counts  # (classes,) records of each class
    reference: str  # released, original or given: what t, beta and delta compare a class with
    sensitive: Mapping[str, Levels]
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
    references: Mapping[str, Shares] | None = None,
    reference: str = "released",
) -> Checked:
    """Every level of a table. `references` are over the domains of the frequency set; the table's own where absent."""
    classes = {
        column: frequency.classes(column, (references or {}).get(column)) for column in frequency.sensitive
    }
    sizes = frequency.classes()
    asked = {(model.name, model.column) for model in wanted}
    worst = _worst(frequency, sizes, KAnonymity(), KAnonymity().levels(sizes))
    levels = {}
    for column, of_column in classes.items():
        models = all_models(column, grounds[column], RECURSIVE_L)
        found = [(model, model.levels(of_column)) for model in models]
        levels[column] = _levels(frequency, column, grounds[column], of_column, found)
        for model, of_class in found:
            if model.name in SHOWN_MODELS or (model.name, column) in asked:
                worst += _worst(frequency, of_column, model, of_class)
    return Checked(
        rows=frequency.rows,
        quasi=frequency.quasi,
        missing=_missing(frequency),
        k=int(sizes.sizes.min()),
        sizes=sizes.sizes,
        reference=reference,
        sensitive=levels,
        wanted=tuple(_held(model, classes.get(model.column or "", sizes)) for model in wanted),
        worst=tuple(worst),
    )


def _levels(
    frequency: FrequencySet,
    column: str,
    ground: Ground,
    classes: Classes,
    found: Sequence[tuple[Model, Shares]],
) -> Levels:
    table = {model.name: _table_level(model, of_class) for model, of_class in found}
    t_of_class = next(of_class for model, of_class in found if model.name == "t")
    domain = frequency.domains[column]
    return Levels(
        column=column,
        distance=ground.name,
        l_distinct=int(table.pop("l_distinct")),
        **table,
        gain=_gain(classes, int(t_of_class.argmax()), domain),
        domain=domain,
        reference=classes.reference,
        t_of_class=t_of_class,
    )


def _table_level(model: Model, of_class: Shares) -> float:
    return float(of_class.min() if model.larger_is_safer else of_class.max())


def _gain(classes: Classes, which: int, domain: Sequence[object]) -> Gain:
    entries = slice(classes.starts[which], classes.starts[which + 1])
    factors = gains(classes)[entries]
    most = int(factors.argmax())
    p = np.zeros(len(classes.reference))
    p[classes.values[entries]] = classes.shares[entries]
    return Gain(
        domain[classes.values[entries][most]],
        float(factors[most]),
        jensen_shannon(p, classes.reference),
        kullback_leibler(p, classes.reference),
    )


def _held(model: Model, classes: Classes) -> Held:
    of_class = model.levels(classes)
    good = model.holds(of_class)
    return Held(model, _table_level(model, of_class), bool(good.all()), int(classes.sizes[~good].sum()))


def _missing(frequency: FrequencySet) -> dict[str, int]:
    last = {column: len(domain) - 1 for column, domain in frequency.domains.items() if domain[-1] is None}
    return {
        column: int(frequency.counts[frequency.codes_of(column) == code].sum())
        for column, code in last.items()
    }


def _worst(frequency: FrequencySet, classes: Classes, model: Model, of_class: Shares) -> list[WorstClass]:
    """The worst classes of a model; of equally bad ones, those of more people first."""
    badness = -of_class if model.larger_is_safer else of_class
    columns = [model.column] if model.column else frequency.sensitive
    return [
        WorstClass(
            model.name,
            model.column,
            float(of_class[which]),
            int(classes.sizes[which]),
            _who(frequency, which),
            {column: _what(frequency, which, column) for column in columns},
        )
        for which in _largest(badness, classes.sizes, SHOWN)
    ]


def _largest(values: Shares, then: Counts, number: int) -> list[int]:
    number = min(number, len(values))
    candidates = np.flatnonzero(values >= np.partition(values, -number)[-number])
    order = np.lexsort((-then[candidates], -values[candidates]))
    return [int(which) for which in candidates[order[:number]]]


def _who(frequency: FrequencySet, which: int) -> dict[str, object]:
    first = frequency.codes[frequency.class_starts()[which]]
    return {
        column: frequency.domains[column][code]
        for column, code in zip(frequency.quasi, first[: len(frequency.quasi)], strict=True)
    }


def _what(frequency: FrequencySet, which: int, column: str) -> dict[object, int]:
    """The values of a class, the most frequent first."""
    start, end = frequency.class_starts()[which : which + 2]
    records = np.bincount(frequency.codes_of(column)[start:end], frequency.counts[start:end])
    domain = frequency.domains[column]
    return {domain[code]: int(records[code]) for code in np.argsort(-records, kind="stable") if records[code]}
