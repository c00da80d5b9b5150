"""Verdicts in batches of integer neurons: the same as one by one, whatever the scale and order."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import shallow_bridge as bridge
import shallow_cases as cases
import shallow_oracle as so

from exactrelu import (
    Domain,
    HypothesisNotMet,
    InvalidDomain,
    Network,
    Status,
    Undecided,
    WrongDimension,
    globally_identifiable,
    integer_neurons,
    locally_identifiable,
    shallow_statuses,
    zoo,
)

HAT = [(1, 1, 1), (1, 0, -2), (1, -1, 1)]
HOLDS, FAILS = Status.HOLDS, Status.FAILS

# domain, neurons (w, b, v): statuses
KNOWN = [
    ("R", HAT, (HOLDS, FAILS)),
    ("[-2,2]", HAT, (HOLDS, FAILS)),
    ("[-1,1]", HAT, (FAILS, FAILS)),
    ("R", [(1, 0, 2), (-1, 0, 1)], (HOLDS, HOLDS)),
    ("[-1,1]", [(1, 0, 2), (-1, 0, 1)], (HOLDS, FAILS)),
    ("R", [(1, 0, 1), (-1, 0, -1)], (FAILS, FAILS)),
    ("R", [(1, 0, 1), (2, 0, 1)], (FAILS, FAILS)),
    ("R", [(1, 0, 1), (0, 1, 1)], (FAILS, FAILS)),
    ("R", [(1, 0, 0)], (FAILS, FAILS)),
    ("R", [(0, 0, 1)], (FAILS, FAILS)),
    ("R", [(1, 0, 1, 0), (-1, 0, 0, 1)], (HOLDS, HOLDS)),
    ("[1/3,1/2]", [(5, -2, 1)], (HOLDS, HOLDS)),
    ("[1/3,1/2]", [(3, -1, 1)], (FAILS, FAILS)),
]


@pytest.mark.parametrize(("domain", "neurons", "expected"), KNOWN)
def test_known_statuses(domain: str, neurons: list[tuple[int, ...]], expected: tuple[Status, Status]) -> None:
    assert shallow_statuses([neurons], 1, domain) == [expected]


def test_a_table_row_for_row() -> None:
    for row in zoo.SPECIMENS.values():
        view = row.network.layers
        if row.fact("local") is None or not row.domain.is_full_dimensional or view[1].bias is None:
            continue
        ((local, everywhere),) = shallow_statuses([integer_neurons(row.network)], row.network.input_dim, row.domain)
        assert (local.value, everywhere.value) == (row.fact("local"), row.fact("global")), row.name


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(s, marks=pytest.mark.sweep) for s in range(3, 60))])
def test_batches_agree_with_single_verdicts(seed: int) -> None:
    compared = 0
    for net, vertices in cases.random_cases(1000 + seed, 100):
        if not (net.hidden_bias and net.c is not None):
            continue
        network, domain = bridge.network(net), bridge.domain(vertices, net.d)
        single = locally_identifiable(network, domain).status, globally_identifiable(network, domain).status
        assert shallow_statuses([integer_neurons(network)], net.d, domain) == [single], net
        compared += 1
    assert compared > 25


def test_order_scale_and_permutation_do_not_matter() -> None:
    r = random.Random(2)
    batches = {}
    for net, _ in cases.random_cases(3, 400):
        if net.hidden_bias and net.c is not None:
            batches.setdefault((net.d, net.k), []).append(integer_neurons(bridge.network(net)))
    for (dimension, _), networks in batches.items():
        expected = shallow_statuses(networks, dimension, Domain.box([(-1, 1)] * dimension))
        changed = []
        for neurons in networks:
            common = r.randint(1, 4)
            moved = []
            for neuron in r.sample(neurons, len(neurons)):
                form, output = neuron[: dimension + 1], neuron[dimension + 1 :]
                factor = r.randint(1, 5)
                # The outputs of a scaled neuron shrink by its factor, and all grow by 60 * common.
                moved.append((*(factor * e for e in form), *(60 // factor * common * e for e in output)))
            changed.append(moved)
        assert shallow_statuses(changed, dimension, Domain.box([(-1, 1)] * dimension)) == expected


def test_more_neurons_than_are_listed_at_once() -> None:
    """Beyond ten neurons another search takes over; a planted zero sum is found on both sides of the limit."""
    for size in range(8, 15):
        free = [(1, k, 3**k) for k in range(size)]
        planted = [*free[:-1], (1, size - 1, -sum(3**k for k in range(2, 7)))]
        assert shallow_statuses([free, planted], 1) == [(HOLDS, HOLDS), (HOLDS, FAILS)]


def test_integer_neurons_are_the_network() -> None:
    net = Network.mlp([[["1/2", "1/3"], [4, 6]], [["1/5", 1], [0, "1/7"]]], [["1/6", -2], [9, "1/9"]])
    neurons = integer_neurons(net)
    assert neurons == [(3, 2, 1, 7, 0), (2, 3, -1, 420, 60)]
    data = bridge.plain(net)
    for (w, b, v), (*form, first, second) in zip(data.neurons, neurons, strict=True):
        ratio = w[0] / form[0]
        assert tuple(ratio * entry for entry in form) == (*w, b)
        assert (Fraction(first), Fraction(second)) == so.scale(210 * ratio, v)


def test_an_empty_batch() -> None:
    assert shallow_statuses([], 2) == []


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: shallow_statuses([HAT], 1, "R^2"), WrongDimension, "domain: must have 1 coordinates; got 2"),
        (lambda: shallow_statuses([HAT], 3), WrongDimension, "neuron: must have 3 weights, a bias and at least one"),
        (lambda: shallow_statuses([[(1, 1)]], 1), WrongDimension, "neuron: must have 1 weights, a bias"),
        (lambda: shallow_statuses([HAT], 1, Domain.box([(0, None)])), Undecided, "a bounded domain or all of space"),
        (lambda: shallow_statuses([HAT], 1, Domain.box([(1, 1)])), InvalidDomain, "must have interior points"),
        (lambda: integer_neurons(Network.mlp([[[1]], [[1]], [[1]]])), HypothesisNotMet, "one hidden ReLU layer"),
    ],
)
def test_refusals(call: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
