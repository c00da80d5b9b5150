"""Random ONNX models for tests: a builder, and convolutional graphs with every kind of operator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Nodes and constants that are appended one by one; ``last`` is the tensor that was made last."""

    def __init__(self, shape: Sequence[int], dtype: type = np.float32, opset: int = 18) -> None:
        self.shape, self.dtype, self.opset = tuple(shape), dtype, opset
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.last = "x"

    def constant(self, array: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        array = np.asarray(array)
        self.constants.append(
            numpy_helper.from_array(array.astype(self.dtype) if array.dtype.kind == "f" else array, name)
        )
        return name

    def node(self, operator: str, *inputs: str, outputs: int = 1, **attributes: object) -> str:
        names = [f"t{len(self.nodes)}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(operator, list(inputs), names, f"n{len(self.nodes)}", **attributes))
        self.last = names[0]
        return names[0]

    def model(self) -> onnx.ModelProto:
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(self.dtype))
        graph = helper.make_graph(
            self.nodes,
            "graph",
            [helper.make_tensor_value_info("x", kind, list(self.shape))],
            [helper.make_tensor_value_info(self.last, kind, None)],
            self.constants,
        )
        assert kind != TensorProto.UNDEFINED
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)


def numbers(r: random.Random, *shape: int, whole: bool = True) -> np.ndarray:
    draw = (lambda: float(r.randint(-2, 2))) if whole else (lambda: r.uniform(-2, 2))
    return np.array([draw() for _ in range(prod(shape))]).reshape(shape)


def random_convolutional(r: random.Random, *, whole: bool = True) -> Graph:
    """Convolutions, means, activations and a final product, on one to three spatial axes."""
    rank = r.choice((1, 2, 2, 3))
    channels, sizes = r.randint(1, 3), [r.randint(2, 4) for _ in range(rank)]
    graph = Graph((1, channels, *sizes), np.float32 if whole else r.choice((np.float32, np.float64)))
    for _ in range(r.randint(1, 2)):
        groups = r.choice((1, channels))
        filters = groups * r.randint(1, 2)
        kernel = [r.randint(1, min(3, n)) for n in sizes]
        strides, dilations = (
            [r.randint(1, 2) for _ in sizes],
            [1 if k > 1 and r.random() < 0.7 else r.randint(1, 2) for k in kernel],
        )
        extents = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
        attributes: dict[str, object] = {"strides": strides, "dilations": dilations, "group": groups}
        pads = [r.randint(0, 1) for _ in range(2 * rank)]
        if r.random() < 0.3 and all(d == 1 for d in dilations):
            attributes["auto_pad"] = r.choice(("SAME_UPPER", "SAME_LOWER"))
            sizes = [-(-n // s) for n, s in zip(sizes, strides, strict=True)]
        else:
            short = [n + pads[k] + pads[k + rank] < e for k, (n, e) in enumerate(zip(sizes, extents, strict=True))]
            pads = [pad + 2 * short[k % rank] for k, pad in enumerate(pads)]
            attributes["pads"] = pads
            sizes = [
                (n + pads[k] + pads[k + rank] - e) // s + 1
                for k, (n, e, s) in enumerate(zip(sizes, extents, strides, strict=True))
            ]
        weights = graph.constant(numbers(r, filters, channels // groups, *kernel, whole=whole))
        bias = [graph.constant(numbers(r, filters, whole=whole))] if r.random() < 0.6 else []
        graph.node("Conv", graph.last, weights, *bias, **attributes)
        channels = filters
        graph.node(r.choice(("Relu", "Relu", "Abs")), graph.last)
        if prod(sizes) > 1 and r.random() < 0.6:
            kernel = [r.choice((1, 2)) if n > 1 else 1 for n in sizes]
            graph.node(
                "AveragePool",
                graph.last,
                kernel_shape=kernel,
                pads=[0] * rank + [int(k > 1 and r.random() < 0.4) for k in kernel]
                if r.random() < 0.5
                else [0] * 2 * rank,
                count_include_pad=1,
            )
            found = graph.nodes[-1].attribute
            pads = next(list(a.ints) for a in found if a.name == "pads")
            sizes = [n + pads[k + rank] - kernel[k] + 1 for k, n in enumerate(sizes)]
    graph.node("Flatten", graph.last)
    width = channels * prod(sizes)
    graph.node("Gemm", graph.last, graph.constant(numbers(r, 2, width, whole=whole)), transB=1)
    return graph
