"""How well it is told which way people and vehicles face. `python -m benchmarks.facing --data DIR`

The truth, by rules:
- coco256, people with keypoints: the body is front, side or back by the signed width of the annotated shoulders, in
  lengths of the annotated torso, at plus and minus 0.25; the head is away where neither nose nor an eye is visible, though
  both shoulders are annotated.
- street_view_of_delft, pedestrians: by the annotated angle to the line of sight, cut at 45 degrees.
- coco256, vehicles: by looking at them (training/vehicle_orientation/labels.csv). The network never learned from these; what it says of
  rides and photographs that were left out in turns, training/vehicle_orientation/train.py prints.
- faces_personfaces548 and faces_mask853: a person to whom the rules give an annotated face is not turned away. Whoever is
  surely said to be would be excused wrongly. `--seen` keeps what the inspection saw, as benchmarks.judge does.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from benchmarks.annotations import (
    SETS,
    Faced,
    Posed,
    Turned,
    coco256_poses,
    coco256_vehicles,
    street_view_of_delft,
)
from benchmarks.detection import picture
from benchmarks.judge import Case, cases
from benchmarks.matching import share
from numpy.typing import NDArray

from aramis.images import cards
from aramis.images.records import Carrier, Orientation, Target, Verdict
from aramis.images.rules.judge import judge
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.facing import TURNED, Facing, body, head
from aramis.images.surroundings.pose import Pose, rtmpose
from aramis.images.surroundings.vehicle_facing import Face, vehicle_facing
from aramis.images.unify import unify

SURE = Thresholds().sure_orientation
FACED = ("faces_personfaces548", "faces_mask853")

Said = Counter[tuple[str, str]]
"""How often it was so, and so was said."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--seen", type=Path, help="a folder that keeps what the inspection saw")
    given = parser.parse_args()
    pose = rtmpose(cards.path("rtmpose-s"))
    bodies, heads = of_coco(coco256_poses(given.data), pose)
    print(f"coco256, body\n\n{table(bodies)}\n\ncoco256, head\n\n{table(heads)}\n")
    print(f"street_view_of_delft, body\n\n{table(of_delft(street_view_of_delft(given.data), pose))}\n")
    face = vehicle_facing(cards.path("aramis-vehicle-orientation"))
    print(f"coco256, vehicles\n\n{table(of_vehicles(coco256_vehicles(given.data), face))}\n")
    for name in FACED:
        print(f"{name}: {missed(cases(name, SETS[name](given.data), given.seen))}", flush=True)


def of_coco(photographs: Iterable[Posed], pose: Pose) -> tuple[Said, Said]:
    """Bodies and heads of people whose points are annotated."""
    bodies, heads = Said(), Said()
    for photograph in photographs:
        seen = pose(picture(photograph.path), photograph.boxes)
        for true, points in zip(photograph.points, seen, strict=True):
            bodies[true_body(true), body(points).orientation] += 1
            heads[true_head(true), _sure(head(points))] += 1
    return bodies, heads


def of_delft(photographs: Iterable[Turned], pose: Pose) -> Said:
    """Bodies of people whose angle is annotated."""
    said = Said()
    for photograph in photographs:
        seen = pose(picture(photograph.path), photograph.boxes)
        for angle, points in zip(photograph.angles, seen, strict=True):
            said[_by_angle(angle), body(points).orientation] += 1
    return said


def of_vehicles(photographs: Iterable[Faced], face: Face) -> Said:
    """Vehicles whose side somebody has told."""
    said = Said()
    for photograph in photographs:
        seen = face(picture(photograph.path), photograph.boxes)
        said.update(zip(photograph.orientations, map(_surely, seen), strict=True))
    return said


def true_body(points: NDArray[np.float64]) -> str:
    """By COCO's points 5, 6 (shoulders) and 11, 12 (hips)."""
    if not points[[5, 6, 11, 12], 2].all():
        return "not annotated"
    torso = np.linalg.norm(points[[5, 6], :2].mean(axis=0) - points[[11, 12], :2].mean(axis=0))
    width = (points[5, 0] - points[6, 0]) / max(torso, 1)
    return "front" if width > TURNED else "back" if width < -TURNED else "side"


def true_head(points: NDArray[np.float64]) -> str:
    """By COCO's points 0, 1, 2 (nose, eyes): whether any of them can be seen."""
    if (points[:3, 2] == 2).any():
        return "a face"
    return "away" if points[[5, 6], 2].all() else "not annotated"


def missed(photographs: Iterable[Case]) -> str:
    """How many people with a face are surely turned away, as the inspection says."""
    faced = [one for case in photographs for one in _with_a_face(case)]
    wrong = sum(one.head is Orientation.BACK and (one.head_score or 0) >= SURE for one in faced)
    return f"of people with a face said to be turned away: {wrong}, {share(wrong, len(faced))}"


def _with_a_face(case: Case) -> Iterator[Carrier]:
    targets = [Target(kind="face", box=box, method="blur") for box in case.true]
    record = unify("", case.seen.width, case.seen.height, targets=targets, carriers=case.seen.carriers)
    for one in judge(record).carriers:
        if one.verdict is Verdict.ANONYMIZED and one.kind == "person":
            yield one


def _sure(seen: Facing) -> str:
    if seen.orientation is Orientation.BACK and seen.score < SURE:
        return "back, not sure"
    return seen.orientation


def _surely(seen: Facing) -> str:
    known = seen.orientation is not Orientation.UNKNOWN
    return f"{seen.orientation}, not sure" if known and seen.score < SURE else seen.orientation


def _by_angle(angle: float) -> str:
    towards = np.sin(angle)
    return "front" if towards > np.sqrt(0.5) else "back" if towards < -np.sqrt(0.5) else "side"


def table(said: Said) -> str:
    """A line for each truth, a column for each answer."""
    answers = sorted({answer for _, answer in said})
    lines = [f"| truth | {' | '.join(answers)} |", f"| --- |{' --- |' * len(answers)}"]
    lines += [
        f"| {truth} | {' | '.join(str(said[truth, answer]) for answer in answers)} |"
        for truth in sorted({truth for truth, _ in said})
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
