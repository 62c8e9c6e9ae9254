"""Loops compiled by numba, kept on disk from then on where there is a folder for it."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.extending import register_jitable

Loop = TypeVar("Loop", bound=Callable[..., Any])

INNER: Any = {"error_model": "numpy", "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""How a function is compiled that only compiled loops call: it makes no arrays, so nobody counts who holds one (which takes as long
to compile as the rest, and in inner loops to run), and needs nothing to be called from Python or from C."""


def compiled(signature: str | None = None, *, makes_arrays: bool = True) -> Callable[[Loop], Loop]:
    """As `numba.njit`. An installation that nobody may write to compiles anew in every process, and works."""
    options: Any = {"error_model": "numpy", "_nrt": makes_arrays, "no_cfunc_wrapper": True}

    def made(loop: Loop) -> Loop:
        compiler: Any = njit
        try:
            kept: Loop = compiler(signature, cache=True, **options)(loop)
        except RuntimeError:  # neither beside the code nor in the user's home is a place to keep it
            kept = compiler(signature, **options)(loop)
        return kept

    return made


def inner(function: Loop) -> Loop:
    """A function that is called by compiled loops, and by those that run as Python."""
    kept: Loop = register_jitable(**INNER)(function)
    return kept
