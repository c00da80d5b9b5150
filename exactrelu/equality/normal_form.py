r"""The normal form of a shallow network on a domain with interior points.

Theory: ``shallow_equality_by_normal_form`` (5.1 A). On the interior,

.. math:: f = L + \tfrac12\sum_H a_H\,|g_H|,\qquad
   L = c+\tfrac12\sum_{\text{kinked}}v_i\,g_i+\sum_{\text{on}}v_i\,g_i,

with :math:`a_H` the sum of the :math:`v_i` on the hyperplane :math:`H`, and the
expansion with all :math:`a_H\ne0` is unique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..polyhedra import Domain
from ..rationals import Matrix, Vector
from ..verdicts import number_list, plain, text
from .neuron_types import NeuronType, neuron_types
from .shallow import Form, ShallowNetwork, form_text, hyperplane

ZERO = Fraction(0)
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class NormalForm:
    r"""The jumps :math:`a_H\ne0`, sorted by hyperplane, and the affine part :math:`L`.

    ``jumps`` pairs the primitive form of a hyperplane with a vector of outputs;
    ``affine`` has one row per output: ``input_dim`` slopes, then the constant.
    Two shallow networks are the same function on the domain exactly when their
    normal forms are equal.
    """

    jumps: tuple[tuple[Form, Vector], ...]
    affine: Matrix

    @property
    def slopes(self) -> Matrix:
        r"""The linear part :math:`\Lambda` of :math:`L`, one row per output."""
        return tuple(row[:-1] for row in self.affine)

    def to_json(self) -> dict[str, Any]:
        """The normal form as JSON data; the entries of hyperplanes are numbers, hence text."""
        return {
            "jumps": [[[text(entry) for entry in form], plain(jump)] for form, jump in self.jumps],
            "affine": plain(self.affine),
        }

    def explain(self) -> str:
        """Jumps and affine part as text."""
        lines = [f"across {form_text(form)} = 0 the jump is {number_list(jump)}" for form, jump in self.jumps]
        lines += [f"affine part of output {o}: {form_text(row)}" for o, row in enumerate(self.affine)]
        return "\n".join(lines)


def normal_form(net: ShallowNetwork, domain: Domain) -> NormalForm:
    r"""The normal form on ``domain``, which must have interior points.

    >>> from .shallow import shallow
    >>> from ..networks import Network
    >>> found = normal_form(shallow(Network.mlp([[[1], [-1]], [[1, 1]]])), Domain.space(1))
    >>> print(found.explain())
    across x0 = 0 the jump is (2)
    affine part of output 0: 0
    """
    domain.require_full_dimensional("a normal form")
    jumps: dict[Form, list[Fraction]] = {}
    affine = [[ZERO] * net.input_dim + [entry] for entry in net.constant]
    for form, output, typed in zip(net.forms, net.outputs, neuron_types(net, domain), strict=True):
        if typed.type in (NeuronType.OFF, NeuronType.ZERO):
            continue
        share = HALF if typed.type is NeuronType.KINKED else Fraction(1)
        add_product(affine, [share * weight for weight in output], form)
        if typed.type is NeuronType.KINKED:
            total = jumps.setdefault(hyperplane(form), [ZERO] * net.output_dim)
            for o, weight in enumerate(output):
                total[o] += weight
    kept = tuple((form, tuple(jump)) for form, jump in sorted(jumps.items()) if any(jump))
    return NormalForm(kept, tuple(tuple(row) for row in affine))


def add_product(affine: list[list[Fraction]], outputs: Sequence[Fraction], form: Sequence[Fraction | int]) -> None:
    """Add a form, times a vector of outputs, to an affine map with one row per output."""
    for row, weight in zip(affine, outputs, strict=True):
        if weight:
            for j, entry in enumerate(form):
                row[j] += weight * entry
