"""A rule's docstring in its three parts, as the report and docs/reference/rules.md show it."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import msgspec


class Explanation(msgspec.Struct, frozen=True):
    """What a rule says, why it holds, and an example."""

    what: str
    why: str
    example: str


def explained(rule: Callable[..., Any]) -> Explanation:
    """The parts of `What. Why: reason. Example: case.`"""
    text = " ".join(inspect.getdoc(rule).split())  # type: ignore[union-attr]  # a rule without a docstring is a mistake
    parts = re.fullmatch(r"(.+) Why: (.+) Example: (.+)", text)
    assert parts, f"{rule.__name__} does not say what, Why: and Example:"
    return Explanation(*parts.groups())
