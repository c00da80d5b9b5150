"""Networks and domains for tests of the regions, more than half of them degenerate on purpose.

One-letter names: ``r`` a seeded random generator, ``d`` the input dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from random import Random
from typing import Any

import pytest

from exactrelu import Domain, Halfspace, InvalidNetwork, Layer, Network

Row = list[Fraction | None]


def batches(quick: int, total: int, size: int) -> list[Any]:
    """Ranges of seeds for ``parametrize``: 0..quick-1 always, the others in the sweep only."""
    starts = range(quick, total, size)
    later = [pytest.param(range(s, min(s + size, total)), marks=pytest.mark.sweep, id=f"from {s}") for s in starts]
    return [pytest.param(range(quick), id=f"first {quick}"), *later]


def single_layer(rows: Sequence[Sequence[object]], bias: Sequence[object], **options: object) -> Network:
    """An arrangement of hyperplanes as a network with one hidden layer."""
    return Network.mlp([rows, [[1] * len(rows)]], [bias, [0]], **options)


def random_network(seed: int, max_dim: int = 3, max_width: int = 4) -> tuple[Network, tuple[Halfspace, ...]]:
    """A small network with twins, zeros, concurrency, skips, absent edges, identity neurons, and a domain."""
    r = Random(seed)
    while True:
        try:
            net = _random_network(r, max_dim, max_width)
        except InvalidNetwork:  # a hidden neuron lost its last edge
            continue
        return net, random_halfspaces(r, net.input_dim)


def _random_network(r: Random, max_dim: int, max_width: int) -> Network:
    d, depth = r.randint(1, max_dim), r.randint(1, 3)
    degenerate = r.random() < 0.6
    size = r.choice((1, 2, 3, 9)) if degenerate else 9
    denominator = r.choice((1, 1, 2, 10))
    skips, absent, biases = r.random() < 0.4, r.random() < 0.2, r.random() < 0.85
    widths, layers = [d], []
    for k in range(depth + 1):
        last = k == depth
        width = r.randint(1, 2 if last else max_width)
        sources = [s for s in range(k) if skips and r.random() < 0.5] + [k]
        rows: list[Row] = []  # all sources side by side, then the bias
        for _ in range(width):
            row = [Fraction(r.randint(-size, size), denominator) for _ in range(sum(widths[s] for s in sources) + 1)]
            rows.append(_degenerate(r, row, rows) if degenerate else row)
        blocks, at = {}, 0
        for s in sources:
            blocks[s] = [[_maybe_absent(r, c, absent) for c in row[at : at + widths[s]]] for row in rows]
            at += widths[s]
        rho = ["relu" if r.random() < (0.15 if last else 0.93) else "identity" for _ in range(width)]
        layers.append(Layer(blocks, bias=[row[-1] for row in rows] if biases else None, activation=rho))
        widths.append(width)
    return Network(d, layers)


def _degenerate(r: Random, row: Row, rows: list[Row]) -> Row:
    """Sometimes an equal, opposite, proportional or parallel row, a zero row, or one that only touches."""
    kind = r.random()
    if rows and kind < 0.3:
        factor = Fraction(r.choice((1, -1, 2, -3)), r.choice((1, 1, 3)))
        twin = [c * factor for c in r.choice(rows)]
        return [*twin[:-1], twin[-1] + (r.random() < 0.3)]
    if kind < 0.37:
        return [*[Fraction(0)] * (len(row) - 1), row[-1]]
    if kind < 0.47:
        return [*map(abs, row[:-1]), Fraction(0)]
    return row


def _maybe_absent(r: Random, entry: Fraction | None, absent: bool) -> Fraction | None:
    return None if absent and r.random() < 0.2 else entry


def random_halfspaces(r: Random, d: int) -> tuple[Halfspace, ...]:
    """A box, a polytope or cone around a point (trivial and redundant half-spaces included), or no constraint."""
    kind = r.random()
    if kind < 0.25:
        return Domain.box([sorted(r.sample(range(-3, 4), 2)) for _ in range(d)]).halfspaces
    if kind > 0.4:
        return ()
    center = [Fraction(r.randint(-4, 4), 2) for _ in range(d)]
    found = []
    for _ in range(r.randint(1, d + 2)):
        normal = [Fraction(r.randint(-2, 2)) for _ in range(d)]
        level = sum((n * c for n, c in zip(normal, center, strict=True)), Fraction(0))
        found.append(Halfspace(normal, level + Fraction(r.randint(1, 6), 2)))
    return tuple(found)


def rescaled(net: Network, seed: int, exponent: int) -> Network:
    """Every neuron, outputs included, times a random power of two up to 2^(+-exponent), undone in what reads it."""
    r = Random(seed)
    factors = [[Fraction(2) ** r.randint(-exponent, exponent) for _ in range(width)] for width in net.widths[1:]]
    factors.insert(0, [Fraction(1)] * net.input_dim)
    layers = []
    for layer, mine in zip(net.layers, factors[1:], strict=True):
        blocks = {
            s: [
                [None if c is None else c * m / f for c, f in zip(row, factors[s], strict=True)]
                for row, m in zip(block, mine, strict=True)
            ]
            for s, block in layer.blocks
        }
        bias = None if layer.bias is None else [b * m for b, m in zip(layer.bias, mine, strict=True)]
        layers.append(Layer(blocks, bias=bias, activation=layer.activations))
    return Network(net.input_dim, layers)


def folding_network(widths: Sequence[int]) -> Network:
    r"""A network that folds the cube onto itself layer by layer, and cuts it generically at the end.

    Every coordinate y of [0,1]^d goes through p = width // d neurons max(0, py - j), whose sum
    py - 2(py - 1) + 2(py - 2) - ... rises and falls p times between 0 and 1.
    """
    d, *hidden, _ = widths
    unfold = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]  # y from the layer before
    weights, biases = [], []
    for width in hidden[:-1]:
        p = width // d
        weights.append([[p * c for c in unfold[min(i // p, d - 1)]] for i in range(width)])
        biases.append([-(i % p) if i < p * d else -9 for i in range(width)])  # those left over stay off
        fold = [Fraction((-1) ** j * (2 if j else 1)) for j in range(p)]
        unfold = [[fold[i % p] if i // p == j else Fraction(0) for i in range(width)] for j in range(d)]
    # Hyperplanes in general position that nearly meet in one point: all their faces lie in the cube.
    normals = [[(i + 1) ** j for j in range(d)] for i in range(hidden[-1])]
    levels = [sum(n * (Fraction(1, 2) + Fraction(j, 7)) for j, n in enumerate(row)) for row in normals]
    composed = [[sum(map(mul, row, column)) for column in zip(*unfold, strict=True)] for row in normals]
    shifts = [-level - Fraction((i + 1) ** d, 10**6) for i, level in enumerate(levels)]
    return Network.mlp([*weights, composed, [[1] * hidden[-1]]], [*biases, shifts, [0]])
