"""Numbers of plates: formed as each country forms them, and never one that was read."""

import random
import re
from typing import Any

import pytest

from aramis.errors import BadInput
from aramis.images.redact.plate_numbers import (
    COUNTRIES,
    Country,
    Look,
    country,
    one_row,
    random_number,
    two_rows,
)

EVERY_LOOK = [
    pytest.param(each, look, id=f"{each.code}-{look.name}") for each in COUNTRIES for look in each.looks
]


def _expression(form: str, of: Country) -> str:
    """A format as a regular expression, written apart from the code that fills it."""
    signs = {"A": f"[{of.letters}]", "9": r"\d", "R": f"(?:{'|'.join(of.regions)})"}
    return "".join(signs.get(sign, re.escape(sign)) for sign in form)


@pytest.mark.parametrize(("of", "look"), EVERY_LOOK)
def test_a_number_has_a_format_of_its_country_and_is_one_that_may_be_issued(of: Country, look: Look) -> None:
    forms = [_expression(form, of) for form in look.formats or of.formats]
    for _ in range(60):
        number = random_number(of, look)
        assert any(re.fullmatch(form, number) for form in forms)
        assert not re.search(of.never, one_row(number))


def test_there_are_twenty_countries_and_more() -> None:
    assert len({each.code for each in COUNTRIES}) == len(COUNTRIES) >= 30


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ("D", "B-SS 123"), ("D", "M-A 012"), ("F", "SS-123-AB"), ("F", "WW-123-AB"), ("NL", "12-GVD-3"), ("RO", "B 00 ABC"),
        ("RO", "CJ 12 IAB"), ("S", "UCK 123"), ("UK", "AB00 CDE"), ("PL", "WA 01234"),
    ],
)  # fmt: skip
def test_what_is_never_issued_is_never_drawn(code: str, number: str) -> None:
    assert re.search(country(code).never, number)


class _OneAfterTheOther(random.Random):
    """Gives the signs of these numbers, in order."""

    def __init__(self, *numbers: str) -> None:
        super().__init__()
        self.signs = iter("".join(numbers))

    def choice(self, choices: Any) -> Any:
        return choices[0] if len(choices) == 1 else next(self.signs)


@pytest.mark.parametrize("read", ["ABC 101", "abc101", "A8C-1O1", "A B C I 0 I"])
def test_a_number_that_was_read_is_never_drawn_however_it_was_misread(read: str) -> None:
    of = Country("X", ("AAA 999",))
    assert random_number(of, avoid=["ZZZ 999", read], rng=_OneAfterTheOther("ABC101", "XYZ777")) == "XYZ 777"


def test_the_program_s_seed_does_not_decide_the_number() -> None:
    drawn = set()
    for _ in range(8):
        random.seed(7)
        drawn.add(random_number(country("D")))
    assert len(drawn) > 1


def test_a_look_with_formats_of_its_own_uses_them() -> None:
    assert re.fullmatch(r"\d{3}", random_number(country("D"), Look("test", formats=("999",))))


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        ("AB-123/-CD", ("AB-123", "CD")),
        ("ABC 123", ("ABC", "123")),
        ("12345", ("12", "345")),
        ("B 12 ABC", ("B 12", "ABC")),
    ],
)
def test_a_plate_of_two_rows_breaks_where_its_country_breaks_it_or_in_the_middle(
    number: str, rows: tuple[str, str]
) -> None:
    assert two_rows(number) == rows


def test_an_unknown_country_is_named_with_those_there_are() -> None:
    with pytest.raises(BadInput, match=r"country ZZ; there are A, B, BG"):
        country("ZZ")
