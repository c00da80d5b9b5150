r"""Networks as ONNX files: one matrix product per source of a layer, sums, a bias and an activation.

Reading such a file gives the same network back, but for rounded numbers: layers
without biases have none, and absent edges stay absent (see :mod:`.edges`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ...errors import InvalidFile, InvalidNetwork
from ...networks import IDENTITY, RELU, Activation, Analytic, Layer, Network, PiecewiseLinear
from ..rounding import Precision, Rounder, Rounding, shortest
from .edges import EDGES_KEY, edges_text

if TYPE_CHECKING:
    import onnx

OPSET: Final = 17
ZERO, ONE = Fraction(0), Fraction(1)

NAMED: Final[dict[Activation, str]] = {
    RELU: "Relu",
    PiecewiseLinear.absolute_value(): "Abs",
    Analytic.tanh(): "Tanh",
    Analytic.logistic(): "Sigmoid",
    Analytic.softplus(): "Softplus",
}


def onnx_bytes(net: Network, precision: Precision | None = None) -> tuple[bytes, Rounding]:
    """The ONNX file of a network, and what was rounded.

    Numbers are float32 if that holds all of them exactly, otherwise float64.

    Raises :class:`~exactrelu.errors.InvalidNetwork` for activations that have no operator, and
    :class:`~exactrelu.errors.InvalidInput` for numbers beyond the floats.
    """
    try:
        import onnx  # noqa: F401  # the extra is there
    except ImportError:
        raise InvalidFile(
            "ONNX", "needs the extra exactrelu[onnx] to be written: pip install 'exactrelu[onnx]'"
        ) from None
    return shortest(lambda rounder: _Writer(net, rounder).content(), precision)


class _Writer:
    """The nodes and numbers of a graph, layer by layer."""

    def __init__(self, net: Network, rounder: Rounder) -> None:
        self.net = net
        self.rounder = rounder
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: list[onnx.TensorProto] = []
        self.present: dict[str, npt.NDArray[np.bool_]] = {}

    def content(self) -> bytes:
        """The bytes of the model."""
        from onnx import helper

        values = ["x"]
        for number, layer in enumerate(self.net.layers, start=1):
            values.append(self._bent(number, layer, self._preactivation(number, layer, values)))
        self.nodes[-1].output[0] = "y"
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(self.rounder.precision))
        graph = helper.make_graph(
            self.nodes,
            "network",
            [helper.make_tensor_value_info("x", kind, ["N", self.net.input_dim])],
            [helper.make_tensor_value_info("y", kind, ["N", self.net.output_dim])],
            self.numbers,
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="exactrelu"
        )
        if self.present:
            helper.set_model_props(model, {EDGES_KEY: edges_text(self.present)})
        return bytes(model.SerializeToString(deterministic=True))

    def _preactivation(self, number: int, layer: Layer, values: list[str]) -> str:
        """The sum of matrix products and the bias."""
        nothing = ((None,) * self.net.input_dim,) * layer.width
        total = ""
        for source, block in layer.blocks or ((0, nothing),):
            name = f"w{number}_{source}"
            columns = list(zip(*block, strict=True))
            present = np.array([[entry is not None for entry in column] for column in columns])
            matrix = np.zeros(present.shape, self.rounder.precision)
            entries = [entry for column in columns for entry in column if entry is not None]
            matrix[present] = self.rounder.array(entries, (len(entries),))
            self._store(name, matrix)
            if not present.all():
                self.present[name] = present
            product = self._node("MatMul", [values[source], name])
            total = self._node("Add", [total, product]) if total else product
        if layer.bias is None:
            return total
        return self._node("Add", [total, self._constant(f"b{number}", layer.bias, (layer.width,))])

    def _bent(self, number: int, layer: Layer, value: str) -> str:
        """The activations of a layer."""
        kinds = set(layer.activations)
        if kinds == {IDENTITY}:
            return value
        rho = layer.activations[0]
        if len(kinds) == 1 and rho in NAMED:
            return self._node(NAMED[rho], [value])
        slopes = [_slope(rho) for rho in layer.activations]
        if all(slope is not None for slope in slopes):
            found = [slope for slope in slopes if slope is not None][: 1 if len(kinds) == 1 else None]
            return self._node("PRelu", [value, self._constant(f"slope{number}", found, (len(found),))])
        bounds = _bounds(rho) if len(kinds) == 1 else None
        if bounds is None:
            raise InvalidNetwork(
                f"layers[{number - 1}].activation",
                "must be one operator of ONNX for all neurons: network.unfolding.network is the same function in ReLUs",
                layer.activation_data,
            )
        names = [
            "" if bound is None else self._constant(f"{end}{number}", [bound], ())
            for end, bound in zip(("lower", "upper"), bounds, strict=True)
        ]
        return self._node("Clip", [value, *names] if names[1] else [value, names[0]])

    def _node(self, operator: str, inputs: list[str]) -> str:
        from onnx import helper

        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [name], f"{operator}_{len(self.nodes)}"))
        return name

    def _constant(self, name: str, values: Sequence[Fraction], shape: tuple[int, ...]) -> str:
        return self._store(name, self.rounder.array(values, shape))

    def _store(self, name: str, array: npt.NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.numbers.append(numpy_helper.from_array(array, name))
        return name


def _slope(rho: Activation) -> Fraction | None:
    """The number s of a function that is t for positive and st for negative t."""
    if isinstance(rho, Analytic) or not rho.is_positively_homogeneous or rho.slopes[-1] != 1:
        return None
    return rho.slopes[0]


def _bounds(rho: Activation) -> tuple[Fraction | None, Fraction | None] | None:
    """The bounds of a clipped identity."""
    if isinstance(rho, Analytic) or any(rho(kink) != kink for kink in rho.breakpoints):
        return None
    ends = {(ZERO, ONE): (0, None), (ONE, ZERO): (None, 0), (ZERO, ONE, ZERO): (0, 1)}.get(rho.slopes)
    if ends is None:
        return None
    lower, upper = (None if end is None else rho.breakpoints[end] for end in ends)
    return lower, upper
