"""The release folder: whole files or none, nothing done twice, nothing foreign touched."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from stat import S_IMODE

import pytest
from tests.images.fakes import is_hidden, one_face, one_person, photographs

from aramis.errors import BadInput
from aramis.images.files.walk import stamp, walk
from aramis.images.pipeline import Release, release
from aramis.images.records import Target
from aramis.images.release import Entry, Order, open_release

ROOT = Path(__file__).parents[2]
ORDER = Order("0", "release", "photos", {})


def run(source: Path | str, out: Path, **options: object) -> Release:
    given = {"detect": one_face, "look": one_person, "method": "solid", "workers": 2, **options}
    return release(source, out, **given)  # type: ignore[arg-type]


def media(out: Path) -> dict[str, int]:
    """Released files, each with the time it was written."""
    below = out / "media"
    return {
        str(path.relative_to(below)): path.stat().st_mtime_ns for path in below.rglob("*") if path.is_file()
    }


def all_of(source: Path) -> set[str]:
    return {str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()}


def test_the_folder_is_as_the_interface_says(tmp_path: Path) -> None:
    done = run(photographs(tmp_path / "photos"), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "assessment.json",
        "media",
        "private",
        "records.jsonl",
        "report.html",
    ]
    assert S_IMODE((tmp_path / "out" / "private").stat().st_mode) == 0o700
    assert set(media(tmp_path / "out")) == all_of(tmp_path / "photos")
    assert (done.folder, done.images, done.quarantined) == (tmp_path / "out", 3, ())


def test_the_source_is_never_written(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    before = {path: (path.stat(), path.is_file() and path.read_bytes()) for path in source.rglob("*")}
    run(source, tmp_path / "out")
    after = {path: (path.stat(), path.is_file() and path.read_bytes()) for path in source.rglob("*")}
    times = ("st_mtime_ns", "st_ctime_ns", "st_ino")
    for path, (status, data) in before.items():
        assert after[path][1] == data
        assert [getattr(after[path][0], name) for name in times] == [getattr(status, name) for name in times]


def test_a_second_run_does_nothing_twice(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    run(source, tmp_path / "out")
    first = media(tmp_path / "out"), (tmp_path / "out" / "records.jsonl").read_bytes()

    def never(pixels: object) -> list[Target]:
        raise AssertionError

    assert run(source, tmp_path / "out", detect=never).quarantined == ()
    assert (media(tmp_path / "out"), (tmp_path / "out" / "records.jsonl").read_bytes()) == first


def test_only_what_is_new_or_changed_is_done_again(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    run(source, out)
    before = media(out)
    photographs(source, 4)  # writes the first three again, as they were
    (source / "day 0" / "000.png").write_bytes((source / "day 1" / "001.png").read_bytes())
    (source / "day 2" / "002.png").unlink()
    (out / "media" / "day 1" / "001.png").unlink()
    done = run(source, out)
    after = media(out)
    assert set(after) == {"day 0/000.png", "day 0/003.png", "day 1/001.png"}
    assert after["day 0/000.png"] != before["day 0/000.png"]
    assert done.images == 3
    assert (out / "records.jsonl").read_text().count("\n") == 3


def test_a_file_that_was_only_touched_is_not_done_again(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    run(source, out)
    before = media(out)
    for path in source.rglob("*.png"):
        os.utime(path)
    run(source, out)
    assert media(out) == before


def test_a_source_that_goes_bad_takes_its_release_with_it(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    run(source, out)
    (source / "day 0" / "000.png").write_bytes(b"no longer a picture")
    done = run(source, out)
    assert "day 0/000.png" not in media(out)
    assert [one.image for one in done.quarantined] == ["day 0/000.png"]


def test_what_was_quarantined_is_tried_again(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    assert len(run(source, out, max_megapixels=0.001).quarantined) == 3
    assert media(out) == {}
    assert run(source, out).quarantined == ()
    assert len(media(out)) == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "blur"}, r"face method solid, this run has blur"),
        ({"margin": 0.5}, r"face margin 0\.4, this run has 0\.5"),
        ({"targets": "plate"}, r"targets face,plate, this run has plate"),
        ({"colour": (1, 2, 3)}, r"face colour None, this run has 1,2,3"),
    ],
)
def test_a_run_with_other_options_does_not_go_on(
    tmp_path: Path, options: dict[str, object], sentence: str
) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    run(source, out)
    with pytest.raises(BadInput, match=f"was begun with .*{sentence}: go on with the same"):
        run(source, out, **options)


def test_other_rules_or_workers_are_no_other_order(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos"), tmp_path / "out"
    run(source, out)
    assert run(source, out, workers=1, rules="published").images == 3


def test_another_source_does_not_go_into_the_same_folder(tmp_path: Path) -> None:
    run(photographs(tmp_path / "photos"), tmp_path / "out")
    with pytest.raises(BadInput, match=r"was begun with source .*photos, this run has .*others"):
        run(photographs(tmp_path / "others"), tmp_path / "out")


def test_a_folder_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years of work")
    with pytest.raises(BadInput, match="not empty and was not made by Aramis"):
        run(source, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.txt"]
    with pytest.raises(BadInput, match="is a file; name a folder"):
        run(source, tmp_path / "out" / "thesis.txt")


@pytest.mark.parametrize("out", ["photos", "photos/out", "photos/day 0/out", "photos/../photos/out", "."])
def test_source_and_output_must_lie_apart(tmp_path: Path, out: str) -> None:
    source = photographs(tmp_path / "photos")
    with pytest.raises(BadInput, match="choose an output folder"):
        run(source, tmp_path / out)
    assert all_of(source) == {"day 0/000.png", "day 1/001.png", "day 2/002.png"}


def test_links_do_not_hide_that_the_output_lies_in_the_source(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    (tmp_path / "elsewhere").symlink_to(source)
    with pytest.raises(BadInput, match="lies inside the source"):
        run(source, tmp_path / "elsewhere" / "out")
    run(source, tmp_path / "out")
    (source / "link").symlink_to(tmp_path / "out")
    with pytest.raises(BadInput, match="through a link"):
        run(source, tmp_path / "out")


def test_one_file_may_be_released_into_a_folder_beside_it(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    done = run(source / "day 0" / "000.png", source / "day 0" / "out")
    assert set(media(done.folder)) == {"000.png"}


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    source = walk(photographs(tmp_path / "photos"))
    with (
        open_release(tmp_path / "out", source, ORDER),
        pytest.raises(BadInput, match="another run is writing"),
        open_release(tmp_path / "out", source, ORDER),
    ):
        pass


def test_a_line_that_was_cut_off_is_not_believed(tmp_path: Path) -> None:
    source, out = walk(photographs(tmp_path / "photos")), tmp_path / "out"
    with open_release(out, source, ORDER) as folder:
        for name in source.names[:2]:
            folder.note(Entry(image=name, stamp=stamp(source.root / name), why="a reason"))
    journal = out / "private" / "journal.jsonl"
    whole = journal.read_bytes()
    for end in range(len(whole)):
        journal.write_bytes(whole[:end])
        with open_release(out, source, ORDER) as folder:
            known = [one.image for one in folder.summary().quarantined]
            folder.note(Entry(image=source.names[2], stamp=None, why="another"))
        assert known == list(source.names[: max(0, whole[:end].count(b"\n") - 1)])


def killed(source: Path, out: Path, lines: int, then: float) -> None:
    """Run a release and kill it when its journal has grown by so many lines, and a little later."""
    journal = out / "private" / "journal.jsonl"
    wanted = _lines(journal) + lines
    command = [sys.executable, "-m", "tests.images.fakes", str(source), str(out)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as program:
        while _lines(journal) < wanted and program.poll() is None:
            time.sleep(0.001)
        time.sleep(then)
        program.send_signal(signal.SIGKILL)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_killed_at_any_moment_it_leaves_whole_files_and_goes_on(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos", 150), tmp_path / "out"
    moments = random.Random(4)
    finished: dict[str, int] = {}
    for _ in range(4):
        killed(source, out, moments.randint(1, 25), moments.uniform(0, 0.03))
        so_far = media(out)
        assert all(is_hidden(out / "media" / name) for name in so_far)
        assert {name: so_far.get(name) for name in finished} == finished
        finished = so_far
        assert len(finished) < 150
    assert finished
    assert run(source, out).images == 150
    in_the_end = media(out)
    assert {name: in_the_end[name] for name in finished} == finished
    assert set(in_the_end) == all_of(source)
    assert not list((out / "private" / "unfinished").iterdir())
    assert (out / "records.jsonl").read_text().count("\n") == 150


def test_a_full_disk_is_one_sentence_and_the_run_goes_on_later(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos", 6, size=(400, 300)), tmp_path / "out"
    limited = (
        "import resource, sys; from tests.images.fakes import *\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))\n"
        "from aramis.errors import BadInput\n"
        "try: release(sys.argv[1], sys.argv[2], detect=one_face, look=one_person, method='solid')\n"
        "except BadInput as error: sys.exit(str(error))"
    )
    command = [sys.executable, "-c", limited, str(source), str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == (
        f"{out} cannot be written: file too large. What is done is kept; run the same command again to go on"
    )
    assert all(is_hidden(out / "media" / name) for name in media(out))
    assert run(source, out).images == 6


def test_an_output_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    source = photographs(tmp_path / "photos")
    with pytest.raises(BadInput, match="cannot be written"):
        run(source, Path("/proc/out"))


def test_an_interruption_keeps_what_is_done(tmp_path: Path) -> None:
    source, out = photographs(tmp_path / "photos", 12), tmp_path / "out"

    def interrupt(done: int, total: int | None, name: str) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(source, out, progress=interrupt)
    finished = media(out)
    assert len(finished) == 5
    run(source, out)
    assert len(media(out)) == 12
    assert {name: media(out)[name] for name in finished} == finished
