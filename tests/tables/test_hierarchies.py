"""Hierarchies from files and trees."""

import json
from pathlib import Path

import pytest

from aramis.errors import BadInput
from aramis.tables.hierarchies import hierarchies_in, hierarchy_of
from aramis.tables.hierarchy import Hierarchy

TREE = {"*": {"lung": {"infection": ["flu", "cold"], "edema": []}, "stomach": ["ulcer"]}}
ROWS = [
    ["flu", "infection", "lung", "*"],
    ["cold", "infection", "lung", "*"],
    ["edema", "edema", "lung", "*"],
    ["ulcer", "stomach", "stomach", "*"],
]


def read(column: str, given: object) -> Hierarchy:
    found = hierarchy_of(column, given)
    assert isinstance(found, Hierarchy)
    return found


def test_a_tree_is_rows_whose_short_branches_wait_for_their_parent() -> None:
    tree, rows = read("ill", TREE), read("ill", ROWS)
    assert tree.labels == rows.labels
    assert tree.codes.tolist() == rows.codes.tolist()


def test_a_tree_with_several_roots_gets_one() -> None:
    assert read("ill", TREE["*"]).labels[-1] == ("*",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "ill.csv",
            "flu,infection,lung,*\ncold,infection,lung,*\nedema,edema,lung,*\nulcer,stomach,stomach,*\n",
        ),
        (
            "ill.csv",
            "flu;infection;lung;*\r\ncold;infection;lung;*\r\nedema;edema;lung;*\r\nulcer;stomach;stomach;*",
        ),
        ("ill.json", json.dumps(TREE)),
        ("ill.toml", '["*".lung]\ninfection = ["flu", "cold"]\nedema = []\n["*"]\nstomach = ["ulcer"]\n'),
    ],
)
def test_a_hierarchy_is_read_from_a_file(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    found = read("ill", tmp_path / name)
    assert sorted(found.labels[0]) == ["cold", "edema", "flu", "ulcer"]
    assert found.labels[-1] == ("*",)
    assert found.over(["flu", "cold", "ulcer"])[1].tolist()[0] == found.over(["cold"])[1].tolist()[0]


def test_a_folder_gives_the_hierarchy_of_each_column(tmp_path: Path) -> None:
    for name in ("adult_hierarchy_age.csv", "adult_hierarchy_native-country.csv", "adult.csv"):
        (tmp_path / name).write_text("1;*")
    assert set(hierarchies_in(tmp_path)) == {"age", "native-country"}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("ill.csv", None, "and no builder of that name; a builder is written like intervals:5,10,20"),
        ("ill.csv", "", "is empty"),
        ("ill.json", "{", "cannot be read: Expecting property name"),
        ("ill.toml", "x", "cannot be read: "),
        ("ill.json", "{}", "the hierarchy of ill is empty"),
        ("ill.csv", "flu;lung;*\ncold;lung;+\n", "puts 'lung' (level 1) under both '*' and '+' (level 2)"),
    ],
)
def test_a_file_that_is_no_hierarchy_is_refused(
    tmp_path: Path, name: str, content: str | None, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(BadInput) as caught:
        hierarchy_of("ill", tmp_path / name)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("folder", ["nothing", "."])
def test_a_folder_without_hierarchies_is_said_to_be_one(tmp_path: Path, folder: str) -> None:
    with pytest.raises(BadInput, match=r"no folder|no file named like"):
        hierarchies_in(tmp_path / folder)
