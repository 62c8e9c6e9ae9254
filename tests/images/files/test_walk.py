import os
import socket
from pathlib import Path

import pytest

from aramis.errors import BadInput, Unreadable
from aramis.images.files.walk import LARGEST_FILE, Names, read, stamp, walk


def files(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return folder


def test_a_folder_is_walked_and_hidden_files_are_skipped(tmp_path: Path) -> None:
    files(tmp_path, "b.jpg", "a/c.png", "a/.hidden.jpg", ".git/d.jpg", "a/deep/er/e.jpg")
    found = walk(tmp_path)
    assert found.names == ("a/c.png", "a/deep/er/e.jpg", "b.jpg")
    assert found.root == tmp_path.resolve()
    assert found.is_walked


def test_a_folder_that_is_hidden_itself_is_walked_when_it_is_named(tmp_path: Path) -> None:
    assert walk(files(tmp_path / ".photos", "a.jpg")).names == ("a.jpg",)


def test_one_file_is_one_name(tmp_path: Path) -> None:
    found = walk(files(tmp_path, "a.jpg", "b.jpg") / "a.jpg")
    assert (found.names, found.is_walked) == (("a.jpg",), False)


@pytest.mark.parametrize(
    ("pattern", "names", "root"),
    [
        ("*.jpg", ("a.jpg", "b.jpg"), ""),
        ("**/*.jpg", ("a.jpg", "b.jpg", "x/c.jpg", "x/y/d.jpg"), ""),
        ("x/*", ("c.jpg", "y/d.jpg"), "x"),
        ("[ab].jpg", ("a.jpg", "b.jpg"), ""),
        ("x/?.jpg", ("c.jpg",), "x"),
    ],
)
def test_a_glob_names_what_it_matches(
    tmp_path: Path, pattern: str, names: tuple[str, ...], root: str
) -> None:
    files(tmp_path, "a.jpg", "b.jpg", "x/c.jpg", "x/y/d.jpg", "e.txt", ".f.jpg")
    found = walk(f"{tmp_path}/{pattern}")
    assert found.names == names
    assert found.root == (tmp_path / root).resolve()


def test_a_folder_whose_name_looks_like_a_glob_is_a_folder(tmp_path: Path) -> None:
    assert walk(files(tmp_path / "[2024]*", "a.jpg")).names == ("a.jpg",)


ODD = [
    "with space.jpg",
    "ünïcödé 日本.jpg",
    "new\nline.jpg",
    "-dash.jpg",
    "--rf.jpg",
    "'quote\".jpg",
    "%41.jpg",
    "a\\b.jpg",
]


def test_odd_names_are_names_like_any_other(tmp_path: Path) -> None:
    assert walk(files(tmp_path, *ODD)).names == tuple(sorted(ODD))


def test_links_are_followed_but_never_in_a_circle(tmp_path: Path) -> None:
    files(tmp_path, "photos/a.jpg", "elsewhere/b.jpg")
    photos = tmp_path / "photos"
    (photos / "up").symlink_to(tmp_path / "photos")
    (photos / "more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "back").symlink_to(photos)
    (photos / "self").symlink_to("self")
    (photos / "nowhere.jpg").symlink_to("gone.jpg")
    assert walk(photos).names == ("a.jpg", "more/b.jpg", "nowhere.jpg", "self")


def test_a_folder_deeper_than_the_interpreter_can_recurse_is_walked(tmp_path: Path) -> None:
    folders = [tmp_path]
    for _ in range(1200):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "a.jpg").touch()
    assert walk(tmp_path).names == ("d/" * 1200 + "a.jpg",)
    (folders[-1] / "a.jpg").unlink()
    for folder in reversed(folders[1:]):  # shutil.rmtree, which pytest would use, recurses
        folder.rmdir()


@pytest.mark.parametrize(
    ("source", "sentence"), [("gone", "there is no file or folder"), ("*.jpg", "holds no files")]
)
def test_a_source_that_is_not_there_is_refused(tmp_path: Path, source: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        walk(tmp_path / source)


def test_an_empty_folder_is_refused_not_passed_over(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no files"):
        walk(tmp_path)


def test_a_folder_that_cannot_be_listed_is_named_so_that_it_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, "a.jpg", "closed/b.jpg")
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert walk(tmp_path).names == ("a.jpg", "closed")


def test_what_is_no_file_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "link.jpg").symlink_to("gone.jpg")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.jpg"))
    for name, why in [
        ("pipe.jpg", "regular"),
        ("link.jpg", "leads nowhere"),
        ("socket.jpg", "cannot be read"),
        (".", ""),
    ]:
        with pytest.raises(Unreadable, match=why or "."):
            read(tmp_path / name)


def test_a_file_larger_than_memory_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge.jpg").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(Unreadable, match="too large"):
        read(tmp_path / "huge.jpg")


def test_a_stamp_changes_with_the_file_even_if_its_time_is_set_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"one")
    before = stamp(path)
    times = path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert stamp(path) != before
    assert stamp(tmp_path / "gone") is None


@pytest.mark.parametrize(
    ("sources", "folds", "released"),
    [
        (["a.jpg"], False, {("a.jpg", ""): "a.jpg"}),
        (["a.heic"], False, {("a.heic", ".jpg"): "a.heic.jpg"}),
        (
            ["a.heic", "a.heic.jpg"],
            False,
            {("a.heic", ".jpg"): "a.heic-2.jpg", ("a.heic.jpg", ""): "a.heic.jpg"},
        ),
        (["a.jpg", "A.jpg"], False, {("a.jpg", ""): "a.jpg", ("A.jpg", ""): "A.jpg"}),
        (["A.jpg", "a.jpg"], True, {("A.jpg", ""): "A.jpg", ("a.jpg", ""): "a.jpg-2.jpg"}),
        (
            ["A.heic", "a.HEIC"],
            True,
            {("A.heic", ".jpg"): "A.heic.jpg", ("a.HEIC", ".jpg"): "a.HEIC-2.HEIC.jpg"},
        ),
        (
            ["A.jpg", "a.JPG", "a.jpg"],
            True,
            {("a.JPG", ""): "a.JPG-2.JPG", ("a.jpg", ""): "a.jpg-3.jpg"},
        ),
        (["e\u0301.jpg", "é.jpg"], True, {("e\u0301.jpg", ""): "e\u0301.jpg", ("é.jpg", ""): "é.jpg-2.jpg"}),
    ],
)
def test_no_two_sources_are_released_under_one_name(
    sources: list[str], folds: bool, released: dict[tuple[str, str], str]
) -> None:
    names = Names(sources, folds=folds)
    assert {key: names.released(*key) for key in released} == released


def test_a_name_that_grows_too_long_is_refused() -> None:
    name = "x" * 250 + ".heic"
    with pytest.raises(Unreadable, match="too long"):
        Names([name], folds=False).released(name, ".jpg")
