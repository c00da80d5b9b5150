"""Canonical forms: equal exactly when the networks are permutation-scaling equivalent."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from equivalence_oracles import check_rescaling, has_dead_neurons, is_permutation_scaling_equivalent
from strategies import partner, random_dag, random_mlp, random_permutation, random_scalings

from exactrelu import (
    BudgetExceeded,
    Network,
    NotAdmissible,
    Status,
    canonical_form,
    permutation_scaling_equivalent,
)


def admissible_net(r: random.Random) -> Network:
    """An admissible network; a third of them with few distinct entries, so that twins abound."""
    while True:
        kind = r.randrange(3)
        if kind == 2:
            widths = [1, r.randint(2, 3), r.randint(2, 3), 1]
            net = Network.mlp(
                [
                    [[r.choice((1, 1, 2, 0)) for _ in range(before)] for _ in range(width)]
                    for before, width in pairwise(widths)
                ]
            )
        else:
            net = (random_dag, random_mlp)[kind](r)
        if not has_dead_neurons(net):
            return net


@pytest.mark.parametrize("seed", range(4))
def test_equal_exactly_when_equivalent(seed: int) -> None:
    r = random.Random(seed)
    seen = {True: 0, False: 0}
    while sum(seen.values()) < 250:
        left = admissible_net(r)
        right = partner(r, left)
        if has_dead_neurons(right):
            continue
        equal = canonical_form(left) == canonical_form(right)
        assert equal == is_permutation_scaling_equivalent(left, right), (left, right)
        assert equal == (permutation_scaling_equivalent(left, right).status is Status.HOLDS)
        seen[equal] += 1
    assert min(seen.values()) > 50, seen


def test_idempotent_and_in_the_same_class() -> None:
    r = random.Random(9)
    for _ in range(250):
        net = admissible_net(r)
        form = canonical_form(net)
        assert canonical_form(form) == form
        verdict = permutation_scaling_equivalent(net, form)
        check_rescaling(net, form, verdict.evidence)


def test_the_largest_incoming_entry_is_one() -> None:
    r = random.Random(10)
    for _ in range(200):
        form = canonical_form(admissible_net(r))
        for neuron in form.hidden_neurons:
            assert max(abs(p.value) for p in form.parameters if p.target == neuron) == 1


def diagonal(k: int) -> list[list[int]]:
    return [[2 if i == j else 0 for j in range(k)] for i in range(k)]


def cycle(*lengths: int) -> list[list[int]]:
    size, start = sum(lengths), 0
    block = [[0] * size for _ in range(size)]
    for length in lengths:
        for i in range(length):
            block[start + i][start + i] = block[start + i][start + (i + 1) % length] = 1
        start += length
    return block


@pytest.mark.parametrize(
    "block",
    [[[1] * 30] * 30, diagonal(8), cycle(8), cycle(4, 4), cycle(3, 3, 3)],
    ids=["clones", "branches", "one cycle", "two cycles", "triangles"],
)
def test_ties(block: list[list[int]]) -> None:
    size = len(block)
    net = Network.mlp([[[1]] * size, block, [[1] * size]], [None, None, [0]])
    form = canonical_form(net)
    for seed in range(3):
        r = random.Random(seed)
        copy = net.permute(random_permutation(r, net)).rescale(random_scalings(r, net))
        assert canonical_form(copy) == form


def test_cycles_differ() -> None:
    forms = {
        canonical_form(Network.mlp([[[1]] * 8, block, [[1] * 8]])) for block in (cycle(8), cycle(4, 4), cycle(3, 5))
    }
    assert len(forms) == 3


def test_budget() -> None:
    net = Network.mlp([[[1]] * 8, cycle(8), [[1] * 8]])
    with pytest.raises(BudgetExceeded, match="at most 1 "):
        canonical_form(net, budget=1)


@pytest.mark.parametrize(
    ("net", "neurons"),
    [
        (Network.mlp([[[0], [1]], [[1, 1]]], [[0, 1], [0]]), ["(1,0)"]),
        (Network.mlp([[[1], [1]], [[1, 0]]]), ["(1,1)"]),
        (Network.mlp([[[0], [1]], [[1, 0]]]), ["(1,0)", "(1,1)"]),
        (Network.mlp([[[1]], [[1], [0]], [[0, 1]]]), ["(2,1)", "(2,0)"]),
    ],
)
def test_inadmissible_networks_are_refused_by_name(net: Network, neurons: list[str]) -> None:
    with pytest.raises(NotAdmissible, match="must be admissible") as error:
        canonical_form(net)
    expected = {f"({layer},{index})" for layer, index in has_dead_neurons(net)}
    assert set(neurons) == expected
    assert all(name in str(error.value) for name in neurons)


def test_a_bias_alone_makes_a_neuron_admissible() -> None:
    net = Network.mlp([[[0]], [[5]]], [["-1/3"], [0]])
    assert canonical_form(net) == Network.mlp([[[0]], [[Fraction(5, 3)]]], [[-1], [0]])
