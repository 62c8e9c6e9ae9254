"""`aramis report`: write the report of a release again."""

from typing import Annotated

import typer

from aramis.cli.options import Config, Release

Pictures = Annotated[
    int,
    typer.Option("--pictures", min=0, help="How many leaks are shown; 0: the page has no pictures at all."),
]


def report(release: Release, pictures: Pictures = 60, config: Config = None) -> None:  # noqa: ARG001  # it fills in
    """Write RELEASE/report.html again, from its records, its assessment and the released files.

    \b
    aramis report out/
    aramis report out/ --pictures 0
    """
    import aramis

    print(aramis.write_report(release, pictures=pictures))
