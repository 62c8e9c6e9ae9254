"""The checks of a run, made from their names: no network is loaded for one that does not run."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from aramis.errors import BadInput
from aramis.images.checks.changed import changed
from aramis.images.checks.check import NAMES, Check, Checks
from aramis.images.checks.heads import heads
from aramis.images.checks.legibility import legibility
from aramis.images.checks.metadata import metadata
from aramis.images.checks.reidentification import Reidentification
from aramis.images.checks.residual import residual
from aramis.images.embedding import Embedding, Landmarks, embedding, landmarks
from aramis.images.network import Pixels
from aramis.images.records import Target

Again = Callable[[], Callable[[Pixels], Sequence[Target]]]
"""Makes the detectors that look at the released pixels."""


MODELS = {
    "heads": ("yunet", "centerface"),
    "reidentification": ("yunet", "sface"),
    "legibility": ("text-lines", "text-reading"),
}
"""The models that a check brings with it; `residual` asks the detectors of the run."""


def models_of(checks: Checks) -> list[str]:
    """The names of the models that these checks bring with them."""
    return [model for name in checks.names for model in MODELS.get(name, ())]


def suite(
    names: str | Iterable[str], again: Again, *, threads: int = 1, meant: Collection[str] = ()
) -> Checks:
    """The checks of these names; `meant` is what a video is to carry besides its picture."""
    wanted = _names(names)
    made: dict[str, Callable[[], Check]] = {
        "changed": lambda: changed,
        "residual": lambda: residual(again()),
        "heads": lambda: _heads(threads),
        "reidentification": lambda: _reidentification(threads),
        "legibility": lambda: _legibility(threads),
    }
    pixels = {name: made[name]() for name in wanted if name in made}
    return Checks(
        pixels,
        {"metadata": metadata(meant)} if "metadata" in wanted else {},
        {name: check.told for name, check in pixels.items() if isinstance(check, Reidentification)},
    )


@cache
def _heads(threads: int) -> Check:
    from aramis.images.detect.close_up import close_up

    return heads(close_up(threads))


def _reidentification(threads: int) -> Reidentification:
    return Reidentification(*_recognition(threads))  # it remembers the faces of a run: each run has its own


@cache
def _recognition(threads: int) -> tuple[Landmarks, Embedding]:
    return landmarks(threads), embedding(threads)


@cache
def _legibility(threads: int) -> Check:
    from aramis.images.reading import lines, reading

    return legibility(lines(threads), reading(threads))


def _names(given: str | Iterable[str]) -> list[str]:
    names = [name.strip() for name in (given.split(",") if isinstance(given, str) else given)]
    if names == ["none"]:
        return []
    if unknown := sorted(set(names) - set(NAMES)):
        raise BadInput(f"no check is called {unknown[0]}; there are {', '.join(NAMES)}, or none")
    return [name for name in NAMES if name in names]
