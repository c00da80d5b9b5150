r"""The type of a hidden neuron on a domain, from the infimum and supremum of its form.

Theory: section 5, *Types on U*. A hyperplane that only touches the boundary of
the domain is not a kink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ..polyhedra import Domain, Extremum
from ..verdicts import brief
from .shallow import ShallowNetwork


class NeuronType(StrEnum):
    """What a neuron does on a domain with interior points."""

    KINKED = "kinked"  # inf < 0 < sup
    ON = "on"  # inf >= 0, not identically 0
    OFF = "off"  # sup <= 0, not identically 0
    ZERO = "zero"  # all weights and the bias are 0


@dataclass(frozen=True, slots=True)
class TypedNeuron:
    """The type of a neuron, with the extrema of its form that prove it."""

    type: NeuronType
    infimum: Extremum
    supremum: Extremum

    def explain(self, scale: Fraction = Fraction(1)) -> str:
        """The type with the range of the pre-activation, which is the form times ``scale``."""
        ends = [
            infinite if end.value is None else brief(scale * end.value)
            for end, infinite in ((self.infimum, "-inf"), (self.supremum, "+inf"))
        ]
        return f"{self.type.value}, range {' to '.join(ends)}"


def neuron_type(form: Sequence[int | Fraction], domain: Domain) -> TypedNeuron:
    r"""The type of the neuron :math:`\sigma(g)` on ``domain``; ``form`` is :math:`(w,b)`.

    >>> neuron_type((1, -1), Domain.parse("[-1,1]")).type.value
    'off'
    """
    infimum = domain.infimum(form[:-1], form[-1])
    supremum = domain.supremum(form[:-1], form[-1])
    if not any(form):
        kind = NeuronType.ZERO
    elif infimum.value is not None and infimum.value >= 0:
        kind = NeuronType.ON
    elif supremum.value is not None and supremum.value <= 0:
        kind = NeuronType.OFF
    else:
        kind = NeuronType.KINKED
    return TypedNeuron(kind, infimum, supremum)


def neuron_types(net: ShallowNetwork, domain: Domain) -> tuple[TypedNeuron, ...]:
    """The types of all hidden neurons of a shallow network."""
    return tuple(neuron_type(form, domain) for form in net.forms)
