"""`aramis table anonymize`: bring a table to the wanted levels."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from aramis.cli.options import AsJson, Config, Quiet, Seed
from aramis.cli.progress import progress
from aramis.cli.table_options import with_table, with_wanted


@with_table
@with_wanted
def anonymize(
    *,
    table: Any,
    wanted: dict[str, Any],
    out: Annotated[
        Path, typer.Argument(help="The release: .csv, .tsv, .parquet, .arrow or .jsonl.", show_default=False)
    ],
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm; docs/reference/algorithms.md says what each is for.")
    ] = "optimal",
    suppress: Annotated[float, typer.Option(help="The share of the records that may be left out.")] = 0.0,
    loss: Annotated[
        str,
        typer.Option(help="What is to be small: ncp, loss, precision, entropy, discernibility, class-size."),
    ] = "ncp",
    reference: Annotated[
        str, typer.Option(help="What t, beta and delta compare a class with: released, or original.")
    ] = "released",
    joint: Annotated[
        bool, typer.Option("--joint", help="The wanted levels are meant of all sensitive columns together.")
    ] = False,
    star: Annotated[
        bool, typer.Option("--star", help="Suppressed rows stay, with * in place of all that matters.")
    ] = False,
    shuffle: Annotated[
        bool,
        typer.Option(
            "--shuffle", help="The rows in an order drawn at random: their order may tell who they are."
        ),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace OUT where it exists.")] = False,
    seed: Seed = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Bring a table to the wanted levels at the least loss, and check what was written.

    The release is read back and asked for every wanted level before it is put in its place; one that fails is never
    left behind. A goal that is out of reach is said with what is in reach, exit status 2. Interrupted, the best release
    found so far is written.

    \b
    aramis table anonymize people.csv out.csv -q age -q zip -s disease --hierarchy age=intervals:5,10,20 --k 5 --l 2
    """
    from aramis.cli.anonymized import as_text
    from aramis.tables.anonymized_answer import answer

    with progress("searching", quiet=quiet) as tell:
        found = table.anonymize(
            algorithm=algorithm,
            suppress=suppress,
            loss=loss,
            reference=reference,
            joint=joint,
            seed=seed or 0,
            out=out,
            star=star,
            shuffle=shuffle,
            overwrite=overwrite,
            tell=tell,
            **wanted,
        )
    print(json.dumps(answer(found)) if as_json else as_text(found, out))
