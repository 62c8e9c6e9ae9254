"""What was asked for → how each kind of target is hidden.

With these margins and shapes nine of ten true faces and plates lie wholly under what is hidden; see docs/measurements.md.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import Parameter, signature
from typing import Any

from aramis.errors import BadInput
from aramis.images.redact import plate_numbers
from aramis.images.redact.regions import Method, Pixels, Shape, Way
from aramis.plugins import find

USUAL = "blur"
SHAPES = {"face": Shape.ELLIPSE, "plate": Shape.POLYGON}
MARGINS = {"face": 0.4, "plate": 0.2}


def ways(
    kinds: Iterable[str],
    method: str | Mapping[str, str | Method] = USUAL,
    *,
    shape: str | None = None,
    margin: float | None = None,
    feather: float = 0.0,
    strength: float = 1.0,
    colour: tuple[int, int, int] | None = None,
    picture: Pixels | None = None,
    seed: int | None = None,
    country: str | None = None,
) -> dict[str, Way]:
    """One way for each kind. `method` is a redactor's name, kind=name pairs, or a mapping from kinds.

    `colour` is what `solid` paints, `picture` (RGB or RGBA) what `image` shows, `seed` for methods that draw at random,
    `country` is whose plates `synthetic` draws: a redactor is handed those that it has a parameter for.

    >>> {kind: way.name for kind, way in ways(["face", "plate"], "face=blur,plate=solid").items()}
    {'face': 'blur', 'plate': 'solid'}
    """
    for name, value in (("margin", margin or 0), ("feather", feather), ("strength", strength)):
        if not 0 <= value <= 100:
            raise BadInput(f"{name} is {value}; it is a share, 0 or more")
    if shape is not None and shape not in tuple(Shape):
        raise BadInput(f"no shape is called {shape}; choose one of {', '.join(Shape)}")
    if country is not None:
        plate_numbers.country(country)
    settings = {"colour": colour, "picture": picture, "seed": seed, "country": country}
    chosen = _by_kind(list(kinds), method)
    return {
        kind: Way(
            name=one if isinstance(one, str) else _name(one),
            method=_method(one, settings) if isinstance(one, str) else one,
            shape=Shape(shape) if shape else SHAPES.get(kind, Shape.BOX),
            margin=MARGINS.get(kind, 0.0) if margin is None else margin,
            feather=feather,
            strength=strength,
        )
        for kind, one in chosen.items()
    }


def anew(ways: Mapping[str, Way]) -> dict[str, Way]:
    """The same ways for another video: a method that keeps something of tracks gives by `anew()` one that knows of none."""
    return {kind: replace(way, method=_anew(way.method)) for kind, way in ways.items()}


def _anew(method: Method) -> Method:
    if isinstance(method, partial):
        return partial(_anew(method.func), *method.args, **method.keywords)
    again: Callable[[], Method] | None = getattr(method, "anew", None)
    return again() if again else method


def _by_kind(kinds: list[str], method: str | Mapping[str, str | Method]) -> dict[str, str | Method]:
    pairs = _parsed(method) if isinstance(method, str) else dict(method)
    unknown = sorted(set(pairs) - {*kinds, ""})
    if unknown:
        raise BadInput(
            f"method names {unknown[0]}, which is not a target here; targets are {', '.join(kinds)}"
        )
    return {kind: pairs.get(kind, pairs.get("", USUAL)) for kind in kinds}


def _parsed(text: str) -> dict[str, str | Method]:
    """'blur', or 'face=blur,plate=solid', or 'blur,plate=solid'; what has no kind is for every other kind."""
    pairs = (part.strip().rpartition("=") for part in text.split(","))
    return {kind.strip(): name.strip() for kind, _, name in pairs}


def _method(name: str, settings: Mapping[str, Any]) -> Method:
    """A redactor with those of the settings that it knows; every other parameter but the first three has a default."""
    found = find("redactor", name)
    known = [one for one in signature(found).parameters.values() if one.kind is Parameter.KEYWORD_ONLY]
    given = {one.name: settings[one.name] for one in known if settings.get(one.name) is not None}
    for one in known:
        if one.default is Parameter.empty and one.name not in given:
            raise BadInput(f"the method {name} needs a {one.name}: give --{one.name}")
    return partial(found, **given) if given else found


def _name(method: Method) -> str:
    inner = method.func if isinstance(method, partial) else method
    return getattr(inner, "__name__", type(inner).__name__.lower())
