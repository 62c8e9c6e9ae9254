"""`aramis export`: the records of a release for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from aramis.cli.options import Config, Release
from aramis.errors import BadInput

Out = Annotated[
    Path | None, typer.Argument(metavar="[OUT]", help="The file to write; RELEASE/coco.json without it.")
]
Coco = Annotated[
    bool, typer.Option("--coco", help="COCO JSON: faces, plates, people, vehicles, with their verdicts.")
]


def export(release: Release, out: Out = None, coco: Coco = False, config: Config = None) -> None:  # noqa: ARG001  # fills in
    """Write what was found and how it was judged in the format of other tools.

    \b
    aramis export out/ --coco
    aramis export out/ --coco found.json
    """
    if not coco:
        raise BadInput("export: say in which format; there is --coco")
    import aramis

    print(aramis.export_coco(release, out))
