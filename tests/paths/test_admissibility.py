"""Admissible parameters, and the neurons that a negative verdict names."""

from __future__ import annotations

import random

import pytest
from oracles import is_admissible
from strategies import random_dag, random_mlp, random_permutation, random_scalings

from exactrelu import Layer, Network, Status, VerdictIsNotATruthValue, admissible

# network, neurons without input, neurons without output
CASES = {
    "one layer": (Network.mlp([[[0]]]), [], []),
    "1-1-1": (Network.mlp([[[1]], [[1]]], [[0], [0]]), [], []),
    "a bias is enough": (Network.mlp([[[0]], [[1]]], [[1], [0]]), [], []),
    "w = b = 0": (Network.mlp([[[0]], [[1]]], [[0], [0]]), [(1, 0)], []),
    "v = 0": (Network.mlp([[[2]], [[0]]], [[3], [0]]), [], [(1, 0)]),
    "all zero": (Network.mlp([[[0], [0]], [[0, 0]]]), [(1, 0), (1, 1)], [(1, 0), (1, 1)]),
    "one of three": (Network.mlp([[[1], [0], [1]], [[1, 1, 0]]]), [(1, 1)], [(1, 2)]),
    "deep": (Network.mlp([[[1]], [[0], [1]], [[1, 1]]]), [(2, 0)], []),
    "heard through a skip only": (
        Network(
            1, [Layer({0: [[1]]}), Layer({1: [[0]], 0: [[1]]}), Layer({1: [[1]], 2: [[1]]}, activation="identity")]
        ),
        [],
        [],
    ),
    "heard by a dead neuron": (Network.mlp([[[1]], [[1]], [[0]]]), [], [(2, 0)]),
    "fed by a dead neuron": (Network.mlp([[[0]], [[1]], [[1]]]), [(1, 0)], []),
    "a zero output bias is no input": (Network.mlp([[[1]], [[1], [0]]], [[0], [0, 0]]), [], []),
}


@pytest.mark.parametrize(("net", "fed", "heard"), CASES.values(), ids=CASES.keys())
def test_neurons_are_named(net, fed, heard):
    verdict = admissible(net)
    assert verdict.status is (Status.FAILS if fed or heard else Status.HOLDS)
    assert [condition.id for condition in verdict.conditions] == ["nonzero_input", "nonzero_output"]
    for identifier, neurons in (("nonzero_input", fed), ("nonzero_output", heard)):
        condition = verdict.condition(identifier)
        assert (condition.neurons, condition.status) == (tuple(neurons), Status.FAILS if neurons else Status.HOLDS)
        assert all(f"({layer},{index})" in condition.explain() for layer, index in neurons)
    assert is_admissible(net.to_json()) == (not fed and not heard)


def test_the_status_agrees_with_the_definition_and_survives_symmetries():
    r, found = random.Random(0), {Status.HOLDS: 0, Status.FAILS: 0}
    for k in range(1500):
        net = random_dag(r) if k % 3 else random_mlp(r)
        verdict = admissible(net)
        assert verdict.status is (Status.HOLDS if is_admissible(net.to_json()) else Status.FAILS)
        moved = net.rescale(random_scalings(r, net)).permute(random_permutation(r, net))
        assert admissible(moved).status is verdict.status
        found[verdict.status] += 1
    assert min(found.values()) > 200


def test_named_neurons_are_at_fault_and_no_others():
    """Giving exactly the named neurons an entry makes the parameters admissible."""
    r = random.Random(1)
    for _ in range(400):
        net = random_dag(r)
        verdict = admissible(net)
        fed, heard = (set(verdict.condition(i).neurons) for i in ("nonzero_input", "nonzero_output"))
        repaired = net.with_values([
            1 if not p.value and (p.target in fed or p.source in heard) else p.value for p in net.parameters
        ])  # fmt: skip
        assert is_admissible(repaired.to_json())
        for neuron in fed:
            assert not any(p.value for p in net.parameters if p.target == neuron)
        for neuron in heard:
            assert not any(p.value for p in net.parameters if p.source == neuron)


def test_many_neurons_are_named_in_one_short_line():
    verdict = admissible(Network.mlp([[[0]] * 50, [[1] * 50]]))
    assert len(verdict.condition("nonzero_input").neurons) == 50
    assert len(verdict.condition("nonzero_input").explain()) < 160
    with pytest.raises(VerdictIsNotATruthValue):
        bool(verdict)
