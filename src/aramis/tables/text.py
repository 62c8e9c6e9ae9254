"""What text in a file stands for. Decided from every value that occurs in a column, never from the first rows alone."""

from collections.abc import Callable

import polars as pl

INTEGER = r"^-?(0|[1-9]\d{0,17})$"  # no leading zero: 01749 is a postcode, not a number
DECIMAL = r"^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$"
DATE = r"^\d{4}-\d{2}-\d{2}$"
PARSERS: tuple[tuple[str, Callable[[pl.Series], pl.Series]], ...] = (
    (INTEGER, lambda texts: texts.cast(pl.Int64)),
    (DECIMAL, lambda texts: texts.cast(pl.Float64)),
    (DATE, lambda texts: texts.str.to_date("%Y-%m-%d", strict=False)),
)


def typed(values: pl.Series) -> pl.Series:
    """Numbers or dates where all of these distinct texts are, and no two are the same one; else the texts."""
    if values.null_count() == len(values):
        return values
    for pattern, parse in PARSERS:
        if values.str.contains(pattern).all():
            parsed = parse(values)
            if parsed.null_count() == values.null_count() and parsed.n_unique() == len(values):
                return parsed
    return values
