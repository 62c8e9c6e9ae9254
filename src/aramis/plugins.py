"""The one door for detectors, redactors and anonymizers. Our own come through it too.

A plugin is a callable named in a package's `[project.entry-points."aramis.<kind>s"]`.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from aramis.errors import BadInput


def find(kind: str, name: str) -> Callable[..., Any]:
    """Import and return the plugin of this kind that goes by `name`."""
    choices = _choices(kind)
    if name not in choices:
        raise BadInput(
            f"no {kind} is called {name}; choose one of {', '.join(sorted(choices)) or '(none installed)'}"
        )
    plugin: Callable[..., Any] = choices[name].load()
    return plugin


def names(kind: str) -> list[str]:
    """The plugins of this kind, by name."""
    return sorted(_choices(kind))


def _choices(kind: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=f"aramis.{kind}s")}
