"""Loops that are compiled by numba run as the Python they are where there is little to do: a small job waits for no compiler."""

from collections.abc import Callable
from typing import Any

COMPILED_FROM = 20_000  # steps of about 0.1 ms as Python: two seconds, and no loop compiles in much less


def when_it_pays(loop: Any, steps: int) -> Callable[..., Any]:
    """The compiled loop, or its Python for so few steps."""
    function: Callable[..., Any] = loop if steps > COMPILED_FROM else loop.py_func
    return function
