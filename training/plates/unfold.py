"""The committed network as weights to go on from: unfold.py WEIGHTS.onnx SHARDS OUT.pt.

Export folds every normalisation into the convolution before it. Here each gets a normalisation again, with the statistics
that scenes give it, so that the network answers as before and can learn.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from network import PlateNet
from onnx import numpy_helper
from torch import nn
from train import Shards

BATCHES = 12


def main(weights: Path, shards: Path, out: Path) -> None:
    torch.set_num_threads(1)
    net = PlateNet().eval()
    pairs = _folded(net, onnx.load(weights))
    scenes = Shards(shards, 0)
    scenes.refresh()
    batches = [scenes.batch()["pixels"].float() for _ in range(BATCHES)]
    before = net(batches[0])
    for norm, mean, var in _statistics(net, pairs, batches):
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(var)
        norm.weight.data.copy_((var + norm.eps).sqrt())
        norm.bias.data.add_(mean)
    assert torch.allclose(net(batches[0]), before, atol=1e-2), "unfolding changed what the network says"
    torch.save(net.state_dict(), out)


def _folded(net: PlateNet, model: onnx.ModelProto) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Fill the network with the folded weights; each normalisation only adds the bias, for now."""
    given = {
        each.name: torch.from_numpy(np.array(numpy_helper.to_array(each))) for each in model.graph.initializer
    }
    pairs = []
    for node in (node for node in model.graph.node if node.op_type == "Conv"):
        conv = _module(net, node.name)
        conv.weight.data.copy_(given[node.input[1]])
        if conv.bias is not None:
            conv.bias.data.copy_(given[node.input[2]])
            continue
        norm = _normalisation_after(net, conv)
        norm.running_var.fill_(1 - norm.eps)
        norm.bias.data.copy_(given[node.input[2]])
        pairs.append((conv, norm))
    return pairs


def _module(net: PlateNet, node: str) -> nn.Conv2d:
    """`/s4/s4.0/depthwise/depthwise.0/Conv` is the module s4.0.depthwise.0: each part that repeats the last extends it."""
    path: list[str] = []
    for part in node.strip("/").split("/")[:-1]:
        if path and part.startswith(path[-1] + "."):
            path[-1] = part
        else:
            path.append(part)
    found = net.get_submodule(".".join(path))
    assert isinstance(found, nn.Conv2d), node
    return found


def _normalisation_after(net: PlateNet, conv: nn.Conv2d) -> nn.BatchNorm2d:
    return next(both[1] for both in net.modules() if isinstance(both, nn.Sequential) and both[0] is conv)


@torch.no_grad()
def _statistics(
    net: PlateNet, pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]], batches: list[torch.Tensor]
) -> list[tuple[nn.BatchNorm2d, torch.Tensor, torch.Tensor]]:
    """The mean and variance of what each convolution gives."""
    seen: dict[nn.Conv2d, list[torch.Tensor]] = {conv: [] for conv, _ in pairs}

    def note(conv: nn.Module, _: object, given: torch.Tensor) -> None:
        seen[conv].append(torch.stack([given.mean((0, 2, 3)), given.square().mean((0, 2, 3))]))

    hooks = [conv.register_forward_hook(note) for conv, _ in pairs]
    for batch in batches:
        net(batch)
    for hook in hooks:
        hook.remove()
    moments = [(norm, *torch.stack(seen[conv]).mean(0)) for conv, norm in pairs]
    return [(norm, mean, (square - mean**2).clamp(min=1e-6)) for norm, mean, square in moments]


if __name__ == "__main__":
    main(*(Path(each) for each in sys.argv[1:4]))
