"""`aramis`: one file per command beside this one; each reads, calls one public function and prints."""

import os
import sys

import typer

from aramis.cli import (
    assess,
    audit,
    demo,
    export,
    inspect,
    models,
    redact,
    release,
    report,
    sample,
    table_anonymize,
    table_check,
    table_compare,
    table_suggest,
)
from aramis.errors import AramisError

app = typer.Typer(
    name="aramis",
    help="Can I share these photos, videos and tables, and how do I know?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
table = typer.Typer(
    help="Which k, l, t, ... does this table have, and how to bring it there.", no_args_is_help=True
)
app.add_typer(table, name="table")

# The list of commands: importing a command's file must cost nothing; what is heavy is imported in its function.
app.add_typer(models.app, name="models")
app.command()(release.release)
app.command()(demo.demo)
app.command()(redact.redact)
app.command()(inspect.inspect)
app.command()(assess.assess)
app.command()(audit.audit)
app.command()(report.report)
app.command()(sample.sample)
app.command()(export.export)
table.command()(table_check.check)
table.command()(table_suggest.suggest)
table.command(cls=table_anonymize.WithGuarantees)(table_anonymize.anonymize)
table.command()(table_compare.compare)


def main() -> None:
    """Run a command; say what went wrong in one sentence, without a traceback unless --debug."""
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    try:
        app(arguments)
    except AramisError as error:
        if debug:
            raise
        print(f"aramis: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone; nothing is wrong
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
