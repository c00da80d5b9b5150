r"""Networks: an exact parameter vector :math:`\theta` with its function :math:`R_\theta`.

>>> net = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
>>> net(["1/3", "-1/2"])
(Fraction(-7, 3),)
>>> str(net.pattern([0, 0])), net.widths, len(net.parameters)
('+-+', (2, 3, 1), 13)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from ..errors import InvalidInput, InvalidNetwork, WrongDimension
from ..rationals import Reading, Vector, from_float, rational_vector
from ..verdicts import Neuron
from . import evaluation
from .activations import IDENTITY, RELU
from .analytic import Analytic
from .architecture import architecture, validate
from .layers import Layer, Names, list_of_rows, matrix_text, row_text
from .parameters import Parameter, parameters
from .patterns import Pattern

if TYPE_CHECKING:
    from .evaluation import AffineMap, IntegerForm
    from .unfolding import Unfolding

Weights = Sequence[Iterable[Iterable[object]]]
Biases = Sequence[Iterable[object] | None]
Value = TypeVar("Value")

MAX_INPUT_DIM: Final = 10_000_000
"""The largest number of inputs of a network."""
MAX_RANDOM_PARAMETERS: Final = 10_000_000
"""The largest number of parameters that :meth:`Network.random` draws."""

MOST_EXPLAINED: Final = 300
"""The largest number of parameters of a network that is written out as formulas."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Network:
    r"""A layered directed acyclic graph of neurons with rational parameters.

    ``layers`` are numbered from 1, the input is layer 0; the last layer is the
    output. A layer may read from *any* earlier layer, so every DAG is
    expressible. Every hidden neuron needs an incoming edge or a bias parameter,
    and an outgoing edge.

    Frozen and hashable; two networks are equal exactly when they have the same
    architecture and the same parameters.

    Raises :class:`~exactrelu.errors.InvalidNetwork` and
    :class:`~exactrelu.errors.WrongDimension`.

    >>> Network(1, [Layer({0: [[1]]}, bias=[0]), Layer({1: [[2]], 0: [[-1]]}, activation="identity")])([3])
    (Fraction(3, 1),)
    """

    input_dim: int
    layers: tuple[Layer, ...]
    _cache: dict[str, Any] = field(compare=False, hash=False, repr=False)

    def __init__(self, input_dim: int, layers: Iterable[Layer]) -> None:
        if type(input_dim) is not int or not 1 <= input_dim <= MAX_INPUT_DIM:
            raise InvalidNetwork("input_dim", f"must be an integer between 1 and {MAX_INPUT_DIM}", input_dim)
        if isinstance(layers, Layer | str | bytes | Mapping) or not isinstance(layers, Iterable):
            raise InvalidNetwork("layers", "must be a list of layers", layers)
        object.__setattr__(self, "input_dim", input_dim)
        object.__setattr__(self, "layers", tuple(layers))
        object.__setattr__(self, "_cache", {})
        validate(self)

    @classmethod
    def mlp(
        cls,
        weights: Weights,
        biases: Biases | None = None,
        *,
        activation: object = RELU,
        output_activation: object = IDENTITY,
    ) -> Network:
        """A multilayer perceptron: each layer reads the previous one.

        ``weights`` has one matrix per layer, rows being neurons of the layer.
        ``biases`` has one vector or ``None`` per layer; ``None`` as a whole means
        no biases anywhere.

        >>> Network.mlp([[[1], [-1]], [[1, 1]]])(["-1/2"])
        (Fraction(1, 2),)
        """
        return _mlp(cls, weights, biases, activation, output_activation, None)

    @classmethod
    def from_floats(
        cls,
        weights: Weights,
        biases: Biases | None = None,
        *,
        reading: Reading,
        activation: object = RELU,
        output_activation: object = IDENTITY,
    ) -> Network:
        """A multilayer perceptron from floats, read as ``"dyadic"`` or as ``"decimal"``.

        >>> Network.from_floats([[[0.1]]], reading="decimal").parameters[0].value
        Fraction(1, 10)
        """
        if reading not in ("dyadic", "decimal"):
            raise InvalidInput("reading", 'must be "dyadic" or "decimal"', reading)
        return _mlp(cls, weights, biases, activation, output_activation, reading)

    @classmethod
    def random(
        cls, widths: Sequence[int], seed: int, *, bound: int = 9, denominator: int = 10, biases: bool = True
    ) -> Network:
        r"""A seeded random perceptron with entries :math:`k/q`, :math:`|k|\le` ``bound``.

        Layer by layer, the weight matrix row by row and then the biases, each
        entry is ``random.Random(seed).randint(-bound, bound) / denominator``.

        >>> Network.random((2, 10, 1), 0).widths
        (2, 10, 1)
        """
        if not isinstance(widths, Sequence) or len(widths) < 2 or any(type(n) is not int or n < 1 for n in widths):
            raise InvalidNetwork("widths", "must be at least two positive integers", widths)
        if sum(width * (before + 1) for before, width in pairwise(widths)) > MAX_RANDOM_PARAMETERS:
            raise InvalidNetwork("widths", f"must need at most {MAX_RANDOM_PARAMETERS} parameters", widths)
        if type(bound) is not int or type(denominator) is not int or denominator < 1 or bound < 0:
            raise InvalidNetwork("bound, denominator", "must be integers, at least 0 and 1", (bound, denominator))
        draw = random.Random(seed)

        def vector(size: int) -> list[Fraction]:
            return [Fraction(draw.randint(-bound, bound), denominator) for _ in range(size)]

        matrices, offsets = [], []
        for before, width in pairwise(widths):
            matrices.append([vector(before) for _ in range(width)])
            offsets.append(vector(width) if biases else None)
        return cls.mlp(matrices, offsets)

    def __call__(self, point: Iterable[object]) -> Vector:
        r"""The value :math:`R_\theta(x)`, a vector of the output dimension."""
        return evaluation.values(self, [self._point(point)])[0]

    def values(self, points: Iterable[Iterable[object]]) -> list[Vector]:
        """The values at many points; much faster than one call per point."""
        return evaluation.values(self, evaluation.as_points(self, points))

    def preactivations(self, point: Iterable[object]) -> tuple[Vector, ...]:
        """The pre-activations of all neurons at a point, layer by layer."""
        return evaluation.preactivations(self, [self._point(point)])[0]

    def pattern(self, point: Iterable[object]) -> Pattern:
        """The activation pattern at a point."""
        return evaluation.patterns(self, [self._point(point)])[0]

    def patterns(self, points: Iterable[Iterable[object]]) -> list[Pattern]:
        """The activation patterns at many points."""
        return evaluation.patterns(self, evaluation.as_points(self, points))

    def affine_on(self, pattern: Pattern | str) -> AffineMap:
        """The affine map ``(matrix, offset)`` that the network is where its pattern is ``pattern``.

        >>> Network.mlp([[[1], [-1]], [[1, 1]]]).affine_on("-+")
        (((Fraction(-1, 1),),), (Fraction(0, 1),))
        """
        return evaluation.affine_on(self, pattern)

    @property
    def output_dim(self) -> int:
        """The number of outputs."""
        return self.layers[-1].width

    @property
    def depth(self) -> int:
        """The number of layers, the output layer included."""
        return len(self.layers)

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of all layers, input and output included."""
        return (self.input_dim, *(layer.width for layer in self.layers))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters, in their fixed order."""
        return self._cached("parameters", lambda: parameters(self))

    @property
    def hidden_neurons(self) -> tuple[Neuron, ...]:
        """All hidden neurons as pairs ``(layer, index)``."""
        return tuple((number, i) for number, layer in enumerate(self.layers[:-1], 1) for i in range(layer.width))

    @property
    def is_layered(self) -> bool:
        """Whether every layer reads the previous one only, along a full matrix."""
        return all(
            [source for source, _ in layer.blocks] == [number]
            and all(entry is not None for row in layer.blocks[0][1] for entry in row)
            for number, layer in enumerate(self.layers)
        )

    @property
    def is_standard(self) -> bool:
        """Whether hidden neurons are ReLUs and outputs are affine, as the theory assumes."""
        return self.layers[-1].is_affine and all(rho == RELU for layer in self.layers[:-1] for rho in layer.activations)

    @property
    def architecture(self) -> tuple[Any, ...]:
        """Everything but the values of the parameters; equal for competitors."""
        return self._cached("architecture", lambda: architecture(self))

    @property
    def is_homogeneous(self) -> bool:
        r"""Whether hidden neurons may be rescaled: their :math:`\rho` are positively homogeneous."""
        return all(rho.is_positively_homogeneous for layer in self.layers[:-1] for rho in layer.activations)

    @property
    def unfolding(self) -> Unfolding:
        """The same function from ReLU and identity neurons only.

        Raises :class:`~exactrelu.errors.HypothesisNotMet` for analytic activations.
        """
        from .unfolding import unfolded

        return self._cached("unfolding", lambda: unfolded(self))

    @property
    def is_analytic(self) -> bool:
        """Whether some activation is not piecewise linear, so that values are symbolic."""
        return any(isinstance(rho, Analytic) for layer in self.layers for rho in layer.activations)

    @property
    def integer_form(self) -> IntegerForm:
        """The layers cleared of denominators, for fast exact evaluation."""
        return self._cached("integer_form", lambda: evaluation.IntegerForm(self))

    def rescale(self, scalings: Sequence[Sequence[object]] | Mapping[Neuron, object]) -> Network:
        r"""The network with :math:`w_{uv}\mapsto(\lambda_v/\lambda_u)w_{uv}`, :math:`b_v\mapsto\lambda_vb_v`.

        ``scalings`` has one positive number per hidden neuron, layer by layer, or
        maps some neurons to theirs.
        """
        from .editing import rescale

        return rescale(self, scalings)

    def permute(self, permutation: Sequence[Sequence[int]]) -> Network:
        r"""The network with neuron ``i`` of hidden layer ``l`` moved to ``permutation[l-1][i]``."""
        from .editing import permute

        return permute(self, permutation)

    def flip(self, neurons: Iterable[int]) -> Network:
        r"""For one hidden layer: :math:`(w_i,b_i)\mapsto(-w_i,-b_i)` on a set, :math:`c\mapsto c+\sum v_ib_i`."""
        from .editing import flip

        return flip(self, neurons)

    def replace(self, values: Mapping[str, object]) -> Network:
        """The network with some parameters, given by name, set to new values.

        >>> net = Network.mlp([[[1]], [[1]]])
        >>> net.replace({"w[1<-0][0,0]": "1/2"})([4])
        (Fraction(2, 1),)
        """
        from .editing import replace

        return replace(self, values)

    def with_values(self, values: Sequence[Fraction]) -> Network:
        """The network of the same architecture with these parameter values, in order."""
        from .editing import with_values

        return with_values(self, values)

    def __sub__(self, other: Network) -> Network:
        """A network that computes the difference of two."""
        if not isinstance(other, Network):
            return NotImplemented
        from .editing import difference

        return difference(self, other)

    def to_json(self) -> dict[str, Any]:
        """The network as JSON data."""
        from .json import network_to_json

        return network_to_json(self)

    def __hash__(self) -> int:
        return self._cached("hash", lambda: hash((self.input_dim, self.layers)))

    def __reduce__(self) -> tuple[Callable[..., Network], tuple[Any, ...]]:
        return Network, (self.input_dim, self.layers)

    def __repr__(self) -> str:
        plain = all([source for source, _ in layer.blocks] == [k] for k, layer in enumerate(self.layers))
        if plain and self.is_standard:
            weights = ", ".join(matrix_text(layer.blocks[0][1]) for layer in self.layers)
            if "None" not in weights:
                biases = ", ".join("None" if layer.bias is None else row_text(layer.bias) for layer in self.layers)
                tail = "" if all(layer.bias is None for layer in self.layers) else f", [{biases}]"
                return f"Network.mlp([{weights}]{tail})"
        return f"Network({self.input_dim}, [{', '.join(map(repr, self.layers))}])"

    def explain(self) -> str:
        """The network as formulas, one line per neuron; large ones as their ``repr``."""
        from .formulas import formulas

        if len(self.parameters) > MOST_EXPLAINED:
            return repr(self)
        return "\n".join(["", *(f"  {line}" for line in formulas(self))])

    def _point(self, point: Iterable[object]) -> Vector:
        return rational_vector(point, "point", length=self.input_dim)

    def _cached(self, key: str, compute: Callable[[], Value]) -> Value:
        if key not in self._cache:
            self._cache[key] = compute()
        return cast(Value, self._cache[key])


def _mlp(
    cls: type[Network],
    weights: Weights,
    biases: Biases | None,
    rho: object,
    output_rho: object,
    reading: Reading | None,
) -> Network:
    _expect_list(weights, "weights", "must be a list of matrices, one per layer")
    weights = list(weights)
    if not weights:
        raise InvalidNetwork("weights", "must contain at least one matrix")
    if biases is not None:
        _expect_list(biases, "biases", "must be a list with one vector or None per layer")
    offsets = [None] * len(weights) if biases is None else list(biases)
    if len(offsets) != len(weights):
        raise WrongDimension("biases", f"must have {len(weights)} entries, one per layer", len(offsets))
    layers, input_dim = [], 1
    for number, (matrix, offset) in enumerate(zip(weights, offsets, strict=True)):
        last = number == len(weights) - 1
        place = f"weights[{number}]"
        names = Names(place, place, f"biases[{number}]", "output_activation" if last else "activation")
        rows, vector = list_of_rows(matrix, place), offset
        if reading is not None:
            rows = [[_read(e, reading, f"{place}[{i}][{j}]") for j, e in enumerate(row)] for i, row in enumerate(rows)]
            if offset is not None:
                _expect_list(offset, names.bias, "must be a list of numbers")
                vector = [_read(entry, reading, f"{names.bias}[{i}]") for i, entry in enumerate(offset)]
        layers.append(Layer.named(names, {number: rows}, vector, output_rho if last else rho))
        if number == 0:
            input_dim = len(rows[0])
    return cls(input_dim, layers)


def _read(entry: object, reading: Reading, place: str) -> Fraction | None:
    return None if entry is None else from_float(entry, reading, place)


def _expect_list(value: object, argument: str, rule: str) -> None:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidNetwork(argument, rule, value)
