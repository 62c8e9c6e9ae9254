"""The plate network: depthwise-separable stages down to stride 32, fused back up to one map at stride 8.

Per cell of the map: the score that a plate's centre lies there, and the four corners relative to the cell, as eight
numbers times the exponential of a ninth (plates are 20 to 400 pixels wide; one linear scale would favour the large).
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

STRIDE = 8


def _conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


def mean_of(runs: Sequence[str | Path]) -> dict[str, torch.Tensor]:
    """The mean of the weights of several runs from one start.

    Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
    inference time", ICML 2022.
    """
    weights = [torch.load(run) for run in runs]
    return {name: sum(each[name] for each in weights) / len(weights) for name in weights[0]}


class Separable(nn.Module):
    """Depthwise, then pointwise, with a shortcut where the shape allows."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> None:
        super().__init__()
        self.depthwise = _conv(inputs, inputs, kernel, stride, inputs)
        self.pointwise = _conv(inputs, outputs)
        self.act = nn.ReLU()
        self.shortcut = inputs == outputs and stride == 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.pointwise(self.act(self.depthwise(x)))
        return self.act(x + y) if self.shortcut else self.act(y)


def _stage(inputs: int, outputs: int, blocks: int, kernel: int = 3) -> nn.Sequential:
    rest = [Separable(outputs, outputs, kernel=kernel) for _ in range(blocks)]
    return nn.Sequential(Separable(inputs, outputs, 2), *rest)


class Up(nn.Module):
    """A coarse map, doubled, added to a fine one."""

    def __init__(self, coarse: int, fine: int, outputs: int) -> None:
        super().__init__()
        self.coarse, self.fine = _conv(coarse, outputs), _conv(fine, outputs)
        self.mix = Separable(outputs, outputs)

    def forward(self, coarse: torch.Tensor, fine: torch.Tensor) -> torch.Tensor:
        up = nn.functional.interpolate(self.coarse(coarse), scale_factor=2.0, mode="nearest")
        return self.mix(torch.relu(up + self.fine(fine)))


class PlateNet(nn.Module):
    """Input: RGB 0 to 255, (n, 3, h, w), both multiples of 32. Output: (n, 10, h/8, w/8), score first (a probability)."""

    def __init__(self, stem: int = 16, w4: int = 32, w8: int = 64, w16: int = 96, w32: int = 128) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, stem, 3, 2), nn.ReLU())
        self.s4 = _stage(stem, w4, 1)
        self.s8 = _stage(w4, w8, 3)
        self.s16 = _stage(w8, w16, 4, kernel=5)
        self.s32 = _stage(w16, w32, 3, kernel=5)
        self.up16, self.up8 = Up(w32, w16, 64), Up(64, w8, 64)
        self.head = nn.Sequential(Separable(64, 64, kernel=5), Separable(64, 64, kernel=5))
        self.score, self.shape = nn.Conv2d(64, 1, 1), nn.Conv2d(64, 9, 1)
        nn.init.constant_(self.score.bias, -4.0)
        nn.init.normal_(self.shape.weight, std=0.01)
        with torch.no_grad():  # start as a frontal plate about 60 pixels wide
            self.shape.bias.copy_(torch.tensor([-1, -0.25, 1, -0.25, 1, 0.25, -1, 0.25, 3.4]))

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        x = self.s8[0](self.s4(self.stem(pixels / 128 - 1)))
        fine = self.s8[1:](x)
        middle = self.s16(fine)
        x = self.head(self.up8(self.up16(self.s32(middle), middle), fine))
        shape = self.shape(x)
        corners = shape[:, :8] * torch.exp(shape[:, 8:].clamp(0, 7))
        return torch.cat([torch.sigmoid(self.score(x)), corners], 1)
