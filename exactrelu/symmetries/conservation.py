r"""Conservation laws of gradient flow: quadratic functions of :math:`\theta`.

Let :math:`\theta'=-\nabla_\theta\mathcal L(R_\theta)` be the gradient flow of any
loss. Where no pre-activation vanishes, its direction is a combination of the
gradients :math:`\nabla\varphi_g` of the products along paths (summed over the
paths with the same start, the same output and the same bending neurons, which
no input can tell apart). A function :math:`h` is conserved if
:math:`\langle\nabla h,\nabla\varphi_g\rangle=0` for all :math:`g`. Theory:
Marcotte, Gribonval and Peyré, *Abide by the Law and Follow the Flow*, arXiv 2307.00144.

* Every hidden neuron :math:`v` has the law
  :math:`h_v=\sum_uw_{uv}^2+b_v^2-\sum_xw_{vx}^2`. Its gradient is twice the
  scaling direction of :math:`v`, which :math:`D\Phi(\theta)` annihilates.
* Two hidden neurons :math:`v,v'` with identity activation, the same parents, the
  same children, and both or neither with a bias, have the law
  :math:`h_{vv'}=\sum_uw_{uv}w_{uv'}+b_vb_{v'}-\sum_xw_{vx}w_{v'x}`: with the
  former, the entries of :math:`U^\top U-VV^\top`. Its gradient is the sum of two
  directions :math:`w_{\cdot v}\mathrel{+}=\varepsilon w_{\cdot v'}`,
  :math:`w_{v'\cdot}\mathrel{-}=\varepsilon w_{v\cdot}`, which leave the function unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from ..errors import HypothesisNotMet
from ..networks import Network
from ..rationals import Matrix, Vector
from ..rationals import rank as matrix_rank
from ..verdicts import Neuron, sum_text, text

if TYPE_CHECKING:
    from sympy import Expr


@dataclass(frozen=True, slots=True)
class ConservationLaw:
    r"""The function :math:`\sum s\,\theta_j\theta_k` over ``terms`` ``(s, j, k)`` with :math:`s=\pm1`.

    ``neurons`` is the pair it belongs to: twice the same hidden neuron, or two
    neurons with identity activation.
    """

    neurons: tuple[Neuron, Neuron]
    terms: tuple[tuple[int, int, int], ...]

    def value(self, theta: Vector) -> Fraction:
        r"""The value at a parameter vector."""
        return sum((sign * theta[j] * theta[k] for sign, j, k in self.terms), Fraction(0))

    def gradient(self, theta: Vector) -> Vector:
        r"""The gradient at a parameter vector."""
        gradient = [Fraction(0)] * len(theta)
        for sign, j, k in self.terms:
            gradient[j] += sign * theta[k]
            gradient[k] += sign * theta[j]
        return tuple(gradient)


@dataclass(frozen=True, slots=True)
class ConservationLaws:
    r"""The quadratic conservation laws of a network, as numbers and as formulas.

    ``network`` is :math:`\theta`; every vector and matrix here has one entry or
    row per law.
    """

    network: Network
    laws: tuple[ConservationLaw, ...]

    @property
    def values(self) -> Vector:
        r"""The numbers :math:`h(\theta)`."""
        theta = _values(self.network)
        return tuple(law.value(theta) for law in self.laws)

    def symbolic(self) -> tuple[Expr, ...]:
        """The laws as SymPy polynomials in named parameters."""
        from sympy import Add, Symbol

        symbols = [Symbol(parameter.name) for parameter in self.network.parameters]
        return tuple(Add(*(sign * symbols[j] * symbols[k] for sign, j, k in law.terms)) for law in self.laws)

    def formulas(self) -> tuple[str, ...]:
        """The laws as text."""
        names = [parameter.name for parameter in self.network.parameters]
        return tuple(
            sum_text((sign, f"{names[k]}^2" if j == k else f"{names[j]}*{names[k]}") for sign, j, k in law.terms)
            for law in self.laws
        )

    def gradients(self) -> Matrix:
        r"""The matrix of all :math:`\nabla h(\theta)`: one row per law, one column per parameter."""
        theta = _values(self.network)
        return tuple(law.gradient(theta) for law in self.laws)

    def rank(self) -> int:
        r"""The number of laws with independent gradients at :math:`\theta`, exactly.

        For ReLU networks it is the number of hidden neurons wherever
        :math:`\theta` is admissible (``conservation_laws_number_hidden``, M1).
        """
        return matrix_rank(self.gradients())

    def explain(self) -> str:
        """One line per law: formula and value."""
        return "\n".join(f"{h} = {text(value)}" for h, value in zip(self.formulas(), self.values, strict=True))

    def __len__(self) -> int:
        return len(self.laws)


def conservation_laws(net: Network) -> ConservationLaws:
    r"""The laws :math:`h_v` of all hidden neurons, and :math:`h_{vv'}` of exchangeable linear ones.

    That there are no others is what
    :func:`~exactrelu.symmetries.lie_closure.lie_closure` proves, where it is so.

    >>> laws = conservation_laws(Network.mlp([[[2]], [[3]]], [[1], [5]]))
    >>> print(laws.explain())
    w[1<-0][0,0]^2 + b[1][0]^2 - w[2<-1][0,0]^2 = -4
    """
    if not net.is_homogeneous:
        raise HypothesisNotMet("network", "must have positively homogeneous activations for its conservation laws")
    return ConservationLaws(net, tuple(_laws(net)))


def _laws(net: Network) -> Iterator[ConservationLaw]:
    incoming: dict[Neuron, dict[Neuron | None, int]] = {neuron: {} for neuron in net.hidden_neurons}
    outgoing: dict[Neuron, dict[Neuron, int]] = {neuron: {} for neuron in net.hidden_neurons}
    for k, parameter in enumerate(net.parameters):
        if parameter.target in incoming:
            incoming[parameter.target][parameter.source] = k
        if parameter.source in outgoing:
            outgoing[parameter.source][parameter.target] = k
    for v, w in combinations_with_replacement(net.hidden_neurons, 2):
        if v == w or (
            _is_affine(net, v)
            and _is_affine(net, w)
            and incoming[v].keys() == incoming[w].keys()
            and outgoing[v].keys() == outgoing[w].keys()
        ):
            gains = ((1, k, incoming[w][u]) for u, k in incoming[v].items())
            losses = ((-1, k, outgoing[w][x]) for x, k in outgoing[v].items())
            yield ConservationLaw((v, w), (*gains, *losses))


def _is_affine(net: Network, neuron: Neuron) -> bool:
    layer, index = neuron
    return net.layers[layer - 1].activations[index].is_affine


def _values(net: Network) -> Vector:
    return tuple(parameter.value for parameter in net.parameters)
