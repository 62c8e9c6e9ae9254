"""Loops compiled by numba, kept on disk from then on where there is a folder for it."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(signature: str | None = None, **options: Any) -> Callable[[Loop], Loop]:
    """As `numba.njit`. An installation that nobody may write to compiles anew in every process, and works."""

    def made(loop: Loop) -> Loop:
        compiler: Any = njit
        try:
            kept: Loop = compiler(signature, cache=True, **options)(loop)
        except RuntimeError:  # neither beside the code nor in the user's home is a place to keep it
            kept = compiler(signature, **options)(loop)
        return kept

    return made
