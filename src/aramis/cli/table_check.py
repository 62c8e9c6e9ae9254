"""`aramis table check`: which k, l, t, ... does this table have?"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from aramis.cli.options import AsJson, Config
from aramis.cli.table_options import by_column, with_table, with_wanted


@with_table
@with_wanted
def check(
    *,
    table: Any,
    wanted: dict[str, Any],
    joint: Annotated[
        bool, typer.Option("--joint", help="The wanted levels are meant of all sensitive columns together.")
    ] = False,
    reference: Annotated[
        str,
        typer.Option(help="What t, beta and delta compare a class with: released, original, or given."),
    ] = "released",
    original: Annotated[
        Path | None, typer.Option(help="The table this one was made from; with --reference original.")
    ] = None,
    shares: Annotated[
        list[str] | None,
        typer.Option(
            help="COL=FILE, a value and its share in each line (CSV, TOML, JSON); with --reference given. Repeat."
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(help="With --t: (n,t)-closeness, the distance to the nearest group of n records."),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(help="A table of everybody of whom some are in this one: delta-presence is told."),
    ] = None,
    presence: Annotated[
        tuple[float, float],
        typer.Option(help="Wanted with --population: the least and the highest share of a class."),
    ] = (0.0, 1.0),
    report: Annotated[
        Path | None, typer.Option("--report", help="Write the answer as a page for people, with charts.")
    ] = None,
    as_json: AsJson = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Tell every privacy level that a table has, where it is worst, and whether the wanted ones hold.

    Nothing needs to be known before: without a wanted level every level is told. With some, exit status 1 means
    that one does not hold.

    \b
    aramis table check people.csv -q age -q zip -s disease --k 5 --t 0.2
    """
    import aramis
    from aramis.cli.checked import as_text
    from aramis.tables.answer import answer

    found = table.check(
        reference=_reference(table, reference, original, by_column("shares", shares or [])),
        population=table.again(population) if population else None,
        presence=presence,
        joint=joint,
        n=n,
        **wanted,
    )
    if report:
        aramis.write_table_report(found, report, hierarchies=table.hierarchies)
    print(json.dumps(answer(found)) if as_json else as_text(found))
    sys.exit(0 if found.holds else 1)


def _reference(table: Any, reference: str, original: Path | None, shares: dict[str, str]) -> Any:
    if reference == "released" and not original and not shares:
        return None
    if reference == "original" and original and not shares:
        return table.again(original)
    if reference == "given" and shares and not original:
        return shares
    from aramis.errors import BadInput

    raise BadInput(
        "--reference is released, or original together with --original FILE, or given together with --shares COL=FILE"
    )
