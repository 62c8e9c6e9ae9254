"""What text in a file stands for. Decided from every value that occurs in a column, never from the first rows alone."""

import polars as pl

INTEGER = r"^-?(0|[1-9]\d{0,17})$"  # no leading zero: 01749 is a postcode, not a number
DECIMAL = r"^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$"
DATE = r"^\d{4}-\d{2}-\d{2}$"


def typed(values: pl.Series) -> pl.Series:
    """Numbers or dates where all of these distinct texts are, and no two are the same one; else the texts."""
    for pattern, dtype in ((INTEGER, pl.Int64), (DECIMAL, pl.Float64), (DATE, pl.Date)):
        if values.null_count() < len(values) and values.str.contains(pattern).all():
            cast = values.cast(dtype, strict=False)
            if cast.null_count() == values.null_count() and cast.n_unique() == len(values):
                return cast
    return values
