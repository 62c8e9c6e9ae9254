"""The report of an anonymization: one page on what was done to a table, what it has now and what it lost.

Of the original it shows numbers and no value that is not released, so it may go with the release.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.report.as_html import page
from aramis.report.table_findings import sizes
from aramis.tables.hierarchy import text
from aramis.tables.reach import named

if TYPE_CHECKING:
    from aramis.tables.anonymize import Anonymized
    from aramis.tables.utility.compare import Utility

EXAMPLES = 4  # labels of a column that are shown, the most frequent first
PAIRS = 15  # of columns, those with most in common in the original


class Column(msgspec.Struct, frozen=True):
    """What one quasi-identifier says now."""

    name: str
    level: int | None  # None: values are recoded one by one
    labels: int  # different ones that are released
    examples: tuple[str, ...]
    moved: float  # its distribution


class Measure(msgspec.Struct, frozen=True):
    """What was lost by one measure, as a share where it is one."""

    name: str
    value: str
    share: float | None
    meaning: str


def write_release_report(found: "Anonymized", path: Path | str, *, on: date | None = None) -> Path:
    """Write what was done to a table, what the release has and what it lost as a page.

    >>> import aramis, pathlib, polars, tempfile
    >>> ages = polars.DataFrame({"age": [31, 34, 38, 52, 57]})
    >>> found = aramis.table(ages, quasi="age", hierarchies={"age": "intervals:10"}).anonymize(k=2)
    >>> aramis.write_release_report(found, pathlib.Path(tempfile.mkdtemp()) / "release.html").name
    'release.html'
    """
    out = Path(path)
    must_be_a_report(out)
    html = page(
        "anonymized.html.jinja",
        of=found,
        utility=found.utility,
        columns=list(columns(found)),
        measures=list(measures(found.utility)),
        pairs=found.utility.associations[:PAIRS],
        sizes=sizes(found.check.sizes),
        distances={name: levels.distance for name, levels in found.check.sensitive.items()},
        named=named,
        written=(on or date.today()).isoformat(),  # noqa: DTZ011  # the day where the reader is
    )
    with whole(out) as file:
        file.write(html.encode())
    return out


def must_be_a_report(path: Path) -> None:
    """Raise before anything is computed where no report can be written to this path."""
    if path.suffix.lower() != ".html":
        raise BadInput(f"{path}: a report is a page; give it a name that ends in .html")
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}")


def columns(found: "Anonymized") -> Iterator[Column]:
    """The quasi-identifiers that are recoded, each with its most frequent labels."""
    recoding = found.recoding
    if recoding.separate:
        return
    released = recoding.classes >= 0
    records = np.bincount(recoding.classes[released], recoding.counts[released], len(recoding.cells))
    for place, name in enumerate(found.check.quasi):
        labels = (recoding.said or recoding.labels)[place]
        often = np.bincount(recoding.cells[:, place], records, len(labels))
        by_frequency = np.argsort(-often, kind="stable")[:EXAMPLES]
        yield Column(
            name,
            (found.generalization or {}).get(name),
            int(np.count_nonzero(often)),
            tuple(text(labels[label]) for label in by_frequency if often[label]),
            found.utility.marginals[name],
        )


def measures(found: "Utility") -> Iterator[Measure]:
    """Every measure in words."""

    def share(name: str, value: float, meaning: str) -> Measure:
        return Measure(name, f"{value:.4f}", min(value, 1.0), meaning)

    yield share("NCP", found.ncp, "the share of a column's values that a cell covers, mean over all cells")
    yield share("Loss", found.loss, "(values under a cell - 1) / (all values - 1), mean over all cells")
    if found.precision is not None:
        yield share(
            "1 - Prec", found.precision, "how high a cell stands in its hierarchy, mean over all cells"
        )
    yield share(
        "Non-uniform entropy",
        found.non_uniform_entropy,
        "the bits it takes to find the original values, over those of a table of stars",
    )
    yield share(
        "Association lost", found.association_lost, "the mean change of Cramer's V over all pairs of columns"
    )
    for column, lost in found.variance_lost.items():
        yield share(
            f"Variance of {column} lost", lost, "the spread inside classes that their means no longer show"
        )
    yield Measure(
        "Counting queries",
        f"{100 * found.queries.median:.3g} % (mean {100 * found.queries.mean:.3g} %)",
        min(found.queries.median, 1.0),
        f'the median error of {found.queries.queries} random questions "how many records have their values in these ranges?"',
    )
    yield Measure("Average class size", f"{found.average_class_size:.4g}", None, "records in a class")
    yield Measure(
        "Discernibility",
        f"{found.discernibility:,} (without penalty {found.discernibility_star:,})",
        None,
        "the sum of squared class sizes; a suppressed record costs as much as there are records",
    )
