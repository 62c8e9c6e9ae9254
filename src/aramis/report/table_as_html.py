"""The report of a table: one self-contained page that tells what its classes disclose, and how far they depart from all."""

import math
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from aramis.errors import BadInput
from aramis.images.files.whole import whole
from aramis.report.as_html import page
from aramis.report.table_findings import columns, sizes, written
from aramis.tables.reach import named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aramis.tables.check import Checked
    from aramis.tables.hierarchy import Hierarchy


def write_table_report(
    found: "Checked",
    path: Path | str,
    *,
    hierarchies: "Mapping[str, Hierarchy] | None" = None,
    on: date | None = None,
) -> Path:
    """Write what a check found as a page. With the table's `hierarchies`, values stand under their branches.

    >>> import aramis, pathlib, polars, tempfile
    >>> people = polars.DataFrame({"zip": ["476", "476", "479"], "ill": ["flu", "cold", "flu"]})
    >>> found = aramis.table(people, quasi=["zip"], sensitive=["ill"]).check(k=2)
    >>> aramis.write_table_report(found, pathlib.Path(tempfile.mkdtemp()) / "people.html").name
    'people.html'
    """
    out = Path(path)
    if not out.absolute().parent.is_dir():
        raise BadInput(f"{out}: there is no folder {out.parent}")
    html = page(
        "table.html.jinja",
        of=found,
        sizes=sizes(found.sizes),
        columns=list(columns(found, hierarchies or {})),
        written=(on or date.today()).isoformat(),  # noqa: DTZ011  # the day where the reader is
        value=written,
        named=named,
        level=_level,
    )
    with whole(out) as file:
        file.write(html.encode())
    return out


def _level(level: float) -> str:
    return "none" if math.isinf(level) else f"{level:.4g}"
