r"""Values of networks with analytic activations, as SymPy expressions that are never rounded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .activations import Activation
from .analytic import Analytic, expression

if TYPE_CHECKING:
    from sympy import Expr

    from .network import Network


def symbolic_values(net: Network, points: Sequence[Sequence[object]]) -> list[tuple[Expr, ...]]:
    """The outputs at every point; coordinates are numbers or SymPy expressions.

    >>> from .network import Network
    >>> symbolic_values(Network.mlp([[[1]], [[2]]], [[1], None], activation="tanh"), [[3]])
    [(2*tanh(4),)]
    """
    return [_outputs(net, [expression(entry) for entry in point]) for point in points]


def _outputs(net: Network, point: list[Expr]) -> tuple[Expr, ...]:
    values: list[list[Any]] = [point]
    for layer in net.layers:
        found = []
        for i, rho in enumerate(layer.activations):
            total = expression(layer.bias[i] if layer.bias is not None else 0)
            for source, block in layer.blocks:
                for weight, value in zip(block[i], values[source], strict=True):
                    if weight:
                        total += expression(weight) * value
            found.append(applied(rho, total))
        values.append(found)
    return tuple(values[-1])


def applied(rho: Activation, value: Expr) -> Expr:
    r"""The expression :math:`\rho(v)`; a bend becomes a ``Max``, which is evaluated only at rational numbers."""
    from sympy import Max

    if isinstance(rho, Analytic):
        return rho(value)
    if value.is_Rational:
        return expression(rho(value))
    slope, constant = rho.affine_piece(0)
    total = expression(slope) * value + expression(constant)
    for kink, bend in zip(rho.breakpoints, rho.bends, strict=True):
        total += expression(bend) * Max(value - expression(kink), 0, evaluate=False)
    return total
