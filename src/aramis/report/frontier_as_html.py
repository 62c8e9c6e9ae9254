"""The frontier as a page: what each level costs, as a curve and as a table, so that a person can choose one."""

from datetime import date
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.report.as_html import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aramis.tables.frontier import Frontier

LEFT, RIGHT, TOP, BOTTOM = 60, 620, 16, 240  # of the curve on its picture
WIDE = 8  # from this ratio on, levels stand at their logarithms


def write_frontier(found: "Frontier", path: Path | str, *, on: date | None = None) -> Path:
    """Write what each level costs as a page.

    >>> import aramis, pathlib, polars, tempfile
    >>> ages = polars.DataFrame({"age": [31, 34, 38, 52, 57]})
    >>> table = aramis.table(ages, quasi="age", hierarchies={"age": "intervals:5,10"})
    >>> aramis.write_frontier(table.frontier(k=[1, 2, 3]), pathlib.Path(tempfile.mkdtemp()) / "k.html").name
    'k.html'
    """
    out = Path(path)
    must_be_a_page(out)
    html = page(
        "frontier.html.jinja",
        of=found,
        dots=dots(found),
        top=_top(found),
        written=(on or date.today()).isoformat(),  # noqa: DTZ011  # the day where the reader is
    )
    with whole(out) as file:
        file.write(html.encode())
    return out


def must_be_a_page(path: Path) -> None:
    """Raise before anything is computed where no page can be written to this path."""
    if path.suffix.lower() != ".html":
        raise BadInput(f"{path}: a frontier is written as a page; give it a name that ends in .html")
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}")


def dots(found: "Frontier") -> "list[tuple[float, float]]":
    """Where the points stand on the picture, in the order of their levels."""
    points = sorted(found.points, key=lambda point: point.level)
    along = _along([point.level for point in points])
    return [
        (LEFT + (RIGHT - LEFT) * at, BOTTOM - (BOTTOM - TOP) * point.loss / _top(found))
        for at, point in zip(along, points, strict=True)
    ]


def _along(levels: "Sequence[float]") -> list[float]:
    """From 0 for the least level to 1 for the largest."""
    if levels and levels[0] > 0 and levels[-1] / levels[0] >= WIDE:
        levels = [log(level) for level in levels]
    span = (levels[-1] - levels[0] if levels else 0) or 1
    return [(level - levels[0]) / span for level in levels]


def _top(found: "Frontier") -> float:
    """The loss at the upper end of the picture: 1 is all there is to lose, for the losses that are shares."""
    highest = max((point.loss for point in found.points), default=1.0)
    return 1.0 if 0.4 < highest <= 1 else highest * 1.1 or 1.0
