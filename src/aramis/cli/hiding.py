"""The options of how targets are hidden, shared by `release` and `redact`, and what else runs over photographs share."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aramis.cli.assessment import as_table, plain
from aramis.cli.progress import Progress, progress
from aramis.errors import BadInput

if TYPE_CHECKING:
    from aramis.images.pipeline import Release
    from aramis.images.risk.assessment import Quarantined

SHOWN = 10
INTERRUPTED = 130  # as shells say it: 128 + SIGINT


Source = Annotated[
    str, typer.Argument(metavar="SRC", help="A picture, a folder (with all below it), or a glob in quotes.")
]
Out = Annotated[
    Path, typer.Argument(metavar="OUT", help="The folder to write: new, empty, or to be gone on with.")
]
Targets = Annotated[str, typer.Option("--targets", help="What to hide: face, plate.")]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        help="How: blur, pixelate, solid, mean, image, synthetic (plates) or none; for one kind only: plate=solid.",
    ),
]
Shape = Annotated[
    str | None,
    typer.Option(
        "--shape", help="box, ellipse or polygon; ellipses for faces, polygons for plates without it."
    ),
]
Margin = Annotated[
    float | None,
    typer.Option(
        "--margin", min=0, help="How far around, as a share of width and height; 0.4 for faces without it."
    ),
]
Feather = Annotated[
    float, typer.Option("--feather", min=0, help="A soft edge, as a share of the shorter side.")
]
Strength = Annotated[
    float,
    typer.Option(
        "--strength", min=0, help="Of blur and pixelate; never below what has been measured to hide."
    ),
]
Colour = Annotated[
    str | None, typer.Option("--colour", metavar="RRGGBB", help="What solid paints; black without it.")
]
Picture = Annotated[
    Path | None, typer.Option("--picture", help="What the method image shows in place of targets.")
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Files at once; as many as there are cores without it.")
]
MaxMegapixels = Annotated[
    float,
    typer.Option("--max-megapixels", min=0, help="Larger pictures are quarantined, all frames counted."),
]

DetectEvery = Annotated[
    int | None,
    typer.Option(
        "--detect-every",
        min=1,
        help="In videos, look for targets in every Nth frame; seven times a second without it.",
    ),
]
Audio = Annotated[
    str,
    typer.Option("--audio", help="What becomes of a video's sound: drop, keep, or disguise the voices."),
]
Keep = Annotated[
    str | None,
    typer.Option("--keep", help="What else of a video goes on: subtitles,chapters,attachments,metadata."),
]
Regions = Annotated[
    Path | None,
    typer.Option(
        "--regions", help="A JSON file of boxes and polygons to hide in any case, for videos with times."
    ),
]
Ignore = Annotated[
    Path | None,
    typer.Option(
        "--ignore",
        help="A JSON file of zones in which nothing is hidden, and of photographs of faces to spare.",
    ),
]
Detections = Annotated[
    Path | None,
    typer.Option(
        "--detections",
        help="What another tool found, to be hidden as well: COCO (.json) or records (.jsonl).",
    ),
]
OnlyDetections = Annotated[
    bool, typer.Option("--only-detections", help="Hide what --detections names, and look for nothing else.")
]
Masks = Annotated[
    bool,
    typer.Option("--masks", help="Write where was hidden: OUT/masks, a PNG for a picture, FFV1 for a video."),
]
Country = Annotated[
    str | None,
    typer.Option(
        "--country",
        metavar="CODE",
        help="Whose plates synthetic draws, as on the plate: D, F, PL; without it any whose colours fit.",
    ),
]
ALL_CHECKS = "changed,residual,heads,reidentification,legibility,metadata"
Checks = Annotated[
    str,
    typer.Option("--checks", help="What is asked of the released pixels, with commas between, or none."),
]


def rgb(colour: str | None) -> tuple[int, int, int] | None:
    """A colour as it is typed."""
    if colour is None:
        return None
    if not re.fullmatch(r"#?[0-9a-fA-F]{6}", colour):
        raise BadInput(f"--colour: {colour} is not a colour like 1e90ff")
    red, green, blue = bytes.fromhex(colour[-6:])
    return red, green, blue


@contextmanager
def resumable(title: str, *, quiet: bool) -> Iterator[Progress]:
    """Progress of a run that may be interrupted and gone on with."""
    try:
        with progress(title, quiet=quiet) as show:
            yield show
    except KeyboardInterrupt:
        typer.echo("aramis: interrupted. What is done is kept; run the same command again to go on", err=True)
        raise typer.Exit(INTERRUPTED) from None


def as_json(done: "Release") -> str:
    """What a run without judgement came to."""
    import msgspec

    found = {"folder": str(done.folder), "images": done.images, "quarantined": done.quarantined}
    return msgspec.json.encode(found).decode()


def as_text(done: "Release") -> str:
    return "\n".join(
        [f"{done.images} images", *quarantine(done.quarantined), f"records: {done.folder / 'records.jsonl'}"]
    )


def judged(done: "Release") -> str:
    """What a release came to, and where the report lies."""
    assert done.assessment
    lines = [
        as_table(done.assessment),
        *quarantine(done.quarantined),
        f"report: {done.folder / 'report.html'}",
    ]
    return "\n".join(lines)


def quarantine(found: "tuple[Quarantined, ...]") -> list[str]:
    """The lines that say what was left out."""
    if not found:
        return []
    more = len(found) - SHOWN
    return [
        "not released:",
        *(f"  {plain(one.image)}: {plain(one.why)}" for one in found[:SHOWN]),
        *([f"  and {more} more"] if more > 0 else []),
    ]


def listed(text: str | None) -> tuple[str, ...]:
    """What is typed with commas between."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
