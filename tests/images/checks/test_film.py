"""A released video is checked on the frames that were looked around in, beside those of its original."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.images.fakes import one_face, one_person

from aramis.errors import Unreadable
from aramis.images.checks.check import Checks
from aramis.images.checks.film import checked_film
from aramis.images.files.jsonl import read_records
from aramis.images.pipeline import release
from aramis.images.records import Finding, ImageRecord, Target


def test_the_sampled_frames_of_a_released_video_are_checked(
    clip: Callable[..., Path], tmp_path: Path
) -> None:
    clip(tmp_path / "a.mp4", frames=60, voices=[200], tags={"title": "our street"})
    done = release(
        tmp_path / "a.mp4",
        tmp_path / "out",
        detect=one_face,
        look=one_person,
        checks="changed,residual,metadata",
        method="solid",
    )
    assert done.assessment
    records = list(read_records(tmp_path / "out" / "records.jsonl"))
    sampled = [record for record in records if record.inspected is not False]
    assert 2 <= len(sampled) < len(records)
    assert all(record.checks is None for record in records if record.inspected is False)
    assert {name: (one.images, one.leaks) for name, one in done.assessment.checks.items()} == {
        "changed": (len(sampled), 0),
        "residual": (len(sampled), 0),
        "metadata": (1, 0),
    }


def frames_of(count: int) -> list[ImageRecord]:
    return [
        ImageRecord(
            image="a.mp4", frame=index, width=64, height=48, inspected=None if index % 5 == 0 else False
        )
        for index in range(count)
    ]


def test_each_frame_is_held_against_its_own(clip: Callable[..., Path], tmp_path: Path) -> None:
    path = clip(tmp_path / "a.mp4", frames=12)
    apart = []

    def check(before: NDArray[np.uint8], after: NDArray[np.uint8], record: ImageRecord) -> list[Finding]:
        apart.append((record.frame, np.abs(before.astype(int) - after).max()))
        return []

    found = list(checked_film(frames_of(12), path, path, Checks({"fake": check})))
    assert apart == [(0, 0), (5, 0), (10, 0)]
    assert [record.frame for record in found] == list(range(12))


def test_a_released_video_that_is_shorter_is_refused(clip: Callable[..., Path], tmp_path: Path) -> None:
    long, short = clip(tmp_path / "a.mp4", frames=12), clip(tmp_path / "b.mp4", frames=7)
    with pytest.raises(Unreadable, match="has no frame 10"):
        list(checked_film(frames_of(12), long, short, Checks({"fake": lambda *_: []})))


def leaves_all(pixels: NDArray[np.uint8], target: Target, strength: float) -> NDArray[np.uint8]:
    return pixels.copy()


def test_a_face_that_did_not_change_in_a_video_leaks(clip: Callable[..., Path], tmp_path: Path) -> None:
    def moving(pixels: NDArray[np.uint8]) -> list[Target]:
        return [Target(kind="face", box=(0, 4, 40, 32), score=0.9)]

    clip(tmp_path / "a.mp4", frames=30)
    done = release(
        tmp_path / "a.mp4",
        tmp_path / "out",
        detect=moving,
        look=one_person,
        checks="changed",
        method={"face": leaves_all},
    )
    assert done.assessment
    assert done.assessment.checks["changed"].leaks
    assert done.assessment.people.PARAM == 1
