"""`aramis audit`: judge what some other tool released."""

import sys
from typing import Annotated, Any

import typer

from aramis.cli import hiding
from aramis.cli.assessment import as_json_line
from aramis.cli.options import AsJson, Config, Models, Quiet, Rules
from aramis.cli.thresholds import with_thresholds

ORIGINALS = typer.Argument(
    metavar="ORIGINALS",
    help="What they released from: a picture, a folder or a glob; - where it is not to be had.",
)
RELEASED = typer.Argument(metavar="RELEASED", help="What they released: a picture, a folder or a glob.")


@with_thresholds
def audit(
    *,
    originals: Annotated[str, ORIGINALS],
    released: Annotated[str, RELEASED],
    out: hiding.Out,
    targets: Annotated[
        str, typer.Option("--targets", help="What should be hidden: face, plate.")
    ] = "face,plate",
    rules: Rules = "strict",
    thresholds: Any,
    checks: hiding.Checks = hiding.ALL_CHECKS,
    models: Models = "default",
    workers: hiding.Workers = None,
    max_megapixels: hiding.MaxMegapixels = 250,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Judge photographs and videos that some other tool released: what it hid is recovered from what it changed.

    Files are paired by path, by name, or by what they show; crops, other sizes, turns, colours and recompression are
    seen through. Of a video a frame of every second is judged. OUT holds records, assessment and report, no pictures;
    nothing of theirs is needed but the files. Exit status 1 means that there is something to look at.

    \b
    aramis audit photos/ their_release/ out/
    aramis audit - their_release/ out/
    """
    import aramis

    with hiding.resumable("auditing", quiet=quiet) as show:
        done = aramis.audit(
            None if originals == "-" else originals,
            released,
            out,
            targets=targets,
            rules=rules,
            thresholds=thresholds,
            checks=checks,
            models=models,
            workers=workers,
            max_megapixels=max_megapixels,
            progress=show,
        )
    assert done.assessment
    beside = done.assessment.checks["originals"].more
    said = ", ".join(f"{what} {count}" for what, count in beside.items())
    print(as_json_line(done.assessment) if as_json else f"{hiding.judged(done)}\noriginals: {said}")
    sys.exit(1 if done.assessment.has_leaks or beside["targets still open"] or done.quarantined else 0)
