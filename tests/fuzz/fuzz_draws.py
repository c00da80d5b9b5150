"""Random instances for fuzzing, most of them in degenerate position.

Each function here makes an instance from a random generator: a network, and perhaps a domain and a second network.
What is degenerate: equal, opposite and parallel hyperplanes, hyperplanes through one point or along a facet of the
domain, slivers thinner than floats can tell, dead and idle neurons, neurons that vanish on a region, numbers of
extreme size.

One-letter names: ``r`` a random generator, ``d`` an input dimension.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from region_networks import random_network, rescaled
from strategies import PLAIN, partner, random_admissible_dag, random_dag, random_mlp

from exactrelu import Domain, ExactReluError, Instance, Layer, Network
from exactrelu.theorems.strata import STRATA

SMALL = (-3, -2, -1, -1, 1, 1, 2, 3)
TINY = Fraction(1, 2**70)


def region_instance(r: Random) -> Instance:
    """Skips, absent edges, identity neurons, polytopes and cones; sometimes slivers, extreme sizes, kinks on facets."""
    net, halfspaces = random_network(r.getrandbits(48), r.choice((2, 2, 3)), r.choice((2, 3, 4)))
    domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else None
    kind = r.random()
    if kind < 0.15:
        net = rescaled(net, r.getrandbits(32), r.choice((10, 60, 600)))
    elif kind < 0.35:
        net = nudged(r, net)
    elif kind < 0.5 and domain is not None:
        net = along_a_facet(r, net, domain)
    return Instance(net, domain=domain)


def shallow_instance(r: Random) -> Instance:
    """One dense hidden layer in one to three inputs, degenerate more often than not, on all kinds of domains."""
    d, width, outputs = r.choice((1, 1, 2, 2, 3)), r.choice((1, 2, 2, 3, 3, 4)), r.choice((1, 1, 2))
    entries = r.choice((SMALL, SMALL, PLAIN))
    rows = [[Fraction(r.choice((0, *entries))) for _ in range(d + 1)] for _ in range(width)]
    for i in range(1, width):
        rows[i] = planted(r, rows[: i + 1])
    out = [[Fraction(r.choice(entries)) for _ in range(width)] for _ in range(outputs)]
    hidden_bias, output_bias = r.random() < 0.85, r.random() < 0.8
    biases = [
        [row[-1] for row in rows] if hidden_bias else None,
        [Fraction(r.choice(entries)) for _ in out] if output_bias else None,
    ]
    net = Network.mlp([[row[:-1] for row in rows], out], biases)
    domain = random_domain(r, d)
    if domain is not None and r.random() < 0.3:
        net = along_a_facet(r, net, domain)
    return Instance(in_stratum(r, net) if r.random() < 0.2 else net, domain=domain)


def deep_instance(r: Random) -> Instance:
    """Perceptrons and layered DAGs of two to four layers, moved into strata, on all kinds of domains."""
    kind = r.random()
    if kind < 0.35:
        net = random_dag(r, linear_neurons=False)
    elif kind < 0.6:
        net = random_admissible_dag(r, max_layers=3)
    else:
        net = random_mlp(r, max_layers=3)
    if net.input_dim == 1 and r.random() < 0.1:
        net = rescaled(net, r.getrandbits(32), 200)
    net = in_stratum(r, net) if r.random() < 0.5 else net
    return Instance(net, domain=random_domain(r, net.input_dim))


def pair_instance(r: Random) -> Instance:
    """A network and another one, equivalent or nearly so."""
    found = r.choice((shallow_instance, shallow_instance, deep_instance))(r)
    return found.replace(other=partner(r, found.network))


def space_instance(r: Random) -> Instance:
    """A shallow network with all biases, on all of space, as the recovery of networks needs it."""
    while True:
        net = shallow_instance(r).network
        if all(layer.bias is not None for layer in net.layers):
            return Instance(net)


def any_instance(r: Random) -> Instance:
    """Any of these."""
    return r.choice((shallow_instance, deep_instance, region_instance, pair_instance))(r)


def random_domain(r: Random, d: int) -> Domain | None:
    """All of space, a box, a simplex, a cone or strip, and rarely a flat box."""
    kind = r.random()
    if kind < 0.35:
        return None
    if kind < 0.7:
        return Domain.box([sorted(r.sample(range(-2, 3), 2)) for _ in range(d)])
    if kind < 0.8:
        corner = [Fraction(r.randint(-2, 1)) for _ in range(d)]
        tips = [[c + (r.randint(1, 3) if i == j else 0) for j, c in enumerate(corner)] for i in range(d)]
        return Domain.polytope(vertices=[corner, *tips])
    if kind < 0.95:
        return Domain.parse("x".join(r.choice(("R", "[-1,1]", "[0,2]")) for _ in range(d)))
    sides = [[0, 1]] * d
    return Domain.polytope(vertices=[[side[0] for side in sides], [side[1] for side in sides]])


def planted(r: Random, rows: list[list[Fraction]]) -> list[Fraction]:
    """The last row, or instead of it one that is equal, opposite, parallel, or through a common point with others."""
    kind, row, other = r.random(), rows[-1], r.choice(rows[:-1])
    if kind < 0.2:
        factor = Fraction(r.choice((1, -1, -1, -1, -1, -2, -3)), r.choice((1, 1, 2)))
        return [factor * entry for entry in other]
    if kind < 0.3:
        return [*other[:-1], other[-1] + r.choice((1, -1, TINY))]
    if kind < 0.45:
        return [a + r.choice((1, -1)) * b for a, b in zip(other, rows[0], strict=True)]
    if kind < 0.5:
        return [*[Fraction(0)] * (len(row) - 1), row[-1]]
    return row


def in_stratum(r: Random, net: Network) -> Network:
    """The network with a few parameters changed so that it lies in some stratum, if there is room for that."""
    moved = r.choice(list(STRATA.values())).degenerate(net, r)
    return net if moved is None else moved


def nudged(r: Random, net: Network) -> Network:
    """Some parameters moved by less than floats can tell, which opens slivers where there were coincidences."""
    values = [p.value + r.choice((0, 0, TINY, -TINY)) for p in net.parameters]
    return net.with_values(values)


def along_a_facet(r: Random, net: Network, domain: Domain) -> Network:
    """A neuron of the first layer vanishes exactly on the boundary of a half-space of the domain, if it can."""
    layer, walls = net.layers[0], [half for half in domain.halfspaces if any(half.normal)]
    if layer.bias is None or [source for source, _ in layer.blocks] != [0] or not walls:
        return net
    wall, sign, i = r.choice(walls), r.choice((1, -1)), r.randrange(layer.width)
    rows, bias = [list(row) for row in layer.blocks[0][1]], list(layer.bias)
    rows[i] = [None if old is None else sign * c for old, c in zip(rows[i], wall.normal, strict=True)]
    bias[i] = -sign * wall.bound
    try:
        return Network(net.input_dim, [Layer({0: rows}, bias=bias, activation=layer.activations), *net.layers[1:]])
    except ExactReluError:
        return net
