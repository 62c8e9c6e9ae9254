"""What a person fills in is read whatever program they filled it in with."""

import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aramis.errors import BadInput
from aramis.images.files.review_sheet import Row, read_sheet, write_sheet
from aramis.images.risk.review import Unit

NAMES = st.text(string.printable + "äß\u202e", min_size=1).map(lambda name: f"a{name}b".replace("/", ""))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            NAMES | st.sampled_from(["=1+1.jpg", "-a.jpg", "@x/b.jpg"]), st.sampled_from([None, True, False])
        ),
        unique_by=lambda one: one[0],
    )
)
def test_what_was_written_is_read(tmp_path: Path, images: list[tuple[str, bool | None]]) -> None:
    rows = [Row(unit=Unit(name), leak=leak) for name, leak in images]
    write_sheet(tmp_path / "review.csv", rows)
    assert read_sheet(tmp_path / "review.csv") == rows


def test_a_track_says_where_it_is_found(tmp_path: Path) -> None:
    row = Row(
        unit=Unit("ride.mp4", "person", 7), frames=(30, 90), seconds=(1.0, 3.0), best=(60, (10.4, 20, 30, 80))
    )
    write_sheet(tmp_path / "review.csv", [row])
    line = (tmp_path / "review.csv").read_text().splitlines()[1]
    assert line == 'ride.mp4,person,7,30 to 90,1.0 to 3.0,"frame 60 at 10,20 to 30,80",'
    assert read_sheet(tmp_path / "review.csv")[0].unit == row.unit


def test_no_name_is_taken_for_a_formula(tmp_path: Path) -> None:
    write_sheet(tmp_path / "review.csv", [Row(unit=Unit("=HYPERLINK(1).jpg"))])
    assert (tmp_path / "review.csv").read_text().splitlines()[1].startswith("./=")


@pytest.mark.parametrize(
    "text",
    [
        "image,leak\na.jpg,YES\nb.jpg,no\n",
        "\ufeffimage;what;leak\r\na.jpg;image; y \r\nb.jpg;image;0\r\n",
        "leak\timage\ntrue\ta.jpg\nfalse\tb.jpg\n",
    ],
)
def test_other_programs_write_it_otherwise(tmp_path: Path, text: str) -> None:
    (tmp_path / "review.csv").write_bytes(text.encode())
    assert [(row.unit, row.leak) for row in read_sheet(tmp_path / "review.csv")] == [
        (Unit("a.jpg"), True),
        (Unit("b.jpg"), False),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"image,leak\na.jpg,maybe\n", "review.csv line 2: leak is 'maybe'; it takes yes, no, or nothing"),
        (b"image,what\na.jpg,image\n", "review.csv has no column leak"),
        (b"", "review.csv has no column image"),
        (b"image,track,leak\na.mp4,first,no\n", "review.csv line 2: track is 'first', which is no number"),
        (b"image,leak\nstra\xdfe.jpg,no\n", "review.csv is not UTF-8"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_said(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "review.csv").write_bytes(text)
    with pytest.raises(BadInput) as error:
        read_sheet(tmp_path / "review.csv")
    assert said in str(error.value)


def test_a_sheet_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.csv cannot be read"):
        read_sheet(tmp_path / "none.csv")
