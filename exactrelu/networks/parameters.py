r"""The parameters :math:`\theta` of a network, named and in their fixed order.

Layer by layer; within a layer sources ascending, each matrix row by row over
its present edges, then the biases. Columns of every Jacobian use this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..verdicts import Neuron

if TYPE_CHECKING:
    from .network import Network


@dataclass(frozen=True, slots=True)
class Parameter:
    """One weight (``source`` is a neuron or an input) or bias (``source`` is ``None``)."""

    target: Neuron
    source: Neuron | None
    value: Fraction

    @property
    def name(self) -> str:
        """``w[2<-0][i,j]`` for the weight from neuron j of layer 0 to neuron i of layer 2; ``b[2][i]``."""
        layer, index = self.target
        if self.source is None:
            return f"b[{layer}][{index}]"
        return f"w[{layer}<-{self.source[0]}][{index},{self.source[1]}]"

    @property
    def latex(self) -> str:
        """The name as LaTeX, layers as superscripts."""
        layer, index = self.target
        if self.source is None:
            return f"b^{{({layer})}}_{{{index}}}"
        return rf"w^{{({layer}\leftarrow {self.source[0]})}}_{{{index},{self.source[1]}}}"


def parameters(net: Network) -> tuple[Parameter, ...]:
    """All parameters of a network in their fixed order."""
    found = []
    for number, layer in enumerate(net.layers, start=1):
        for source, block in layer.blocks:
            found += [
                Parameter((number, i), (source, j), entry)
                for i, row in enumerate(block)
                for j, entry in enumerate(row)
                if entry is not None
            ]
        if layer.bias is not None:
            found += [Parameter((number, i), None, entry) for i, entry in enumerate(layer.bias)]
    return tuple(found)
