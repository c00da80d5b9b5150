"""Networks written out as formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..verdicts import sum_text

if TYPE_CHECKING:
    from .activations import Activation
    from .network import Network


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
