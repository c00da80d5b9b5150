"""Networks and affine forms written out as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from ..verdicts import text

if TYPE_CHECKING:
    from .activations import Activation
    from .network import Network


def sum_text(terms: Iterable[tuple[Fraction | int, str]], constant: Fraction | int = 0) -> str:
    """A linear combination of names and a constant; zero terms are left out.

    >>> sum_text([(1, "x0"), (-2, "x1")], Fraction(1, 2))
    'x0 - 2*x1 + 1/2'
    >>> sum_text([])
    '0'
    """
    shown = ""
    for coefficient, name in [*terms, (constant, "")]:
        if coefficient:
            size = -coefficient if coefficient < 0 else coefficient
            body = text(size) if not name else name if size == 1 else f"{text(size)}*{name}"
            sign = "-" if coefficient < 0 else "+"
            shown += (f" {sign} " if shown else "-" * (sign == "-")) + body
    return shown or "0"


def formulas(net: Network) -> Iterator[str]:
    """One line per neuron: hidden neuron ``i`` of layer ``l`` is ``h{l}_{i}``, output ``o`` is ``y{o}``.

    >>> from .network import Network
    >>> list(formulas(Network.mlp([[[1], [-1]], [[1, 1]]], [[2, 0], None])))
    ['h1_0 = relu(x0 + 2)', 'h1_1 = relu(-x0)', 'y0 = h1_0 + h1_1']
    """
    for number, layer in enumerate(net.layers, start=1):
        for i, rho in enumerate(layer.activations):
            terms = [
                (entry or 0, neuron_name(net, source, j))
                for source, block in layer.blocks
                for j, entry in enumerate(block[i])
            ]
            shown = sum_text(terms, layer.bias[i] if layer.bias is not None else 0)
            yield f"{neuron_name(net, number, i)} = {shown if rho.is_affine else f'{activation_name(rho)}({shown})'}"


def activation_name(rho: Activation) -> str:
    """The name of an activation in formulas, with its numbers where it has some.

    >>> from .activations import activation
    >>> activation_name(activation("tanh")), activation_name(activation({"name": "leaky_relu", "slope": "1/10"}))
    ('tanh', 'leaky_relu[1/10]')
    """
    data = rho.to_json()
    if isinstance(data, str):
        return data
    name = data.pop("name", "rho")
    numbers = "; ".join(value if isinstance(value, str) else ", ".join(value) for value in data.values())
    return f"{name}[{numbers}]"


def neuron_name(net: Network, layer: int, index: int) -> str:
    """The name of an input, hidden neuron or output in formulas."""
    if layer == 0:
        return f"x{index}"
    return f"y{index}" if layer == net.depth else f"h{layer}_{index}"
