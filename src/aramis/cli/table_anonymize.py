"""`aramis table anonymize`: bring a table to the wanted levels."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from aramis.cli.options import AsJson, Config, Quiet, Seed
from aramis.cli.progress import progress
from aramis.cli.table_options import levels_of, with_table, with_wanted


@with_table
@with_wanted
def anonymize(
    *,
    table: Any,
    wanted: dict[str, Any],
    out: Annotated[
        Path,
        typer.Argument(
            help="The release: .csv, .tsv, .parquet, .arrow, .jsonl or .xlsx.", show_default=False
        ),
    ],
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm; at the end stands what each of them guarantees.")
    ] = "optimal",
    reuse: Annotated[
        Path | None,
        typer.Option(
            help="A saved recoding: its columns, hierarchies, levels or classes, and what was wanted, are applied to FILE."
        ),
    ] = None,
    save_recoding: Annotated[
        Path | None,
        typer.Option(
            help="Keep the levels, or classes, and hierarchies in this file (.json), for --reuse. It names values of the original."
        ),
    ] = None,
    suppress: Annotated[
        float | None,
        typer.Option(help="The share of the records that may be left out; none where not given."),
    ] = None,
    loss: Annotated[
        str,
        typer.Option(help="What is to be small: ncp, loss, precision, entropy, discernibility, class-size."),
    ] = "ncp",
    reference: Annotated[
        str | None,
        typer.Option(
            help="What t, beta and delta compare a class with: released (where not given), or original."
        ),
    ] = None,
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
    frontier: Annotated[
        str | None,
        typer.Option(
            help="k=2,5,10 or t=0.1,0.2,0.3: tell what each level costs, and draw it to OUT, a page (.html); no release is written."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", help="Write what was done, has and lost as a page (.html); it may go with OUT."
        ),
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Bring a table to the wanted levels at the least loss, and check what was written.

    The release is read back and asked for every wanted level before it is put in its place; one that fails is never
    left behind. A goal that is out of reach is said with what is in reach, exit status 2. Interrupted, the best release
    found so far is written, where there is one. With --frontier nothing is released: it is told what each level would cost.

    \b
    aramis table anonymize people.csv out.csv -q age -q zip -s disease --hierarchy age=intervals:5,10,20 --k 5 --l 2
    """
    how = {
        "algorithm": algorithm,
        "suppress": suppress,
        "loss": loss,
        "reference": reference,
        "joint": joint,
        "seed": seed,
    }
    if frontier:
        _must_be_alone({"--reuse": reuse, "--save-recoding": save_recoding, "--report": report})
        print(_frontier(table, out, how | wanted | levels_of(frontier), as_json=as_json, quiet=quiet))
        return
    from aramis.cli.anonymized import as_text
    from aramis.report.anonymized_as_html import must_be_a_report, write_release_report
    from aramis.tables.anonymized_answer import answer

    if report:
        must_be_a_report(report)
    with _interruptible(), progress("searching", quiet=quiet) as tell:
        found = table.anonymize(
            out=out,
            star=star,
            shuffle=shuffle,
            overwrite=overwrite,
            reuse=reuse,
            save_recoding=save_recoding,
            tell=tell,
            **how,
            **wanted,
        )
    if report:
        write_release_report(found, report)
    print(json.dumps(answer(found)) if as_json else as_text(found, out))


def _frontier(table: Any, out: Path, wanted: dict[str, Any], *, as_json: bool, quiet: bool) -> str:
    from aramis.cli.anonymized import frontier_lines
    from aramis.report.frontier_as_html import must_be_a_page, write_frontier
    from aramis.tables.anonymized_answer import frontier

    must_be_a_page(out)
    with _interruptible(), progress("searching", quiet=quiet) as tell:
        found = table.frontier(tell=tell, **wanted)
    write_frontier(found, out)
    return json.dumps(frontier(found)) if as_json else "\n".join(frontier_lines(found, out))


def _must_be_alone(of_a_release: dict[str, Path | None]) -> None:
    """Raise where --frontier, with which nothing is released, comes with what is of a release."""
    given = [option for option, path in of_a_release.items() if path]
    if given:
        from aramis.errors import BadInput

        raise BadInput(f"with --frontier nothing is released; leave {given[0]} out")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C before there is anything to write is an answer too: exit status 2 and a sentence."""
    try:
        yield
    except KeyboardInterrupt:
        from aramis.errors import Unreachable

        raise Unreachable(
            "interrupted before a release that has what is wanted was written; there is none"
        ) from None


class WithGuarantees(TyperCommand):
    """A command whose help ends with what each algorithm guarantees. The algorithms are loaded for it alone."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from aramis import plugins

        found = [plugins.find("anonymizer", name) for name in plugins.names("anonymizer")]
        lines = [f"{one.name}: {one.guarantee}." for one in found]  # type: ignore[attr-defined]  # each is an Anonymizer
        self.epilog = "\n\n".join(["What the algorithms guarantee, beside what is wanted:", *lines])
        super().format_help(ctx, formatter)
