"""`aramis table compare`: what a release has lost against its original."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from aramis.cli.options import AsJson, Config, Seed
from aramis.cli.table_options import with_table


@with_table
def compare(
    *,
    table: Any,
    after: Annotated[
        Path, typer.Argument(help="The release, ours or that of any other tool.", show_default=False)
    ],
    label: Annotated[
        str | None, typer.Option(help="A sensitive column that a classifier is to tell from the others.")
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Tell what a release has lost against its original, by every measure.

    FILE is the original. Local recoding can say of each record as much as its class allows, where full-domain recoding
    says the same level for a whole column; so the same number by NCP or Loss means the same loss, and a full-domain
    release is the easier one to work with. A mean is a number like others to NCP and Loss: what it no longer shows is told as
    the variance lost.

    \b
    aramis table compare people.csv out.csv -q age -q zip -s disease --hierarchies hierarchies/ --label disease
    """
    from aramis.cli.anonymized import utility_lines
    from aramis.tables.anonymized_answer import utility

    found = table.compare(after, label=label, seed=seed or 0)
    print(json.dumps(utility(found)) if as_json else "\n".join(utility_lines(found)))
