"""Scaling equivalence against union-find, against the embedding with signs (S2), and against z3."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import z3
from equivalence_oracles import check_rescaling, edges_of, has_dead_neurons, is_scaling_equivalent, scaling_exists
from strategies import partner, random_dag, random_mlp, random_scalings

from exactrelu import Layer, Network, Status, path_embedding, scaling_equivalent

HALF = Fraction(1, 2)


def one_neuron(w: object, b: object, v: object) -> Network:
    return Network.mlp([[[w]], [[v]]], [[b], [0]])


def random_pair(r: random.Random) -> tuple[Network, Network]:
    left = random_dag(r) if r.random() < 0.6 else random_mlp(r)
    return left, partner(r, left, permuted=False)


def check_obstruction(left: Network, right: Network, verdict) -> None:
    """The named condition is violated at the named neuron, and only the first such condition is named."""
    (condition,) = verdict.conditions
    ours, theirs = edges_of(left), edges_of(right)
    other_zeros = [target for (_, target), value in ours.items() if bool(value) != bool(theirs[_, target])]
    if other_zeros:
        assert (condition.id, condition.neurons) == ("same_zeros", (other_zeros[0],))
    else:
        # Factors of any sign exist exactly when positivity is what fails; then the named neuron meets a changed sign.
        solvable = scaling_exists(ours, theirs, left.depth, any_sign=True)
        assert condition.id == ("positive_scalings" if solvable else "consistent_scalings")
        (neuron,) = condition.neurons
        touching = [(edge, value) for edge, value in ours.items() if neuron in edge and value]
        assert touching and (not solvable or any(value * theirs[edge] < 0 for edge, value in touching))
    assert condition.detail and condition.status is Status.FAILS


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_union_find(seed: int) -> None:
    r = random.Random(seed)
    seen = dict.fromkeys(Status, 0)
    for _ in range(500):
        left, right = random_pair(r)
        verdict = scaling_equivalent(left, right)
        seen[verdict.status] += 1
        if verdict.status is Status.HOLDS:
            check_rescaling(left, right, verdict.evidence)
            assert verdict.evidence.permutation == tuple(tuple(range(w)) for w in left.widths[1:-1])
        elif verdict.status is Status.FAILS:
            check_obstruction(left, right, verdict)
        else:
            assert edges_of(left).keys() != edges_of(right).keys()
        assert (verdict.status is Status.HOLDS) == is_scaling_equivalent(left, right)
    assert min(seen[Status.HOLDS], seen[Status.FAILS]) > 100 and seen[Status.INAPPLICABLE] > 10, seen


def test_agrees_with_embedding_and_signs_where_admissible() -> None:
    """S2: for admissible networks, equal embeddings and equal signs decide."""
    r = random.Random(100)
    seen = {True: 0, False: 0}
    for _ in range(1500):
        left, right = random_pair(r)
        if has_dead_neurons(left) or left.architecture != right.architecture:
            continue
        signs = [[(p.value > 0) - (p.value < 0) for p in net.parameters] for net in (left, right)]
        expected = path_embedding(left).vector == path_embedding(right).vector and signs[0] == signs[1]
        assert (scaling_equivalent(left, right).status is Status.HOLDS) == expected
        seen[expected] += 1
    assert min(seen.values()) > 100, seen


def test_agrees_with_z3() -> None:
    """The equations are linear in the factors: lambda_u w' = lambda_v w, lambda > 0."""
    r = random.Random(7)
    seen = {True: 0, False: 0}
    for _ in range(300):
        left, right = random_pair(r)
        if left.architecture != right.architecture:
            continue
        solver, one = z3.Solver(), z3.RealVal(1)
        factors = {neuron: z3.Real(f"l{neuron[0]}_{neuron[1]}") for neuron in left.hidden_neurons}
        solver.add([factor > 0 for factor in factors.values()])
        new = edges_of(right)
        for (source, target), value in edges_of(left).items():
            ours, theirs = z3.Q(*value.as_integer_ratio()), z3.Q(*new[source, target].as_integer_ratio())
            solver.add(factors.get(source, one) * theirs == factors.get(target, one) * ours)
        expected = solver.check() == z3.sat
        assert (scaling_equivalent(left, right).status is Status.HOLDS) == expected
        seen[expected] += 1
    assert min(seen.values()) > 50, seen


# (w; b; v) with output bias 0: the answer, and the factor or the failing condition
ONE_NEURON = [
    ((1, 1, 1), (2, 2, HALF), "holds", 2),
    ((1, 1, 1), (-1, -1, -1), "fails", "positive_scalings"),  # same embedding, other signs
    ((1, 1, 0), (1, 2, 0), "fails", "consistent_scalings"),  # same embedding and signs, not admissible
    ((0, 0, 1), (0, 0, 2), "holds", HALF),  # visible on the outgoing edge only
    ((0, 0, 1), (0, 0, -2), "fails", "positive_scalings"),
    ((0, 0, 0), (0, 0, 0), "holds", 1),
    ((0, 3, 0), (0, 1, 0), "holds", Fraction(1, 3)),  # visible on the bias only
    ((2, 0, 0), (3, 0, 0), "holds", Fraction(3, 2)),
    ((2, 0, 0), (3, 1, 0), "fails", "same_zeros"),
    ((1, 1, 1), (2, 2, 1), "fails", "consistent_scalings"),
    ((1, 1, 1), (1, 1, 0), "fails", "same_zeros"),
]


@pytest.mark.parametrize(("ours", "theirs", "status", "fact"), ONE_NEURON)
def test_one_neuron(ours: tuple, theirs: tuple, status: str, fact: object) -> None:
    verdict = scaling_equivalent(one_neuron(*ours), one_neuron(*theirs))
    assert verdict.status.value == status
    if status == "holds":
        assert verdict.evidence.scalings == ((fact,),)
    else:
        assert verdict.conditions[0].id == fact
        assert verdict.evidence is None


def chain(*weights: object) -> Network:
    """Layers of one neuron without biases, so that zeros cut the chain into components."""
    return Network.mlp([[[w]] for w in weights])


@pytest.mark.parametrize(
    ("ours", "theirs", "status"),
    [
        ((0, 2, 0), (0, 5, 0), "holds"),  # a free component of two neurons
        ((0, 2, 0), (0, -5, 0), "fails"),
        ((0, 2, 3, 0), (0, 1, 1, 0), "holds"),
        ((0, 2, 3), (0, 1, 6), "holds"),
        ((1, 2, 0), (1, 7, 0), "holds"),
        ((1, 2, 3), (1, 7, 3), "fails"),
        ((0, 0, 0), (0, 0, 0), "holds"),
        ((0, 0, 0), (0, 1, 0), "fails"),
    ],
)
def test_components_that_touch_no_input_or_output(ours: tuple, theirs: tuple, status: str) -> None:
    left, right = chain(*ours), chain(*theirs)
    verdict = scaling_equivalent(left, right)
    assert verdict.status.value == status
    if status == "holds":
        check_rescaling(left, right, verdict.evidence)


def test_a_free_component_with_a_cycle_must_close() -> None:
    """Two layers joined by a full 2x2 block, cut off from everything else."""

    def cut_off(block: list[list[object]]) -> Network:
        return Network.mlp([[[0], [0]], block, [[0, 0]]])

    left = cut_off([[1, 2], [3, 4]])
    assert scaling_equivalent(left, cut_off([[5, 10], [3, 4]])).status is Status.HOLDS
    assert scaling_equivalent(left, cut_off([[1, 2], [3, 5]])).status is Status.FAILS


def skip(a: object, b: object, s: object) -> Network:
    layers = [Layer({0: [[a]]}, bias=[1]), Layer({1: [[b]], 0: [[s]]}, activation="identity")]
    return Network(1, layers)


def test_a_skip_from_input_to_output_cannot_be_rescaled() -> None:
    net = skip(1, 2, 3)
    assert scaling_equivalent(net, skip(1, 2, 3)).status is Status.HOLDS
    verdict = scaling_equivalent(net, skip(1, 2, 6))
    assert (verdict.status, verdict.conditions[0].neurons) == (Status.FAILS, ((2, 0),))
    assert "w[2<-0][0,0] must be multiplied by 2" in verdict.conditions[0].detail


NARROW = Network.mlp([[[1]], [[1]]], [[0], [0]])


@pytest.mark.parametrize(
    "other",
    [
        Network.mlp([[[1], [1]], [[1, 1]]], [[0, 0], [0]]),  # width
        Network.mlp([[[1]], [[1]], [[1]]], [[0], [0], [0]]),  # depth
        Network.mlp([[[1, 1]], [[1]]], [[0], [0]]),  # input dimension
        Network.mlp([[[1]], [[1]]], [None, [0]]),  # bias 0 is not "no bias"
        Network.mlp([[[1]], [[1]]], [[0], None]),
        Network.mlp([[[1]], [[1]]], [[0], [0]], activation="identity"),
        Network.mlp([[[1]], [[1]]], [[0], [0]], output_activation="relu"),
        Network(1, [Layer({0: [[1]]}, bias=[0]), Layer({1: [[1]], 0: [[0]]}, bias=[0], activation="identity")]),
    ],
)
def test_other_architectures_are_inapplicable(other: Network) -> None:
    """An edge of weight 0 is a parameter and an absent edge is none, and so on."""
    for pair in ((NARROW, other), (other, NARROW)):
        verdict = scaling_equivalent(*pair)
        assert verdict.status is Status.INAPPLICABLE
        assert verdict.conditions[0].id == "same_architecture"
        assert "architectures differ" in verdict.conditions[0].detail


def test_is_an_equivalence() -> None:
    r = random.Random(11)
    for _ in range(300):
        net = random_dag(r)
        first, second = (net.rescale(random_scalings(r, net)) for _ in range(2))
        for a, b in ((net, net), (first, net), (first, second)):
            verdict = scaling_equivalent(a, b)
            assert verdict.status is Status.HOLDS
            check_rescaling(a, b, verdict.evidence)


def test_numbers_beyond_the_digit_limit_of_python() -> None:
    """Files may hold numbers of 20000 digits; CPython refuses to print more than 4300."""
    long = "1" + "0" * 5000
    for other in (Network.mlp([[[1]], [[0]]]), Network.mlp([[[1]], [[1]]]), Network.mlp([[["-1"]], [[1]]])):
        verdict = scaling_equivalent(Network.mlp([[[long]], [[1]]]), other)
        assert verdict.status is Status.FAILS
        assert verdict.explain()
