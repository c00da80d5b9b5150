"""Permutation-scaling equivalence against brute force over all permutations, and ties that must not explode."""

from __future__ import annotations

import random
import sys
import time
from fractions import Fraction
from itertools import pairwise

import pytest
from equivalence_oracles import check_rescaling, edges_of, is_permutation_scaling_equivalent
from strategies import partner, random_dag, random_mlp, random_permutation, random_scalings

from exactrelu import Layer, Network, Status, permutation_scaling_equivalent

SECONDS = 10  # far above what any of these needs, far below what k! tries would need


def tied_mlp(r: random.Random) -> Network:
    """Entries so few that twins, clones, zero rows and proportional rows are everywhere."""
    entries = r.choice(((0, 1), (1, -1), (0, 0, 1, 2)))
    widths = [r.randint(1, 2), *(r.randint(2, 3) for _ in range(r.randint(1, 2))), 1]
    weights = [[[r.choice(entries) for _ in range(before)] for _ in range(width)] for before, width in pairwise(widths)]
    biases = [[r.choice(entries) for _ in range(width)] if r.random() < 0.5 else None for width in widths[1:]]
    return Network.mlp(weights, biases)


def verified(left: Network, right: Network) -> Status:
    verdict = permutation_scaling_equivalent(left, right)
    if verdict.status is Status.HOLDS:
        check_rescaling(left, right, verdict.evidence)
    elif verdict.status is Status.FAILS:
        assert verdict.evidence is None
        assert verdict.conditions[0].detail
    return verdict.status


@pytest.mark.parametrize("make", [random_dag, random_mlp, tied_mlp])
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_brute_force(make, seed: int) -> None:
    r = random.Random(seed)
    seen = {True: 0, False: 0}
    for _ in range(300):
        left = make(r)
        right = partner(r, left)
        expected = is_permutation_scaling_equivalent(left, right)
        status = verified(left, right)
        assert (status is Status.HOLDS) == expected, (left, right)
        if not expected:
            assert status is Status.FAILS or edges_of(left).keys() != edges_of(right).keys()
        seen[expected] += 1
    assert min(seen.values()) > 50, seen


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(100, 110))
def test_agrees_with_brute_force_on_many(seed: int) -> None:
    r = random.Random(seed)
    for _ in range(1000):
        left = r.choice((random_dag, random_mlp, tied_mlp))(r)
        right = partner(r, left)
        expected = is_permutation_scaling_equivalent(left, right)
        assert (verified(left, right) is Status.HOLDS) == expected, (left, right)


def test_unrelated_networks_of_one_architecture() -> None:
    """Few entries make unrelated networks equivalent often enough to matter."""
    r = random.Random(5)
    seen = {True: 0, False: 0}

    def net() -> Network:
        block = [[r.choice((0, 1)) for _ in range(2)] for _ in range(2)]
        return Network.mlp([[[1], [1]], block, [[1, 1]]], [[0, 0], [r.choice((0, 1)), 0], [0]])

    for _ in range(600):
        left, right = net(), net()
        expected = is_permutation_scaling_equivalent(left, right)
        assert (verified(left, right) is Status.HOLDS) == expected
        seen[expected] += 1
    assert min(seen.values()) > 20, seen


def test_the_permutation_is_read_as_documented() -> None:
    """Neuron i moves to position permutation[i], then the factors apply in the new positions."""
    left = Network.mlp([[[1], [10], [100]], [[1, 1, 1]]], [[1, 2, 3], [0]])
    right = Network.mlp([[[200], [1], [10]], [["1/2", 1, 1]]], [[6, 1, 2], [0]])
    evidence = permutation_scaling_equivalent(left, right).evidence
    assert evidence.permutation == ((1, 2, 0),)
    assert evidence.scalings == ((2, 1, 1),)


def test_absent_edges_move_with_their_neurons() -> None:
    def net(block: list[list[object]]) -> Network:
        return Network(2, [Layer({0: block}, bias=[1, 1]), Layer({1: [[1, 1]]}, activation="identity")])

    left = net([[1, None], [1, 1]])
    assert verified(left, net([[1, 1], [1, None]])) is Status.HOLDS
    assert verified(left, net([[1, 1], [None, 1]])) is Status.FAILS  # the other input
    assert verified(left, net([[1, 0], [1, 1]])) is Status.FAILS  # weight 0 is not absent


def test_activations_move_with_their_neurons() -> None:
    def net(names: list[str]) -> Network:
        return Network(1, [Layer({0: [[1], [2]]}, activation=names), Layer({1: [[1, 1]]}, activation="identity")])

    left = net(["relu", "identity"])
    assert verified(left, net(["identity", "relu"])) is Status.FAILS  # w=1 bends, then w=2 bends: not the same function
    assert verified(left, left.permute([[1, 0]])) is Status.HOLDS
    assert verified(left, net(["relu", "relu"])) is Status.INAPPLICABLE


@pytest.mark.parametrize(
    "other",
    [
        Network.mlp([[[1]], [[1]]], [[0], [0]]),
        Network.mlp([[[1], [1]], [[1, 1]]], [None, [0]]),
        Network.mlp([[[1], [1]], [[1, 1]]], [[0, 0], [0]], output_activation="relu"),
    ],
)
def test_other_architectures_are_inapplicable(other: Network) -> None:
    net = Network.mlp([[[1], [1]], [[1, 1]]], [[0, 0], [0]])
    verdict = permutation_scaling_equivalent(net, other)
    assert verdict.status is Status.INAPPLICABLE
    assert verdict.conditions[0].id == "same_architecture"


def diagonal(k: int, value: object = 2) -> list[list[object]]:
    return [[value if i == j else 0 for j in range(k)] for i in range(k)]


def cycles(lengths: tuple[int, ...], entries: tuple[object, object] = (1, 1)) -> list[list[object]]:
    """The 0/1 matrix in which neuron i hears i and its successor on a cycle."""
    size = sum(lengths)
    block: list[list[object]] = [[0] * size for _ in range(size)]
    start = 0
    for length in lengths:
        for i in range(length):
            block[start + i][start + i] = entries[0]
            block[start + i][start + (i + 1) % length] = entries[1]
        start += length
    return block


def wrapped(block: list[list[object]], output_bias: object = 0) -> Network:
    """A middle matrix between equal neurons on both sides, so that only the matrix tells them apart."""
    size = len(block)
    return Network.mlp([[[1]] * size, block, [[1] * size]], [None, None, [output_bias]])


TIED = {
    "clones": lambda k: Network.mlp([[[1]] * k, [[1] * k] * k, [[1] * k]]),
    "zeros": lambda k: Network.mlp([[[0]] * k, [[0] * k] * k, [[0] * k]]),
    "proportional rows": lambda k: Network.mlp([[[i + 1] for i in range(k)], [[1] * k]]),
    "parallel branches": lambda k: wrapped(diagonal(k)),
    "free components": lambda k: Network.mlp([[[0]] * k, diagonal(k), [[0] * k]]),
    "one cycle": lambda k: wrapped(cycles((k,))),
    "triangles": lambda k: wrapped(cycles((3,) * (k // 3))),
    "dead neurons": lambda k: Network.mlp([[[1]] * k, [[1] * k] * k, [[0] * k]], [[1] * k, [0] * k, [1]]),
}


@pytest.mark.parametrize("k", [3, 12, 30])
@pytest.mark.parametrize("name", TIED)
def test_ties_do_not_explode(name: str, k: int) -> None:
    left = TIED[name](k)
    r = random.Random(k)
    right = left.permute(random_permutation(r, left))
    right = right.rescale(random_scalings(r, right))
    start = time.perf_counter()
    assert verified(left, right) is Status.HOLDS
    assert time.perf_counter() - start < SECONDS


@pytest.mark.parametrize("change", [0, -2, -1], ids=["first weight", "last weight", "output bias"])
@pytest.mark.parametrize("name", TIED)
def test_ties_do_not_explode_where_the_answer_is_no(name: str, change: int) -> None:
    """A single entry that differs must be found, not hidden behind k! equal choices."""
    left = TIED[name](9)
    left = Network(1, [*left.layers[:-1], Layer(left.layers[-1].weights, bias=[0], activation="identity")])
    values = [parameter.value for parameter in left.parameters]
    values[change] += 5
    verdict = permutation_scaling_equivalent(left, left.with_values(values), budget=300)
    assert verdict.status is Status.FAILS, verdict.explain()


def test_many_clones_do_not_exhaust_the_stack() -> None:
    """A wide layer at a symmetric initialisation is one set of clones."""
    size = sys.getrecursionlimit() + 100
    net = Network.mlp([[[1]] * size, [[1] * size]])
    assert permutation_scaling_equivalent(net, net).status is Status.HOLDS


@pytest.mark.parametrize("output_bias", [0, 1])
@pytest.mark.parametrize("parts", [(4, 4), (3, 5), (2, 6)])
def test_graphs_that_refinement_cannot_tell_apart(parts: tuple[int, ...], output_bias: int) -> None:
    """One cycle and several: all neurons look alike, yet the networks are not equivalent."""
    one, several = wrapped(cycles((8,)), output_bias), wrapped(cycles(parts), output_bias)
    assert verified(one, several) is Status.FAILS
    assert verified(several, one) is Status.FAILS
    for net in (one, several):
        for seed in range(5):
            assert verified(net, net.permute(random_permutation(random.Random(seed), net))) is Status.HOLDS


def test_cycles_that_only_scalings_tell_apart() -> None:
    """The products around the cycles decide: 2^8 once, or 2^4 twice, or spread unevenly."""
    free = [Network.mlp([[[0]] * 4, cycles((4,), entries), [[0] * 4]]) for entries in ((1, 2), (2, 1), (1, 3), (2, 4))]
    same = [[verified(a, b) is Status.HOLDS for b in free] for a in free]
    # Around the cycle the quotient of the two products is 2^4; reading it the other way round gives 2^-4.
    brute = [[is_permutation_scaling_equivalent(a, b) for b in free] for a in free]
    assert same == brute
    assert any(not equal for row in same for equal in row)
    assert same[0][3]


def test_two_layers_of_ties_with_signs() -> None:
    r = random.Random(3)
    for _ in range(40):
        k = r.choice((4, 5))
        block = [[r.choice((1, -1)) for _ in range(k)] for _ in range(k)]
        left = wrapped(block)
        right = left.permute(random_permutation(r, left))
        assert verified(left, right.rescale(random_scalings(r, right))) is Status.HOLDS


def test_budget_gives_unknown() -> None:
    net = wrapped(cycles((8,)))
    verdict = permutation_scaling_equivalent(net, wrapped(cycles((4, 4))), budget=2)
    assert verdict.status is Status.UNKNOWN
    assert verdict.evidence is None
    assert "at most 2" in verdict.conditions[0].detail
    assert permutation_scaling_equivalent(net, net, budget=0).status is Status.UNKNOWN
    plain = Network.mlp([[[1], [-1]], [[1, 2]]])
    assert permutation_scaling_equivalent(plain, plain, budget=0).status is Status.HOLDS


OBSTRUCTIONS = [
    # a row that occurs once here and not there
    ([[1], [-1]], [[1], [1]], ((1, 1),), "no neuron of the second network is connected like neuron (1, 1)"),
    ([[1], [1]], [[1], [-1]], ((1, 1),), "no neuron of the first network is connected like neuron (1, 1)"),
]


@pytest.mark.parametrize(("ours", "theirs", "neurons", "words"), OBSTRUCTIONS)
def test_the_obstruction_names_a_neuron_without_partner(ours, theirs, neurons, words) -> None:
    verdict = permutation_scaling_equivalent(Network.mlp([ours, [[1, 1]]]), Network.mlp([theirs, [[1, 1]]]))
    condition = verdict.conditions[0]
    assert (condition.id, condition.status) == ("matching_neurons", Status.FAILS)
    assert condition.neurons == neurons
    assert words in condition.detail


def test_the_obstruction_is_true_after_choices() -> None:
    """With several matchings to try, a sentence about one of them is not the reason."""
    condition = permutation_scaling_equivalent(wrapped(cycles((8,))), wrapped(cycles((4, 4)))).conditions[0]
    # Every single neuron of either network has a neuron in the other that is connected like it.
    assert not condition.detail.startswith("up to scaling, no neuron")
    clones = Network.mlp([[[1], [1]], diagonal(2), [[1, 1]]], [None, None, [0]])
    condition = permutation_scaling_equivalent(clones, clones.replace({"b[3][0]": 1})).conditions[0]
    assert "only possible" not in condition.detail


def test_evidence_in_the_other_direction() -> None:
    r = random.Random(21)
    for _ in range(200):
        left = random_mlp(r)
        right = left.permute(random_permutation(r, left)).rescale(random_scalings(r, left))
        assert verified(left, right) is verified(right, left) is Status.HOLDS


def test_halved_twins_are_kept_apart_by_their_outputs() -> None:
    """(1;0;1),(2;0;1) against (1;0;2),(1;0;1): normalised they are the same two neurons."""
    left = Network.mlp([[[1], [2]], [[1, 1]]])
    assert verified(left, Network.mlp([[[1], [1]], [[2, 1]]])) is Status.HOLDS
    assert verified(left, Network.mlp([[[1], [1]], [[Fraction(3, 2)] * 2]])) is Status.FAILS
