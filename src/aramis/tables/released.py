"""The released table: a recoding as expressions and one join on the lazy frame that was counted."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from aramis.tables.counting import without_objects
from aramis.tables.frequency import JOINT, FrequencySet
from aramis.tables.hierarchy import text
from aramis.tables.recoding import STAR, SUPPRESSED, Recoding
from aramis.tables.source import Source

KEY_SPACE = 2**62


def released(
    source: Source,
    frequency: FrequencySet,
    recoding: Recoding,
    *,
    star: bool = False,
    shuffle: int | None = None,
    classes: str | None = None,
) -> pl.LazyFrame:
    """The rows of a table with the labels of their classes: the same columns, the rows in the same order.

    Suppressed rows are left out, or, with `star`, say nothing in quasi-identifiers and sensitive columns. `shuffle` is
    a seed: the rows come in an order drawn at random, because their order may tell who they are. `classes` names a column for the number of each row's class.
    """
    frame = polars(source)
    names = frame.collect_schema().names()
    own = _prefix(names)
    columns = [*names, classes] if classes else names
    joined = _joined(frame, frequency, recoding, own, text=source.dialect is not None)
    if shuffle is not None:
        joined = joined.collect().sample(fraction=1, shuffle=True, seed=shuffle).lazy()
    kept = pl.col(f"{own}class") != SUPPRESSED
    if not star:
        joined = joined.filter(kept)
    here = joined.collect_schema()
    said = {}
    for place, name in enumerate((*frequency.quasi, *frequency.sensitive)):
        changed = f"{own}{place}"
        says = pl.col(changed) if changed in here else pl.col(name)
        if star and recoding.suppressed:
            says = pl.when(kept).then(says.cast(pl.String)).otherwise(pl.lit(STAR))
        said[name] = says.alias(name)
    if classes:
        said[classes] = pl.col(f"{own}class").alias(classes)
    return joined.select(said.get(name, pl.col(name)) for name in columns)


def polars(source: Source) -> pl.LazyFrame:
    """The frame of a source; that of another engine is taken over as it is."""
    native = source.frame.to_native()
    if isinstance(native, pl.LazyFrame):
        return native
    taken = without_objects(source.frame)
    return taken.collect(backend="polars").to_native().lazy()


def _joined(
    frame: pl.LazyFrame, frequency: FrequencySet, recoding: Recoding, own: str, *, text: bool
) -> pl.LazyFrame:
    """The rows with the class they go to, and what every column that changes says instead."""
    alike = _is_by_quasi(frequency, recoding)
    sensitive = [column for column in frequency.sensitive if column != JOINT]
    columns = frequency.quasi if alike else (*frequency.quasi, *sensitive)
    parts = _parts([len(frequency.domains[column]) for column in columns])
    schema = frame.collect_schema()
    codes = [
        _code(column, schema[column], frequency.domains[column], text=text).cast(pl.Int64)
        for column in columns
    ]
    on = [f"{own}key{number}" for number in range(len(parts))]
    frame = frame.with_columns(
        pl.sum_horizontal(codes[place] * scale for place, scale in part).alias(name)
        for name, part in zip(on, parts, strict=True)
    )
    pieces = _pieces(frequency, recoding, own)
    numbers = frequency.codes[recoding.tuples].astype(np.int64)
    pieces = pieces.with_columns(
        pl.Series(name, np.sum([numbers[:, place] * scale for place, scale in part], axis=0))
        for name, part in zip(on, parts, strict=True)
    )
    if alike:
        pieces = pieces.unique(on, maintain_order=True)
    else:  # a row each: the first so many rows of a tuple are those of its first piece, and so on
        pieces = pieces.select(pl.all().repeat_by(pl.lit(pl.Series(recoding.counts))).list.explode())
        turn = pl.int_range(pl.len(), dtype=pl.Int64).over(on).alias(f"{own}turn")
        frame, pieces = frame.with_columns(turn), pieces.with_columns(turn)
        on.append(f"{own}turn")
    return frame.join(pieces.lazy(), on=on, how="left", maintain_order="left")


def _pieces(frequency: FrequencySet, recoding: Recoding, own: str) -> pl.DataFrame:
    """For each piece its class, and what it says in the columns where any piece says something new."""
    kept = recoding.classes != SUPPRESSED
    codes = frequency.codes[recoding.tuples]
    columns = {f"{own}class": pl.Series(recoding.classes, dtype=pl.Int32)}
    for place, name in enumerate(frequency.quasi):
        labels = _series((recoding.said or recoding.labels)[place])
        cells = np.where(kept, recoding.cells[recoding.classes, place], 0) if len(recoding.cells) else None
        if cells is None or recoding.separate:
            continue
        said = labels.gather(cells)
        was = pl.Series([text(value) for value in frequency.domains[name]], dtype=pl.String).gather(
            codes[:, place]
        )
        if not (said.cast(pl.String) == was).filter(pl.Series(kept)).all():
            columns[f"{own}{place}"] = said
    for place, name in enumerate(frequency.sensitive):
        if recoding.sensitive is not None:
            domain = pl.Series([text(value) for value in frequency.domains[name]], dtype=pl.String)
            if not np.array_equal(recoding.sensitive[:, place], codes[:, len(frequency.quasi) + place]):
                columns[f"{own}{len(frequency.quasi) + place}"] = domain.gather(recoding.sensitive[:, place])
    return pl.DataFrame(columns)


def _series(labels: Sequence[object]) -> pl.Series:
    """Labels as they are written: numbers where all are, else text."""
    for kind, dtype in ((int, pl.Int64), (float, pl.Float64)):
        if labels and all(isinstance(label, kind | None) for label in labels):
            return pl.Series(labels, dtype=dtype)
    return pl.Series([text(label) for label in labels], dtype=pl.String)


def _code(column: str, dtype: pl.DataType, domain: Sequence[object], *, text: bool) -> pl.Expr:
    """The code of each value of a column, as the frequency set has it."""
    values = pl.Series(domain, strict=False) if text else None
    found = pl.col(column)
    if values is not None:
        found = found if values.dtype in (pl.String, pl.Null) else found.cast(values.dtype)
    elif isinstance(dtype, pl.Categorical | pl.Enum):
        found, values = found.cast(pl.String), pl.Series(domain, dtype=pl.String)
    else:
        found, values = (found.fill_nan(None) if dtype.is_float() else found), pl.Series(domain, dtype=dtype)
    return found.replace_strict(values, pl.Series(range(len(domain)), dtype=pl.Int32), return_dtype=pl.Int32)


def _parts(sizes: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Columns, each with what its codes are multiplied by, in as few sums as fit in an integer."""
    parts: list[list[tuple[int, int]]] = [[]]
    space = 1
    for place, size in enumerate(sizes):
        if space * size > KEY_SPACE:
            parts.append([])
            space = 1
        parts[-1].append((place, space))
        space *= size
    return parts


def _is_by_quasi(frequency: FrequencySet, recoding: Recoding) -> bool:
    """Whether rows alike in every quasi-identifier all go to one class, and say the truth in sensitive columns."""
    if recoding.sensitive is not None:
        return False
    starts = frequency.class_starts()[:-1]
    of_tuple = np.searchsorted(starts, recoding.tuples, side="right")
    classes = recoding.classes
    return bool(np.all((np.diff(of_tuple) != 0) | (np.diff(classes) == 0)))


def _prefix(names: Sequence[str]) -> str:
    """What no column's name begins with."""
    own = "__"
    while any(name.startswith(own) for name in names):
        own += "_"
    return own
