"""One hidden layer: the regions beside the hyperplanes carry the rows of all regions, which are listed here."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from oracles import eliminate
from region_networks import batches, random_halfspaces
from test_jacobian import path_jacobian

from exactrelu import (
    Domain,
    InvalidDomain,
    Network,
    Status,
    functional_dimension,
    identifying_samples,
    locally_identifiable,
)
from exactrelu.identifiability.jacobians.crossings import beside_hyperplanes, points_around
from exactrelu.identifiability.jacobians.functional_dimension import jacobian_basis
from exactrelu.regions import activation_regions


def random_shallow(r: Random) -> Network:
    """One hidden layer; twins of both orientations, parallel and concurrent hyperplanes, zeros, missing biases."""
    d, h, outputs = r.randint(1, 3), r.randint(1, 5), r.randint(1, 2)
    size = r.choice((1, 1, 2, 9))
    rows: list[list[int]] = []
    for _ in range(h):
        row = [r.randint(-size, size) for _ in range(d + 1)]
        kind = r.randrange(6) if rows else 5
        if kind == 0:
            row = [r.choice((-2, -1, 1, 3)) * entry for entry in r.choice(rows)]  # a twin
        elif kind == 1:
            row[:-1] = r.choice(rows)[:-1]  # parallel
        elif kind == 2:
            row[-1] = 0  # through the origin
        rows.append(row)
    hidden = [row[-1] for row in rows] if r.random() < 0.8 else None
    output = [r.randint(-1, 1) for _ in range(outputs)] if r.random() < 0.8 else None
    weights = [[r.randint(-size, size) for _ in range(h)] for _ in range(outputs)]
    return Network.mlp([[row[:-1] for row in rows], weights], [hidden, output])


@pytest.mark.parametrize("seeds", batches(120, 1120, 250))
def test_the_rank_over_all_regions(seeds: range) -> None:
    short = 0
    for seed in seeds:
        r = Random(seed)
        net = random_shallow(r)
        walls = random_halfspaces(r, net.input_dim)
        domain = Domain.polytope(halfspaces=walls) if walls else Domain.space(net.input_dim)
        complex = activation_regions(net, domain)
        known = len(jacobian_basis(complex))
        assert functional_dimension(net, domain) == known
        short += known < len(net.parameters) - len(net.hidden_neurons)
        centers = beside_hyperplanes(net, domain)
        assert centers and len(centers) <= 2 * len(net.hidden_neurons)
        patterns = set(complex.patterns)
        rows = []
        for center in centers:
            assert all(side.slack(center) > 0 for side in domain.halfspaces) and net.pattern(center) in patterns
            points = points_around(net, domain, center)
            assert all(domain.contains(point) and net.pattern(point) == net.pattern(center) for point in points)
            if all(sign for group in net.pattern(center).signs for sign in group):
                rows += path_jacobian(net, [list(point) for point in points])
        assert len(eliminate(rows)[1]) == known  # by elimination of other people's rows
    assert len(seeds) // 5 < short < len(seeds)


def test_other_networks_and_domains() -> None:
    deep = Network.mlp([[[1]], [[1]], [[1]]])
    assert beside_hyperplanes(deep, Domain.parse("R")) is None
    line = Network.mlp([[[1, 0]], [[1]]])
    with pytest.raises(InvalidDomain, match=r"must have interior points for regions, but lies in x1 = 2"):
        beside_hyperplanes(line, Domain.box([(0, 1), (2, 2)]))
    silent = Network.mlp([[[0, 0], [1, 0]], [[1, 1]]], [[1, 9], [0]])  # no hyperplane passes through the square
    (center,) = beside_hyperplanes(silent, Domain.parse("[-1,1]^2")) or []
    assert functional_dimension(silent, "[-1,1]^2") == 3 and center == (0, 0)


def test_a_thin_domain_whose_center_is_on_every_hyperplane() -> None:
    """All three meet at the center, so that none is crossed there."""
    width = Fraction(1, 10**40)
    star = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    domain = Domain.box([(-width, width)] * 2)
    assert functional_dimension(star, domain) == functional_dimension(star) == 10
    assert all(abs(c) < width for center in beside_hyperplanes(star, domain) or [] for c in center)


def test_twenty_four_neurons_in_sixteen_inputs() -> None:
    """Far too many regions to list them: full dimension where the theory says so, one less for a pair of twins."""
    r = Random(5)
    forms = [[r.randint(-9, 9) for _ in range(16)] for _ in range(24)]
    biases = [r.randint(-9, 9) for _ in range(24)]
    net = Network.mlp([forms, [[1] * 24]], [biases, [0]])
    assert functional_dimension(net, "[-9,9]^16") == 24 * 18 + 1 - 24
    forms[1], biases[1] = [-c for c in forms[0]], -biases[0]
    pair = Network.mlp([forms, [[1, 2] + [1] * 22]], [biases, [0]])
    # Moving the forms of both neurons of a pair by a constant moves the output bias (F6): one direction more.
    assert functional_dimension(pair, "[-9,9]^16") == 24 * 18 + 1 - 24 - 1


def test_samples_in_ten_inputs() -> None:
    r = Random(5)
    forms = [[r.randint(-9, 9) for _ in range(10)] for _ in range(16)]
    net = Network.mlp([forms, [[1] * 16]], [[r.randint(-9, 9) for _ in range(16)], [0]])
    assert identifying_samples(net, "[-9,9]^10").rank == 16 * 12 + 1 - 16
    assert locally_identifiable(net, "[-9,9]^10").status is Status.HOLDS
