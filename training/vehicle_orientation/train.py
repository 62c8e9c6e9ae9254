"""Learn which side of a vehicle is seen: train.py DATA OUT.onnx [--seed N]. One thread, some minutes.

The stages of YOLOv4-tiny are kept as they are and see every crop once; a small head learns from what they saw. In turns a quarter of the ride's
minutes and one other source are left out; what the heads say of those is what is measured, and what tells the temperature that makes the
scores honest. The photographs of COCO are never trained on.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from crops import Vehicle, labelled, unlike
from numpy.typing import NDArray
from stages import CHANNELS, Stages
from torch import Tensor, nn

from aramis.images import cards
from aramis.images.records import Orientation
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.vehicle_facing import ANSWERS, DOUBT, SIDE, crop

TURNS = {"pl": 0, "iwpod": 1, "demo": 2, "mask": 3, "pf": 3, "delft": 3}
"""When a source is left out. The ride, by its minutes, in each of the four."""
NEVER = "coco"
CROPS = 8  # of a vehicle in the mean, more of those whose kind is rare
EPOCHS, BATCH, RATE, DECAY = 6, 64, 2e-3, 0.3
CAUTION = 2.0  # times the temperature of a side: a leak that is excused is looked at by nobody
SIDE_ON = ANSWERS.index(Orientation.SIDE)
SURE = (DOUBT, Thresholds().sure_orientation, 0.85, 0.95)


class Head(nn.Module):
    """What the stages see → how likely front, side and back are, as log-odds.

    Means over quarters and one layer: what knows more places or has more layers learns the ride by heart.
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarters = nn.AdaptiveAvgPool2d(2)
        self.last = nn.Sequential(nn.BatchNorm1d(4 * CHANNELS), nn.Dropout(0.5), nn.Linear(4 * CHANNELS, 3))

    def forward(self, seen: Tensor) -> Tensor:
        return self.last(self.quarters(seen).flatten(1))


class Honest(nn.Module):
    """Log-odds → chances, of which as many come true as they say.

    Whether a side is seen is told more surely than whether front or back is, so each of the two questions has a temperature.
    """

    def __init__(self, side: float = 1.0, ahead: float = 1.0) -> None:
        super().__init__()
        self.side, self.ahead = side, ahead

    def forward(self, odds: Tensor) -> Tensor:
        front, _, back = odds.unbind(1)
        plain = torch.softmax(odds, 1)
        seen_from_side = torch.sigmoid(torch.log(plain[:, 1] / (plain[:, 0] + plain[:, 2])) / self.side)
        shows_front = torch.sigmoid((front - back) / self.ahead)
        ahead = 1 - seen_from_side
        return torch.stack([ahead * shows_front, seen_from_side, ahead * (1 - shows_front)], 1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seen", type=Path, help="a file that keeps what the stages saw")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    vehicles = list(labelled(given.data))
    stages = Stages(cards.path("yolov4-tiny", 1), cards.path("yolov4-tiny", 0)).eval()
    seen, owners, plain = _kept(vehicles, stages, given.seed, given.seen)
    answers = torch.tensor([each.answer for each in vehicles])
    kinds = torch.tensor([3 * (each.of == "ro") + each.answer for each in vehicles])
    turns = torch.tensor([turn(each) for each in vehicles])
    left_out = torch.zeros(len(vehicles), 3)
    for now in range(4):
        rows = turns[owners] != now
        head = learned(seen[rows], answers[owners[rows]], kinds[owners[rows]])
        left_out[turns == now] = odds(head, plain[turns == now])
    head = learned(seen, answers[owners], kinds[owners])
    coco = torch.tensor([each.of == NEVER for each in vehicles])
    left_out[coco] = odds(head, plain[coco])
    ride = torch.tensor([each.of == "ro" for each in vehicles])
    honest = calibrated(left_out[~ride], answers[~ride])
    print(f"temperatures: {honest.side:.2f} for a side, {honest.ahead:.2f} for front or back")
    for name, rows in {"the ride": ride, "other cameras": ~ride, "of those COCO": coco}.items():
        given_chances = honest(left_out[rows])
        print(
            f"{name}: {confusion(given_chances, answers[rows])}\n  {reliability(given_chances, answers[rows])}"
        )
    export(nn.Sequential(stages, head, honest).eval(), given.out)


def turn(vehicle: Vehicle) -> int:
    """When it is left out."""
    if vehicle.of == "ro":
        return int(float(vehicle.image.split("#t=")[1].removesuffix(".jpg"))) // 60 % 4
    return TURNS.get(vehicle.of, -1)


def learned(seen: Tensor, answers: Tensor, kinds: Tensor) -> Head:
    """A head that tells the answers from what the stages saw in crops; each kind is shown as often."""
    head, steps = Head(), len(seen) // BATCH
    optimizer = torch.optim.AdamW(head.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=EPOCHS * steps)
    often = 1 / torch.bincount(kinds, minlength=6).clamp(min=1)[kinds].float()
    head.train()
    for _ in range(EPOCHS):
        for rows in torch.multinomial(often, steps * BATCH, replacement=True).split(BATCH):
            optimizer.zero_grad()
            nn.functional.cross_entropy(
                head(seen[rows].float()), answers[rows], label_smoothing=0.05
            ).backward()
            optimizer.step()
            schedule.step()
    return head.eval()


def odds(head: Head, seen: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.cat([head(part.float()) for part in seen.split(BATCH)])


def confusion(given: Tensor, answers: Tensor) -> str:
    table = torch.zeros(3, 3, dtype=torch.long)
    for true, said in zip(answers, given.argmax(1), strict=True):
        table[true, said] += 1
    recalls = table.diag() / table.sum(1)
    return f"balanced accuracy {recalls.mean():.3f}, rows are the truth (front, side, back): {table.tolist()}"


def reliability(given: Tensor, answers: Tensor) -> str:
    """How many are right among those said as surely; and how many surely seen from the side are not."""
    sure, said = given.max(1)
    right, parts = said == answers, []
    for low, high in pairwise((0, *SURE, 1.01)):
        there = (sure >= low) & (sure < high)
        parts.append(f"{low}-{min(high, 1)}: {int(right[there].sum())} of {int(there.sum())}")
    side = (said == SIDE_ON) & (sure >= SURE[1])
    wrong, sides = int((side & ~right).sum()), int((answers == SIDE_ON).sum())
    return f"right when so sure: {', '.join(parts)}; surely from the side {int(side.sum()) - wrong} of {sides}, and {wrong} others"


def export(whole: nn.Module, out: Path) -> None:
    """From bytes to chances, as ONNX, weights in half precision."""
    axes = {"pixels": {0: "n"}, "chances": {0: "n"}}
    torch.onnx.export(
        whole,
        (torch.zeros(1, 3, SIDE, SIDE),),
        str(out),
        input_names=["pixels"],
        output_names=["chances"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(out)
    graph = model.graph
    large = [
        each
        for each in graph.initializer
        if each.data_type == onnx.TensorProto.FLOAT and len(each.raw_data) > 4000
    ]
    for each in large:
        half = onnx.numpy_helper.to_array(each).astype(np.float16)
        graph.initializer.remove(each)
        graph.initializer.append(onnx.numpy_helper.from_array(half, f"{each.name} half"))
        cast = onnx.helper.make_node("Cast", [f"{each.name} half"], [each.name], to=onnx.TensorProto.FLOAT)
        graph.node.insert(0, cast)
    onnx.checker.check_model(model)
    onnx.save(model, out)


def seen_by(stages: Stages, crops: Iterable[NDArray[np.uint8]]) -> Tensor:
    """What the stages see in crops."""
    stream, seen = iter(crops), []
    while part := list(islice(stream, BATCH)):
        with torch.no_grad():
            seen.append(stages(torch.from_numpy(np.stack(part)).permute(0, 3, 1, 2).float()).half())
    return torch.cat(seen)


def _kept(
    vehicles: list[Vehicle], stages: Stages, seed: int, path: Path | None
) -> tuple[Tensor, Tensor, Tensor]:
    """What the stages see in crops, whose crop each is, and what they see in the crops that are used when it is done."""
    if path and path.exists():
        kept: tuple[Tensor, Tensor, Tensor] = torch.load(path)
        return kept
    owners = list(_owners(vehicles))
    rng = np.random.default_rng(seed)
    made = (
        seen_by(stages, (unlike(vehicles[place], rng)[0] for place in owners)),
        torch.tensor(owners),
        seen_by(stages, (crop(each.pixels, each.box) for each in vehicles)),
    )
    if path:
        torch.save(made, path)
    return made


def _owners(vehicles: list[Vehicle]) -> Iterator[int]:
    """Each vehicle's place as often as crops are made of it."""
    kinds = [(each.of == "ro", each.answer) for each in vehicles]
    usual = CROPS * len(vehicles) / 6
    for place, each in enumerate(vehicles):
        if each.of != NEVER:
            yield from [place] * min(40, max(2, round(usual / kinds.count(kinds[place]))))


def calibrated(given: Tensor, answers: Tensor) -> Honest:
    """The temperatures under which what was said is likeliest.

    Guo, Pleiss, Sun, Weinberger, "On Calibration of Modern Neural Networks", ICML 2017.
    """
    tried = torch.linspace(0.5, 8, 76).tolist()
    cost = {
        (side, ahead): nn.functional.nll_loss(Honest(side, ahead)(given).log(), answers)
        for side in tried
        for ahead in tried
    }
    side, ahead = min(cost, key=cost.__getitem__)
    return Honest(CAUTION * side, ahead)


if __name__ == "__main__":
    main()
