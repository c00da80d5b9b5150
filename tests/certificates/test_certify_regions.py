"""Certificates about regions: valid from random and degenerate networks, rejected where they turned false.

One-letter names: ``r`` a seeded random generator.
"""

from __future__ import annotations

import random

import pytest
from mutations import answer, assert_sound
from region_networks import batches, random_network
from strategies import random_point

from exactrelu import BudgetExceeded, Domain, InvalidInput, Layer, Network, activation_regions, count_regions
from exactrelu.certificates import certify
from exactrelu.certificates.readings import Reading
from exactrelu.certificates.region_claims import region_evidence

LEAKY, CLIP = {"name": "leaky_relu", "slope": "1/10"}, {"name": "clip", "lower": "0", "upper": "1"}
ACTIVATIONS = ("relu", "abs", "hat", "relu6", LEAKY, CLIP)


def instance(seed: int) -> tuple[Network, Domain, random.Random]:
    net, walls = random_network(seed, 3, 3)
    return net, Domain.polytope(halfspaces=walls) if walls else Domain.space(net.input_dim), random.Random(seed)


def bent(seed: int) -> Network:
    """A small network of other piecewise-linear neurons, half of them with few different numbers."""
    r = random.Random(seed)
    widths = [r.randint(1, 2), *(r.randint(1, 2) for _ in range(r.randint(1, 2))), 1]
    layers = []
    for k, width in enumerate(widths[1:]):
        size = r.choice((1, 3))
        rows = [[r.randint(-size, size) for _ in range(widths[k])] for _ in range(width)]
        rho = "identity" if k == len(widths) - 2 else [r.choice(ACTIVATIONS) for _ in range(width)]
        layers.append(Layer({k: rows}, bias=[r.randint(-size, size) for _ in range(width)], activation=rho))
    return Network(widths[0], layers)


@pytest.mark.parametrize("seeds", batches(100, 3000, 300))
def test_complete_lists_of_regions(seeds: range) -> None:
    refused = 0
    for seed in seeds:
        net, domain, r = instance(seed)
        certificate = certify("regions_complete", network=net, domain=domain)
        assert certificate.claim["count"] == count_regions(net, domain)
        refused += assert_sound(certificate, r)
    assert refused > 2 * len(seeds)


@pytest.mark.parametrize("seeds", batches(60, 1500, 150))
def test_regions_of_other_activations(seeds: range) -> None:
    for seed in seeds:
        net = bent(seed)
        certificate = certify("regions_complete", network=net)
        assert certificate.claim["count"] == count_regions(net)
        assert_sound(certificate, random.Random(seed), 1)


@pytest.mark.parametrize("seeds", batches(100, 3000, 300))
def test_single_cells(seeds: range) -> None:
    """Whatever pattern is asked about, one of the two claims is certified and the other one refused."""
    made = {"region_nonempty": 0, "region_empty": 0}
    for seed in seeds:
        net, domain, r = instance(seed)
        pattern = str(net.pattern(random_point(r, net.input_dim)))
        if r.random() < 0.5:
            pattern = "".join(c if c == "|" else r.choice("--++0") for c in pattern)
        cell = r.choice(("open", "closed"))
        nonempty = region_evidence(net, domain, pattern, cell)[0]
        names = ["region_empty", "region_nonempty"]
        certificate = certify(names[nonempty], network=net, domain=domain, pattern=pattern, cell=cell)
        made[names[nonempty]] += 1
        assert_sound(certificate, r)
        with pytest.raises(InvalidInput, match="must be true to be certified"):
            certify(names[not nonempty], network=net, domain=domain, pattern=pattern, cell=cell)
    assert min(made.values()) > len(seeds) // 5


@pytest.mark.parametrize("seeds", batches(40, 1000, 100))
def test_adjacent_regions(seeds: range) -> None:
    for seed in seeds:
        net, domain, r = instance(seed)
        complex = activation_regions(net, domain)
        edges = {frozenset(edge.regions): edge for edge in complex.adjacencies()}
        for i, j in {tuple(sorted(r.sample(range(len(complex)), 2))) for _ in range(4) if len(complex) > 1}:
            patterns = [complex[i].pattern, complex[j].pattern]
            if frozenset((i, j)) in edges:
                certificate = certify("adjacent", network=net, domain=domain, patterns=patterns)
                assert certificate.claim["neurons"] == [list(n) for n in edges[frozenset((i, j))].neurons]
                assert_sound(certificate, r)
            else:
                with pytest.raises(InvalidInput, match="share a facet"):
                    certify("adjacent", network=net, domain=domain, patterns=patterns)


def test_a_large_arrangement() -> None:
    certificate = certify("regions_complete", network=Network.random((2, 16, 16, 1), 0))
    assert certificate.claim["count"] == 416
    assert answer(certificate.to_json()).code == 0
    assert len(certificate.text()) < 416 * 32 * 60  # regions times neurons


def test_a_neuron_that_is_a_breakpoint_everywhere() -> None:
    net = Network(1, [Layer({0: [[0]]}, bias=[1], activation="hat"), Layer({1: [[1]]}, activation="identity")])
    certificate = certify("regions_complete", network=net)
    assert certificate.claim["count"] == 1
    assert certify("region_nonempty", network=net, pattern="=3").check()
    with pytest.raises(InvalidInput, match="the open cell of 2 is empty"):
        certify("region_nonempty", network=net, pattern="2")


def test_text_of_patterns() -> None:
    net = bent(3)
    reading = Reading.of(net)
    assert reading.pattern(reading.states([0] * net.input_dim)).count("|") == len(net.widths) - 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": "x"}, "pattern: must consist of"),
        ({"pattern": "+"}, "pattern: must have 2 neurons in this layer"),
        ({"pattern": "++|+"}, "pattern: must have 1 groups"),
        ({"pattern": "++", "cell": "half"}, 'cell: must be "open" or "closed"'),
    ],
)
def test_bad_input(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        certify("region_nonempty", network=Network.mlp([[[1], [-1]], [[1, 1]]]), **arguments)


def test_a_budget() -> None:
    with pytest.raises(BudgetExceeded, match="at most 3 cells"):
        certify("regions_complete", network=Network.random((2, 5, 1), 0), budget=3)
    with pytest.raises(InvalidInput, match="must have interior points"):
        certify("regions_complete", network=Network.random((2, 5, 1), 0), domain=Domain.box([(0, 1), (2, 2)]))
