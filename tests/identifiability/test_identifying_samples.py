"""Identifying samples: of full rank, in the domain, off the kinks, and none of them superfluous."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import oracles
import pytest
from region_networks import batches, random_network
from strategies import random_admissible_dag
from test_jacobian import path_jacobian

import exactrelu as er
from exactrelu import (
    BudgetExceeded,
    Domain,
    HypothesisNotMet,
    InvalidDomain,
    Network,
    NotAdmissible,
    Status,
    functional_dimension,
)
from exactrelu.identifiability.jacobians.identifying_samples import IdentifyingSamples, identifying_samples
from exactrelu.identifiability.jacobians.local_from_samples import locally_identifiable_from_samples
from exactrelu.zoo import shallow_network


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    return len(oracles.eliminate(rows)[1])


def full(net: Network) -> int:
    return len(net.parameters) - len(net.hidden_neurons)


def check(net: Network, domain: Domain, found: IdentifyingSamples) -> None:
    points = [list(point) for point in found.points]
    assert found.rank == full(net) == rank(path_jacobian(net, points))
    assert len({*found.points}) == len(points)
    for k, point in enumerate(points):
        assert domain.contains(point)
        sums, _ = oracles.forward(net.to_json(), point)
        assert all(z for row in sums[:-1] for z in row)
        assert rank(path_jacobian(net, points[:k] + points[k + 1 :])) < found.rank
    assert locally_identifiable_from_samples(net, found.points).status is Status.HOLDS


HAT = shallow_network([(1, -1, 1), (1, 0, -2), (1, 1, 1)])
THIN = shallow_network([(3 * 10**9, -(10**9) - k, v) for k, v in ((1, 1), (0, -2), (-1, 1))])
SIXTEEN = Network.mlp([[[1], [1], [-1]], [[-3, 2, -2], [-3, 2, -2], [3, -2, 2]], [[1, 2, -5]]],
                      [[0, -1, 2], ["19/4", "9/2", "-17/4"], [0]])  # fmt: skip
LINES = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
TWO_OUTPUTS = Network.mlp([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]])  # S12a

FULL = {
    "X1": (shallow_network([(1, 0, 1)]), "R"),
    "X7": (Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]]), "R"),
    "hat": (HAT, "R"),
    "hat, bounded": (HAT, "[-3/2,5/4]"),
    "kinks close to each other": (THIN, "R"),
    "sixteen": (SIXTEEN, "R"),
    "lines": (LINES, "R^2"),
    "lines, bounded": (LINES, "[-1/100,1/50]x[-1/1000,3]"),
    "S12a": (TWO_OUTPUTS, "R"),
    "no hidden layer": (Network.mlp([[[1, 2], [0, 0]]], [[1, 0]]), "R^2"),
    "random": (Network.random((2, 3, 2, 2), 0), "[-3,3]^2"),
}


@pytest.mark.parametrize("name", FULL)
def test_known_networks(name: str) -> None:
    net, text = FULL[name]
    domain = Domain.parse(text)
    check(net, domain, identifying_samples(net, domain))


def test_simple_points_come_first() -> None:
    found = identifying_samples(HAT)
    assert all(abs(c) <= 8 and c.denominator <= 4 for point in found.points for c in point)
    assert "7 samples with rank 7 = D - h: " in found.explain()


def test_a_cone_without_coordinate_directions() -> None:
    """A thin cone that no axis enters at its apex, far from the simple points."""
    domain = Domain.polytope(halfspaces=[([-1000, 999], 999), ([999, -1000], -1000)])
    net = Network.mlp([[[1, 1], [1, -1]], [[1, 1]]], [[-(10**7), 0], [0]])
    found = identifying_samples(net, domain)
    check(net, domain, found)
    assert max(c for point in found.points for c in point) > 10**6


@pytest.mark.parametrize("seeds", batches(25, 525, 250))
def test_random_networks(seeds: range) -> None:
    """A sample exists exactly when the functional dimension is D - h (for admissible parameters)."""
    found = 0
    for seed in seeds:
        r = Random(seed)
        if seed % 2:
            net = random_admissible_dag(r, max_layers=3)
            domain = Domain.space(net.input_dim)
        else:
            net, halfspaces = random_network(seed, 2, 3)
            domain = Domain.polytope(halfspaces=halfspaces) if halfspaces else Domain.space(net.input_dim)
        if not net.is_standard or len(net.parameters) > 30:
            with_reason = pytest.raises(HypothesisNotMet, match="must have hidden ReLU neurons and affine outputs")
            if not net.is_standard:
                with with_reason:
                    identifying_samples(net, domain)
            continue
        if not oracles.is_admissible(net.to_json()):
            with pytest.raises(NotAdmissible, match=r"network: must be admissible, but .* all 0 at"):
                identifying_samples(net, domain)
            continue
        dimension = functional_dimension(net, domain)
        if dimension < full(net):
            with pytest.raises(HypothesisNotMet, match=f"D - h = {full(net)} .* but it is {dimension}"):
                identifying_samples(net, domain)
        else:
            check(net, domain, identifying_samples(net, domain))
            found += 1
    assert found > len(seeds) // 8


def test_refusals() -> None:
    two = Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])  # F6: |x|
    with pytest.raises(HypothesisNotMet, match=r"functional dimension D - h = 5 for a finite .*, but it is 4"):
        identifying_samples(two)
    with pytest.raises(NotAdmissible, match=r"outgoing weights are all 0 at \(1,0\)"):
        identifying_samples(Network.mlp([[[1]], [[0]]]))
    with pytest.raises(InvalidDomain, match="must have interior points for identifying samples"):
        identifying_samples(LINES, Domain.box([(0, 1), (2, 2)]))
    folded = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [-1], [0]])  # never on in the second layer
    with pytest.raises(BudgetExceeded, match="at most 1 regions"):
        identifying_samples(folded, budget=1)
    assert er.functional_dimension(two, budget=1) == 4  # one hidden layer needs no list of regions
