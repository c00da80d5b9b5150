"""Deep networks with known answers, and random ones: layered and with skips, half degenerate on purpose.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as Q
from itertools import pairwise
from random import Random
from typing import Any

from deep_oracle import Deep, Point, is_smooth, read, signs_at
from deep_regions import Sides, functional_dimension, smooth_points

from exactrelu import InvalidNetwork, Layer, Network

WIDTHS = [
    *((1, 2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (1, 3, 1, 1), (1, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1)),
    *((2, 1, 2, 1), (1, 2, 2, 2), (2, 2, 1, 2), (1, 3, 2, 1), (2, 2, 2, 2, 1), (1, 2, 2, 2, 1), (1, 1, 1, 1, 1)),
]  # fmt: skip
PLAIN = (-3, -2, -1, 1, 2, 3, Q(1, 2), Q(-2, 3), Q(5, 7))
COARSE = (0, 1, -1, 1, -1, 2, Q(1, 2))

Rows = list[list[Any]]


def chain(*affine: tuple[object, object]) -> Network:
    """Neurons of width one after another, each with its weight and its bias (or None for no biases)."""
    return Network.mlp([[[w]] for w, _ in affine], [None if b is None else [b] for _, b in affine])


def shallow(neurons: Sequence[tuple[Any, object, Any]], c: Any = 0) -> Network:
    """Neurons (w, b, v) with one hidden layer; w and v are numbers or vectors."""

    def vector(entry: Any) -> list[Any]:
        return list(entry) if isinstance(entry, tuple) else [entry]

    columns = [vector(v) for _, _, v in neurons]
    out = [list(row) for row in zip(*columns, strict=True)]
    return Network.mlp([[vector(w) for w, _, _ in neurons], out], [[b for _, b, _ in neurons], [c] * len(out)])


BEND, TWO_SIDED = shallow([(1, 0, 1)]), shallow([(1, 0, 2), (-1, 0, 1)])
LATE = chain((1, 0), (1, -1), (1, 0))  # sigma(sigma(x) - 1)
STEP = chain((1, 0), (-1, 1), (1, 0))  # sigma(1 - sigma(x))
UNSEEN_BENDS = Network.mlp([[[1]] * 3, [[1, 1, -1]], [[1]]], [[0, -1, -1], [-3], [0]])
SEEN_BENDS = Network.mlp([[[1]] * 3, [[1, 1, -1]], [[1]]], [[0, -4, -4], [-3], [0]])

# network, samples, rank of the Jacobian, rank of the activations, status
SAMPLES: dict[str, tuple[Network, list[Any], int, int, str]] = {
    "X1": (BEND, [1, 2, -1], 3, 3, "holds"),
    "X2": (BEND, [1, -1], 2, 2, "fails"),
    "X3": (BEND, [1, 2, 3, 4], 2, 2, "fails"),
    "X5": (TWO_SIDED, [1, 2, 3, -1, -2, -3], 4, 4, "fails"),
    "X6": (LATE, [-1, Q(1, 2), 2, 3], 3, 3, "fails"),
    "X7": (STEP, [-1, Q(1, 2), Q(1, 4), 2], 4, 4, "holds"),
    "X7 without 1/4": (STEP, [-1, Q(1, 2), 2], 3, 3, "fails"),
    "gap": (shallow([((1, 0), 0, (1, 1))]), [(1, 0), (2, 0), (1, 1)], 5, 6, "unknown"),
    "unheard": (shallow([(0, 1, 1), (1, 0, 0)]), [1, 2, -1], 3, 3, "inapplicable"),
}  # fmt: skip

# network, domain, functional dimension
DIMENSIONS: dict[str, tuple[Network, Sides, int]] = {
    "S01": (BEND, [(-1, 1)], 3),
    "S02": (shallow([(1, -2, 1)]), [(-1, 1)], 1),
    "S03": (shallow([(1, 2, 1)]), [(-1, 1)], 2),
    "S04": (shallow([(1, -1, 1)]), [(-1, 1)], 1),
    "S05": (shallow([(1, -1, 1)]), [(-1, 2)], 3),
    "S06": (shallow([(1, 0, 1), (2, 0, 1)]), [(-1, 1)], 3),
    "S07a": (TWO_SIDED, None, 4),
    "S12a": (shallow([(1, 0, (1, 0)), (-1, 0, (0, 1))]), None, 8),
    "S13": (shallow([(1, Q(1, 2), 1), (1, Q(-1, 2), -1)]), [(-1, 1)], 5),
    "S16": (shallow([((1, 0), Q(1, 4), 1), ((0, 1), Q(-1, 4), 1), ((1, 1), Q(1, 8), -1)]), [(-1, 1)] * 2, 10),
    "S22": (shallow([(1, 0, 1), (0, 1, 1)]), None, 4),
    "X6": (LATE, None, 3),
    "X7": (STEP, None, 4),
    "F4 on, up": (chain((1, 0), (1, 1), (1, 0)), None, 3),
    "F4 on, down": (STEP, None, 4),
    "F4 off, up": (chain((-2, 1), (3, -1), (-1, 2)), None, 3),
    "F4 off, down": (chain((-2, 1), (-3, -1), (-1, 2)), None, 1),
    "F6": (shallow([(1, 0, 1), (-1, 0, 1)]), None, 4),
    "F7": (shallow([(1, 1, 1), (1, 0, -2), (1, -1, 1)]), None, 7),
    "F8 bends where it is off": (UNSEEN_BENDS, None, 3),
    "F8 bends where it is on": (SEEN_BENDS, None, 5),
}


def random_network(r: Random) -> Network:
    """A small network with one to three hidden layers: half degenerate, half with the full dimension if luck has it."""
    degenerate, tries = r.random() < 0.5, 12
    while True:
        try:
            net = _attempt(r, r.choice(WIDTHS), degenerate=degenerate)
        except InvalidNetwork:  # a hidden neuron lost its last edge
            continue
        tries -= 1
        if degenerate or not tries or functional_dimension(read(net)) == read(net).full:
            return net


def _attempt(r: Random, widths: Sequence[int], *, degenerate: bool) -> Network:
    skips, absent = r.random() < 0.3, r.choice((0.0, 0.0, 0.15))
    entries = COARSE if degenerate and r.random() < 0.5 else PLAIN
    layers, silent = [], r.randrange(len(widths) * 3)  # the layer without biases, if there is one
    for k, (before, width) in enumerate(pairwise(widths)):
        sources = [s for s in range(k) if skips and r.random() < 0.4] + [k]
        rows = {s: [[r.choice(entries) for _ in range(widths[s])] for _ in range(width)] for s in sources}
        bias = [r.choice((*entries, 0, 2)) for _ in range(width)]
        if degenerate:
            _spoil(r, rows, bias, last=k == len(widths) - 2)
        for row in (row for block in rows.values() for row in block):
            row[:] = [None if r.random() < absent else entry for entry in row]
        last = k == len(widths) - 2
        layers.append(Layer(rows, bias=None if k == silent else bias, activation="identity" if last else "relu"))
        assert len(rows[k][0]) == before
    return Network(widths[0], layers)


def _spoil(r: Random, rows: dict[int, Rows], bias: list[Any], *, last: bool) -> None:
    """Twins, opposite twins, neurons that are off or on or zero, and weights that kill an earlier neuron."""
    i, j = r.randrange(len(bias)), r.randrange(len(bias))
    kind = r.choice(("twins", "off", "on", "zero", "dead", "dead", "duplicate"))
    if kind == "dead":
        source = r.choice(list(rows))
        column = r.randrange(len(rows[source][0]))
        for row in rows[source]:
            row[column] = 0
    elif last:
        return
    elif kind in ("twins", "duplicate") and i != j:
        factor = 1 if kind == "duplicate" else r.choice((2, Q(1, 3), -1, -2))
        for block in rows.values():
            block[j] = [factor * entry for entry in block[i]]
        bias[j] = factor * bias[i]
    elif kind in ("off", "on"):  # exact unless the inputs are seen directly
        for source, block in rows.items():
            block[i] = [(-1 if kind == "off" else 1) * abs(e) if source else e for e in block[i]]
        bias[i] = r.choice((-1, -1, 0)) if kind == "off" else r.choice((1, Q(1, 2), 0))
    elif kind == "zero":
        for block in rows.values():
            block[i] = [0] * len(block[i])
        bias[i] = r.choice((0, 1, 1, -1))


def random_sides(r: Random, d: int) -> Sides:
    """All of space, or a small box."""
    if r.random() < 0.5:
        return None
    corners = [Q(r.randint(-4, 3), r.choice((1, 2))) for _ in range(d)]
    return [(lo, lo + Q(r.randint(1, 8), 2)) for lo in corners]


def random_samples(r: Random, net: Deep) -> list[Point]:
    """Distinct smooth points: anywhere, in every region, on one side of a neuron, or close to the walls."""
    found = next(filter(None, (_samples(r, net) for _ in range(8))), [])
    return list(dict.fromkeys(found))


def _samples(r: Random, net: Deep) -> list[Point]:
    pool = [p for p in (_anywhere(r, net.input_dim) for _ in range(40)) if is_smooth(net, p)]
    kind = r.choice(("few", "many", "every region", "one side", "close"))
    if kind in ("every region", "close"):
        inside = smooth_points(net)
        pool = inside if kind == "every region" else [p for q in _pairs(r, inside) for p in _close(net, *q)] or inside
        if r.random() < 0.5:
            pool = [p for p in pool if r.random() < 0.8]
    elif kind == "one side" and net.hidden:
        v, side = r.choice(net.hidden), r.choice((-1, 1))
        pool = [p for p in pool if signs_at(net, p)[v] == side]
    elif kind == "few":
        pool = pool[: r.randint(1, 6)]
    return pool


def _anywhere(r: Random, d: int) -> Point:
    return tuple(Q(r.randint(-12, 12), r.choice((1, 2, 3))) for _ in range(d))


def _pairs(r: Random, points: list[Point]) -> list[tuple[Point, Point]]:
    return [(p, r.choice(points)) for p in points]


def _close(net: Deep, p: Point, q: Point) -> list[Point]:
    """Points on both sides of a wall between two points, less than 2^-20 of the way apart."""
    start = signs_at(net, p)
    if signs_at(net, q) == start:
        return [p]
    for _ in range(20):
        middle = tuple((a + b) / 2 for a, b in zip(p, q, strict=True))
        if signs_at(net, middle) == start:
            p = middle
        else:
            q = middle
    return [x for x in (p, q) if is_smooth(net, x)]


def random_pair(seed: int) -> tuple[Random, Network, Deep]:
    """The generator after its first use, a network, and the same as the oracle reads it."""
    r = Random(seed)
    net = random_network(r)
    return r, net, read(net)
