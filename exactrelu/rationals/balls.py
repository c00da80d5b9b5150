r"""Real numbers that are no fractions, enclosed in balls with rational midpoint and radius.

Every operation returns a ball that contains all possible results (Arb, through
flint). So a ball without 0 *proves* that a number is not 0; one with 0 proves nothing.

>>> (Ball.of(Fraction(1)).tanh() + Ball.of(Fraction(-3, 4))).excludes_zero
True
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from . import flint_bridge

BITS: Final = 192
"""The precision of midpoints."""


class Ball:
    """A real number between two known ones."""

    __slots__ = ("_arb",)

    def __init__(self, arb: Any) -> None:
        self._arb = arb

    @classmethod
    def of(cls, value: Fraction) -> Ball:
        """A ball around a fraction."""
        return cls(flint_bridge.ball(value, BITS))

    def __add__(self, other: Ball) -> Ball:
        return Ball(flint_bridge.at_precision(BITS, lambda: self._arb + other._arb))

    def __mul__(self, other: Ball) -> Ball:
        return Ball(flint_bridge.at_precision(BITS, lambda: self._arb * other._arb))

    def tanh(self) -> Ball:
        r""":math:`\tanh t`."""
        return Ball(flint_bridge.at_precision(BITS, self._arb.tanh))

    def logistic(self) -> Ball:
        r""":math:`1/(1+e^{-t})`."""
        return Ball(flint_bridge.at_precision(BITS, lambda: 1 / (1 + (-self._arb).exp())))

    def softplus(self) -> Ball:
        r""":math:`\log(1+e^t)`."""
        grown = flint_bridge.at_precision(BITS, lambda: 1 + self._arb.exp())
        return Ball(flint_bridge.at_precision(BITS, grown.log))

    def positive_part(self) -> Ball:
        r""":math:`\max(t,0)`."""
        return Ball(flint_bridge.at_precision(BITS, lambda: (self._arb + abs(self._arb)) / 2))

    @property
    def excludes_zero(self) -> bool:
        """Whether the number is certainly not 0."""
        return not self._arb.contains(0)
