"""Random networks for tests, half of them degenerate on purpose.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import random
from fractions import Fraction

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
    for before, width in zip(widths, widths[1:], strict=False):
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
