"""The answer of a check as plain values: what `--json` prints and other programs hold on to.

A level that is infinite, so that no number would be wanted of it, is null.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from aramis.tables.check import RECURSIVE_L, Checked, Held, Levels, Together, WorstClass
from aramis.tables.frequency import JOINT, Counts
from aramis.tables.hierarchy import text
from aramis.tables.protection import Discrimination


def answer(found: Checked) -> dict[str, Any]:
    """A check as one JSON object."""
    return {
        "source": found.source,
        "rows": found.rows,
        "classes": found.classes,
        "quasi": list(found.quasi),
        "missing": dict(found.missing),
        **({"placeholders": found.placeholders} if found.placeholders else {}),
        "k": found.k,
        "reference": found.reference,
        "sensitive": {column: _levels(levels) for column, levels in found.sensitive.items()},
        **({"joint": _joint(found.joint, list(found.sensitive))} if found.joint else {}),
        **({"presence": dict(zip(("from", "to"), found.presence, strict=True))} if found.presence else {}),
        **({"discrimination": _discrimination(found.discrimination)} if found.discrimination else {}),
        "wanted": _wanted(found),
        "worst": [_worst(worst) for worst in found.worst],
    }


def _levels(levels: Levels) -> dict[str, Any]:
    others = {
        "l_distinct_others": levels.l_distinct_others,
        "l_entropy_others": levels.l_entropy_others,
    }
    return {
        "values": len(levels.domain),
        "l_distinct": levels.l_distinct,
        "l_entropy": levels.l_entropy,
        "l_recursive": {"l": RECURSIVE_L, "c": _finite(levels.l_recursive)},
        **{name: level for name, level in others.items() if level is not None},
        "t": {
            "distance": levels.distance,
            "level": levels.t,
            "gain": {"value": plain(levels.gain.value), "factor": _finite(levels.gain.factor)},
            "jensen_shannon": levels.gain.jensen_shannon,
            "kullback_leibler": _finite(levels.gain.kullback_leibler),
        },
        "alpha": levels.alpha,
        "beta": _finite(levels.beta),
        "beta_enhanced": _finite(levels.beta_enhanced),
        "delta": _finite(levels.delta),
    }


def _joint(together: Together, columns: list[str]) -> dict[str, Any]:
    mean = together.t_mean
    of_mean = (
        {"from": mean[0], "to": mean[1], "level": mean[1] if mean[0] == mean[1] else None} if mean else None
    )
    return {
        "columns": columns,
        **_levels(together.levels),
        "t_mean": {"distance": together.distance, **of_mean} if of_mean else None,
    }


def _discrimination(found: Discrimination) -> dict[str, Any]:
    return {
        "denied": str(found.denied),
        "protected": str(found.protected),
        "unjudged": {"classes": found.unjudged_classes, "records": found.unjudged_records},
        "t": found.t,
        "measures": {
            name: {"table": _finite(one.table), "worst": _finite(one.worst), "bound": _finite(one.bound)}
            for name, one in found.measures.items()
        },
    }


def _wanted(found: Checked) -> dict[str, Any]:
    """By the option's name: what is wanted and whether it holds, of all columns and of each."""
    by_option: dict[str, list[Held]] = {}
    for one in found.wanted:
        by_option.setdefault(_option_of(one.model.name), []).append(one)
    return {option: _option(several, found.sizes) for option, several in by_option.items()}


def _option_of(model: str) -> str:
    """The option that a model is wanted by."""
    return model if model == "beta_enhanced" else model.removeprefix("protection_").partition("_")[0]


def _option(held: list[Held], sizes: Counts) -> dict[str, Any]:
    first, columns = (
        held[0].model,
        {_column(one.model.column): _held(one) for one in held if one.model.column},
    )
    kind = first.name.partition("_")[2]
    same = all(one.model.wanted == first.wanted for one in held)
    return {
        "wanted": first.wanted if same else {column: of["wanted"] for column, of in columns.items()},
        **({"kind": kind} if kind else {}),
        "holds": all(one.holds for one in held),
        "failing_records": _failing_records(held, sizes),
        **({"columns": columns} if columns else {}),
    }


def _failing_records(held: list[Held], sizes: Counts) -> int:
    """The records in classes where any of them fails."""
    if len(held) == 1:
        return held[0].failing_records
    return int(sizes[np.logical_or.reduce([one.failing for one in held])].sum())


def _held(one: Held) -> dict[str, Any]:
    stated = getattr(one.model, "stated", "")
    return {
        "wanted": one.model.wanted,
        **({"of": stated} if stated else {}),
        "level": _finite(one.level),
        "holds": one.holds,
        "failing_records": one.failing_records,
    }


def _worst(worst: WorstClass) -> dict[str, Any]:
    return {
        "model": worst.model,
        "column": _column(worst.column),
        "level": _finite(worst.level),
        "records": worst.records,
        "class": {column: plain(value) for column, value in worst.quasi.items()},
        "distribution": {str(_column(column)): _counts(of) for column, of in worst.distribution.items()},
    }


def _counts(of: Mapping[object, int]) -> dict[str, int]:
    return {_key(value): records for value, records in of.items()}


def _key(value: object) -> str:
    return " + ".join(map(_key, value)) if isinstance(value, tuple) else text(value)


def _column(column: str | None) -> str | None:
    return "joint" if column == JOINT else column


def plain(value: object) -> Any:
    """A value as JSON has it."""
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, bool | int | str) or _is_finite(value) else text(value)


def _finite(level: float) -> float | None:
    return level if math.isfinite(level) else None


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)
