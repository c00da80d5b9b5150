r"""Networks with one hidden ReLU layer, every neuron in primitive integer form.

.. math:: f(x) = c + \sum_{i\le h} v_i\,\sigma(g_i(x)),\qquad g_i(x)=\langle w_i,x\rangle+b_i.

Rescaling a neuron makes :math:`(w_i,b_i)` a vector of coprime integers. Then
two neurons are *positive twins* if they have the same form and *opposite twins*
if their forms are negatives of each other, and the jump of the gradient across
a hyperplane is the plain sum of the :math:`v_i` on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from ..errors import HypothesisNotMet
from ..networks import Network
from ..rationals import Vector, common_denominator, scaled_integers
from ..verdicts import sum_text

Form: TypeAlias = tuple[int, ...]
"""The affine form of a neuron: the coprime integers (w_1, ..., w_d, b)."""
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class ShallowNetwork:
    r"""The neurons :math:`(g_i,v_i)` of a shallow network, with the scales that were divided out.

    The network itself has :math:`(w_i,b_i)=\rho_ig_i` and outgoing weights
    :math:`v_i/\rho_i`, with :math:`\rho_i` = ``scales[i]`` :math:`>0`.
    ``forms`` have ``input_dim + 1`` entries, ``outputs`` and ``constant`` have
    ``output_dim``; without bias parameters the respective entries are 0.
    """

    input_dim: int
    output_dim: int
    forms: tuple[Form, ...]
    outputs: tuple[Vector, ...]
    constant: Vector
    scales: Vector
    hidden_biases: bool
    output_bias: bool

    @property
    def size(self) -> int:
        """The number of hidden neurons."""
        return len(self.forms)

    def network(
        self,
        forms: Sequence[Sequence[Fraction | int]] | None = None,
        outputs: Sequence[Sequence[Fraction]] | None = None,
        constant: Sequence[Fraction] | None = None,
        *,
        scales: Sequence[Fraction] | None = None,
    ) -> Network:
        """The network, with other forms, outputs or constant where they are given.

        New neurons take the scales of the old ones unless ``scales`` says otherwise.
        """
        forms = self.forms if forms is None else forms
        outputs = self.outputs if outputs is None else outputs
        constant = self.constant if constant is None else constant
        scales = self.scales if scales is None else scales
        pairs = list(zip(forms, outputs, scales, strict=True))
        bias = [rho * form[-1] for form, _, rho in pairs] if self.hidden_biases else None
        rows = [[rho * entry for entry in form[:-1]] for form, _, rho in pairs]
        columns = [[entry / rho for entry in output] for _, output, rho in pairs]
        matrix = [[column[o] for column in columns] for o in range(self.output_dim)]
        return Network.mlp([rows, matrix], [bias, list(constant) if self.output_bias else None])


def why_not_shallow(net: Network) -> str | None:
    """Why the theory of one hidden layer does not apply to a network; ``None`` if it does."""
    if net.depth != 2:
        return f"it has {net.depth - 1} hidden layers instead of one"
    if not net.is_layered:
        return "it has skip connections or absent edges"
    if not net.is_standard:
        return "its hidden neurons are not all ReLUs, or its outputs are not affine"
    return None


def shallow(net: Network) -> ShallowNetwork:
    """The primitive integer form of a network with one hidden ReLU layer.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for any other network.

    >>> shallow(Network.mlp([[["1/2"], [-4]], [[6, 1]]], [[1, 2], [0]])).forms
    ((1, 2), (-2, 1))
    """
    reason = why_not_shallow(net)
    if reason is not None:
        raise HypothesisNotMet("network", f"must be dense with one hidden ReLU layer and affine outputs, but {reason}")
    hidden, output = net.layers
    bias = hidden.bias or (ZERO,) * hidden.width
    forms, scales = [], []
    for row, offset in zip(hidden.blocks[0][1], bias, strict=True):
        form, scale = primitive_form([*(entry or ZERO for entry in row), offset])
        forms.append(form)
        scales.append(scale)
    matrix = output.blocks[0][1]
    outputs = tuple(tuple(scale * (row[i] or ZERO) for row in matrix) for i, scale in enumerate(scales))
    return ShallowNetwork(
        net.input_dim,
        net.output_dim,
        tuple(forms),
        outputs,
        output.bias or (ZERO,) * net.output_dim,
        tuple(scales),
        hidden.bias is not None,
        output.bias is not None,
    )


def primitive_form(values: Sequence[Fraction]) -> tuple[Form, Fraction]:
    r"""The coprime integers :math:`g` and the :math:`\rho>0` with ``values`` :math:`=\rho g` (0 with 1 for zeros).

    >>> primitive_form([Fraction(1, 2), Fraction(-3)])
    ((1, -6), Fraction(1, 2))
    """
    denominator = common_denominator(values)
    integers = scaled_integers(values, denominator)
    divisor = gcd(*integers)
    if divisor == 0:
        return tuple(integers), Fraction(1)
    return tuple(entry // divisor for entry in integers), Fraction(divisor, denominator)


def opposite(form: Form) -> Form:
    """The form of the same hyperplane with its sides exchanged."""
    return tuple(-entry for entry in form)


def hyperplane(form: Form) -> Form:
    """The one of a form and its opposite whose first nonzero entry is positive.

    >>> hyperplane((0, -2, 1))
    (0, 2, -1)
    """
    return form if next((entry for entry in form if entry), 0) >= 0 else opposite(form)


def form_value(form: Form, point: Vector) -> Fraction:
    """The value of an affine form at a point.

    >>> form_value((1, -2, 3), (Fraction(1), Fraction(1, 2)))
    Fraction(3, 1)
    """
    return sum((w * x for w, x in zip(form, point, strict=False)), Fraction(form[-1]))


def form_text(form: Sequence[Fraction | int]) -> str:
    """An affine form as text.

    >>> form_text((1, -2, 3))
    'x0 - 2*x1 + 3'
    """
    return sum_text([(weight, f"x{i}") for i, weight in enumerate(form[:-1])], form[-1])
