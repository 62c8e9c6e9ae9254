"""SABRE's buckets: the sensitive values, parted again and again until it matters little which of its values stands for a bucket.

A class that has of every bucket as much as the whole table is at most as far from it as its buckets are wide, all in all; so it is
t-close whichever of the values of each bucket it has. Cao et al., "SABRE", VLDB Journal 20, 2011, section 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from aramis.tables.frequency import Codes, Shares
from aramis.tables.models.distances import Ground, Hierarchical, Line
from aramis.tables.models.model import TOLERANCE

SPENT = (1, 0.75, 0.5, 0.25, 0)  # shares of t that buckets may be wide
MOST = 200  # steps down: more buckets are harder to keep to than they are worth


@dataclass(frozen=True, slots=True)
class Buckets:
    """A bucket for every sensitive value."""

    of_value: Codes  # (values,)
    width: float  # how far a class may be from the whole table that has as much of every bucket


def buckets_for(ground: Ground, shares: Shares, t: float) -> list[Buckets]:
    """Some ways to part the values so that a class may have of every bucket what it likes, or nearly so: few buckets first.

    Few leave little of t for a class to have too much of some; with one for each value it may have that for all of t.
    """
    found = {}
    ways = list(islice(_parted(ground, shares), MOST))
    for spent in SPENT:
        for way in ways:
            if way.width <= spent * t + TOLERANCE:
                found[int(way.of_value.max())] = way
                break
    return list(found.values()) or [Buckets(np.arange(len(shares), dtype=np.int32), 0.0)]


def _parted(ground: Ground, shares: Shares) -> Iterator[Buckets]:
    """One bucket of all values, then one parted after another, the widest first, until every value has its own.

    A hierarchy is parted into the children of a node, an order into halves, and values that are all as far apart at once.
    """
    values = [np.arange(len(shares), dtype=np.int32)]
    widths = [width(ground, values[0], shares)]
    while True:
        of_value = np.empty(len(shares), np.int32)
        for number, inside in enumerate(values):
            of_value[inside] = number
        yield Buckets(of_value, max(sum(widths), 0.0))
        widest = int(
            np.argmax([one if len(inside) > 1 else -1 for one, inside in zip(widths, values, strict=True)])
        )
        if len(values[widest]) == 1:
            return
        parts = list(_parts(ground, values.pop(widest), shares))
        values += parts
        widths[widest : widest + 1] = []
        widths += [width(ground, part, shares) for part in parts]


def width(ground: Ground, values: Codes, shares: Shares) -> float:
    """How far those who have these values, so many of each, are at most when all of them get the same one."""
    of_each = shares[values]
    if isinstance(ground, Line):
        at = ground.positions[values]
        return float(max(of_each @ (at - at[0]), of_each @ (at[-1] - at)))
    levels = ground.codes[:, values] if isinstance(ground, Hierarchical) else np.arange(len(values))[None]
    alike = [np.bincount(level, of_each)[level] for level in levels]
    return float(of_each.sum() - np.mean(alike, axis=0).min())


def _parts(ground: Ground, values: Codes, shares: Shares) -> Iterator[Codes]:
    if isinstance(ground, Hierarchical):
        level = next(codes[values] for codes in ground.codes[::-1] if np.ptp(codes[values]))
    elif isinstance(ground, Line):
        before = np.cumsum(shares[values])
        level = (before - shares[values] / 2 > before[-1] / 2).astype(np.int32)
        level[0], level[-1] = 0, 1
    else:
        level = np.arange(len(values))
    return (values[level == label] for label in np.unique(level))
