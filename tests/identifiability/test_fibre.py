"""The fibre under (B1)-(B3): its flip sets against function values, its networks against one another."""

from __future__ import annotations

from itertools import combinations, islice

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import BudgetExceeded, Domain, HypothesisNotMet, Network, fibre, zoo
from exactrelu.zoo import shallow_network

CANCELLING = shallow_network([(1, "1/2", 1), (1, "1/4", -1), (1, 0, 2), (1, "-1/4", -2)])

# name: network, domain, flip sets besides the empty one
KNOWN = {
    "hat": (zoo.HAT, "R", [(0, 1, 2)]),
    "S13": (zoo.specimen("S13").network, "[-1,1]", [(0, 1)]),
    "S14": (zoo.specimen("S14").network, "[-1,1]", [(0, 1, 2)]),
    "S15": (zoo.specimen("S15").network, "[-1,1]", []),
    "S16": (zoo.specimen("S16").network, "[-1,1]^2", [(0, 1, 2)]),
    "S17": (zoo.specimen("S17").network, "[-1,1]^2", []),
    "S28": (zoo.specimen("S28").network, "[-1,1]", []),
    "two cancelling couples": (CANCELLING, "[-1,1]", [(0, 1), (0, 1, 2, 3), (2, 3)]),
    "the scale of a neuron does not matter": (CANCELLING.rescale([[2, 3, 5, 7]]), "R", [(0, 1), (0, 1, 2, 3), (2, 3)]),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_known_fibres(name: str) -> None:
    net, domain, expected = KNOWN[name]
    found = fibre(net, domain)
    assert sorted(found.flip_sets()) == [(), *expected]
    assert len(list(found)) == 1 + len(expected)
    assert next(iter(found)) == net


def fits(net: so.Net, vertices: bridge.Vertices) -> bool:
    return (vertices is None or so.domain_dimension(vertices) == net.d) and so.distinct_kinks(net, vertices)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(4, 40))])
def test_random_fibres(seed: int) -> None:
    """Flip sets by function values; all networks have one function and no two are equivalent."""
    for net, vertices in cases.random_cases(seed, 200):
        if not fits(net, vertices):
            continue
        found = fibre(bridge.network(net), bridge.domain(vertices, net.d))
        subsets = list(found.flip_sets())
        assert sorted(subsets) == sorted([(), *so.flip_sets(net, vertices)]), net
        members = [bridge.plain(other) for other in found]
        assert len(members) == len(subsets)
        assert net in members
        for other in members:
            assert so.equal(net, other, vertices)
        for one, other in combinations(members, 2):
            assert not so.ps_equivalent(one, other)


def test_the_random_fibres_are_of_both_kinds() -> None:
    drawn = [case for seed in range(4) for case in cases.random_cases(seed, 200) if fits(*case)]
    several = [net for net, _ in drawn if so.literal_flip_sets(net)]
    assert len(several) > 10
    assert len(drawn) - len(several) > 30


def test_the_fibre_is_complete() -> None:
    """As many classes as there are configurations of the same width that give the function."""
    for net, vertices in cases.random_cases(50, 200):
        if fits(net, vertices) and so.supported(net, vertices):
            count = len(list(search.configurations(net, vertices, len(net.neurons))))
            assert len(list(fibre(bridge.network(net), bridge.domain(vertices, net.d)))) == count, net


def test_it_is_lazy() -> None:
    """Thirty neurons in opposite couples: 2^15 sets and more, of which a few are asked for."""
    neurons = [(1, f"{k}/40", sign) for k in range(15) for sign in (1,)]
    neurons += [(1, f"{k}/40", -1) for k in range(15, 30)]
    found = fibre(shallow_network(neurons), "[-1,1]")
    members = list(islice(found, 5))
    assert len(set(members)) == 5


def test_the_budget_is_met_when_sets_are_asked_for() -> None:
    net = shallow_network([(1, f"{k}/100", 1) for k in range(60)])
    found = fibre(net, budget=1000)
    with pytest.raises(BudgetExceeded, match="at most 1000 subsets are allowed; 2147483648 are needed"):
        next(iter(found))


OBSTACLES = {
    "dead output": (zoo.specimen("S20").network, "[-1,1]", "the outgoing weights of neuron 1 are all 0"),
    "off": (zoo.specimen("S02").network, "[-1,1]", "neuron 0 is off"),
    "on": (zoo.specimen("S03").network, "[-1,1]", "neuron 0 is on"),
    "zero": (zoo.specimen("S21").network, "[-1,1]", "neuron 1 is zero"),
    "positive twins": (zoo.specimen("S06").network, "[-1,1]", "neurons 0, 1 share the hyperplane x0 = 0"),
    "opposite twins": (zoo.specimen("S07a").network, None, "neurons 0, 1 share the hyperplane x0 = 0"),
    "thin domain": (zoo.specimen("S30").network, zoo.specimen("S30").domain, "the domain lies in x1 = 0"),
    "deep": (Network.mlp([[[1]], [[1]], [[1]]]), None, "it has 2 hidden layers instead of one"),
}


@pytest.mark.parametrize("name", OBSTACLES)
def test_other_networks_are_refused_by_name(name: str) -> None:
    net, domain, reason = OBSTACLES[name]
    with pytest.raises(HypothesisNotMet, match="network: must have flips as its fibre, but ") as error:
        fibre(net, domain)
    assert reason in str(error.value)


def test_random_networks_outside_the_hypotheses_are_refused() -> None:
    refused = 0
    for net, vertices in cases.random_cases(7, 100):
        if not fits(net, vertices):
            refused += 1
            with pytest.raises(HypothesisNotMet):
                fibre(bridge.network(net), bridge.domain(vertices, net.d))
    assert refused > 40


def test_the_domain_decides() -> None:
    net = shallow_network([(1, "1/2", 1), (1, "-3/2", -1)])
    assert len(list(fibre(net, Domain.space(1)))) == 2
    with pytest.raises(HypothesisNotMet, match="neuron 1 is off"):
        fibre(net, "[-1,1]")
