"""The first stages of YOLOv4-tiny in PyTorch, read from Darknet's own files: a list of layers and a file of floats.

Redmon, "Darknet: Open Source Neural Networks in C", 2013-2016; Bochkovskiy, Wang, Liao, arXiv:2004.10934. Public domain.
"""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

LAYERS = 25  # of the file's, taken: up to the end of the third stage, stride 16
CHANNELS = 512
SLOPE, EPSILON = 0.1, 1e-5  # of the leaky activation below zero; added to the variance

Layer = dict[str, str]


class Stages(nn.Module):
    """Bytes, red first → what YOLOv4-tiny makes of them at stride 16. Batch normalization is folded in."""

    def __init__(self, layers: Path, weights: Path) -> None:
        super().__init__()
        self.layers = parsed(layers.read_text(encoding="utf-8"))[1 : LAYERS + 1]
        floats, channels = Floats(weights), [3]
        self.steps = nn.ModuleList()
        for place, layer in enumerate(self.layers):
            step, given = _step(layer, place, channels, floats)
            self.steps.append(step)
            channels.append(given)

    def forward(self, pixels: Tensor) -> Tensor:
        values = [pixels / 255]
        for place, (layer, step) in enumerate(zip(self.layers, self.steps, strict=True)):
            if layer["is"] == "route":
                both = torch.cat([values[at] for at in _routes(layer, place)], 1)
                groups = int(layer.get("groups", 1))
                values.append(both.chunk(groups, 1)[int(layer.get("group_id", 0))])
            else:
                values.append(step(values[-1]))
        return values[-1]


def parsed(text: str) -> list[Layer]:
    """The sections of a .cfg file in order, each with its settings; `is` is what the section is called."""
    found: list[Layer] = []
    for line in (line.split("#")[0].strip() for line in text.splitlines()):
        if line.startswith("["):
            found.append({"is": line.strip("[]")})
        elif line:
            name, _, value = line.partition("=")
            found[-1][name.strip()] = value.strip()
    return found


class Floats:
    """The numbers of a .weights file, taken one piece after the other."""

    HEADER = 20  # bytes: three integers, and how many pictures were seen in training

    def __init__(self, path: Path) -> None:
        self.numbers, self.at = np.frombuffer(path.read_bytes()[self.HEADER :], np.float32).copy(), 0

    def take(self, *shape: int) -> Tensor:
        count = int(np.prod(shape))
        self.at += count
        return torch.from_numpy(self.numbers[self.at - count : self.at]).view(shape)


def _step(layer: Layer, place: int, channels: list[int], floats: Floats) -> tuple[nn.Module, int]:
    """What a layer does, and how many channels it gives."""
    if layer["is"] == "route":
        total = sum(channels[at] for at in _routes(layer, place))
        return nn.Identity(), total // int(layer.get("groups", 1))
    if layer["is"] == "maxpool":
        return nn.MaxPool2d(2), channels[-1]
    count, side = int(layer["filters"]), int(layer["size"])
    step = nn.Conv2d(channels[-1], count, side, int(layer["stride"]), side // 2)
    bias, gain, mean, variance = (floats.take(count) for _ in range(4))
    scale = gain / torch.sqrt(variance + EPSILON)
    step.weight.data = floats.take(*step.weight.shape) * scale.view(-1, 1, 1, 1)
    step.bias.data = bias - mean * scale
    return nn.Sequential(step, nn.LeakyReLU(SLOPE)), count


def _routes(layer: Layer, place: int) -> list[int]:
    """Places among the values so far, of which the first is the picture itself."""
    numbers = [int(number) for number in layer["layers"].split(",")]
    return [(place + number if number < 0 else number) + 1 for number in numbers]
