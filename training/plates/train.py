"""Learn from shards of scenes: train.py SHARDS OUT SECONDS [--steps N] [--start WEIGHTS...]. One thread; writes weights as it goes.

Score: penalty-reduced focal loss on Gaussians (Zhou et al., "Objects as Points", 2019). Corners: smooth L1 over the
plate's size in every cell of its middle, where they are known.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from network import STRIDE, PlateNet, mean_of
from torch import nn

CROP, BATCH = 192, 24
SMALLEST_PX, SEEN_SHARE = 13, 0.45


def targets(quads: np.ndarray, ignore: np.ndarray) -> tuple[np.ndarray, ...]:
    """Heat, weight of the heat, index of the plate that a cell belongs to (-1: none)."""
    cells = CROP // STRIDE
    ys, xs = np.mgrid[:cells, :cells] * STRIDE + STRIDE / 2
    heat, weight = np.zeros((cells, cells), np.float32), np.ones((cells, cells), np.float32)
    owner = np.full((cells, cells), -1, np.int64)
    for box in ignore[~np.isnan(ignore[:, 0])]:
        _silence(weight, box)
    for at, quad in enumerate(quads):
        if np.isnan(quad).any():
            continue
        low, high = quad.min(0), quad.max(0)
        seen = np.clip(np.minimum(high, CROP) - np.maximum(low, 0), 0, None)
        if seen.prod() == 0:
            continue
        size = high - low
        centre = _crossing(quad)
        if (
            seen.prod() < SEEN_SHARE * size.prod()
            or size[0] < SMALLEST_PX
            or not (centre >= 0).all()
            or not (centre < CROP).all()
        ):
            _silence(weight, np.concatenate([low - 4, high + 4]))
            continue
        # along and across the plate, so that a tilted one has a tilted hill
        wide, tall = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
        plane = np.linalg.inv(np.stack([wide, tall], 1) + np.eye(2) * 1e-3)
        u, v = np.einsum("ij,jhw->ihw", plane, np.stack([xs - centre[0], ys - centre[1]]))
        reach_u = max(1 / 7, 0.45 * STRIDE / np.linalg.norm(wide))
        reach_v = max(1 / 5, 0.45 * STRIDE / np.linalg.norm(tall))
        hill = np.exp(-0.5 * ((u / reach_u) ** 2 + (v / reach_v) ** 2)).astype(np.float32)
        peak = np.unravel_index(np.argmin((xs - centre[0]) ** 2 + (ys - centre[1]) ** 2), heat.shape)
        owner[(hill > heat) & (hill > 0.5)] = at
        heat = np.maximum(heat, np.minimum(hill, 0.98))
        heat[peak], owner[peak] = 1, at
    return heat, weight, owner


def _crossing(quad: np.ndarray) -> np.ndarray:
    """Where the diagonals meet: the plate's centre in perspective."""
    along, other = quad[2] - quad[0], quad[3] - quad[1]
    cross = along[0] * other[1] - along[1] * other[0]
    if abs(cross) < 1e-6:
        return quad.mean(0)
    start = quad[1] - quad[0]
    return quad[0] + along * (start[0] * other[1] - start[1] * other[0]) / cross


def _silence(weight: np.ndarray, box: np.ndarray) -> None:
    x1, y1, x2, y2 = np.clip(
        np.array([np.floor(box[:2] / STRIDE), np.ceil(box[2:] / STRIDE)]).ravel(), 0, None
    ).astype(int)
    weight[y1:y2, x1:x2] = 0


def loss_of(out: torch.Tensor, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    p = out[:, 0].clamp(1e-4, 1 - 1e-4)
    heat, weight = batch["heat"], batch["weight"]
    peak = heat == 1
    unsure = (
        batch["partial"][:, None, None] & (p.detach() > 0.3) & (heat < 0.01)
    )  # perhaps a plate nobody annotated
    away = (1 - heat) ** 4 * p**2 * torch.log(1 - p) * weight * ~unsure * ~peak
    score = -(((1 - p) ** 2 * torch.log(p))[peak].sum() + away.sum()) / peak.sum().clamp(min=1)
    n, y, x = torch.nonzero(batch["owner"] >= 0, as_tuple=True)
    if len(n) == 0:
        return score, score * 0
    own = batch["owner"][n, y, x]
    quad = batch["quads"][n, own]
    cell = torch.stack([x, y], 1) * STRIDE + STRIDE / 2
    guess = out[:, 1:].permute(0, 2, 3, 1)[n, y, x].view(-1, 4, 2) + cell[:, None]
    size = quad.amax(1) - quad.amin(1)
    # each side by its own size, in part: five per cent of the height matter as much as five of the width
    unit = (
        torch.stack([0.5 * size[:, 0] + 0.5 * size.mean(1), 0.5 * size[:, 1] + 0.5 * size.mean(1)], 1).clamp(
            min=10
        )
        / 2
    )
    # boxes are annotated with room around the plate: where no corners are known, none are learned
    weight = batch["heat"][n, y, x] * batch["exact"][n, own]
    off = _cost((guess - quad) / unit[:, None])
    return score, (off * weight).sum() / weight.sum().clamp(min=1)


def _cost(off: torch.Tensor) -> torch.Tensor:
    return nn.functional.smooth_l1_loss(off, torch.zeros_like(off), beta=0.03, reduction="none").mean((1, 2))


class Shards:
    """Random crops out of the shards that are there; the newest are opened as they come."""

    def __init__(self, folder: Path, seed: int, keep: int = 24) -> None:
        self.folder, self.keep, self.open, self.rng = folder, keep, {}, np.random.default_rng(seed)

    def refresh(self) -> None:
        names = sorted(self.folder.glob("[0-9]*[0-9].npz"))[-self.keep :]
        self.open = {n: self.open.get(n) or dict(np.load(n)) for n in names}

    def batch(self) -> dict[str, torch.Tensor]:
        rows = [self._one() for _ in range(BATCH)]
        return {key: torch.from_numpy(np.stack([row[key] for row in rows])) for key in rows[0]}

    def _start(self, quads: np.ndarray, room: int) -> np.ndarray:
        """Where the crop begins: anywhere, but most often so that it holds a plate's centre."""
        centres = quads.mean(1)[~np.isnan(quads).any((1, 2))]
        start = self.rng.integers(0, room + 1, 2)
        if len(centres) and self.rng.random() < 0.7:
            centre = centres[self.rng.integers(len(centres))]
            start = np.clip(start, centre - CROP + 8, centre - 8)
        return np.clip(start, 0, room).astype(int)

    def _one(self) -> dict[str, np.ndarray]:
        shard = self.open[list(self.open)[self.rng.integers(len(self.open))]]
        at = self.rng.integers(len(shard["pixels"]))
        pixels = shard["pixels"][at]
        dx, dy = self._start(shard["quads"][at], pixels.shape[1] - CROP)
        quads = shard["quads"][at] - (dx, dy)
        ignore = shard["ignore"][at] - (dx, dy, dx, dy)
        heat, weight, owner = targets(quads, ignore)
        crop = np.ascontiguousarray(pixels[dy : dy + CROP, dx : dx + CROP, ::-1].transpose(2, 0, 1))
        return {
            "pixels": crop,
            "heat": heat,
            "weight": weight,
            "owner": owner,
            "quads": np.nan_to_num(quads).astype(np.float32),
            "exact": shard["exact"][at],
            "partial": shard["partial"][at],
        }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument(
        "--steps", type=int, default=10**9, help="end after so many, if the time is not up before"
    )
    parser.add_argument("--start", type=Path, nargs="+", help="of several runs the mean")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    net, mean = PlateNet().train(), PlateNet()
    net = net.to(memory_format=torch.channels_last)  # nearly twice as fast on a CPU
    if args.start:
        net.load_state_dict(mean_of(args.start))
    mean.load_state_dict(net.state_dict())
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    shards = Shards(args.shards, args.seed)
    begun, step, sums = time.time(), 0, np.zeros(2)
    while (gone := max((time.time() - begun) / args.seconds, step / args.steps)) < 1:
        if step % 200 == 0:
            shards.refresh()
        warm = min(1, (step + 1) / 100)
        optimizer.param_groups[0]["lr"] = (
            args.rate * warm * (0.01 + 0.99 * (0.5 + 0.5 * np.cos(np.pi * gone)))
        )
        batch = shards.batch()
        score, corners = loss_of(
            net(batch["pixels"].float().contiguous(memory_format=torch.channels_last)), batch
        )
        optimizer.zero_grad()
        (score + 4 * corners).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        step += 1
        _follow(mean, net, min(0.998, step / (step + 20)))
        sums += (score.item(), corners.item())
        if step % 50 == 0:
            print(
                f"{time.time() - begun:.0f} s step {step} score {sums[0] / 50:.3f} corners {sums[1] / 50:.3f}",
                flush=True,
            )
            sums[:] = 0
            torch.save(mean.state_dict(), args.out)
    torch.save(mean.state_dict(), args.out)


def _follow(mean: nn.Module, net: nn.Module, keep: float) -> None:
    """The running mean of the weights is what is shipped."""
    with torch.no_grad():
        for a, b in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            a.copy_(a * keep + b * (1 - keep) if a.is_floating_point() else b)


if __name__ == "__main__":
    main()
