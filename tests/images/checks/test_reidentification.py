"""Face recognition on released faces: who is left open is known, who is hidden is not; ranks among all faces of a run."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aramis.images.checks.reidentification import Reidentification, ranked_first
from aramis.images.embedding import embedding, landmarks
from aramis.images.records import ImageRecord, Target
from aramis.images.redact.regions import redact
from aramis.images.redact.ways import ways

FACE = Target(id=5, kind="face", box=(178, 66, 274, 192), method="blur")


def record(*targets: Target) -> ImageRecord:
    return ImageRecord(image="astronaut", width=512, height=512, targets=targets)


@pytest.fixture(scope="module")
def check() -> Reidentification:
    return Reidentification(landmarks(), embedding())


@pytest.fixture(scope="module")
def astronaut(photographs: dict[str, NDArray[Any]]) -> NDArray[Any]:
    return photographs["astronaut"]


def test_a_face_that_was_not_really_hidden_is_known(check: Reidentification, astronaut: NDArray[Any]) -> None:
    (finding,) = check(astronaut, (astronaut * 0.8).astype(np.uint8), record(FACE))
    assert (finding.leak, finding.target) == (True, 5)
    assert finding.value is not None
    assert finding.value > 0.9


@pytest.mark.parametrize("method", ["blur", "pixelate", "mean", "solid"])
def test_a_hidden_face_is_not_known(check: Reidentification, astronaut: NDArray[Any], method: str) -> None:
    (finding,) = check(astronaut, redact(astronaut, [FACE], ways(["face"], method)), record(FACE))
    assert not finding.leak


def test_only_faces_that_were_hidden_and_that_somebody_could_know_are_asked_about(
    check: Reidentification, astronaut: NDArray[Any]
) -> None:
    open_ = Target(kind="face", box=FACE.box, method=None)
    tiny = Target(kind="face", box=(178, 66, 184, 74), method="blur")
    nobody = Target(kind="face", box=(10, 300, 60, 360), method="blur")
    plate = Target(kind="plate", box=FACE.box, method="blur")
    assert check(astronaut, astronaut, record(open_, tiny, nobody, plate)) == []


def test_who_is_nearest_of_all_is_counted_over_the_run_and_nothing_of_it_is_told_before(
    astronaut: NDArray[Any],
) -> None:
    check = Reidentification(landmarks(), embedding())
    assert check.told() == {}
    check(astronaut, astronaut, record(FACE))
    mirrored = np.ascontiguousarray(astronaut[:, ::-1])
    x1, y1, x2, y2 = FACE.box
    there = Target(kind="face", box=(512 - x2, y1, 512 - x1, y2), method="solid")
    check(mirrored, redact(mirrored, [there], ways(["face"], "solid")), record(there))
    told = check.told()
    assert told["compared with each other"] == 2
    assert told["nearest of all to their own original"] in {1, 2}


def test_ranks_are_those_of_every_pair_compared() -> None:
    draw = np.random.default_rng(1)
    before = [row / np.linalg.norm(row) for row in draw.normal(size=(40, 8)).astype(np.float32)]
    after = [row / np.linalg.norm(row) for row in draw.normal(size=(40, 8)).astype(np.float32)]
    by_hand = [
        all(float(after[i] @ before[i]) > float(after[i] @ before[j]) for j in range(40) if j != i)
        for i in range(40)
    ]
    assert ranked_first(before, after).tolist() == by_hand
    assert ranked_first(before, before).all()
    assert ranked_first(before[:1], after[:1]).all()
