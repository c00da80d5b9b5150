r"""Networks whose parameters are symbols: what holds for all parameters of a small architecture.

>>> chain = SymbolicNetwork.of(Network.mlp([[[1]], [[1]]], [[1], None]))
>>> list(chain.embedding().values())
[v2_00*w1_00, b1_0*v2_00]
>>> chain.outputs(("x",), {(1, 0)})
(v2_00*(b1_0 + w1_00*x),)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, product
from operator import add, mul
from typing import TYPE_CHECKING, Any, TypeAlias

from ..networks import Network
from ..paths import Path, enumerate_paths
from ..verdicts import Neuron

if TYPE_CHECKING:
    from sympy import Expr, Matrix

Step: TypeAlias = tuple[Neuron | None, Neuron]
"""A parameter as an edge (source, target); a bias has the source ``None``."""


@dataclass(frozen=True, slots=True)
class SymbolicNetwork:
    """The architecture of a network with an expression for every parameter."""

    architecture: Network
    values: Mapping[Step, Expr]

    @classmethod
    def of(cls, net: Network, mark: str = "") -> SymbolicNetwork:
        """The architecture with a symbol for every parameter; ``mark`` tells a second set of symbols from the first.

        Weights of the output layer are written ``v``, all others ``w``, biases ``b``.
        """
        from sympy import Symbol

        def name(source: Neuron | None, target: Neuron) -> str:
            layer, i = target
            if source is None:
                return f"b{layer}_{i}{mark}"
            skip = f"from{source[0]}" if source[0] != layer - 1 else ""
            return f"{'v' if layer == net.depth else 'w'}{layer}{skip}_{i}{source[1]}{mark}"

        return cls(net, {(p.source, p.target): Symbol(name(p.source, p.target)) for p in net.parameters})

    @property
    def symbols(self) -> tuple[Expr, ...]:
        """The parameters, in their order."""
        return tuple(self.values.values())

    def __getitem__(self, step: Step) -> Expr:
        return self.values[step]

    def with_values(self, changes: Mapping[Step, object]) -> SymbolicNetwork:
        """The network with other expressions for some parameters."""
        from sympy import sympify

        return SymbolicNetwork(self.architecture, {**self.values, **{k: sympify(v) for k, v in changes.items()}})

    def rescaled(self, scalings: Mapping[Neuron, Expr]) -> SymbolicNetwork:
        r"""The network of :math:`(\lambda_v/\lambda_u)w_{uv}` and :math:`\lambda_vb_v`."""

        def factor(neuron: Neuron | None) -> Any:
            return 1 if neuron is None else scalings.get(neuron, 1)

        return SymbolicNetwork(
            self.architecture,
            {(u, v): factor(v) / factor(u) * value for (u, v), value in self.values.items()},
        )

    def embedding(self) -> dict[Path, Expr]:
        r"""The products :math:`\Phi_p` along all paths."""
        return {
            path: reduce(mul, (self.values[step] for step in path.steps)) for path in enumerate_paths(self.architecture)
        }

    def jacobian(self) -> Matrix:
        r"""The matrix :math:`D\Phi`, where all parameters are symbols."""
        from sympy import Matrix

        return Matrix([list(self.embedding().values())]).jacobian(list(self.symbols))

    def outputs(self, point: Sequence[object], active: Collection[Neuron]) -> tuple[Expr, ...]:
        """The outputs at a point with symbolic coordinates if exactly the neurons ``active`` are on: a forward pass."""
        return self.layer_values(point, active)[-1]

    def layer_values(self, point: Sequence[object], active: Collection[Neuron]) -> list[tuple[Expr, ...]]:
        """The values of all layers; a hidden neuron that is off has the value 0."""
        from sympy import Integer

        net = self.architecture
        found = [_coordinates(point)]
        for layer in range(1, net.depth + 1):
            row = []
            for i in range(net.widths[layer]):
                terms = (
                    value if source is None else value * found[source[0]][source[1]]
                    for (source, target), value in self.values.items()
                    if target == (layer, i)
                )
                on = layer == net.depth or (layer, i) in active
                row.append(reduce(add, terms, Integer(0)) if on else Integer(0))
            found.append(tuple(row))
        return found

    def activation_sum(self, point: Sequence[object], active: Collection[Neuron]) -> tuple[Expr, ...]:
        r"""The sums :math:`\sum_p\alpha_p\Phi_p` over the paths to each output: the other side of L1."""
        from sympy import Integer

        coordinates = _coordinates(point)
        net = self.architecture
        totals = [Integer(0)] * net.output_dim
        for path, value in self.embedding().items():
            hidden = (neuron for neuron in path.neurons if 0 < neuron[0] < net.depth)
            if all(neuron in active for neuron in hidden):
                start = 1 if path.from_bias else coordinates[path.neurons[0][1]]
                totals[path.neurons[-1][1]] += start * value
        return tuple(totals)


def _coordinates(point: Sequence[object]) -> tuple[Expr, ...]:
    """The coordinates of a point as expressions; a text is a symbol."""
    from sympy import Symbol, sympify

    return tuple(Symbol(entry) if isinstance(entry, str) else sympify(entry) for entry in point)


def patterns(net: Network) -> Iterator[frozenset[Neuron]]:
    """All sets of hidden neurons that may be on."""
    hidden = net.hidden_neurons
    for choice in product((False, True), repeat=len(hidden)):
        yield frozenset(neuron for neuron, on in zip(hidden, choice, strict=True) if on)


def generic_rank(matrix: Matrix) -> int:
    """The rank of a matrix over the field of rational functions in its symbols.

    >>> from sympy import Matrix, symbols
    >>> x, y = symbols("x y")
    >>> generic_rank(Matrix([[x, y], [x * y, y**2]]))
    1
    """
    from sympy.polys.matrices import DomainMatrix

    return int(DomainMatrix.from_Matrix(matrix).to_field().rank())


def shape(*widths: int, biases: bool | Sequence[bool] = True) -> Network:
    """A fully connected architecture to put symbols into; ``biases`` may say for each layer whether it has any.

    >>> len(shape(1, 2, 1).parameters), len(shape(1, 2, 1, biases=(True, False)).parameters)
    (7, 6)
    """
    layers = len(widths) - 1
    chosen = [biases] * layers if isinstance(biases, bool) else list(biases)
    weights = [[[1] * before for _ in range(width)] for before, width in pairwise(widths)]
    return Network.mlp(weights, [[1] * width if has else None for width, has in zip(widths[1:], chosen, strict=True)])
