"""The floors of strength.py, as the sizes that were measured."""

import pytest

from aramis.images.records import Target
from aramis.images.redact.strength import cell_px, sigma_px

PLATE = Target(kind="plate", box=(0, 0, 240, 60))
FACE = Target(kind="face", box=(0, 0, 90, 112))
LEANING = Target(kind="plate", box=(0, 0, 200, 200), corners=((0, 140), (140, 0), (182, 42), (42, 182)))


@pytest.mark.parametrize("strength", [0.0, 0.01, 0.5])
@pytest.mark.parametrize(
    ("target", "least_sigma", "least_cell"), [(PLATE, 12.5, 20), (FACE, 23.5, 16), (LEANING, 12.4, 19)]
)
def test_no_strength_is_so_low_that_a_target_could_be_read(
    target: Target, least_sigma: float, least_cell: float, strength: float
) -> None:
    assert sigma_px(target, strength) >= least_sigma
    assert cell_px(target, strength) >= least_cell


def test_more_strength_is_more() -> None:
    assert sigma_px(FACE, 2) == 2 * sigma_px(FACE, 1)
    assert cell_px(FACE, 2) == 2 * cell_px(FACE, 1)


def test_strength_is_in_proportion_to_the_target() -> None:
    twice = Target(kind="face", box=(0, 0, 180, 224))
    assert sigma_px(twice, 1) == 2 * sigma_px(FACE, 1)


def test_what_a_person_drew_counts_as_text() -> None:
    region = Target(kind="region", box=PLATE.box)
    assert sigma_px(region, 1) == sigma_px(PLATE, 1)
