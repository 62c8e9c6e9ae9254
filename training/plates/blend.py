"""A training and what it began from, blended: blend.py SHARDS OUT.pt SHARE TRAINED BEFORE... Its normalisations are measured anew.

What a training on harder scenes gains, and what it forgets of the others, is both less in the mean with its start
(Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022). Means of weights have statistics of their own.
"""

import sys
from pathlib import Path

import torch
from network import PlateNet, mean_of
from torch import nn
from train import Shards

BATCHES, NEWEST = 10, 6


@torch.no_grad()
def main(shards: Path, out: Path, share: float, trained: Path, before: list[Path]) -> None:
    torch.set_num_threads(1)
    new, old = torch.load(trained), mean_of(before)
    net = PlateNet().train()
    net.load_state_dict({name: share * new[name] + (1 - share) * old[name] for name in new})
    for norm in (each for each in net.modules() if isinstance(each, nn.BatchNorm2d)):
        norm.reset_running_stats()
        norm.momentum = None  # the mean over all that is seen
    scenes = Shards(shards, seed=9, keep=NEWEST)
    scenes.refresh()
    for _ in range(BATCHES):
        net(scenes.batch()["pixels"].float())
    torch.save(net.state_dict(), out)


if __name__ == "__main__":
    main(
        *(Path(each) for each in sys.argv[1:3]),
        float(sys.argv[3]),
        Path(sys.argv[4]),
        [Path(each) for each in sys.argv[5:]],
    )
