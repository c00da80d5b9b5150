"""One pass over the nodes of a graph."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

from ...errors import InvalidFile, InvalidInput, shorten
from ...networks import Network
from ...networks.network import MAX_INPUT_DIM
from ..forms import MAX_EDGES, MAX_ENTRIES, LayerBuilder, is_computed, neuron, tensor_of
from .edges import EDGES_KEY, absent_edges
from .nodes import Call, Value, array_of
from .operators import OPERATORS

if TYPE_CHECKING:
    import onnx

MAX_WORK: Final = 10 * MAX_EDGES
"""The largest number of entries, and terms in them, of all tensors together."""

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
    except (DecodeError, ValueError, TypeError, RecursionError) as error:
        raise InvalidFile(source, f"must be an ONNX model: {' '.join(str(error).split())}") from None
    return _Reader(model, source).network()


class _Reader:
    """The values of a graph, by name, in the order in which nodes are stored."""

    def __init__(self, model: onnx.ModelProto, source: str) -> None:
        self.graph = model.graph
        self.source = source
        self.builder = LayerBuilder(source)
        self.values: dict[str, Value] = {}
        self.work = 0
        for tensor in self.graph.initializer:
            self._define(tensor.name, array_of(tensor, f"{source}: initializer {shorten(tensor.name)}"))
        if len(self.graph.sparse_initializer):
            raise InvalidFile(source, "must hold dense initializers only", len(self.graph.sparse_initializer))
        written = {entry.key: entry.value for entry in model.metadata_props}
        self.absent = absent_edges(written.get(EDGES_KEY), self.values, source)
        self.input_dim = self._declare_input()

    def network(self) -> tuple[Network, tuple[str, ...]]:
        """The network, once all nodes that matter have been read."""
        if len(self.graph.output) != 1:
            raise InvalidFile(self.source, "must have one output", [value.name for value in self.graph.output])
        output = self.graph.output[0].name
        for node in self._needed(output):
            found = self._compute(node)
            for name, value in zip(node.output, found if isinstance(found, tuple) else (found,), strict=False):
                self._count(value)
                self._define(name, value)
        result = self.values.get(output)
        if (
            result is None
            or not is_computed(result)
            or not any(form.terms or form.offset is not None for form in result.flat)
        ):
            raise InvalidFile(f"{self.source}: output {shorten(output)}", "must be computed from the input")
        network = self.builder.network(self.input_dim, result)
        return network, (DYADIC, *sorted(self.builder.notes))

    def _define(self, name: str, value: Value) -> None:
        if name in self.values:
            raise InvalidFile(self.source, "must define every tensor once", name)
        if name:
            self.values[name] = value

    def _count(self, value: Value) -> None:
        """Refuse a graph that makes too many entries and terms altogether."""
        self.work += value.size + (sum(len(form.terms) for form in value.flat) if is_computed(value) else 0)
        if self.work > MAX_WORK:
            raise InvalidFile(self.source, f"must compute tensors of at most {MAX_WORK} terms altogether")

    def _declare_input(self) -> int:
        from onnx import TensorProto

        inputs = [value for value in self.graph.input if value.name not in self.values]
        if len(inputs) != 1:
            raise InvalidFile(self.source, "must have one input", [value.name for value in inputs])
        kind = inputs[0].type.tensor_type
        place = f"{self.source}: input {shorten(inputs[0].name)}"
        if kind.elem_type not in (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16):
            raise InvalidFile(place, "must be a tensor of floats")
        dimensions = [dimension.dim_value for dimension in kind.shape.dim]
        shape = (max(1, dimensions[0]), *dimensions[1:]) if dimensions else ()
        known = any(dimensions) and all(size > 0 for size in shape)  # a free size is 0, and may only be the first
        if not known or 1 not in (prod(shape[:1]), prod(shape[1:])):  # a row, or a column
            raise InvalidFile(place, "must be a single sample of known size", dimensions)
        if prod(shape) > min(MAX_ENTRIES, MAX_INPUT_DIM):
            raise InvalidFile(place, f"must have at most {MAX_ENTRIES} entries", prod(shape))
        self._define(inputs[0].name, tensor_of([neuron((0, j)) for j in range(prod(shape))], shape))
        return prod(shape)

    def _needed(self, output: str) -> list[onnx.NodeProto]:
        """The nodes on which the output depends, in their order."""
        wanted, kept = {output}, []
        for node in reversed(self.graph.node):
            if wanted.intersection(node.output):
                wanted.update(node.input)
                kept.append(node)
        return kept[::-1]

    def _compute(self, node: onnx.NodeProto) -> Any:
        kind = node.op_type if str(node.op_type).isidentifier() else shorten(node.op_type)
        place = f"{self.source}: node {shorten(node.name or node.output[0])} ({kind})"
        operator = OPERATORS.get(node.op_type) if node.domain in ("", "ai.onnx") else None
        if operator is None:
            known = ", ".join(sorted(OPERATORS))
            raise InvalidFile(place, f"must have one of the operators {known}")
        missing = [name for name in node.input if name and name not in self.values]
        if missing:
            raise InvalidFile(place, "must read tensors that are defined before it", missing[0])
        inputs = [self.values[name] if name else None for name in node.input]
        try:
            return operator(Call(place, node, inputs, self.builder, self.absent))
        except InvalidInput as error:
            raise error if error.argument.startswith(self.source) else error.at(place) from None
        except (ValueError, TypeError, LookupError, OverflowError, AttributeError) as error:
            # What is left of damaged attributes after the checks above.
            raise InvalidFile(place, f"must have fitting inputs and attributes: {error}") from None
