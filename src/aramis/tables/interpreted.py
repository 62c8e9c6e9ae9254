"""Loops that are compiled by numba run as the Python they are where there is little to do: a small job waits for no compiler."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

COMPILED_FROM = 20_000  # steps of about 0.1 ms as Python: two seconds, and no loop compiles in much less


def when_it_pays(loop: Any, steps: int) -> Callable[..., Any]:
    """The compiled loop, or its Python for so few steps."""
    function: Callable[..., Any] = loop if steps > COMPILED_FROM else loop.py_func
    return function


def is_kept(loop: Any) -> bool:
    """Whether a loop was compiled before, by this process or another: then nobody waits for it.

    To be asked of loops that give the same as Python to the last record; others would let a seed mean one release now and another later.
    """
    kept = loop.stats.cache_path
    return bool(loop.signatures) or bool(kept and any(Path(kept).glob(f"*.{loop.py_func.__name__}-*.nbi")))
