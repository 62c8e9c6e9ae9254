"""A card for every model: what for, where from, under which licence, what it takes in, and how much it finds.

The cards lie in cards.toml. `aramis models` prints them and docs/reference/models.md is written from them. Weights are
fetched, never committed, but for those that were trained here.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from aramis.errors import BadInput
from aramis.images import weights
from aramis.images.weights import Member, Progress

PROFILES = ("default", "strong", "extra")
HERE = Path(__file__).parent


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One model.

    `profile`: default is what `release` uses, strong are better files under licences that oblige, extra is what an
    option asks for. `own` is the file of weights that were trained here, below this folder.
    """

    name: str
    role: str
    profile: Literal["default", "strong", "extra"]
    licence: str
    origin: str
    input: str
    measured: str
    files: tuple[Member, ...] = ()
    own: str | None = None


@cache
def cards() -> dict[str, Card]:
    """Every model by name."""
    return {
        name: msgspec.convert(
            {**model, "name": name, "files": [_member(file) for file in model.get("files", ())]}, Card
        )
        for name, model in _written()["models"].items()
    }


def card(name: str) -> Card:
    """The model that goes by this name."""
    if name not in cards():
        raise BadInput(f"no model is called {name}; there are {', '.join(cards())}")
    return cards()[name]


def of_profile(profile: str) -> list[Card]:
    """The models of a profile."""
    if profile not in PROFILES:
        raise BadInput(f"no profile of models is called {profile}; there are {', '.join(PROFILES)}")
    return [chosen for chosen in cards().values() if chosen.profile == profile]


def path(name: str, place: int = 0) -> Path:
    """Where a model's weights lie, checked just now; says how to get them where they are not here."""
    chosen = card(name)
    if chosen.own:
        return HERE / chosen.own
    how = "aramis models fetch" + ("" if chosen.profile == "default" else f" {name}")
    return weights.path(chosen.files[place], how)


def is_here(chosen: Card) -> bool:
    """Whether a model can be used without network."""
    return all(weights.is_here(member) for member in chosen.files)


def photographs(source: Path | None = None, progress: Progress | None = None) -> dict[str, Path]:
    """The demo's photographs by name, fetched where they are not here yet."""
    members = {
        name: msgspec.convert(_member(photo), Member) for name, photo in _written()["photographs"].items()
    }
    weights.fetch(list(members.values()), source, progress)
    return {name: weights.path(member) for name, member in members.items()}


def described(chosen: Card) -> dict[str, Any]:
    """A card as `aramis models --json` and a release's assessment give it."""
    files = [
        {
            "package": f"{member.archive.package}=={member.archive.version}",
            "file": member.archive.file,
            "member": member.path,
            "bytes": member.bytes,
            "sha256": member.sha256,
        }
        for member in chosen.files
    ]
    if chosen.own:
        own = HERE / chosen.own
        files = [{"member": chosen.own, "bytes": own.stat().st_size, "sha256": weights.sha256(own)}]
    return {**msgspec.to_builtins(chosen), "files": files, "here": is_here(chosen)}


@cache
def _written() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads((HERE / "cards.toml").read_text(encoding="utf-8"))


def _member(file: dict[str, Any]) -> dict[str, Any]:
    package = file["package"]
    archive = {"package": package, **_written()["packages"][package]}
    return {"archive": archive, "path": file["path"], "bytes": file["bytes"], "sha256": file["sha256"]}
