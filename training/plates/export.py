"""Weights to ONNX, any size: export.py WEIGHTS OUT.onnx."""

import sys

import torch
from network import PlateNet

net = PlateNet().eval()
net.load_state_dict(torch.load(sys.argv[1]))
axes = {"pixels": {0: "n", 2: "h", 3: "w"}, "plates": {0: "n", 2: "h8", 3: "w8"}}
torch.onnx.export(
    net,
    torch.zeros(1, 3, 320, 320),
    sys.argv[2],
    input_names=["pixels"],
    output_names=["plates"],
    dynamic_axes=axes,
    opset_version=17,
    dynamo=False,
)
