"""Text recognition on released plates: what is hidden well cannot be read; what nobody found, can."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aramis.images.checks.check import Check
from aramis.images.checks.legibility import legibility, reads_like_a_plate, still_right
from aramis.images.reading import Text, lines, reading
from aramis.images.records import Corners, Finding, ImageRecord, Target
from aramis.images.redact.plate_numbers import country
from aramis.images.redact.plate_template import ONE_ROW_MM, Plate, draw
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways

LONG: Corners = ((0, 0), (200, 0), (200, 50), (0, 50))
AT = (200, 150, 433, 200)
PLATE = Target(id=3, kind="plate", box=AT, method="blur")


@pytest.fixture(scope="module")
def check() -> Check:
    return legibility(lines(), reading())


@pytest.fixture(scope="module")
def parked(street: NDArray[Any]) -> NDArray[np.uint8]:
    """A street with a drawn plate."""
    romania = country("RO")
    x1, y1, x2, y2 = AT
    plate = draw(Plate(romania, romania.looks[0], "B 482 KTR", ONE_ROW_MM), y2 - y1)
    picture = street.copy()
    picture[y1:y2, x1:x2] = cv2.resize(plate, (x2 - x1, y2 - y1))
    return np.asarray(picture)


def record(pixels: NDArray[Any], *targets: Target) -> ImageRecord:
    return ImageRecord(image="a", width=pixels.shape[1], height=pixels.shape[0], targets=targets)


def of_kind(findings: Any, kind: str) -> list[Finding]:
    return [finding for finding in findings if finding.kind == kind]


def test_a_plate_that_nobody_found_is_a_leak_and_what_it_says_is_not_repeated(
    check: Check, parked: NDArray[Any]
) -> None:
    (finding,) = of_kind(check(parked, parked, record(parked)), "text")
    assert (finding.leak, finding.target, finding.value) == (True, None, 1)
    assert "482" not in finding.why


def test_a_plate_that_was_said_to_be_hidden_and_was_not_is_one_leak(
    check: Check, parked: NDArray[Any]
) -> None:
    findings = check(parked, parked, record(parked, PLATE))
    assert [(one.kind, one.target, one.leak) for one in findings] == [("plate", 3, True), ("text", 3, False)]


@pytest.mark.parametrize("method", ["blur", "pixelate", "solid", "synthetic"])
def test_a_hidden_plate_cannot_be_read(check: Check, parked: NDArray[Any], method: str) -> None:
    after = redact(parked, [PLATE], ways(["plate"], method, seed=7))
    findings = check(parked, after, record(parked, PLATE))
    assert of_kind(findings, "plate")
    assert not any(finding.leak for finding in findings)


def test_half_a_plate_left_open_is_a_leak_wherever_the_target_lies(
    check: Check, parked: NDArray[Any]
) -> None:
    x1, y1, _, y2 = AT
    after = parked.copy()
    after[y1:y2, x1 : x1 + 60] = 0
    beside = Target(id=3, kind="plate", box=(x1, y1, x1 + 60, y2), method="solid")
    assert any(finding.leak for finding in check(parked, after, record(parked, beside)))


def test_what_was_left_open_on_purpose_is_no_leak(check: Check, parked: NDArray[Any]) -> None:
    spared = Target(id=3, kind="plate", box=AT, method=None, extra={"spared": "in a zone to ignore"})
    (finding,) = check(parked, parked, record(parked, spared))
    assert (finding.target, finding.leak) == (3, False)


def test_a_large_picture_is_searched_in_tiles_and_each_line_is_found_once(
    check: Check, parked: NDArray[Any]
) -> None:
    wide = np.concatenate([parked, np.zeros((parked.shape[0], 2200 - parked.shape[1], 3), np.uint8)], axis=1)
    assert len(of_kind(check(wide, wide, record(wide)), "text")) == 1


@pytest.mark.parametrize(
    ("signs", "is_one"),
    [
        ("B482KTR", True),
        ("AB12CDE", True),
        ("WX1234A", True),
        ("1ABC123", True),
        ("京A12345"[1:], True),
        ("SALE", False),
        ("OPEN24", True),  # it cannot be told from a plate: a person looks
        ("12345678", False),
        ("A1B2C3D4", False),
        ("AVENUE1", False),
        ("B48", False),
        ("ABC123ABC123", False),
    ],
)
def test_what_reads_like_a_plate(signs: str, is_one: bool) -> None:
    assert reads_like_a_plate(Text(signs, 0.9), LONG) is is_one
    assert not reads_like_a_plate(Text(signs, 0.2), LONG)
    assert not reads_like_a_plate(Text(signs, 0.9), ((0, 0), (50, 0), (50, 50), (0, 50)))


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        ("B482KTR", "B482KTR", 1),
        ("B482KTR", "", 0),
        ("B482KTR", "82T", 3 / 7),
        ("b0i", "BO1", 1),
        ("AB", "BA", 0.5),
    ],
)
def test_the_share_of_characters_that_are_still_there_in_order(before: str, after: str, share: float) -> None:
    assert still_right(before, after) == pytest.approx(share)


SIGNS = st.text("ABC123", max_size=9)


@given(SIGNS, SIGNS)
def test_it_is_the_longest_common_subsequence(before: str, after: str) -> None:
    def longest(a: str, b: str) -> int:  # by its definition
        if not a or not b:
            return 0
        return 1 + longest(a[1:], b[1:]) if a[0] == b[0] else max(longest(a[1:], b), longest(a, b[1:]))

    before, after = before[:6], after[:6]
    alike = str.maketrans("OQI", "001")
    expected = longest(before.translate(alike), after.translate(alike)) / max(len(before), 1)
    assert still_right(before, after) == pytest.approx(expected)
