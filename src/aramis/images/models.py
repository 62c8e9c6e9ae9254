"""Which models find: those of a profile, or in place of some of them a file or a plugin of the user's own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aramis import plugins
from aramis.errors import BadInput
from aramis.images import cards, weights
from aramis.images.flow import cores
from aramis.images.passes import Detect, Look

CARRIER = "carrier"
PROFILES = ("default", "strong")


@dataclass(frozen=True, slots=True)
class Models:
    """A profile; and for faces, for plates, for people and vehicles, whoever takes its place: a file, or a plugin by its name."""

    profile: str = "default"
    face: str | None = None
    plate: str | None = None
    carrier: str | None = None

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise BadInput(f"no profile of models is called {self.profile}; there are {', '.join(PROFILES)}")

    def own(self, kind: str) -> str | None:
        """What the user named for this kind of target, or for carriers."""
        return {"face": self.face, "plate": self.plate, CARRIER: self.carrier}.get(kind)


def detector(
    kinds: Sequence[str], models: Models, workers: int | None, floors: Mapping[str, float] | None = None
) -> Detect:
    """One detector for each kind of target, through the door for plugins; with floors other than its own where they are given."""
    known = {kind: {"floor": floor} for kind, floor in (floors or {}).items()}
    detectors = [_made("detector", kind, kind, models, workers, **known.get(kind, {})) for kind in kinds]
    return lambda pixels: [target for detect in detectors for target in detect(pixels)]


def inspector(models: Models, workers: int | None) -> Look:
    """What looks around, through the same door."""
    look: Look = _made("inspector", "default", CARRIER, models, workers)
    return look


def _made(door: str, usual: str, kind: str, models: Models, workers: int | None, **given: Any) -> Any:
    """What goes by the usual name, with its own weights or the user's; or the plugin that the user names."""
    own, given = models.own(kind), {"models": models.profile, "threads": cores(workers), **given}
    if own is None:
        return plugins.find(door, usual)(**given)
    if Path(own).is_file():
        return plugins.find(door, usual)(**given, file=Path(own))
    if own not in plugins.names(door):
        installed = ", ".join(plugins.names(door))
        raise BadInput(
            f"--{kind}-model: there is no file {own}, and no {door} of that name among {installed}"
        )
    return plugins.find(door, own)(**given)


def used(models: Models, kinds: Sequence[str], more: Iterable[str] = ()) -> tuple[dict[str, Any], ...]:
    """A card for each model that is in use, as an assessment lists them; `more` are in use by name."""
    from aramis.images.detect import faces, plates
    from aramis.images.surroundings import look

    ours = {"face": faces.names, "plate": plates.names, CARRIER: look.names}
    found = []
    for kind in kinds:
        own = models.own(kind)
        if own is not None:
            found.append(_card_of(own, kind))
            if (
                kind == CARRIER and Path(own).is_file()
            ):  # it says where they are; ours still say which way they face
                found += [cards.described(cards.card(name)) for name in look.ORIENTATIONS]
        elif kind in ours:
            found += [cards.described(cards.card(name)) for name in ours[kind](models.profile)]
    found += [cards.described(cards.card(name)) for name in more]
    return tuple({card["name"]: card for card in found}.values())


def identity(models: Models) -> dict[str, str]:
    """What decides what is found: a run with other models does not go on with a folder."""
    named = {kind: own for kind in ("face", "plate", CARRIER) if (own := models.own(kind))}
    files = {kind: weights.sha256(Path(own)) if Path(own).is_file() else own for kind, own in named.items()}
    return {"profile": models.profile, **files}


def _card_of(own: str, kind: str) -> dict[str, Any]:
    role = "person and vehicle" if kind == CARRIER else kind
    if not Path(own).is_file():
        return {"name": own, "role": role, "licence": "not known: a plugin", "files": []}
    path = Path(own)
    file = {"member": path.name, "bytes": path.stat().st_size, "sha256": weights.sha256(path)}
    return {"name": path.name, "role": role, "licence": "not known: a file of the user's", "files": [file]}
