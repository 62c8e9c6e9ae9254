"""Loops that are compiled by numba run as the Python they are where there is little to do: a small job waits for no compiler."""

from collections.abc import Callable
from typing import Any

COMPILED_FROM = 1_000  # records


def when_it_pays(loop: Any, records: int) -> Callable[..., Any]:
    """The compiled loop, or its Python for so few records."""
    function: Callable[..., Any] = loop if records > COMPILED_FROM else loop.py_func
    return function
