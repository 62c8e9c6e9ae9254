"""Loans, and how unlike two groups are denied them in each class of a release."""

from typing import Any

import numpy as np
import polars as pl

import aramis

WHO: dict[str, Any] = {"denied": {"credit": "no"}, "protected": {"sex": "f"}}


def loans(rows: int = 400) -> Any:
    """In every age women are denied a little more often than men; how much more differs by chance."""
    random = np.random.default_rng(11)
    sex = random.choice(["f", "m"], rows)
    no = random.random(rows) < np.where(sex == "f", 0.45, 0.4)
    frame = pl.DataFrame(
        {
            "age": random.integers(20, 70, rows),
            "town": random.choice(["a", "b", "c"], rows),
            "sex": sex,
            "credit": np.where(no, "no", "yes"),
        }
    )
    return aramis.table(frame, quasi=["age", "town"], sensitive=["credit", "sex"])


def measures(frame: pl.DataFrame, measure: str) -> list[float]:
    """By the definition, class by class, of those classes that have both groups."""
    found = []
    for _, rows in frame.group_by("age", "town"):
        shares = [rows.filter(sex=sex)["credit"].to_list() for sex in "fm"]
        if all(shares):
            p1, p2 = (one.count("no") / len(one) for one in shares)
            found.append(p1 - p2 if measure == "RD" else (1 - p1) / (1 - p2))
    return found
