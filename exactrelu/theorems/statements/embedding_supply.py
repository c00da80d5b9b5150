r"""Instances for the statements about the embedding: networks with points, with rescalings, with other signs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from ...networks import Network
from ..decisions.draws import (
    NONZERO,
    chain,
    disturbed,
    random_admissible,
    random_network,
    random_samples,
    random_scalings,
)
from ..decisions.frozen import theta_of
from ..instances import Instance


def network_with_samples(r: random.Random) -> Instance:
    """Any ReLU network and some points off its kinks."""
    while True:
        net = random_network(r, hidden=3, width=3)
        samples = random_samples(r, net, r.randint(1, 4))
        if samples:
            return Instance(net, samples=samples)


def network_with_points(r: random.Random) -> Instance:
    """Any network, with identity neurons and points on kinks among others."""
    net = random_network(r, hidden=3, width=3)
    points = [[Fraction(r.randint(-4, 4), r.choice((1, 2))) for _ in range(net.input_dim)] for _ in range(3)]
    return Instance(net, samples=points)


def rescaled_pair(r: random.Random) -> Instance:
    """A network of any kind and a rescaling."""
    net = random_network(r)
    return Instance(net, net.rescale(random_scalings(r, net)))


def rescaled_admissible_pair(r: random.Random) -> Instance:
    """An admissible network and a rescaling; sometimes one parameter more has changed."""
    net = random_admissible(r, hidden=3, width=3)
    other = net.rescale(random_scalings(r, net))
    return Instance(net, disturbed(r, other) if r.random() < 0.1 else other)


def signed_pair(r: random.Random) -> Instance:
    """An admissible network and the same with factors of any sign, so that the products along paths are kept."""
    net = random_admissible(r, hidden=3, width=3)
    factors = {neuron: Fraction(r.choice((-3, -2, -1, 1, 2)), r.choice((1, 2))) for neuron in net.hidden_neurons}
    return Instance(net, net.with_values(signed_values(net, factors)))


def signed_values(net: Network, factors: dict[tuple[int, int], Fraction]) -> list[Fraction]:
    r"""The parameters :math:`(\lambda_v/\lambda_u)w_{uv}`, :math:`\lambda_vb_v` for factors of any sign."""
    one = Fraction(1)
    return [
        p.value * factors.get(p.target, one) / (factors.get(p.source, one) if p.source else one) for p in net.parameters
    ]


def an_admissible_network(r: random.Random) -> Instance:
    """An admissible network."""
    return Instance(random_admissible(r, hidden=3, width=3))


def a_closed_chain(r: random.Random) -> Instance:
    """A chain as S4 wants it, now and then with a sign that it does not want."""
    w, c = r.choice(NONZERO), r.choice(NONZERO)
    v, a = Fraction(r.randint(1, 4), r.randint(1, 3)), -Fraction(r.randint(1, 4), r.randint(1, 3))
    if r.random() < 0.1:
        v, a = r.choice(((v, -a), (-v, a), (v, Fraction(0))))
    return Instance(chain(r, w, v, c, a))


def pairs_with_rescalings(net: Network, r: random.Random) -> Iterator[Instance]:
    """The network with a rescaling, with factors of other signs, and with small changes of both."""
    yield Instance(net, net.rescale(random_scalings(r, net)))
    for neuron in net.hidden_neurons:
        yield Instance(net, net.with_values(signed_values(net, {neuron: Fraction(-1)})))
    yield from (Instance(net, disturbed(r, net)) for _ in range(4))
    theta = theta_of(net)
    for k, value in enumerate(theta):  # a parameter that no product along a path may show
        yield Instance(net, net.with_values([*theta[:k], value + (1 if value >= 0 else -1), *theta[k + 1 :]]))


def network_at_random_samples(net: Network, r: random.Random) -> Iterator[Instance]:
    """The network with a few samples, those on kinks left out."""
    for count in (2, 4, 8, 12):
        samples = random_samples(r, net, count)
        if samples:
            yield Instance(net, samples=samples)
