"""Ctrl-C is taken between two steps of a search, never within one: what a step has half done is no release."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from aramis.errors import Unreachable
from aramis.tables.search import Tell


@contextmanager
def taken_between_steps(tell: Tell) -> Iterator[Tell]:
    """A `tell` that raises KeyboardInterrupt where Ctrl-C was pressed since the last time. Pressed twice, all is given up at once.

    Whoever handles the signal in another way goes on doing so.
    """
    if (
        current_thread() is not main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield tell
        return
    pressed = False

    def press(_: int, __: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise Unreachable("interrupted twice, within a step of the search; nothing was written")
        pressed = True

    def told(done: int, total: int | None, best: str) -> None:
        nonlocal pressed
        tell(done, total, best)
        if pressed:
            pressed = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, press)
    try:
        yield told
    finally:
        signal.signal(signal.SIGINT, before)
