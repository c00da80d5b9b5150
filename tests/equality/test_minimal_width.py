"""The least width of a shallow function: known values, the oracle, and networks that attain it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_literal as literal
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    BudgetExceeded,
    Domain,
    HypothesisNotMet,
    InvalidDomain,
    Network,
    Undecided,
    WrongDimension,
    minimal_width,
    reduce,
    zoo,
)
from exactrelu.zoo import shallow_network

ABS_X = [((1, 0), 0, 1), ((-1, 0), 0, 1)]
PLUS_Y = [((0, 1), 0, 1), ((0, -1), 0, -1)]
ABS_Y = [((0, 1), 0, 1), ((0, -1), 0, 1)]
IDENTITY_MAP = [((1, 0), 0, (1, 0)), ((-1, 0), 0, (-1, 0)), ((0, 1), 0, (0, 1)), ((0, -1), 0, (0, -1))]
GENERIC_PAIRS = [((1, 0), 0, (2, 1)), ((-1, 0), 0, (1, 3)), ((0, 1), 0, (3, 1)), ((0, -1), 0, (1, 7))]

# name: network, domain, least width
KNOWN = {
    "relu": (shallow_network([(1, 0, 1)]), "R", 1),
    "|x|": (zoo.specimen("absolute_value").network, "R", 2),
    "x": (zoo.specimen("identity").network, "R", 2),
    "x on an interval": (zoo.specimen("identity").network, "[-1,1]", 1),
    "hat": (zoo.HAT, "R", 3),
    "hat on its right half": (zoo.HAT, "[0,2]", 1),
    "hat where it is affine": (zoo.HAT, "[0,1]", 1),
    "hat where it is 0": (zoo.HAT, "[1,2]", 0),
    "|x| + y": (shallow_network([*ABS_X, *PLUS_Y]), "R^2", 3),
    "|x| + |y|": (shallow_network([*ABS_X, *ABS_Y]), "R^2", 4),
    "|x| + |y| on a square": (shallow_network([*ABS_X, *ABS_Y]), "[-1,1]^2", 3),
    "2 relu(x) + 2 relu(y)": (shallow_network([((1, 0), 0, 2), ((0, 1), 0, 2)]), "R^2", 2),
    "x on a square": (shallow_network([((1, 0), 0, 1), ((-1, 0), 0, -1)]), "[-1,1]^2", 1),
    "the identity of the plane": (shallow_network(IDENTITY_MAP), "R^2", 4),
    "the identity of a square": (shallow_network(IDENTITY_MAP), "[-1,1]^2", 2),
    "two pairs with two outputs": (shallow_network(GENERIC_PAIRS), "R^2", 4),
    "two pairs with two outputs on a square": (shallow_network(GENERIC_PAIRS), "[-1,1]^2", 4),
    "a constant": (shallow_network([(0, 3, 2), (1, 0, 0)], constant=[5]), "R", 0),
    "positive twins": (shallow_network([(1, 0, 1), (2, 0, 1)]), "R", 1),
    "twins that cancel": (shallow_network([(1, 0, 2), (2, 0, -1)]), "R", 0),
    "max": (zoo.specimen("maximum").network, "R^2", 3),
    "braid": (zoo.braid(3), "R^3", 3),
}


def attained(net: Network, domain: Domain | str, width: int) -> None:
    """``reduce`` gives a network of that width with the same values."""
    small = reduce(net, domain)
    assert small.widths == ((net.input_dim, width, net.output_dim) if width else (net.input_dim, net.output_dim))
    vertices = corners(domain)
    if width:
        assert so.equal(bridge.plain(net), bridge.plain(small), vertices)
    else:
        points = so.arrangement_points(bridge.plain(net).forms, vertices, net.input_dim)
        assert [so.evaluate(bridge.plain(net), x) for x in points] == [small(x) for x in points]


def corners(domain: Domain | str) -> bridge.Vertices:
    domain = Domain.parse(domain) if isinstance(domain, str) else domain
    return None if domain.is_space else domain.vertices


@pytest.mark.parametrize("name", KNOWN)
def test_known_widths(name: str) -> None:
    net, domain, width = KNOWN[name]
    assert minimal_width(net, domain) == width
    attained(net, domain, width)


@pytest.mark.parametrize("name", cases.WIDTHS)
def test_widths_of_the_table(name: str) -> None:
    net, vertices, width = cases.WIDTHS[name]
    assert minimal_width(bridge.network(net), bridge.domain(vertices, net.d)) == width


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(4, 60))])
def test_random_widths(seed: int) -> None:
    """Against the formula over all T and signs, and against the search over all configurations."""
    saved = []
    for net, vertices in cases.random_cases(seed + 200, 45):
        net = net._replace(c=net.c or (Fraction(0),) * net.k, hidden_bias=True)
        network, domain = bridge.network(net), bridge.domain(vertices, net.d)
        width = minimal_width(network, domain)
        assert width == search.minimal_width(net, vertices) == literal.minimal_width(net, vertices), net
        attained(network, domain, width)
        saved.append(len(net.neurons) - width)
    assert min(saved) == 0
    assert max(saved) >= 2


def test_reduction_of_a_reduction_keeps_the_width() -> None:
    for net, vertices in cases.random_cases(11, 40):
        if net.hidden_bias and net.c is not None:
            domain = bridge.domain(vertices, net.d)
            small = reduce(bridge.network(net), domain)
            if small.depth == 2:
                assert minimal_width(small, domain) == small.widths[1]


def test_no_narrower_network_among_small_ones() -> None:
    """All one-neuron networks with small entries: none is a function of least width 2."""
    r = random.Random(1)
    singles = list(so.all_networks(1, 1, 1, (-2, -1, 0, 1, 2)))
    for vertices in (None, so.box((-2, 2))):
        wide = [
            net for net in r.sample(list(so.all_networks(1, 2, 1, (-1, 0, 1))), 60)
            if minimal_width(bridge.network(net), bridge.domain(vertices, 1)) == 2
        ]  # fmt: skip
        assert len(wide) > 5
        for net in wide:
            points = so.arrangement_points(net.forms, vertices, 1)
            values = [so.evaluate(net, x) for x in points]
            alike = [one for one in singles if [so.evaluate(one, x) for x in points] == values]
            assert not any(so.equal(one, net, vertices) for one in alike)


# ----------------------------------------------------------------------- refusals

REFUSALS = [
    (shallow_network([(1, 0, 1)], constant=None), "R", HypothesisNotMet, "must have biases in both layers"),
    (shallow_network([(1, 0, 1)], hidden_biases=False), "R", HypothesisNotMet, "must have biases in both layers"),
    (Network.mlp([[[1]], [[1]], [[1]]]), "R", HypothesisNotMet, "it has 2 hidden layers instead of one"),
    (zoo.HAT, Domain.box([(0, None)]), Undecided, "bounded domains and on all of space only"),
    (zoo.specimen("S17").network, "[0,1]xR", Undecided, "bounded domains and on all of space only"),
    (
        zoo.HAT,
        Domain.box([(2, 2)]),
        InvalidDomain,
        "must have interior points for the minimal width, but lies in x0 = 2",
    ),
    (zoo.HAT, "R^2", WrongDimension, "domain: must have 1 coordinates; got 2"),
]


@pytest.mark.parametrize("ask", [minimal_width, reduce])
@pytest.mark.parametrize(("net", "domain", "error", "message"), REFUSALS)
def test_refusals(ask: object, net: Network, domain: Domain | str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask(net, domain)


def test_the_budget() -> None:
    """Twelve hyperplanes: 2^6 + 2^6 subsets for the search of a vanishing remainder."""
    net = shallow_network([(1, f"{k}/20", 3**k) for k in range(12)])
    assert minimal_width(net, budget=128) == 12
    with pytest.raises(BudgetExceeded, match="at most 127 subsets are allowed; 128 are needed"):
        minimal_width(net, budget=127)
