"""Checks as a release runs them: on the file as it was written, noted in the records, summed up, listed."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.images.fakes import one_face, one_person, photographs

from aramis.errors import BadInput
from aramis.images.files.jsonl import read_records
from aramis.images.pipeline import Release, release
from aramis.images.records import Target

ELSEWHERE = Target(kind="face", box=(44, 30, 60, 46), score=0.4, found_by="fake")


def run(folder: Path, **options: object) -> Release:
    source = folder / "photos"
    if not source.exists():
        photographs(source, 2)
    given = {"detect": one_face, "look": one_person, "method": "solid", "workers": 2, **options}
    return release(source, folder / "out", **given)  # type: ignore[arg-type]


def test_what_was_checked_stands_in_the_records_and_is_summed_up(tmp_path: Path) -> None:
    done = run(tmp_path, checks="changed")
    assert done.assessment
    changed = done.assessment.checks["changed"]
    assert (changed.images, changed.cases, changed.leaks) == (2, 2, 0)
    for record in read_records(tmp_path / "out" / "records.jsonl"):
        assert [target.changed for target in record.targets] == [True]
        assert [finding.target for finding in (record.checks or {})["changed"]] == [0]


def leaves_all(pixels: NDArray[np.uint8], target: Target, strength: float) -> NDArray[np.uint8]:
    return pixels.copy()


def test_a_method_that_changes_nothing_leaves_a_leak_by_the_check_and_by_the_rules(tmp_path: Path) -> None:
    source = tmp_path / "photos"
    source.mkdir()
    for path in photographs(tmp_path / "plain", 1).rglob("*.png"):
        with_lines(path, source / path.name)
    done = run(tmp_path, method={"face": leaves_all}, checks="changed")
    assert done.assessment
    assert done.assessment.checks["changed"].leaks == 1
    assert done.assessment.people.PARAM == 1


def with_lines(path: Path, to: Path) -> None:
    from PIL import Image

    pixels = np.array(Image.open(path))
    pixels[::4] //= 2
    Image.fromarray(pixels).save(to)


def test_a_run_that_goes_on_keeps_what_was_checked(tmp_path: Path) -> None:
    first = run(tmp_path, checks="changed").assessment
    assert first
    again = run(tmp_path, checks="changed", detect=one_face).assessment
    assert again
    assert again.checks == first.checks


def test_what_is_found_elsewhere_is_listed_the_surest_first(tmp_path: Path) -> None:
    def detect(pixels: NDArray[np.uint8]) -> list[Target]:
        return one_face(pixels) if pixels.max() == 255 else [*one_face(pixels), ELSEWHERE]

    done = run(tmp_path, detect=detect, checks=["residual"])
    assert done.assessment
    residual = done.assessment.checks["residual"]
    assert (residual.images_with_leaks, residual.cases, residual.leaks) == (2, 4, 2)
    assert {leak.box for leak in residual.listed} == {ELSEWHERE.box}
    assert done.assessment.has_leaks


@pytest.mark.parametrize("checks", ["none", [], ("none",)])
def test_no_check_need_run(tmp_path: Path, checks: object) -> None:
    done = run(tmp_path, checks=checks)
    assert done.assessment
    assert done.assessment.checks == {}


def test_a_check_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no check is called shape; there are changed, residual, heads"):
        run(tmp_path, checks="changed,shape")
    assert not (tmp_path / "out").exists()
