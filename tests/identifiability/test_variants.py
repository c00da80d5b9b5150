"""Networks without some biases, and thin domains: the examples of the theory one by one, then at random.

``constant=None`` is a network without output bias; "unknown or X" means that
the theory may leave the case open but would not contradict X.
"""

from __future__ import annotations

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so
import shallow_search as search

from exactrelu import (
    Domain,
    Network,
    Status,
    Verdict,
    finite_sample_exists,
    globally_identifiable,
    locally_identifiable,
)
from exactrelu.zoo import shallow_network

PAIR = [(1, 0, 2), (-1, 0, 1)]
IDENTITY = [(1, 0, 1), (-1, 0, -1)]
NO_C = {"constant": None}
BARE = {"constant": None, "hidden_biases": False}
NO_B = {"hidden_biases": False}
HALF_PLANE = [((1, 0), 0, 2), ((-1, 0), 0, 1), ((0, 1), 0, 3), ((0, -1), 0, 1)]

# name: network, domain, local, global
EXAMPLES = {
    # no output bias
    "an active neuron": (shallow_network([(1, 2, 1)], **NO_C), "[-1,1]", "holds", "unknown or holds"),
    "an opposite pair": (shallow_network(PAIR, **NO_C), "[-1,1]", "holds", "unknown or holds"),
    "an opposite pair on R": (shallow_network(PAIR, **NO_C), "R", "holds", "holds"),
    "S13 without output bias": (shallow_network([(1, "1/2", 1), (1, "-1/2", -1)], **NO_C), "R", "holds", "holds"),
    "a flip with its constants": (
        shallow_network([(1, 0, 1), (1, "1/2", -2), (1, 1, 1)], **NO_C), "[-2,2]", "holds", "fails"),
    "off": (shallow_network([(1, -2, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "zero": (shallow_network([(0, 0, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "dead output": (shallow_network([(1, 0, 0)], **NO_C), "[-1,1]", "fails", "fails"),
    "positive twins": (shallow_network([(1, 0, 1), (3, 0, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "two active neurons": (shallow_network([(1, 2, 1), (1, 3, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "a cancelling pair": (shallow_network(IDENTITY, **NO_C), "[-1,1]", "holds", "unknown or fails"),
    "a cancelling pair on R": (shallow_network(IDENTITY, **NO_C), "R", "holds", "unknown or holds"),
    "a cancelling pair and an active neuron": (
        shallow_network([*IDENTITY, (1, 2, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "a cancelling pair and another pair": (
        shallow_network([*IDENTITY, (1, "1/2", 2), (-1, "-1/2", 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "an active neuron above a pair": (shallow_network([(1, 2, 1), *PAIR], **NO_C), "[-1,1]", "fails", "fails"),
    "an active neuron with zeros, a pair at them": (
        shallow_network([(1, 0, 1), (1, 0, 2), (-1, 0, 1)], **NO_C), "[-1,1]", "fails", "fails"),
    "an active neuron that touches 0, a pair": (
        shallow_network([(1, 1, 1), *PAIR], **NO_C), "[-1,1]", "fails", "fails"),
    "a constant neuron and one pair on R": (
        shallow_network([(0, 1, 1), *PAIR], **NO_C), "R", "holds", "unknown or fails"),
    "a constant neuron and two parallel pairs on R": (
        shallow_network([(0, 1, 1), *PAIR, (1, 1, 3), (-1, -1, 1)], **NO_C), "R", "fails", "fails"),
    "two pairs on R": (shallow_network([*PAIR, (1, 1, 3), (-1, -1, 1)], **NO_C), "R", "holds", "fails"),
    "three pairs on R": (
        shallow_network([*PAIR, (1, 1, 3), (-1, -1, 1), (1, 2, 3), (-1, -2, 1)], **NO_C), "R", "fails", "fails"),
    "a constant neuron may replace one of a pair": (
        shallow_network([*PAIR, (1, -1, 1)], **NO_C), "R", "holds", "fails"),
    # no hidden biases
    "bare pair": (shallow_network(PAIR, **BARE), "[-1,1]", "holds", "holds"),
    "pair with output bias": (shallow_network(PAIR, **NO_B), "[-1,1]", "holds", "holds"),
    "pair, off centre": (shallow_network(PAIR, **NO_B), "[-1/100,7]", "holds", "holds"),
    "two axes": (shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1)], **NO_B), "[-1,1]^2", "holds", "holds"),
    "three that cancel": (
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 0, -1)], **NO_B), "[-1,1]^2", "holds", "fails"),
    "three that do not": (
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 0, 1)], **BARE), "R^2", "holds", "holds"),
    "difference of the sides": (shallow_network(IDENTITY, **NO_B), "[-1,1]", "holds", "unknown or holds"),
    "two pairs, dependent normals": (
        shallow_network([*HALF_PLANE, ((1, 1), 0, 2), ((-1, -1), 0, 1)], **BARE), "R^2", "fails", "fails"),
    "two pairs, one output": (shallow_network(HALF_PLANE, **BARE), "R^2", "holds", "fails"),
    "a cancelling pair and one more": (
        shallow_network([((1, 0), 0, 1), ((-1, 0), 0, -1), ((0, 1), 0, 2), ((0, -1), 0, 1)], **NO_B),
        "R^2", "fails", "fails"),
    "bare twins": (shallow_network([(1, 0, 1), (2, 0, 1)], **BARE), "[-1,1]", "fails", "fails"),
    # no hidden biases: silent neurons
    "all weights 0, one sign": (shallow_network([((0, 0), 0, 1), ((0, 0), 0, 2)], **NO_B), "R^2", "holds", "fails"),
    "all weights 0, one sign, bare": (shallow_network([(0, 0, -1), (0, 0, -2)], **BARE), "[-1,1]", "holds", "fails"),
    "all weights 0, both signs": (shallow_network([(0, 0, 1), (0, 0, -2)], **NO_B), "R", "fails", "fails"),
    "all weights 0, an output 0": (shallow_network([(0, 0, 1), (0, 0, 0)], **NO_B), "R", "fails", "fails"),
    "all weights 0, two outputs": (shallow_network([(0, 0, (1, 1))], **NO_B), "R", "fails", "fails"),
    "one weight 0, one not": (shallow_network([(0, 0, 1), (1, 0, 1)], **NO_B), "R", "fails", "fails"),
    # the exception in one dimension
    "alone and dead": (shallow_network([(1, 0, 0)], **BARE), "R", "holds", "fails"),
    "alone and dead, output bias": (shallow_network([(-3, 0, 0)], **NO_B), "[-1,1]", "holds", "fails"),
    "dead beside a live one": (shallow_network([(1, 0, 1), (-1, 0, 0)], **BARE), "[-1,1]", "holds", "fails"),
    "both dead": (shallow_network([(1, 0, 0), (-1, 0, 0)], **BARE), "R", "holds", "fails"),
    "dead, two outputs": (shallow_network([(1, 0, (0, 0))], **BARE), "R", "holds", "fails"),
    "dead on an occupied half-line": (shallow_network([(1, 0, 1), (1, 0, 0)], **BARE), "R", "fails", "fails"),
    "dead in the plane": (shallow_network([((1, 0), 0, 0)], **BARE), "R^2", "fails", "fails"),
    "dead with a hidden bias": (shallow_network([(1, 0, 0)], **NO_C), "R", "fails", "fails"),
    # no hidden biases, and 0 is not inside: the conditions are silent, and the rank decides
    "0 on the boundary": (shallow_network([(1, 0, 1)], **BARE), "[0,1]", "holds", "unknown"),
    "0 outside": (shallow_network([(1, 0, 1)], **BARE), "[1,2]", "holds", "unknown"),
    "0 outside, off": (shallow_network([(-1, 0, 1)], **BARE), "[1,2]", "fails", "fails"),
}  # fmt: skip


def data_of(domain: str, dimension: int) -> bridge.Vertices:
    return None if domain.startswith("R") else Domain.parse(domain).vertices


def assert_verified(verdict: Verdict, net: Network, vertices: bridge.Vertices) -> None:
    """Every ``fails`` has a witness, and every family begins at the network."""
    if verdict.status is Status.FAILS:
        bridge.assert_refutes(bridge.plain(net), verdict.witness, vertices)
    if verdict.family is not None:
        bridge.assert_refutes(bridge.plain(net), verdict.family.member_within("1/1000")[1], vertices)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    net, domain, local, everywhere = EXAMPLES[name]
    vertices = data_of(domain, net.input_dim)
    for verdict, expected in (
        (locally_identifiable(net, domain), local),
        (globally_identifiable(net, domain), everywhere),
    ):
        assert verdict.status.value in expected.split(" or ")
        assert_verified(verdict, net, vertices)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_oracle_says_the_same(name: str) -> None:
    """The expectations above, without the package."""
    net, domain, local, everywhere = EXAMPLES[name]
    data, vertices = bridge.plain(net), data_of(domain, net.input_dim)
    if so.supported(data, vertices):
        assert search.local(data, vertices) == local
        assert search.global_(data, vertices) == everywhere.removeprefix("unknown or ")


def test_a_bias_of_zero_is_not_no_bias() -> None:
    """The same function and the same numbers; only what counts as a parameter differs."""
    statuses = {
        (biased, constant): [
            ask(shallow_network(PAIR, hidden_biases=biased, constant=constant), "[-1,1]").status.value
            for ask in (locally_identifiable, globally_identifiable, finite_sample_exists)
        ]
        for biased in (True, False)
        for constant in (0, None)
    }
    assert statuses[True, 0] == ["holds", "fails", "fails"]
    assert statuses[True, None][:2] in (["holds", "unknown"], ["holds", "holds"])
    assert statuses[False, 0][:2] == statuses[False, None][:2] == ["holds", "holds"]
    assert statuses[False, 0][2] != "fails"


def test_without_hidden_biases_a_domain_around_0_is_all_of_space() -> None:
    compared = 0
    for net, _ in cases.random_cases(77, 300):
        if net.hidden_bias:
            continue
        network = bridge.network(net)
        around = Domain.box([("-1/7", 2)] * net.d)
        for ask in (locally_identifiable, globally_identifiable):
            assert ask(network, around).status is ask(network).status, net
        compared += 1
    assert compared > 50


def test_what_fails_locally_fails_globally() -> None:
    net = shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1)], hidden_biases=False)
    assert locally_identifiable(net, "[0,1]^2").status is Status.FAILS
    assert globally_identifiable(net, "[0,1]^2").status is Status.FAILS


@pytest.mark.parametrize("biases", [NO_C, NO_B, BARE])
def test_what_fails_locally_has_no_finite_sample(biases: dict[str, object]) -> None:
    net = shallow_network([((1, 0), 0, 1), ((2, 0), 0, 1)], **biases)
    assert locally_identifiable(net).status is Status.FAILS
    assert finite_sample_exists(net).status is Status.FAILS


# ------------------------------------------------------------------ thin domains

THIN = {
    "segment in the plane": [(-1, 0), (1, 0)],
    "segment in the plane off 0": [(-1, 1), (1, 1)],
    "skew segment": [(0, 1), (1, 0)],
    "point": [(1, 2)],
    "origin": [(0, 0)],
    "triangle in space": [(0, 0, 0), (1, 0, 1), (0, 1, 1)],
    "triangle in space off 0": [(0, 0, 1), (1, 0, 1), (0, 1, 2)],
    "segment in space off 0": [(0, 0, 1), (1, 0, 1)],
    "point on the line": [(3,)],
    "origin of the line": [(0,)],
}


@pytest.mark.parametrize("name", THIN)
def test_nothing_with_hidden_biases_is_identifiable_on_a_thin_domain(name: str) -> None:
    vertices = [tuple(map(so.Q, vertex)) for vertex in THIN[name]]
    domain = Domain.polytope(vertices=vertices)
    for net, _ in cases.random_cases(3, 12, d=len(vertices[0]), h_max=3):
        network = bridge.network(net)
        verdicts = [ask(network, domain) for ask in (locally_identifiable, globally_identifiable, finite_sample_exists)]
        expected = so.flat_verdict(net, vertices)
        assert {verdict.status.value for verdict in verdicts} == {expected}, net
        assert expected == "fails" or not net.hidden_bias
        for verdict in verdicts:
            assert verdict.conditions[0].id == "interior"
            assert_verified(verdict, network, vertices)
            assert (verdict.family is None) == (expected == "unknown")


def test_a_neuron_that_vanishes_on_the_thin_domain() -> None:
    """Its form cannot move along the equation of the domain without a rescaling; its output can."""
    for neurons in ([((0, 1), 0, 1)], [((0, -2), 0, 1)], [((0, 0), 0, 1)], [((0, 1), 0, 0)]):
        net = shallow_network(neurons)
        verdict = locally_identifiable(net, Domain.polytope(vertices=[(-1, 0), (1, 0)]))
        assert verdict.status is Status.FAILS
        assert_verified(verdict, net, [tuple(map(so.Q, vertex)) for vertex in THIN["segment in the plane"]])
