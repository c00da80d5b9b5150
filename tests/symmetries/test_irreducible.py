"""Internal symmetries against independent values on a line, and reduction against equality of functions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import pytest
from oracles import eliminate
from strategies import random_dag
from symmetry_oracles import equal_on_all_regions

from exactrelu import Layer, Network, Status, minimal_width, same_function
from exactrelu.symmetries.affine import affine_symmetries
from exactrelu.symmetries.irreducible import (
    elimination,
    internal_symmetries,
    irreducible,
    parallel_neurons,
    reduce_by_symmetries,
)

LINE = [Fraction(k, 6) for k in range(-60, 61)]


def random_line(r: random.Random) -> Network:
    """A shallow network in one input, with twins, opposite neurons and zeros."""
    size = r.randint(1, 5)
    rows = [[r.choice((1, -1, 2, -2))] for _ in range(size)]
    return Network.mlp(
        [rows, [[r.choice((0, 1, -1, 2)) for _ in range(size)]]], [[r.choice((-1, 0, 1, 2)) for _ in range(size)], [0]]
    )


def dependent(net: Network) -> bool:
    """Whether the functions of the hidden neurons and 1 are dependent: values at many points."""
    columns = [[max(w[0] * t + b, Fraction(0)) for t in LINE] for w, b in neurons(net)]
    rows = [*columns, [Fraction(1)] * len(LINE)]
    return len(eliminate(rows)[1]) < len(rows)


def neurons(net: Network):
    return list(zip(net.layers[0].blocks[0][1], net.layers[0].bias, strict=True))


def test_irreducible_on_a_line_means_independent_and_heard():
    seen = set()
    for seed in range(300):
        net = random_line(random.Random(seed))
        mute = not all(net.layers[1].blocks[0][1][0])
        verdict = irreducible(net)
        assert (verdict.status is Status.HOLDS) == (not mute and not dependent(net)), seed
        if verdict.evidence is not None:
            relation = verdict.evidence.symmetry
            for t in LINE[::7]:
                total = sum(
                    a * max(b * t + c, 0) for a, (b, c) in zip(relation.coefficients, relation.atoms, strict=True)
                )
                assert total == relation.constant
        seen.add(verdict.status)
    assert seen == {Status.HOLDS, Status.FAILS}


def test_reduction_on_a_line_is_irreducible_and_no_smaller_than_possible():
    for seed in range(150):
        net = random_line(random.Random(seed))
        small = reduce_by_symmetries(net)
        assert same_function(net, small).status is Status.HOLDS
        assert irreducible(small).status is Status.HOLDS
        assert minimal_width(net) <= len(small.hidden_neurons) <= len(net.hidden_neurons)


def test_reduction_of_dags_keeps_the_function():
    reduced = 0
    for seed in range(120):
        net = random_dag(random.Random(seed), max_layers=3)
        small = reduce_by_symmetries(net, new_biases=True)
        assert equal_on_all_regions(net, small), seed
        assert irreducible(small).status is Status.HOLDS, seed
        reduced += small != net
    assert reduced > 10


def test_without_new_biases_constants_block():
    pairs = Network.mlp([[[1], [-1], [1], [-1]], [[1, 2, 3, 4]]], [[0, 0, -1, 1], None])
    assert reduce_by_symmetries(pairs) == pairs
    assert len(reduce_by_symmetries(pairs, new_biases=True).hidden_neurons) == 3
    verdict = irreducible(pairs)
    assert verdict.status is Status.FAILS
    atoms = [["1", "0"], ["-1", "0"], ["1", "-1"], ["-1", "1"]]
    assert verdict.to_json()["evidence"]["atoms"] == atoms


def test_parallel_neurons_share_direction_and_activation():
    net = Network.mlp([[[1, 2], [2, 4], [-1, -2], [2, 1], [0, 0]], [[1] * 5]], [[1, 2, 3, 4, 5], [0]])
    assert [group.neurons for group in parallel_neurons(net)] == [((1, 0), (1, 1), (1, 2)), ((1, 3),)]
    assert parallel_neurons(net)[0].atoms == ((1, 1), (2, 2), (-1, 3))
    assert [found.neurons for found in internal_symmetries(net)] == [((1, 0), (1, 1))]


def test_elimination_silences_the_neuron():
    net = Network.mlp([[[2], [1], [-1]], [[1, 2, 3], [4, 0, 1]]], [[2, 0, 0], [0, 0]])
    four = affine_symmetries("relu", [(2, 2), (-2, -2), (1, 0), (-1, 0)]).basis[0]
    steps = elimination(net, (1, 0), four, (Fraction(2), Fraction(2)))
    assert [step.child for step in steps] == [(2, 0), (2, 1)]
    changed = net
    for step in steps:
        changed = step.apply(changed)
    assert [row[0] for row in changed.layers[1].blocks[0][1]] == [0, 0]
    assert same_function(net, changed).status is Status.HOLDS


def test_neurons_of_different_layers_are_related():
    """relu(x) in layer 1 and relu(2 x) in layer 2; the later one goes, and no neuron is added."""
    late = Layer({0: [[2], [0]], 1: [[0], [1]]}, bias=[0, -1])
    net = Network(1, [Layer({0: [[1]]}), late, Layer({1: [[3]], 2: [[1, 1]]}, bias=[0], activation="identity")])
    small = reduce_by_symmetries(net)
    assert small.hidden_neurons == ((1, 0), (2, 0))
    assert small.layers[2].weights == {1: ((5,),), 2: ((1,),)}
    assert equal_on_all_regions(net, small)


def test_no_part_of_an_irreducible_network_is_dependent():
    """For tanh: distinct neurons up to sign are independent, so that dependence is a reflected pair."""
    for seed in range(60):
        r = random.Random(seed)
        size = r.randint(1, 4)
        rows = [[r.choice((1, -1, 2))] for _ in range(size)]
        net = Network.mlp([rows, [[1] * size]], [[r.choice((-1, 0, 1)) for _ in range(size)], [0]], activation="tanh")
        pairs = [(a, b) for a, b in combinations(neurons(net), 2) if a == b or (-a[0][0], -a[1]) == (b[0][0], b[1])]
        assert (irreducible(net).status is Status.HOLDS) == (not pairs)


@pytest.mark.sweep
def test_many_reductions():
    for seed in range(3000, 4000):
        net = random_dag(random.Random(seed), max_layers=4, linear_neurons=False)
        small = reduce_by_symmetries(net, new_biases=True)
        assert equal_on_all_regions(net, small), seed
        assert irreducible(small).status is Status.HOLDS, seed
