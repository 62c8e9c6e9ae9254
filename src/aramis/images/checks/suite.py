"""The checks of a run, made from their names."""

from collections.abc import Callable, Iterable, Sequence

from aramis.errors import BadInput
from aramis.images.checks.changed import changed
from aramis.images.checks.check import NAMES, Check, Checks
from aramis.images.checks.residual import residual
from aramis.images.network import Pixels
from aramis.images.records import Target

Again = Callable[[], Callable[[Pixels], Sequence[Target]]]
"""Makes the detectors that look at the released pixels."""


def suite(names: str | Iterable[str], again: Again) -> Checks:
    """The checks of these names."""
    made: dict[str, Callable[[], Check]] = {
        "changed": lambda: changed,
        "residual": lambda: residual(again()),
    }
    return Checks({name: made[name]() for name in _names(names)})


def _names(given: str | Iterable[str]) -> list[str]:
    names = [name.strip() for name in (given.split(",") if isinstance(given, str) else given)]
    if names == ["none"]:
        return []
    if unknown := sorted(set(names) - set(NAMES)):
        raise BadInput(f"no check is called {unknown[0]}; there are {', '.join(NAMES)}, or none")
    return [name for name in NAMES if name in names]
