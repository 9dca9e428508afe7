"""``python scripts/export_universal.py FILE``: write the graph of the multilingual packaged model, without its weights.

It takes ``onnx``, of what ``scripts/install all`` brings. The graph takes ``input_ids`` and ``attention_mask``, int64
(texts, tokens), and gives ``vectors``, float32 (texts, 512), of length one. Names of weights are those of
``graphmem.embed.universal``, which reads them from their package.

The model: vectors of tokens, and beside them what three convolutions see of two, three and five neighbours, are
normalized, added up, and go through a small network.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, ValueInfoProto, helper

from graphmem.embed.universal import CHUNKS, ORDERS, package_folder, weights_of

WIDTH = 256
"""Outputs of one convolution."""


class Graph:
    """Nodes in their order. A call adds one and gives the name of its output."""

    def __init__(self, weights: dict[str, NDArray[Any]]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def __call__(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        name = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, name: str, *values: int) -> str:
        self.constants.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def affine(self, vectors: str, weight: str, bias: str) -> str:
        return self("Add", self("MatMul", vectors, weight), bias)

    def relu(self, vectors: str) -> str:
        return self("Relu", vectors)


def convolution(graph: Graph, tokens: str, layer: int, order: int, mask: str) -> str:
    """(texts, WIDTH, tokens) with what stands around, 0 where a text has ended."""
    pads = [ORDERS[order], order - 1 - ORDERS[order]]
    seen = graph("Conv", tokens, f"w{layer}_{order}", f"b{layer}_{order}", kernel_shape=[order], pads=pads)
    return graph("Mul", graph("Add", graph.relu(seen), tokens), mask)


def features(graph: Graph, epsilon: float) -> str:
    """(texts, tokens, dimensions): vectors of tokens, and what the convolutions see."""
    part = graph("Mod", "input_ids", graph.constant("chunks", CHUNKS))
    last = graph.constant("last", -1)
    scale, low = (graph("Unsqueeze", graph("Gather", name, part), last) for name in ("scale", "lo"))
    stored = graph("Cast", graph("Gather", "table", "input_ids"), to=TensorProto.FLOAT)
    own = graph("Add", graph("Mul", stored, scale), low)
    projected = graph.affine(own, "proj", "proj_b")
    normal = graph("LayerNormalization", projected, "proj_ln_g", "proj_ln_b", axis=-1, epsilon=epsilon)
    across = graph("Transpose", graph("Mul", normal, "mask"), perm=[0, 2, 1])
    mask = graph("Transpose", "mask", perm=[0, 2, 1])
    names = [f"tokens_{order}" for order in ORDERS]
    graph.nodes.append(helper.make_node("Split", [across, graph.constant("widths", *[WIDTH] * 3)], names, axis=1))
    for order in ORDERS:
        once = convolution(graph, f"tokens_{order}", 1, order, mask)
        names.append(graph("Transpose", convolution(graph, once, 2, order, mask), perm=[0, 2, 1]))
    return graph("Concat", own, *names[3:], axis=-1)


def vectors(graph: Graph, tokens: str, epsilon: float) -> None:
    """Add the tokens of each text up, and give its vector."""
    normal = graph("LayerNormalization", tokens, "ln_g", "ln_b", axis=-1, epsilon=epsilon)
    second = graph.constant("second", 1)
    whole = graph("ReduceSum", graph("Mul", normal, "mask"), second, keepdims=0)
    length = graph("ReduceSum", "mask", second, keepdims=0)
    summed = graph("Add", graph("MatMul", whole, "cnn_W"), graph("Mul", length, "cnn_b"))
    mean = graph("Div", summed, graph("Sqrt", length))
    first = graph.relu(graph("MatMul", mean, "d0"))
    middle = graph.relu(graph.affine(first, "d1", graph("MatMul", mean, "p1")))
    late = graph.relu(graph("MatMul", middle, "d2"))
    bounded = graph("Tanh", graph.affine(late, "d3", graph("MatMul", middle, "p3")))
    graph("LpNormalization", bounded, output="vectors", axis=-1, p=2)


def stored(name: str, values: NDArray[Any]) -> TensorProto:
    """A weight that stands elsewhere."""
    kind = TensorProto.UINT8 if values.dtype == np.uint8 else TensorProto.FLOAT
    tensor = TensorProto(name=name, data_type=kind, dims=values.shape, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="weights.npz")
    return tensor


def value(name: str, kind: int, *shape: str | int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


def exported() -> bytes:
    """The model, as a file has it."""
    file = package_folder() / "weights.npz"
    graph = Graph(dict(weights_of(file)))
    epsilon = float(np.load(file)["eps"])
    graph("Unsqueeze", graph("Cast", "attention_mask", to=TensorProto.FLOAT), "last", output="mask")
    vectors(graph, features(graph, epsilon), epsilon)
    inputs = [value(name, TensorProto.INT64, "texts", "tokens") for name in ("input_ids", "attention_mask")]
    outputs = [value("vectors", TensorProto.FLOAT, "texts", 512)]
    weights = [*graph.constants, *(stored(name, values) for name, values in graph.weights.items())]
    made = helper.make_graph(graph.nodes, "universal", inputs, outputs, weights)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    model.producer_name = ""
    return model.SerializeToString(deterministic=True)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(exported())
