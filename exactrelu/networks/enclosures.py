"""Values of networks with any activations, enclosed in balls: what they exclude is excluded for certain."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..rationals.balls import Ball
from .activations import Activation
from .analytic import Analytic

if TYPE_CHECKING:
    from .network import Network


def enclosures(net: Network, point: Sequence[Fraction]) -> list[Ball]:
    """Balls around the outputs at a point.

    >>> from .network import Network
    >>> enclosures(Network.mlp([[[1]], [[1]]], activation="tanh"), [Fraction(1)])[0].excludes_zero
    True
    """
    values = [[Ball.of(entry) for entry in point]]
    for layer in net.layers:
        found = []
        for i, rho in enumerate(layer.activations):
            total = Ball.of(layer.bias[i] if layer.bias is not None else Fraction(0))
            for source, block in layer.blocks:
                for weight, value in zip(block[i], values[source], strict=True):
                    if weight:
                        total += Ball.of(weight) * value
            found.append(applied(rho, total))
        values.append(found)
    return values[-1]


def applied(rho: Activation, value: Ball) -> Ball:
    r"""A ball around :math:`\rho(v)`."""
    if isinstance(rho, Analytic):
        if rho.name != "polynomial":
            return {"tanh": value.tanh, "logistic": value.logistic, "softplus": value.softplus}[rho.name]()
        total = Ball.of(Fraction(0))
        for coefficient in reversed(rho.coefficients):
            total = total * value + Ball.of(coefficient)
        return total
    slope, constant = rho.affine_piece(0)
    total = Ball.of(slope) * value + Ball.of(constant)
    for kink, bend in zip(rho.breakpoints, rho.bends, strict=True):
        total += Ball.of(bend) * (value + Ball.of(-kink)).positive_part()
    return total


def certainly_differ(left: Network, right: Network, point: Sequence[Fraction]) -> bool:
    """Whether two networks provably have different values at a point; ``False`` proves nothing."""
    minus = Ball.of(Fraction(-1))
    pairs = zip(enclosures(left, point), enclosures(right, point), strict=True)
    return any((ours + minus * theirs).excludes_zero for ours, theirs in pairs)
