"""m-confidentiality: knowing how a table was anonymized does not give its people away.

An algorithm that generalizes no more than it must tells something by what it did generalize: before, some class must have
broken the rule. Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from aramis.tables.frequency import Classes, Counts, Shares
from aramis.tables.models.model import TOLERANCE

Polynomial = list[int]  # the coefficient of each power: in how many ways so many records are sensitive


@dataclass(frozen=True, slots=True)
class MConfidentiality:
    """In every class the credibility that a person has a sensitive value is 1/m or less, for an attacker who knows the
    quasi-identifiers of all, and that the classes were merged because one of their parts had more than 1/l of it.

    Level of a class: the highest credibility of any of its parts.
    """

    column: str
    m: float
    l: float  # what the algorithm was asked for
    values: Sequence[int]  # codes of the sensitive values
    parts: Sequence[Sequence[int]]  # of each class: the records of each class that was merged into it

    name = "m"
    monotone = False
    larger_is_safer = False

    @property
    def wanted(self) -> float:
        return 1 / self.m

    def levels(self, classes: Classes) -> Shares:
        of_set = np.isin(classes.values, self.values) * classes.counts
        records = np.add.reduceat(of_set, classes.starts[:-1])
        return np.array(
            [credibility(parts, int(found), self.l) for parts, found in zip(self.parts, records, strict=True)]
        )

    def holds(self, levels: Shares) -> NDArray[np.bool_]:
        return levels <= self.wanted + TOLERANCE

    def must_go(self, classes: Classes, levels: Shares, drift: float) -> Counts:
        return np.zeros_like(classes.sizes)  # not monotone: any finer recoding may satisfy it


def credibility(parts: Sequence[int], sensitive: int, l: float) -> float:
    """The highest probability, over the parts of a class, that one of their people is among the sensitive records.

    All ways to spread the records over the parts are equally likely, but those in which no part breaks l are ruled out:
    the parts would not have been merged. Exact: whole numbers throughout.

    >>> round(credibility([2, 5], 2, l=2), 4)  # both in the smaller part, or the merging was not needed
    1.0
    """
    whole = sum(parts)
    plain = Fraction(sensitive, whole)
    harmless = [[comb(size, count) for count in range(int(size / l + TOLERANCE) + 1)] for size in parts]
    without = _products_without_each(harmless, sensitive)
    needed = comb(whole, sensitive) - _coefficient(_product(without[0], harmless[0], sensitive), sensitive)
    if not needed:
        return float(plain)
    return float(
        max(
            (plain * comb(whole, sensitive) - _expected(size, of_part, others, sensitive)) / needed
            for size, of_part, others in zip(parts, harmless, without, strict=True)
        )
    )


def _expected(size: int, of_part: Polynomial, others: Polynomial, sensitive: int) -> Fraction:
    """The sum, over the ways that break nothing, of the share of the part that is sensitive."""
    ways = (
        Fraction(count, size) * number * _coefficient(others, sensitive - count)
        for count, number in enumerate(of_part)
    )
    return sum(ways, Fraction(0))


def _products_without_each(factors: Sequence[Polynomial], degree: int) -> list[Polynomial]:
    before: list[Polynomial] = [[1]]
    for factor in factors[:-1]:
        before.append(_product(before[-1], factor, degree))
    after: list[Polynomial] = [[1]]
    for factor in reversed(factors[1:]):
        after.append(_product(after[-1], factor, degree))
    return [_product(one, other, degree) for one, other in zip(before, reversed(after), strict=True)]


def _product(one: Polynomial, other: Polynomial, degree: int) -> Polynomial:
    found = [0] * min(len(one) + len(other) - 1, degree + 1)
    for power, number in enumerate(one):
        for more, times in enumerate(other[: max(len(found) - power, 0)]):
            found[power + more] += number * times
    return found


def _coefficient(of: Polynomial, power: int) -> int:
    return of[power] if 0 <= power < len(of) else 0
