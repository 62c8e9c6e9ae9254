"""Memory is bounded: so many pixels are decoded at once, however many files there are."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition


class Room:
    """Pixels that may be held at once. A picture larger than all of it is let in when it is alone."""

    def __init__(self, pixels: int) -> None:
        self._all = self._free = pixels
        self._changed = Condition()

    @contextmanager
    def visit(self) -> Iterator[Callable[[int], None]]:
        """Within, call what is given once, with a number of pixels: it waits until there is room for them."""
        taken = 0

        def take(pixels: int) -> None:
            nonlocal taken
            share = min(pixels, self._all)
            with self._changed:
                self._changed.wait_for(lambda: share <= self._free)
                self._free -= share
            taken = share

        try:
            yield take
        finally:
            with self._changed:
                self._free += taken
                self._changed.notify_all()
