r"""Networks with a part taken out: a neuron, an input, an output, a layer, an edge.

What is left computes another function; a search for smaller counterexamples
checks anew what it needs.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InvalidInput
from ..networks import Layer, Network
from ..verdicts import Neuron


def without_neuron(net: Network, neuron: Neuron) -> Network | None:
    """The network without one neuron, input (layer 0) or output; ``None`` if it is the only one of its layer.

    >>> without_neuron(Network.mlp([[[1, 2], [3, 4]], [[5, 6]]]), (1, 0))
    Network.mlp([[[3, 4]], [[6]]])
    """
    number = neuron[0]
    if net.widths[number] == 1:
        return None
    parts = []
    for k, layer in enumerate(net.layers, start=1):
        rows = [i for i in range(layer.width) if (k, i) != neuron]
        blocks = {
            source: [[entry for j, entry in enumerate(block[i]) if (source, j) != neuron] for i in rows]
            for source, block in layer.blocks
        }
        bias = None if layer.bias is None else [layer.bias[i] for i in rows]
        parts.append((blocks, bias, [layer.activations[i] for i in rows]))
    try:
        built = [Layer(blocks, bias=bias, activation=rho) for blocks, bias, rho in parts]
        return Network(net.input_dim - (number == 0), built)
    except InvalidInput:  # a neuron would hear nothing, or be heard by nobody
        return None


def without_layer(net: Network, number: int) -> Iterator[Network]:
    """Layered networks without one hidden layer: the next layer reads the one before, along rows that fit.

    >>> next(without_layer(Network.mlp([[[1]], [[2]], [[3]]]), 1))
    Network.mlp([[[2]], [[3]]])
    """
    if not net.is_layered:
        return
    layer, following = net.layers[number - 1], net.layers[number]
    below = net.widths[number - 1]
    choices = []
    if layer.width >= below:
        choices.append([row[:below] for row in following.blocks[0][1]])
    if layer.width >= following.width:
        choices.append(list(layer.blocks[0][1][: following.width]))
    for rows in choices:
        merged = Layer({number - 1: rows}, bias=following.bias, activation=following.activations)
        tail = [
            Layer({k: upper.blocks[0][1]}, bias=upper.bias, activation=upper.activations)
            for k, upper in enumerate(net.layers[number + 1 :], start=number)
        ]
        yield Network(net.input_dim, [*net.layers[: number - 1], merged, *tail])


def without_edge(net: Network, target: Neuron, source: Neuron) -> Network | None:
    """The network in which an edge is absent; ``None`` if a neuron would lose its last one."""
    number, index = target
    layer = net.layers[number - 1]
    blocks: dict[int, list[list[object]]] = {s: [list(row) for row in block] for s, block in layer.blocks}
    blocks[source[0]][index][source[1]] = None
    try:
        changed = Layer(blocks, bias=layer.bias, activation=layer.activations)
        return Network(net.input_dim, [*net.layers[: number - 1], changed, *net.layers[number:]])
    except InvalidInput:
        return None
