"""Options that several commands share, each declared once."""

import tomllib
from pathlib import Path
from typing import Annotated

import typer

from aramis.errors import BadInput


def _read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Take defaults from a TOML file whose keys are the command's long options."""
    if path is None:
        return None
    try:
        settings = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise BadInput(f"--config: there is no file {path}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"--config: {path} is not TOML: {error}") from None
    names = {
        option.lstrip("-"): str(parameter.name)
        for parameter in context.command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    unknown = sorted(set(settings) - set(names))
    if unknown:
        raise BadInput(
            f"--config: {path} sets {unknown[0]}, which is not an option here; there are {', '.join(sorted(names))}"
        )
    context.default_map = {
        **(context.default_map or {}),
        **{names[key]: value for key, value in settings.items()},
    }
    return path


Config = Annotated[
    Path | None,
    typer.Option(
        "--config", help="Take options from a TOML file (same names).", callback=_read_config, is_eager=True
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Make what is drawn at random repeatable.")]
Release = Annotated[
    Path, typer.Argument(metavar="RELEASE", help="A release folder: the OUT of `aramis release`.")
]
Rules = Annotated[
    str, typer.Option("--rules", help="The rules that judge people and vehicles: strict or published.")
]
Models = Annotated[
    str,
    typer.Option(
        "--models", help="default, or strong: better files under licences that oblige, to be fetched first."
    ),
]
FaceModel = Annotated[
    str | None,
    typer.Option("--face-model", help="A file of weights (or a plugin) of your own that finds faces."),
]
PlateModel = Annotated[
    str | None,
    typer.Option("--plate-model", help="A file of weights (or a plugin) of your own that finds plates."),
]
CarrierModel = Annotated[
    str | None,
    typer.Option(
        "--carrier-model", help="A file of weights (or a plugin) of your own that finds people and vehicles."
    ),
]
