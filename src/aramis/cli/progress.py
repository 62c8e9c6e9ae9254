"""Progress on standard error: a bar with rate and time left on a terminal, a plain line every few seconds elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int | None, str], None]
"""Called with how many are done, of how many (None: not known), and what is being worked on."""

SECONDS_BETWEEN_LINES = 5.0


def _silent(done: int, total: int | None, what: str) -> None:
    pass


@contextmanager
def progress(title: str, *, quiet: bool) -> Iterator[Progress]:
    """Show progress in the way that suits whoever reads standard error."""
    if quiet:
        yield _silent
    elif sys.stderr.isatty():
        with _bar(title) as show:
            yield show
    else:
        yield _lines(title)


@contextmanager
def _bar(title: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[what]}", style="dim"),
    )
    started = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, what="", rate="")

        def show(done: int, total: int | None, what: str) -> None:
            rate = f"{done / max(time.monotonic() - started, 1e-9):.1f}/s"
            bar.update(task, completed=done, total=total, what=escape(what), rate=rate)

        yield show


def _lines(title: str) -> Progress:
    started = time.monotonic()
    spoken = started

    def show(done: int, total: int | None, what: str) -> None:
        nonlocal spoken
        now = time.monotonic()
        if now - spoken < SECONDS_BETWEEN_LINES:
            return
        spoken = now
        rate = done / (now - started)
        left = f", {(total - done) / rate:.0f} s left" if total and rate else ""
        print(
            f"{title}: {done}{f' of {total}' if total else ''}, {rate:.1f}/s{left} ({what!r})",
            file=sys.stderr,
            flush=True,
        )

    return show
