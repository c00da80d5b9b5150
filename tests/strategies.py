"""Random networks for tests, half of them degenerate on purpose.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

from exactrelu import Layer, Network

PLAIN = (-3, -2, -1, 1, 2, 3, Fraction(1, 2), Fraction(-2, 3), Fraction(5, 7))
DEGENERATE = (0, 0, 0, 1, -1, 2, Fraction(1, 2))


def random_dag(
    r: random.Random,
    *,
    max_layers: int = 4,
    max_width: int = 3,
    linear_neurons: bool = True,
) -> Network:
    """A layered DAG with skips, absent edges, zeros, dead and linear neurons, with or without biases."""
    while True:
        net = _attempt(r, max_layers, max_width, linear_neurons)
        if net is not None:
            return net


def random_mlp(r: random.Random, *, max_layers: int = 4, max_width: int = 3) -> Network:
    """A perceptron, half of the time with many zeros and twins."""
    widths = [r.randint(1, max_width) for _ in range(r.randint(2, max_layers + 1))]
    entries = r.choice((PLAIN, DEGENERATE))
    weights, biases = [], []
    for before, width in pairwise(widths):
        rows = [[r.choice(entries) for _ in range(before)] for _ in range(width)]
        bias = [r.choice(entries) for _ in range(width)] if r.random() < 0.8 else None
        if width > 1 and r.random() < 0.3:  # positive or opposite twins
            factor = r.choice((1, 2, Fraction(1, 3), -1, -2))
            rows[1] = [factor * entry for entry in rows[0]]
            if bias is not None:
                bias[1] = factor * bias[0]
        weights.append(rows)
        biases.append(bias)
    return Network.mlp(weights, biases)


def random_point(r: random.Random, dimension: int) -> list[Fraction]:
    """A small rational point, often on the kinks of small networks."""
    return [Fraction(r.randint(-6, 6), r.choice((1, 1, 2, 3))) for _ in range(dimension)]


def random_permutation(r: random.Random, net: Network) -> list[list[int]]:
    """A permutation of the neurons of every hidden layer."""
    return [r.sample(range(width), width) for width in net.widths[1:-1]]


def random_scalings(r: random.Random, net: Network) -> list[list[Fraction]]:
    """A positive factor for every hidden neuron."""
    return [[Fraction(r.randint(1, 7), r.randint(1, 5)) for _ in range(width)] for width in net.widths[1:-1]]


def on_a_kink(r: random.Random, net: Network, point: list[Fraction]) -> Network:
    """The network with one bias moved, so that a pre-activation vanishes at the point (if there is a bias)."""
    biased = [(k, i) for k, layer in enumerate(net.layers, 1) if layer.bias is not None for i in range(layer.width)]
    if not biased:
        return net
    k, i = r.choice(biased)
    return net.replace({f"b[{k}][{i}]": net.layers[k - 1].bias[i] - net.preactivations(point)[k - 1][i]})


def random_admissible_dag(r: random.Random, **options: int) -> Network:
    """A layered DAG of ReLU neurons with affine outputs and admissible parameters, zeros among them."""
    while True:
        net = random_dag(r, linear_neurons=False, **options)
        live = {p.target for p in net.parameters if p.value} & ({p.source for p in net.parameters if p.value})
        if live >= set(net.hidden_neurons):
            return net


def _attempt(r: random.Random, max_layers: int, max_width: int, linear_neurons: bool) -> Network | None:
    widths = [r.randint(1, max_width) for _ in range(r.randint(2, max_layers + 1))]
    entries = r.choice((PLAIN, DEGENERATE))
    absent = r.choice((0.0, 0.3))
    layers = []
    for k, width in enumerate(widths[1:]):
        sources = {k} | {s for s in range(k) if r.random() < 0.3}
        blocks = {
            s: [[None if r.random() < absent else r.choice(entries) for _ in range(widths[s])] for _ in range(width)]
            for s in sources
        }
        bias = [r.choice(entries) for _ in range(width)] if r.random() < 0.8 else None
        last = k == len(widths) - 2
        rho = "identity" if last else "relu"
        if linear_neurons and r.random() < 0.15:
            rho = [r.choice(("relu", "identity")) for _ in range(width)]
        if bias is None and all(entry is None for block in blocks.values() for row in block for entry in row):
            return None
        layers.append(Layer(blocks, bias=bias, activation=rho))
    try:
        return Network(widths[0], layers)
    except ValueError:  # a hidden neuron without an edge in or out
        return None


def disturbed(r: random.Random, net: Network) -> Network:
    """The same architecture with one parameter changed: its value, its sign, to zero, or away from zero."""
    parameters = net.parameters
    values = [parameter.value for parameter in parameters]
    k = r.randrange(len(values))
    values[k] = r.choice((values[k] * 2, -values[k], values[k] + 1, Fraction(0), values[k] or Fraction(1)))
    return net.with_values(values)


def exchanged(r: random.Random, net: Network) -> Network:
    """The same architecture with two parameters exchanged, often into an equivalent network."""
    values = [parameter.value for parameter in net.parameters]
    i, j = r.randrange(len(values)), r.randrange(len(values))
    values[i], values[j] = values[j], values[i]
    return net.with_values(values)


def rewired(r: random.Random, net: Network) -> Network:
    """One edge fewer where the network allows it, so that absent edges no longer correspond."""
    k = r.randrange(net.depth)
    layer = net.layers[k]
    blocks = {source: [list(row) for row in block] for source, block in layer.blocks}
    if blocks:
        row = r.choice(blocks[r.choice(sorted(blocks))])
        row[r.randrange(len(row))] = None
    try:
        changed = Layer(blocks, bias=layer.bias, activation=layer.activations)
        return Network(net.input_dim, [*net.layers[:k], changed, *net.layers[k + 1 :]])
    except ValueError:  # a neuron would lose its last edge
        return net


def partner(r: random.Random, net: Network, *, permuted: bool = True) -> Network:
    """Another network that is equivalent to ``net``, or nearly so."""
    other = net.permute(random_permutation(r, net)) if permuted else net
    for change in r.choice(((), (), (disturbed,), (exchanged,), (rewired,), (disturbed, exchanged))):
        other = change(r, other)
    return other.rescale(random_scalings(r, other)) if r.random() < 0.8 else other
