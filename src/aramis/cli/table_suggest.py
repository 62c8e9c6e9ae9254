"""`aramis table suggest`: what may the columns of this table be?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aramis.cli.assessment import plain
from aramis.cli.checked import aligned
from aramis.cli.options import AsJson, Config
from aramis.cli.table_options import with_file

if TYPE_CHECKING:
    from aramis.tables.suggest import Column, Suggestion


@with_file
def suggest(
    *,
    reading: dict[str, Any],
    schema: Annotated[
        Path | None,
        typer.Option(help="Write the suggestion as a schema to this TOML file, to be corrected there."),
    ] = None,
    as_json: AsJson = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Suggest which columns of a table identify, half-identify and are sensitive, and why.

    By their names, the look of their values, and how far they tell people apart; with the check list of HIPAA Safe
    Harbor. It is a suggestion: who knows the people decides.

    \b
    aramis table suggest people.csv --schema people.toml
    """
    import aramis
    from aramis.tables.schema_file import write_schema

    found = aramis.suggest(**reading)
    if schema:
        write_schema(found, schema)
    print(json.dumps(as_answer(found), default=str) if as_json else as_text(found))


def as_text(found: "Suggestion") -> str:
    """A line for each column, what the quasi-identifiers do together, and the check list."""
    head = ["column", "may be", "distinct", "unique rows", "tells apart", "because"]
    lines = [f"{plain(found.source)}: {found.rows:,} rows", "", *aligned([head, *map(_line, found.columns)])]
    quasi = ", ".join(map(plain, found.of_part("quasi")))
    if found.unique_together is not None:
        lines += ["", f"{found.unique_together:.1%} of the rows are unique by {quasi} together"]
    return "\n".join([*lines, "", *_check_list(found)])


def as_answer(found: "Suggestion") -> dict[str, Any]:
    """The same as plain values."""
    from dataclasses import asdict

    return {**asdict(found), "hipaa": found.hipaa}


def _line(column: "Column") -> list[str]:
    shares = [f"{column.unique:.1%}", f"{column.separation:.1%}"]
    return [plain(column.name), column.part, f"{column.distinct:,}", *shares, column.why]


def _check_list(found: "Suggestion") -> list[str]:
    listed = {one: columns for one, columns in found.hipaa.items() if columns}
    absent = len(found.hipaa) - len(listed)
    return [
        "HIPAA Safe Harbor, of its 18 identifiers:",
        *(f"  {one}: {', '.join(map(plain, columns))}" for one, columns in listed.items()),
        f"  of {absent} no column was found; free text may hold any of them",
    ]
