r"""ONNX files of ReLU networks, read as the real functions of their binary constants.

Understood are ``MatMul``, ``Gemm``, ``Add``, ``Sub``, ``Relu``, ``Flatten``, ``Reshape``,
``Identity`` and ``Constant``, on one input and one output, for a single sample (a free
batch dimension counts as 1). Every tensor on the way is an affine function of
the layers so far; a ``Relu`` turns it into a layer. Each constant is taken as the dyadic
rational that it is.

* A constant added *before* a matrix product, such as the mean of the inputs, is composed
  into the bias of the product.
* A matrix product of a matrix product without ``Relu`` between them makes the first one
  a hidden layer with identity activation.
* A tensor added without a matrix, as in a residual block, enters along edges of weight 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InvalidFile, InvalidInput
from ..networks import IDENTITY, Network
from .affine_tensors import Affine, LayerBuilder, Shape, sum_of_offsets

if TYPE_CHECKING:
    import onnx

Constant: TypeAlias = npt.NDArray[Any]

FLOATS: Final = ("float16", "float32", "float64")
DYADIC: Final = "the numbers of the file are read as their exact binary values"


def read_onnx(content: bytes, source: str) -> tuple[Network, tuple[str, ...]]:
    """The network in an ONNX file, and notes on its reading; ``source`` names the file in messages.

    Raises :class:`~exactrelu.errors.InvalidFile` and its neighbours.
    """
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError:
        raise InvalidFile(source, "needs the extra exactrelu[onnx] to be read: pip install 'exactrelu[onnx]'") from None
    try:
        model = onnx.load_model_from_string(content)
    except (DecodeError, ValueError, TypeError) as error:
        raise InvalidFile(source, f"must be an ONNX model: {' '.join(str(error).split())}") from None
    return _Reader(model.graph, source).network()


class _Reader:
    """One pass over the nodes of a graph, in the order in which they are stored."""

    def __init__(self, graph: onnx.GraphProto, source: str) -> None:
        self.graph = graph
        self.source = source
        self.builder = LayerBuilder()
        self.values: dict[str, Affine | Constant] = {}
        for tensor in graph.initializer:
            self.values[tensor.name] = _array(tensor, f"{source}: initializer {tensor.name!r}")
        self.input_dim = self._declare_input()

    def network(self) -> tuple[Network, tuple[str, ...]]:
        """The network, once all nodes that matter have been read."""
        if len(self.graph.output) != 1:
            raise InvalidFile(self.source, "must have one output", [value.name for value in self.graph.output])
        output = self.graph.output[0].name
        for node in self._needed(output):
            self.values[node.output[0]] = self._compute(node)
        result = self.values.get(output)
        if not isinstance(result, Affine):
            raise InvalidFile(f"{self.source}: output {output!r}", "must be computed from the input")
        layers = self.builder.layers
        if not layers or result != Affine(result.shape, {len(layers): None}):
            self.builder.append(result, IDENTITY)
        try:
            return Network(self.input_dim, layers), (DYADIC, *sorted(self.builder.notes))
        except InvalidInput as error:
            raise error.at(self.source) from None

    def _declare_input(self) -> int:
        inputs = [value for value in self.graph.input if value.name not in self.values]
        if len(inputs) != 1:
            raise InvalidFile(self.source, "must have one input", [value.name for value in inputs])
        dimensions = [dimension.dim_value for dimension in inputs[0].type.tensor_type.shape.dim]
        shape = tuple(max(1, size) for size in dimensions)
        if not any(dimensions) or 1 not in (prod(shape[:1]), prod(shape[1:])):  # a row, or a column
            raise InvalidFile(
                f"{self.source}: input {inputs[0].name!r}", "must be a single sample of known size", dimensions
            )
        self.values[inputs[0].name] = Affine(shape, {0: None})
        return prod(shape)

    def _needed(self, output: str) -> list[onnx.NodeProto]:
        """The nodes on which the output depends, in their order."""
        wanted, kept = {output}, []
        for node in reversed(self.graph.node):
            if wanted.intersection(node.output):
                wanted.update(node.input)
                kept.append(node)
        return kept[::-1]

    def _compute(self, node: onnx.NodeProto) -> Affine | Constant:
        place = f"{self.source}: node {(node.name or node.output[0])!r} ({node.op_type})"
        operator = OPERATORS.get(node.op_type) if node.domain in ("", "ai.onnx") else None
        if operator is None:
            known = ", ".join(sorted(OPERATORS))
            raise InvalidFile(place, f"must have one of the operators {known}")
        missing = [name for name in node.input if name and name not in self.values]
        if missing:
            raise InvalidFile(place, "must read tensors that are defined before it", missing[0])
        inputs = [self.values[name] for name in node.input if name]
        return operator(self.builder, _Call(place, node, inputs))


@dataclass(frozen=True, slots=True)
class _Call:
    """A node with its place in messages and its inputs."""

    place: str
    node: onnx.NodeProto
    inputs: list[Affine | Constant]

    def attribute(self, name: str, default: Any) -> Any:
        import onnx

        for attribute in self.node.attribute:
            if attribute.name == name:
                return onnx.helper.get_attribute_value(attribute)
        return default

    def refuse(self, rule: str, given: object = None) -> InvalidFile:
        """The error that the node breaks a rule."""
        return InvalidFile(self.place, rule) if given is None else InvalidFile(self.place, rule, given)

    def tensor(self, index: int) -> Affine:
        """An input that must be computed."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if not isinstance(value, Affine):
            raise self.refuse(f"must read a computed tensor as input {index}, not a constant")
        return value

    def constant(self, index: int, *, floats: bool = True) -> Constant:
        """An input that must be constant and finite."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None or isinstance(value, Affine):
            raise self.refuse(f"must read a constant as input {index}")
        if floats and (value.dtype.name not in FLOATS or not np.isfinite(value).all()):
            raise self.refuse(f"must read finite numbers of type {', '.join(FLOATS)} as input {index}")
        return value


def _matmul(builder: LayerBuilder, call: _Call) -> Affine:
    if isinstance(call.inputs[0], Affine):
        value, matrix = call.tensor(0), call.constant(1)
        rows = matrix.T if matrix.ndim == 2 else matrix
        fits = matrix.ndim == 2 and value.shape[-1] == value.size == matrix.shape[0]
        shape = (*value.shape[:-1], matrix.shape[-1])
    else:
        value, rows = call.tensor(1), call.constant(0)
        fits = rows.ndim == 2 and rows.shape[1] == value.size and value.shape in ((value.size,), (value.size, 1))
        shape = (rows.shape[0], *value.shape[1:])
    if not fits:
        shapes = [x.shape for x in call.inputs]
        raise call.refuse("must multiply one vector by one matrix of fitting shape", shapes)
    return builder.product(value, _fractions(rows), shape)


def _gemm(builder: LayerBuilder, call: _Call) -> Affine:
    value, matrix = call.tensor(0), call.constant(1)
    if call.attribute("transA", 0):
        raise call.refuse("must not transpose its first input")
    rows = matrix if call.attribute("transB", 0) else matrix.T
    if matrix.ndim != 2 or value.shape != (1, rows.shape[1]):
        raise call.refuse("must multiply one row by one matrix of fitting shape", [value.shape, matrix.shape])
    alpha, beta = (Fraction(call.attribute(name, 1.0)) for name in ("alpha", "beta"))
    scaled = [[alpha * entry for entry in row] for row in _fractions(rows)]
    result = builder.product(value, scaled, (1, rows.shape[0]))
    if len(call.inputs) < 3:
        return result
    return _shifted(result, call, call.constant(2), beta)


def _add(builder: LayerBuilder, call: _Call, sign: int = 1) -> Affine:
    left, right = call.inputs
    if isinstance(left, Affine) and isinstance(right, Affine):
        return builder.sum(left, right, sign, _common_shape(call, left.shape, right.shape))
    if isinstance(left, Affine):
        return _shifted(left, call, call.constant(1), Fraction(sign))
    value = call.tensor(1)
    if sign < 0:
        value = builder.sum(Affine(value.shape, {}), value, -1, value.shape)
    return _shifted(value, call, call.constant(0), Fraction(1))


def _shifted(value: Affine, call: _Call, constant: Constant, factor: Fraction) -> Affine:
    """A tensor plus a multiple of a constant."""
    shape = _common_shape(call, value.shape, constant.shape, value.size)
    shift = tuple(factor * entry for entry in _fractions(np.broadcast_to(constant, shape).reshape(1, -1))[0])
    if value.is_plain and not any(shift):  # nothing to compose into a later bias
        return replace(value, shape=shape)
    return replace(value, shape=shape, offset=sum_of_offsets(value.offset, shift))


def _common_shape(call: _Call, left: Shape, right: Shape, size: int | None = None) -> Shape:
    """The shape of a sum, in which the computed tensors must not be repeated."""
    try:
        shape = np.broadcast_shapes(left, right)
    except ValueError:
        shape = ()
    sizes = {prod(left), prod(right)} if size is None else {size}
    if sizes != {prod(shape)}:
        raise call.refuse("must add tensors of the same size", [left, right])
    return shape


def _flatten(builder: LayerBuilder, call: _Call) -> Affine | Constant:
    shape = call.inputs[0].shape
    axis = call.attribute("axis", 1)
    axis += len(shape) if axis < 0 else 0
    return _reshaped(call, (prod(shape[:axis]), prod(shape[axis:])))


def _reshape(builder: LayerBuilder, call: _Call) -> Affine | Constant:
    old, wanted = call.inputs[0].shape, call.constant(1, floats=False).ravel().tolist()
    if not all(type(size) is int and size >= -1 for size in wanted) or wanted.count(-1) > 1:
        raise call.refuse("must have a shape of integers, at most one of them -1", wanted)
    sizes = [old[k] if size == 0 and k < len(old) else size for k, size in enumerate(wanted)]
    rest = prod(size for size in sizes if size != -1)
    return _reshaped(call, tuple(prod(old) // max(rest, 1) if size == -1 else size for size in sizes))


def _reshaped(call: _Call, shape: Shape) -> Affine | Constant:
    value = call.inputs[0]
    if prod(shape) != prod(value.shape):
        raise call.refuse("must keep the number of entries", [value.shape, shape])
    return replace(value, shape=shape) if isinstance(value, Affine) else value.reshape(shape)


def _constant(builder: LayerBuilder, call: _Call) -> Constant:
    tensor = call.attribute("value", None)
    if tensor is None:
        raise call.refuse("must give its constant as a tensor")
    return _array(tensor, call.place)


OPERATORS: Final[dict[str, Callable[[LayerBuilder, _Call], Affine | Constant]]] = {
    "Add": _add,
    "Constant": _constant,
    "Flatten": _flatten,
    "Gemm": _gemm,
    "Identity": lambda builder, call: call.inputs[0],
    "MatMul": _matmul,
    "Relu": lambda builder, call: builder.relu(call.tensor(0)),
    "Reshape": _reshape,
    "Sub": lambda builder, call: _add(builder, call, -1),
}


def _array(tensor: onnx.TensorProto, place: str) -> Constant:
    from onnx import numpy_helper

    try:
        return np.asarray(numpy_helper.to_array(tensor))
    except Exception as error:  # onnx raises many kinds for broken or external data
        raise InvalidFile(place, f"must hold its numbers: {' '.join(str(error).split())[:200]}") from None


def _fractions(matrix: Constant) -> list[list[Fraction]]:
    """The binary values of floats."""
    return [[Fraction(float(entry)) for entry in row] for row in matrix]
