r"""Activation functions :math:`\rho:\mathbb R\to\mathbb R` of neurons.

>>> RELU(Fraction(-1, 2)), IDENTITY(Fraction(-1, 2))
(Fraction(0, 1), Fraction(-1, 2))
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from ..errors import InvalidNetwork

Number = TypeVar("Number", int, Fraction)


@dataclass(frozen=True, slots=True)
class Activation:
    r"""A positively homogeneous activation: :math:`\rho(t)=t` for :math:`t>0`, else ``slope`` :math:`\cdot t`.

    The ReLU has ``slope`` 0, the identity has ``slope`` 1.
    """

    name: str
    slope: int

    def __call__(self, value: Number) -> Number:
        r"""The value :math:`\rho(t)`."""
        return value if value > 0 else value * self.slope

    @property
    def is_linear(self) -> bool:
        """Whether the activation never bends, so that its neuron has no sign."""
        return self.slope == 1

    def __str__(self) -> str:
        return self.name


RELU: Final = Activation("relu", 0)
IDENTITY: Final = Activation("identity", 1)

_BY_NAME: Final = {activation.name: activation for activation in (RELU, IDENTITY)}


def activation(value: object, argument: str = "activation") -> Activation:
    """The activation that a name denotes (an :class:`Activation` denotes itself).

    >>> activation("relu") is RELU
    True
    """
    if isinstance(value, Activation) and _BY_NAME.get(value.name) == value:
        return value
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    known = ", ".join(f'"{name}"' for name in _BY_NAME)
    raise InvalidNetwork(argument, f"must be one of {known}", value)
