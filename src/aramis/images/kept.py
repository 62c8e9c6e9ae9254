"""What is kept of a stream that is too long to keep: the worst of it, or some drawn at random."""

import heapq
import random
from itertools import count
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Worst(Generic[Thing]):
    """The things of highest rank, at most `most` of them, and how many more there were."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.dropped = 0
        self._heap: list[tuple[float, int, Thing]] = []
        self._age = count(0, -1)  # of equals the earlier one comes first

    def add(self, rank: float, thing: Thing) -> None:
        entry = (rank, next(self._age), thing)
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, entry)
        else:
            heapq.heappushpop(self._heap, entry)
            self.dropped += 1

    def first(self) -> tuple[Thing, ...]:
        return tuple(thing for _, _, thing in sorted(self._heap, reverse=True))


class Drawn(Generic[Thing]):
    """Some things of a stream, each as likely as any other, the same ones in every run.

    Vitter, "Random sampling with a reservoir", ACM TOMS 1985.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.seen = 0
        self.drawn: list[Thing] = []
        self._random = random.Random(0)  # noqa: S311  # which ones are looked at is no secret

    def offer(self, thing: Thing) -> None:
        self.seen += 1
        if len(self.drawn) < self.most:
            self.drawn.append(thing)
        elif (place := self._random.randrange(self.seen)) < self.most:
            self.drawn[place] = thing
