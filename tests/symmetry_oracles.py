"""What the tests of modifications, clones, orbits and null nets compare with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from exactrelu import Layer, Network, region_blocks

ZERO = Fraction(0)


def with_activation(net: Network, rho: object) -> Network:
    """The network with every hidden ReLU exchanged, and identities at the outputs."""
    layers = []
    for k, layer in enumerate(net.layers, start=1):
        kinds = ["identity" if old.is_affine or k == net.depth else rho for old in layer.activations]
        layers.append(Layer(layer.weights, bias=layer.bias, activation=kinds))
    return Network(net.input_dim, layers)


def evaluate(net: Network, point: Sequence[Fraction], rho: Callable[[Fraction], Fraction]) -> list[Fraction]:
    """The outputs, by plain recursion; ``rho`` is what neurons do that are not the identity."""
    values = [list(point)]
    for layer in net.layers:
        row = []
        for i, kind in enumerate(layer.activations):
            total = layer.bias[i] if layer.bias else ZERO
            for source, block in layer.blocks:
                total += sum((w * v for w, v in zip(block[i], values[source], strict=True) if w), ZERO)
            row.append(total if kind.is_affine else rho(total))
        values.append(row)
    return values[-1]


def equal_on_all_regions(left: Network, right: Network) -> bool:
    """Whether the difference is zero on every activation region, without a look at points first."""
    return not any(
        any(offset) or any(map(any, matrix))
        for block in region_blocks(left - right)
        for matrix, offset in (region.affine_map for region in block)
    )
