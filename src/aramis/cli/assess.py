"""`aramis assess`: judge the records of a release again."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from aramis.cli.assessment import as_json_line, as_table, sensitivity
from aramis.cli.options import AsJson, Config, Release, Rules
from aramis.cli.thresholds import with_thresholds

FromCoco = Annotated[
    Path | None,
    typer.Option(
        "--from-coco",
        help="Take the records from a COCO file: people, vehicles, faces and plates; other categories are left out.",
    ),
]

Reviewed = Annotated[
    tuple[int, int] | None,
    typer.Option(
        "--reviewed",
        metavar="IMAGES LEAKING",
        help="How many images, drawn at random, somebody has looked at, and how many of them leak: what that certifies is said.",
    ),
]

Review = Annotated[
    Path | None,
    typer.Option(
        "--review",
        help="A sheet that `aramis sample` drew and somebody has filled in: what it certifies of images, and of who is in videos.",
    ),
]


@with_thresholds
def assess(
    *,
    release: Release,
    rules: Rules = "strict",
    thresholds: Any,
    from_coco: FromCoco = None,
    reviewed: Reviewed = None,
    review: Review = None,
    as_json: AsJson = False,
    config: Config = None,  # noqa: ARG001  # it fills in the others
) -> None:
    """Judge the records of a release again, with other rules or thresholds, without touching a pixel.

    Reads RELEASE/records.jsonl, which any tool may have written, and rewrites the verdicts in it and assessment.json.
    Exit status 1 means that there are leaks for a person to look at.

    \b
    aramis assess out/ --rules published --small-area 0.01
    aramis assess judged/ --from-coco instances.json
    aramis assess out/ --review out/private/review.csv
    """
    import aramis

    found = aramis.assess(
        release, rules=rules, thresholds=thresholds, from_coco=from_coco, reviewed=reviewed, review=review
    )
    print(as_json_line(found) if as_json else as_table(found) + sensitivity(found))
    sys.exit(1 if found.has_leaks else 0)
