r"""The embedding :math:`\Phi(\theta)`: products of the parameters along paths.

.. math:: \Phi_p(\theta)=\prod_{e\in p}\theta_e,\qquad
   R_\theta(x)_o=\sum_{p\text{ ends at }o}\alpha_p(\theta,x)\,\Phi_p(\theta).

The second identity is ``realization_is_linear_in_embedding`` (L1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from ..errors import HypothesisNotMet
from ..networks import Network, Parameter
from ..networks.evaluation import as_points
from ..networks.patterns import slopes
from ..rationals import Matrix, Vector, rational_vector
from ..rationals import rank as matrix_rank
from .paths import Path, enumerate_paths

if TYPE_CHECKING:
    from sympy import Expr, Symbol

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class PathEmbedding:
    r"""The paths of a network, and :math:`\Phi(\theta)` as numbers and as formulas.

    ``network`` is :math:`\theta`; ``paths`` are in their fixed order, and every
    vector and matrix here has one entry or row per path.
    """

    network: Network
    paths: tuple[Path, ...]

    @property
    def vector(self) -> Vector:
        r"""The numbers :math:`\Phi_p(\theta)`."""
        values = _by_step(self.network)
        return tuple(prod((values[step].value for step in path.steps), start=Fraction(1)) for path in self.paths)

    def symbolic(self) -> tuple[Expr, ...]:
        """The formulas of all paths, as SymPy products of named parameters."""
        from sympy import Mul

        symbols = _symbols(self.network)
        return tuple(Mul(*(symbols[step] for step in path.steps)) for path in self.paths)

    def formulas(self) -> tuple[str, ...]:
        """The formulas of all paths as text, factors in the order of the path."""
        names = _by_step(self.network)
        return tuple("*".join(names[step].name for step in path.steps) for path in self.paths)

    def latex(self) -> str:
        r"""The vector :math:`\Phi(\theta)` of formulas as LaTeX."""
        names = _by_step(self.network)
        rows = (r" \, ".join(names[step].latex for step in path.steps) for path in self.paths)
        return r"\Phi(\theta) = \begin{pmatrix}" + r" \\ ".join(rows) + r"\end{pmatrix}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"

    def jacobian(self) -> Matrix:
        r"""The matrix :math:`D\Phi(\theta)`: one row per path, one column per parameter."""
        return _jacobian(self, {step: parameter.value for step, parameter in _by_step(self.network).items()}, ZERO)

    def symbolic_jacobian(self) -> tuple[tuple[Expr, ...], ...]:
        r"""The matrix :math:`D\Phi` with SymPy entries in named parameters."""
        from sympy import Integer

        return _jacobian(self, _symbols(self.network), Integer(0))

    def rank(self) -> int:
        r"""The rank of :math:`D\Phi(\theta)` by elimination on the whole matrix.

        :func:`~exactrelu.paths.rank.embedding_rank` gives the same number without enumeration.
        """
        return matrix_rank(self.jacobian())

    def activations(self, point: Iterable[object]) -> Vector:
        r"""The path activations :math:`\alpha_p(\theta,x)`.

        A path counts 1, or its input coordinate if it starts at an input, when
        every bending neuron on it has a positive pre-activation, else 0.
        """
        return path_activations(self.network, self.paths, [rational_vector(point, "point")])[0]

    def __len__(self) -> int:
        return len(self.paths)


def path_embedding(net: Network, *, budget: int | None = None) -> PathEmbedding:
    r"""The embedding :math:`\Phi(\theta)` of a network, over all its paths.

    Raises :class:`~exactrelu.errors.BudgetExceeded` when there are more than
    ``budget`` paths (a million by default).

    >>> phi = path_embedding(Network.mlp([[[2]], [[3]]], [[5], [7]]))
    >>> phi.vector
    (Fraction(6, 1), Fraction(15, 1), Fraction(7, 1))
    >>> phi.formulas()
    ('w[1<-0][0,0]*w[2<-1][0,0]', 'b[1][0]*w[2<-1][0,0]', 'b[2][0]')
    """
    if not net.is_homogeneous:
        raise HypothesisNotMet("network", "must have positively homogeneous activations for an embedding by paths")
    return PathEmbedding(net, enumerate_paths(net, budget))


def path_activations(net: Network, paths: Sequence[Path], points: Iterable[Iterable[object]]) -> list[Vector]:
    r"""The path activations :math:`\alpha_p(\theta,x)` of ``paths`` at every point.

    >>> net = Network.mlp([[[1]], [[1]]])
    >>> path_activations(net, enumerate_paths(net), [[2], [-2]])
    [(Fraction(2, 1),), (Fraction(0, 1),)]
    """
    checked = as_points(net, points)
    if net.unfolding.network is not net:
        raise HypothesisNotMet("network", "must have ReLU and identity neurons for path activations")
    rows = []
    for pattern, point in zip(net.patterns(checked), checked, strict=True):
        gates = slopes(net, pattern)
        rows.append(
            tuple(
                (Fraction(1) if path.from_bias else point[path.neurons[0][1]])
                if all(gates[layer - 1][i] for layer, i in path.neurons if layer)
                else ZERO
                for path in paths
            )
        )
    return rows


def _by_step(net: Network) -> dict[Any, Parameter]:
    return {(parameter.source, parameter.target): parameter for parameter in net.parameters}


def _symbols(net: Network) -> dict[Any, Symbol]:
    from sympy import Symbol

    return {step: Symbol(parameter.name) for step, parameter in _by_step(net).items()}


def _jacobian(phi: PathEmbedding, values: dict[Any, Any], zero: Any) -> tuple[tuple[Any, ...], ...]:
    """Row by row: the derivative of a product leaves out one factor."""
    columns = {step: k for k, step in enumerate(values)}
    rows = []
    for path in phi.paths:
        row = [zero] * len(columns)
        for step in path.steps:
            row[columns[step]] = prod((values[other] for other in path.steps if other != step), start=zero + 1)
        rows.append(tuple(row))
    return tuple(rows)
