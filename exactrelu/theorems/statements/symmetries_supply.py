r"""Instances for the statements about affine symmetries: modifications, clones, networks of tanh neurons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from ...networks import Layer, Network
from ...paths import admissible
from ...symmetries import AffineSymmetry, Modification, affine_symmetries
from ...verdicts import Status
from ..decisions.draws import NONZERO, random_network, shallow_network
from ..instances import Instance


def modifiable(r: random.Random) -> Instance:
    """A network of ReLU, absolute values or hard tanh, and a modification that is mostly allowed."""
    while True:
        net = random_network(r, hidden=2, width=2)
        name = r.choice(("relu", "relu", "abs", "hard_tanh"))
        layers = [Layer(layer.weights, bias=layer.bias, activation=name) for layer in net.layers[:-1]]
        net = Network(net.input_dim, [*layers, net.layers[-1]])
        biased = [k for k, layer in enumerate(net.layers[:-1], 1) if layer.bias is not None]
        place = r.choice(biased) if biased and r.random() < 0.9 else r.randint(1, net.depth - 1)
        later = r.randint(place + 1, net.depth)
        symmetry = _symmetry(r, name)
        if r.random() < 0.08:  # not a symmetry
            symmetry = AffineSymmetry(name, symmetry.atoms, symmetry.coefficients, symmetry.constant + 1)
        if net.layers[later - 1].bias is None and symmetry.constant and r.random() < 0.9:
            continue
        child = (later, r.randrange(net.widths[later]))
        neuron = (place, r.randrange(net.widths[place]))
        return Instance(net, modification=Modification(neuron, symmetry, child, Fraction(r.choice(NONZERO))))


def _symmetry(r: random.Random, name: str) -> AffineSymmetry:
    """A symmetry of an activation, a combination of some of its basis."""
    t = Fraction(r.randint(1, 3), r.choice((1, 2)))
    atoms: list[tuple[Fraction, Fraction]] = {
        "relu": [(1, 0), (-1, 0), (1, -t), (-1, t), (2, 0), (t + 2, 0)],
        "abs": [(1, 0), (-1, 0), (-t - 1, 0), (1, t), (-1, -t)],
        "hard_tanh": [(1, 0), (-1, 0), (Fraction(1, 2), 0), (1, 1), (1, -1), (-1, -1)],
    }[name]  # type: ignore[assignment]  # numbers of several types
    basis = affine_symmetries(name, atoms).basis
    chosen = [(r.choice((0, 1, -1, 2)), symmetry) for symmetry in basis]
    if not any(weight for weight, _ in chosen):
        chosen = [(1, r.choice(basis))]
    sums = [sum((w * s.coefficients[k] for w, s in chosen), Fraction(0)) for k in range(len(atoms))]
    constant = sum((w * s.constant for w, s in chosen), Fraction(0))
    return AffineSymmetry(name, basis[0].atoms, tuple(sums), constant)


def modifications_of(net: Network, r: random.Random) -> Iterator[Instance]:
    """A ReLU network with one modification along every hidden neuron, for every later neuron or output."""
    if not net.is_standard:
        return
    for place, index in net.hidden_neurons:
        for later in range(place + 1, net.depth + 1):
            for hearer in range(net.widths[later]):
                step = Modification((place, index), _symmetry(r, "relu"), (later, hearer), Fraction(r.choice(NONZERO)))
                yield Instance(net, modification=step)


def with_clones(r: random.Random) -> Instance:
    """A ReLU network with clones, layered or not, sometimes with common children missing."""
    while True:
        net = random_network(r, hidden=2, width=3)
        wide = [k for k, width in enumerate(net.widths[1:-1]) if width > 1]
        if not wide:
            continue
        k = r.choice(wide)
        layer = net.layers[k]
        i, j = r.sample(range(layer.width), 2)
        blocks = {s: [block[i] if n == j else row for n, row in enumerate(block)] for s, block in layer.blocks}
        bias = layer.bias and [layer.bias[i] if n == j else b for n, b in enumerate(layer.bias)]
        try:
            changed = Layer(blocks, bias=bias, activation=layer.activations)
            found = Network(net.input_dim, [*net.layers[:k], changed, *net.layers[k + 1 :]])
        except ValueError:  # a neuron without an edge in or out
            continue
        if admissible(found).status is Status.HOLDS or r.random() < 0.05:
            return Instance(found)


def smooth_pair(r: random.Random) -> Instance:
    """Two networks of tanh neurons with the same function, the one with neurons turned around and moved."""
    net = shallow_network(r, width=4, inputs=2, outputs=2)
    hidden, output = net.layers
    net = Network.mlp([hidden.blocks[0][1], output.blocks[0][1]], [hidden.bias, output.bias], activation="tanh")
    signs = [r.choice((1, -1)) for _ in range(hidden.width)]
    bias = hidden.bias or ()
    rows = [[s * (e or 0) for e in row] for s, row in zip(signs, hidden.blocks[0][1], strict=True)]
    columns = [[s * (e or 0) for s, e in zip(signs, row, strict=True)] for row in output.blocks[0][1]]
    other = Network.mlp(
        [rows, columns], [[s * b for s, b in zip(signs, bias, strict=True)], output.bias], activation="tanh"
    )
    return Instance(net, other.permute([r.sample(range(hidden.width), hidden.width)]))
