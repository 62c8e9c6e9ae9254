"""Weights to ONNX, any size: export.py OUT.onnx WEIGHTS... Of several runs from one start the mean is taken."""

import sys

import torch
from network import PlateNet, mean_of


def main(out: str, weights: list[str]) -> None:
    net = PlateNet().eval()
    net.load_state_dict(mean_of(weights))
    axes = {"pixels": {0: "n", 2: "h", 3: "w"}, "plates": {0: "n", 2: "h8", 3: "w8"}}
    torch.onnx.export(
        net,
        torch.zeros(1, 3, 320, 320),
        out,
        input_names=["pixels"],
        output_names=["plates"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
