import pytest

from aramis.images.geometry import union_area
from aramis.images.records import Box


@pytest.mark.parametrize(
    ("boxes", "area"),
    [
        ([], 0),
        ([(0, 0, 4, 3)], 12),
        ([(0, 0, 4, 3), (0, 0, 4, 3)], 12),
        ([(0, 0, 4, 3), (10, 10, 11, 11)], 13),
        ([(0, 0, 4, 4), (2, 2, 6, 6)], 28),
        ([(0, 0, 9, 9), (3, 3, 6, 6)], 81),
        ([(0, 0, 2, 9), (1, 4, 5, 5), (4, 0, 6, 9)], 18 + 2 + 18),
        ([(0, 0, 0, 9)], 0),
    ],
)
def test_what_boxes_cover_together_counts_once(boxes: list[Box], area: float) -> None:
    assert union_area(boxes) == area
