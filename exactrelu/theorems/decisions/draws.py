r"""Random small networks for the supplies of statements, about half of them degenerate on purpose.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from ...networks import Layer, Network
from ...paths import admissible
from ...rationals import Vector
from ...verdicts import Status
from .frozen import is_smooth

PLAIN: Final = (-3, -2, -1, 1, 2, 3, Fraction(1, 2), Fraction(-2, 3), Fraction(5, 7))
DEGENERATE: Final = (0, 0, 0, 1, -1, 2, Fraction(1, 2))
NONZERO: Final = (-2, -1, 1, 2, Fraction(1, 2), Fraction(-3, 2))


def random_network(r: random.Random, *, hidden: int = 2, width: int = 2, inputs: int = 2, outputs: int = 2) -> Network:
    """A ReLU network: a perceptron, or a DAG with skips and absent edges; zeros, twins and dead neurons among it.

    At most so many hidden layers, neurons per layer, inputs and outputs.
    """
    while True:
        sizes = [r.randint(1, inputs), *(r.randint(1, width) for _ in range(r.randint(1, hidden)))]
        sizes.append(1 if r.random() < 0.7 else r.randint(1, outputs))
        net = perceptron(r, sizes) if r.random() < 0.6 else _dag(r, sizes)
        if net is not None:
            return net


def random_admissible(r: random.Random, **options: int) -> Network:
    """The same, admissible."""
    while True:
        net = random_network(r, **options)
        if admissible(net).status is Status.HOLDS:
            return net


def perceptron(r: random.Random, sizes: Sequence[int], *, biases: bool | None = None) -> Network:
    """A perceptron of these widths, half of the time with many zeros, often with twins."""
    entries = r.choice((PLAIN, PLAIN, DEGENERATE))
    weights, offsets = [], []
    for before, size in pairwise(sizes):
        rows = [[r.choice(entries) for _ in range(before)] for _ in range(size)]
        with_bias = r.random() < 0.85 if biases is None else biases
        bias = [r.choice(entries) for _ in range(size)] if with_bias else None
        if size > 1 and r.random() < 0.25:  # positive or opposite twins
            factor = r.choice((1, 2, Fraction(1, 3), -1, -2))
            rows[1] = [factor * entry for entry in rows[0]]
            if bias is not None:
                bias[1] = factor * bias[0]
        weights.append(rows)
        offsets.append(bias)
    return Network.mlp(weights, offsets)


def _dag(r: random.Random, sizes: Sequence[int]) -> Network | None:
    entries = r.choice((PLAIN, DEGENERATE))
    absent = r.choice((0.0, 0.3))
    layers = []
    for k, size in enumerate(sizes[1:]):
        sources = {k} | {s for s in range(k) if r.random() < 0.4}
        blocks = {
            s: [[None if r.random() < absent else r.choice(entries) for _ in range(sizes[s])] for _ in range(size)]
            for s in sources
        }
        bias = [r.choice(entries) for _ in range(size)] if r.random() < 0.8 else None
        last = k == len(sizes) - 2
        try:
            layers.append(Layer(blocks, bias=bias, activation="identity" if last else "relu"))
        except ValueError:  # a layer without edges and biases
            return None
    try:
        return Network(sizes[0], layers)
    except ValueError:  # a hidden neuron without an edge in or out
        return None


def shallow_network(r: random.Random, *, width: int = 3, inputs: int = 2, outputs: int = 1) -> Network:
    """One hidden layer with all biases and nonzero outgoing weights, its rows not all zero."""
    d, h, k = r.randint(1, inputs), r.randint(1, width), r.randint(1, outputs)
    rows = [_nonzero_row(r, d) for _ in range(h)]
    bias = [r.choice((*NONZERO, 0)) for _ in range(h)]
    return Network.mlp(
        [rows, [[r.choice(NONZERO) for _ in range(h)] for _ in range(k)]], [bias, [r.randint(-1, 1)] * k]
    )


def _nonzero_row(r: random.Random, size: int) -> list[Fraction | int]:
    row = [r.choice((0, *NONZERO)) for _ in range(size)]
    if not any(row):
        row[r.randrange(size)] = r.choice(NONZERO)
    return row


def chain(r: random.Random, w: object, v: object, c: object, a: object) -> Network:
    r"""The chain :math:`c\,\sigma(v\,\sigma(wx+b)+a)+e` with random b and e."""
    return Network.mlp([[[w]], [[v]], [[c]]], [[r.randint(-3, 3)], [a], [r.randint(-2, 2)]])


def random_scalings(r: random.Random, net: Network) -> list[list[Fraction]]:
    """A positive factor for every hidden neuron."""
    return [[Fraction(r.randint(1, 5), r.randint(1, 4)) for _ in range(size)] for size in net.widths[1:-1]]


def random_permutation(r: random.Random, net: Network) -> list[list[int]]:
    """A permutation of the neurons of every hidden layer."""
    return [r.sample(range(size), size) for size in net.widths[1:-1]]


def disturbed(r: random.Random, net: Network) -> Network:
    """The same architecture with one parameter changed: its value, its sign, to zero, or away from zero."""
    values = [parameter.value for parameter in net.parameters]
    k = r.randrange(len(values))
    values[k] = r.choice((values[k] * 2, -values[k], values[k] + 1, Fraction(0), values[k] or Fraction(1)))
    return net.with_values(values)


def random_samples(r: random.Random, net: Network, count: int) -> list[Vector]:
    """Distinct small points, those on kinks left out."""
    points = []
    for _ in range(count):
        denominator = r.choice((1, 1, 2, 3))
        points.append(tuple(Fraction(r.randint(-6, 6), denominator) for _ in range(net.input_dim)))
    distinct = list(dict.fromkeys(points))
    patterns = net.patterns(distinct)
    return [x for x, pattern in zip(distinct, patterns, strict=True) if is_smooth(pattern)]
