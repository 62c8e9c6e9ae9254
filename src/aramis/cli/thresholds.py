"""One option for each threshold of the rules, written from where the thresholds are declared."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer


def with_thresholds(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option per threshold in place of its parameter `thresholds`."""
    from aramis.images.rules.thresholds import Thresholds, described

    about = described()

    @wraps(command)
    def called(**options: Any) -> None:
        values = {name: options.pop(name) for name in about}
        command(thresholds=Thresholds(**values), **options)

    own = [one for one in inspect.signature(command).parameters.values() if one.name != "thresholds"]
    added = [_option(name, one) for name, one in about.items()]
    called.__signature__ = inspect.Signature(own + added)  # type: ignore[attr-defined]  # typer reads it
    called.__annotations__ = {one.name: one.annotation for one in own + added}
    return called


def _option(name: str, about: dict[str, Any]) -> inspect.Parameter:
    option = typer.Option(
        f"--{name.replace('_', '-')}",
        help=f"({about['rules']}) {about['description']}" if about["rules"] else about["description"],
        min=about.get("minimum"),
        max=about.get("maximum"),
        rich_help_panel="Thresholds of the rules",
    )
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=about["default"], annotation=Annotated[float, option])
