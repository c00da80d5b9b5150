"""Orbits against brute force over all flips (theory: 5.2 and V3), and every move against its replay.

One-letter names: ``r`` a seeded random generator, ``S`` a set of neurons.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations

import networkx
import pytest
from strategies import random_admissible_dag
from symmetry_oracles import equal_on_all_regions

from exactrelu import BudgetExceeded, HypothesisNotMet, InvalidInput, Layer, Network, Status, canonical_form
from exactrelu.symmetries.affine import affine_symmetries
from exactrelu.symmetries.orbit import Orbit, orbit, path_between, representative
from exactrelu.zoo import specimen

HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])


def neurons(net: Network):
    """Weights and outputs of every hidden neuron."""
    matrix = net.layers[1].blocks[0][1]
    return [(w, [row[i] for row in matrix]) for i, w in enumerate(net.layers[0].blocks[0][1])]


def balanced(pairs) -> bool:
    """Whether the sum of all products of weights and outputs vanishes, entry by entry."""
    pairs = list(pairs)
    return all(
        sum(w[j] * v[o] for w, v in pairs) == 0 for j in range(len(pairs[0][0])) for o in range(len(pairs[0][1]))
    )


def parallel(a, b) -> bool:
    return all(a[i] * b[j] == a[j] * b[i] for i in range(len(a)) for j in range(i))


def flip_sets(net: Network, *, by_class: bool):
    """All S with zero sum, or with zero sum over every class of parallel neurons; by trying all subsets."""
    pairs = neurons(net)
    for size in range(1, len(pairs) + 1):
        for S in combinations(range(len(pairs)), size):
            parts = [[j for j in S if parallel(pairs[i][0], pairs[j][0])] for i in S]
            groups = parts if by_class else [S]
            if all(balanced(pairs[i] for i in group) for group in groups):
                yield S


def random_shallow(r: random.Random, dimension: int, size: int, outputs: int = 1) -> Network:
    """Distinct hyperplanes, few directions, nonzero outputs: flips are frequent."""
    directions = [tuple(int(i == j) for j in range(dimension)) for i in range(dimension)]
    if dimension > 1:
        directions.append((1,) * dimension)
    rows, biases = [], r.sample([Fraction(k, 4) for k in range(-9, 10)], size)
    for k in range(size):
        scale = r.choice((1, 1, -1, 2))
        rows.append([scale * entry for entry in r.choice(directions)])
        biases[k] *= abs(scale)  # distinct walls: the bias counts per unit of the weights, up to sign
    biases = [abs(b) + k for k, b in enumerate(biases)]
    columns = []
    for _ in range(size):
        column = [0] * outputs
        while not any(column):
            column = [r.choice((1, -1, 2, -2, 0)) for _ in range(outputs)]
        columns.append(column)
    return Network.mlp([rows, [[c[o] for c in columns] for o in range(outputs)]], [biases, [0] * outputs])


def distinct_walls(net: Network) -> bool:
    rows = [[*w, b] for w, b in zip(net.layers[0].blocks[0][1], net.layers[0].bias, strict=True)]
    return not any(parallel(a, b) for a, b in combinations(rows, 2))


def check_moves(found: Orbit) -> None:
    for move in found.moves:
        assert move.replay() == move.target
        assert equal_on_all_regions(move.source, move.target)
        assert len(move.target.hidden_neurons) <= found.max_neurons


@pytest.mark.parametrize(
    ("name", "flips"), [("S13", [(0, 1)]), ("S14", [(0, 1, 2)]), ("S15", []), ("hat", [(0, 1, 2)])]
)
def test_on_a_line_the_orbit_is_the_fibre(name, flips):
    net = HAT if name == "hat" else specimen(name).network
    assert list(flip_sets(net, by_class=False)) == flips
    found = orbit(net)
    assert set(found.smallest) == {canonical_form(net), *(canonical_form(net.flip(S)) for S in flips)}
    assert len(found.smallest) == len(flips) + 1
    check_moves(found)


def test_the_orbit_of_s16_is_one_class_of_two():
    net = specimen("S16").network
    assert list(flip_sets(net, by_class=False)) == [(0, 1, 2)]
    assert orbit(net).classes == (canonical_form(net),)
    verdict = path_between(net, net.flip([0, 1, 2]), max_neurons=6)
    assert verdict.status is Status.UNKNOWN
    assert verdict.conditions[0].detail == "the 1 classes that were found with at most 6 hidden neurons are all"


@pytest.mark.parametrize(
    ("dimension", "outputs", "sizes", "seeds"), [(1, 1, (2, 4), 20), (2, 1, (3, 5), 25), (1, 2, (3, 4), 8)]
)
def test_random_orbits_are_the_flips_by_classes(dimension, outputs, sizes, seeds):
    """Brute force over all subsets: symmetries bring about exactly those flips whose sums vanish by classes."""
    more = fewer = 0
    for seed in range(seeds):
        r = random.Random(seed)
        net = random_shallow(r, dimension, r.randint(*sizes), outputs)
        if not distinct_walls(net):
            continue
        expected = {canonical_form(net), *(canonical_form(net.flip(S)) for S in flip_sets(net, by_class=True))}
        assert set(orbit(net).smallest) == expected, seed
        more += len(expected) > 1
        fewer += len(list(flip_sets(net, by_class=False))) + 1 > len(expected)
    assert more > 1
    assert (fewer > 0) == (dimension > 1)


def test_moves_of_dags_replay_and_keep_the_function():
    moves = 0
    for seed in range(40):
        net = random_admissible_dag(random.Random(seed), max_layers=3, max_width=2)
        try:
            found = orbit(net, budget=30)
        except BudgetExceeded:
            continue
        check_moves(found)
        assert equal_on_all_regions(net, found.start)
        moves += len(found.moves)
    assert moves > 5


def test_signs_of_tanh():
    net = Network.mlp([[[1, 2], [2, 0], [1, 1]], [[1, 3, "1/2"]]], [[1, "1/2", 0], [0]], activation="tanh")
    found = orbit(net)
    assert len(found.classes) == 2**3
    assert all(move.replay() == move.target for move in found.moves)
    # the eight choices of signs, written down
    expected = set()
    for signs in range(8):
        factors = [-1 if signs >> i & 1 else 1 for i in range(3)]
        rows = [[f * w for w in row] for f, row in zip(factors, [[1, 2], [2, 0], [1, 1]], strict=True)]
        outputs = [f * Fraction(v) for f, v in zip(factors, (1, 3, "1/2"), strict=True)]
        biases = [f * Fraction(b) for f, b in zip(factors, (1, "1/2", 0), strict=True)]
        expected.add(representative(Network.mlp([rows, [outputs]], [biases, [0]], activation="tanh")))
    assert set(found.classes) == expected


def test_signs_of_deep_tanh():
    net = Network.mlp([[[1], [2]], [[1, 3]], [[2]]], [[1, 1], ["1/2"], [0]], activation="tanh")
    assert len(orbit(net).classes) == 2**3


def test_given_symmetries():
    """A clip is the sum of two steeper ones: one neuron as the wide term, or as either of the steep ones."""
    clip = {"name": "clip", "lower": "0", "upper": "1"}
    double = affine_symmetries(clip, [(1, 0), (2, 0), (2, -1)]).basis[0]
    net = Network.mlp([[[1]], [[2]]], [[0], [0]], activation=clip)
    found = orbit(net, [double], max_neurons=2)
    check_moves(found)
    halves = Network.mlp([[[2], [2]], [[1, 1]]], [[-1, 0], [0]], activation=clip)
    left = Network.mlp([[["1/2"], [1]], [[4, -2]]], [[0, -1], [0]], activation=clip)
    right = Network.mlp([[["1/2"], [1]], [[4, -2]]], [["1/2", 1], [0]], activation=clip)
    assert set(found.classes) == {net, halves, left, right}
    back = path_between(halves, net, [double])
    assert back.status is Status.HOLDS and len(back.evidence.moves) == 1
    # an absolute value has other symmetries, and these do not apply to it
    assert orbit(Network.mlp([[[1]], [[2]]], activation="abs"), [double]).moves == ()


def test_a_path_is_a_chain_of_moves():
    flipped = HAT.flip([0, 1, 2])
    verdict = path_between(HAT, flipped)
    assert verdict.status is Status.HOLDS
    path = verdict.evidence
    assert path.start == canonical_form(HAT)
    assert [move.source for move in path.moves[1:]] == [move.target for move in path.moves[:-1]]
    assert path.moves[-1].target == canonical_form(flipped)
    assert all(move.replay() == move.target for move in path.moves)
    graph = orbit(HAT).graph()
    assert networkx.shortest_path_length(graph, path.start, path.moves[-1].target) == len(path.moves) == 2
    assert "along t = pre-activation of" in verdict.explain()
    data = json.loads(json.dumps(verdict.to_json()))["evidence"]
    step = path.moves[0].modifications[0]
    written = data["moves"][0]["modifications"][0]
    assert written["symmetry"]["atoms"] == [[str(b), str(c)] for b, c in step.symmetry.atoms]
    assert written["amount"] == str(step.amount) and written["child"] == [2, 0]


def test_path_verdicts():
    assert path_between(HAT, HAT).evidence.moves == ()
    other = HAT.replace({"b[2][0]": 1})
    verdict = path_between(HAT, other)
    assert verdict.status is Status.FAILS
    point = verdict.evidence.point
    assert HAT(point) != other(point)
    short = path_between(HAT, HAT.flip([0, 1, 2]), budget=1)
    assert short.status is Status.UNKNOWN and "budget: at most 1 classes" in short.conditions[0].detail
    narrow = path_between(HAT, HAT.flip([0, 1, 2]), max_neurons=3)
    assert narrow.status is Status.UNKNOWN


def test_representatives_ignore_order_scale_and_idle_neurons():
    net = Network.mlp([[[2], [2], [5], [0]], [[1, 3, 0, 7]]], [[1, 1, 1, 0], [0]])
    same = Network.mlp([[["1/2"]], [[16]]], [["1/4"], [0]])
    assert representative(net) == representative(same)
    for rho in ("tanh", "hat"):
        net = Network.mlp([[[1], [2]], [[1, 2], [3, 4]], [[1, 2]]], [[1, 0], [1, 0], [0]], activation=rho)
        for first in ([0, 1], [1, 0]):
            for second in ([0, 1], [1, 0]):
                assert representative(net.permute([first, second])) == representative(net)


def test_twins_merge():
    twins = Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])
    assert representative(twins) == Network.mlp([[[1]], [[3]]], [[0], [0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_neurons": 2}, "max_neurons: must be an integer, at least the 3"),
        ({"max_neurons": 3.0}, "max_neurons: must be an integer"),
        ({"budget": -1}, "budget: must be an integer"),
        ({"symmetries": [1]}, "symmetries: must be a list of affine symmetries"),
        ({"symmetries": 1}, "symmetries: must be a list of affine symmetries"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(InvalidInput, match=message):
        orbit(HAT, **options)


def test_budget_and_mixed_activations():
    with pytest.raises(BudgetExceeded) as caught:
        orbit(HAT, budget=3)
    assert len(caught.value.partial) == 3
    mixed = Network(
        1, [Layer({0: [[1], [1]]}, activation=["relu", "tanh"]), Layer({1: [[1, 1]]}, activation="identity")]
    )
    with pytest.raises(HypothesisNotMet, match="all homogeneous, or none"):
        orbit(mixed)


@pytest.mark.sweep
def test_many_random_orbits():
    for seed in range(1000, 1150):
        r = random.Random(seed)
        net = random_shallow(r, r.randint(1, 3), r.randint(2, 5), r.randint(1, 2))
        if distinct_walls(net):
            expected = {canonical_form(net), *(canonical_form(net.flip(S)) for S in flip_sets(net, by_class=True))}
            assert set(orbit(net).smallest) == expected, seed
