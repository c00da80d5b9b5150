"""Local identifiability from samples: known cases, evidence against oracles, and families checked as identities."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import oracles
import pytest
from region_networks import batches
from strategies import random_dag, random_mlp
from test_jacobian import Points, path_jacobian, smooth_points

import exactrelu as er
from exactrelu import InexactNumber, InvalidInput, Layer, Network, OnKink, Status, WrongDimension
from exactrelu.identifiability.jacobians import local_from_samples
from exactrelu.identifiability.jacobians.functional_dimension import sample_rank
from exactrelu.identifiability.jacobians.jacobian import integer_sample_jacobian
from exactrelu.identifiability.jacobians.local_from_samples import SampleRanks, locally_identifiable_from_samples
from exactrelu.identifiability.jacobians.sample_families import is_rescaling, linear_family_on_samples
from exactrelu.zoo import shallow_network

Rows = Sequence[Sequence[Fraction]]
BEND = shallow_network([(1, 0, 1)])
X5 = shallow_network([(1, 0, 2), (-1, 0, 1)])
X6 = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], None])
X7 = Network.mlp([[[1]], [[-1]], [[1]]], [[0], [1], [0]])

# network, samples, R_Gamma, R_A (None where not needed), status: theory 11, "Finite samples"
KNOWN = {
    "X1": (BEND, [1, 2, -1], 3, None, "holds"),
    "X2": (BEND, [1, -1], 2, 2, "fails"),
    "X3": (BEND, [1, 2, 3, 4], 2, 2, "fails"),
    "X6": (X6, [2, 3, "1/2", -1], 2, 2, "fails"),
    "X7": (X7, [-1, "1/2", "1/4", 2], 4, None, "holds"),
    "X7 without 1/4": (X7, [-1, "1/2", 2], 3, 3, "fails"),
}


def rank(rows: Rows) -> int:
    return len(oracles.eliminate(rows)[1])


def activation_rank(net: Network, points: Points) -> int:
    """The ranks of the path activations of all outputs, from listed paths."""
    data = net.to_json()
    ends = [path[0][-1][1] for path in oracles.all_paths(data)]
    rows = [oracles.path_activations(data, point) for point in points]
    return sum(
        rank([[a for a, e in zip(row, ends, strict=True) if e == o] for row in rows]) for o in range(net.output_dim)
    )


@pytest.mark.parametrize("name", KNOWN)
def test_known_cases(name: str) -> None:
    net, xs, found, bound, status = KNOWN[name]
    points = [[Fraction(x)] for x in xs]
    verdict = locally_identifiable_from_samples(net, points)
    assert verdict.status.value == status
    assert (verdict.evidence.jacobian_rank, verdict.evidence.activation_rank) == (found, bound)
    check(net, points, verdict)


@pytest.mark.parametrize("seed", range(5))
def test_no_finite_sample_identifies_opposite_twins(seed: int) -> None:
    """X5: four at most, wherever the samples are; yet the parameters are identifiable from every interval around 0."""
    r = Random(seed)
    points = [[Fraction(k)] for k in r.sample([k for k in range(-50, 50) if k], r.randint(2, 12))]
    verdict = locally_identifiable_from_samples(X5, points)
    assert verdict.status is Status.FAILS and verdict.evidence.jacobian_rank <= 4
    check(X5, points, verdict)


def determinant(rows: Rows, prime: int) -> int:
    """Modulo a prime, by elimination."""
    matrix, value = [[int(entry) % prime for entry in row] for row in rows], 1
    for k in range(len(matrix)):
        pivot = next((i for i in range(k, len(matrix)) if matrix[i][k]), None)
        if pivot is None:
            return 0
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        value, inverse = value * matrix[k][k] % prime, pow(matrix[k][k], -1, prime)
        for i in range(k + 1, len(matrix)):
            factor = matrix[i][k] * inverse
            matrix[i] = [(a - factor * b) % prime for a, b in zip(matrix[i], matrix[k], strict=True)]
    return value


def rescalings(net: Network) -> list[list[Fraction]]:
    """The infinitesimal rescaling of every hidden neuron."""
    return [[p.value * ((p.target == v) - (p.source == v)) for p in net.parameters] for v in net.hidden_neurons]


def check_ranks(net: Network, points: Points, evidence: SampleRanks) -> None:
    gamma = path_jacobian(net, points)
    assert evidence.jacobian_rank == rank(gamma) == len(evidence.rows) == len(evidence.columns)
    assert (evidence.parameters, evidence.hidden_neurons) == (len(net.parameters), len(net.hidden_neurons))
    rows = integer_sample_jacobian(net, points)  # against the paths in test_jacobian.py
    assert determinant([[rows[i][j] for j in evidence.columns] for i in evidence.rows], evidence.prime)
    if evidence.activation_rank is not None:
        assert evidence.activation_rank == activation_rank(net, points)
        entries = dict(evidence.direction.entries)
        direction = [entries.get(p.name, Fraction(0)) for p in net.parameters]
        assert not any(sum(a * b for a, b in zip(row, direction, strict=True)) for row in gamma)
        assert rank([*rescalings(net), direction]) > rank(rescalings(net))


def check_family(net: Network, points: Points, verdict: er.Verdict) -> None:
    """More values of t than the degree of any polynomial here, so that equality for all of them is an identity."""
    family = verdict.family
    assert family.base == net and 0 < family.last <= 1
    wanted = [oracles.forward(net.to_json(), point) for point in points]
    for k in range(net.depth + 2):
        t = family.last * Fraction(k + 1, net.depth + 2)
        member = family.member(t)
        for point, (sums, values) in zip(points, wanted, strict=True):
            ours, theirs = oracles.forward(member.to_json(), point)
            assert theirs[-1] == values[-1]
            for old, new in zip(sums[:-1], ours[:-1], strict=True):
                assert [z > 0 for z in old] == [z > 0 for z in new] and all(new)
        assert er.scaling_equivalent(net, member).status is Status.FAILS
    for t in (family.last, family.last / 1000):
        assert er.permutation_scaling_equivalent(net, family.member(t)).status is Status.FAILS
    assert verdict.witness == family.member(family.last)


def check(net: Network, points: Points, verdict: er.Verdict) -> None:
    """Every part of a verdict, by oracles."""
    good = oracles.is_admissible(net.to_json())
    full = len(net.parameters) - len(net.hidden_neurons)
    assert (verdict.condition("admissible").status is Status.HOLDS) == good
    if verdict.evidence is not None:
        check_ranks(net, points, verdict.evidence)
    if verdict.family is not None:
        check_family(net, points, verdict)
    if verdict.status is Status.HOLDS:
        assert good and verdict.evidence.jacobian_rank == full
        assert verdict.condition("sample_jacobian_rank").status is Status.HOLDS
    elif verdict.status is Status.INAPPLICABLE:
        assert not good
    elif good:
        found, bound = verdict.evidence.jacobian_rank, verdict.evidence.activation_rank
        assert found < full and found <= bound
        assert (verdict.condition("sample_rank_gap").status is Status.FAILS) == (found == bound)
        assert verdict.status is (Status.FAILS if found == bound or verdict.family is not None else Status.UNKNOWN)
    else:
        assert verdict.status is Status.FAILS and verdict.family is not None
    assert str(len(points)) in verdict.explain()
    verdict.to_json()


def drawn(seed: int) -> tuple[Network, Points]:
    """A small ReLU network and some samples, few or many."""
    r = Random(seed)
    while True:
        kind = r.random()
        if kind < 0.4:
            net = random_dag(r, linear_neurons=False)
        elif kind < 0.7:
            net = random_mlp(r, max_layers=3)
        else:
            widths = r.choice([(1, 2, 1), (2, 2, 1), (1, 2, 2, 1), (2, 3, 1), (1, 2, 2)])
            net = Network.random(widths, r.randrange(1000))
        if len(net.parameters) > 30:
            continue
        points = smooth_points(r, net, r.choice((1, 2, 4, len(net.parameters), 2 * len(net.parameters))))
        if points:
            return net, points


@pytest.mark.parametrize("seeds", batches(30, 1_030, 250))
def test_random_networks(seeds: range) -> None:
    statuses: dict[str, int] = {}
    families = 0
    for seed in seeds:
        net, points = drawn(seed)
        verdict = locally_identifiable_from_samples(net, points)
        check(net, points, verdict)
        assert sample_rank(net, points) == rank(path_jacobian(net, points))
        statuses[verdict.status.value] = statuses.get(verdict.status.value, 0) + 1
        families += verdict.family is not None
    assert {"holds", "fails"} <= statuses.keys()
    assert families > len(seeds) // 4


# One output, two outputs: 4 neurons in two hidden layers, samples from which none can be spared.
GAP = [
    (
        Network.mlp([[[2, 3], [1, -2]], [[2, 1], [-2, 1]], [[2, 3]]], [[3, 1], [-1, -1], [3]]),
        "35 -21, 0 -4, -5/2 -5/3, 5 1/2, -2 -2, 1 2, -1/50 -1/100, 14/3 0, -1 4, 6 5, -6 -3/2",
        (10, 11),
    ),
    (
        Network.mlp([[[3, 3], [-2, 3]], [[3, 3], [-2, 1]], [[3, 3], [3, 1]]], [[2, -2], [-1, 1], [1, -2]]),
        "-14 14, 1/20 -1/10, -21 7/3, -1 -5/3, -5 0, -1/50 1/80, 3/10 -1/5",
        (13, 14),
    ),
]


@pytest.mark.parametrize(("net", "text", "ranks"), GAP)
def test_the_gap_is_unknown(net: Network, text: str, ranks: tuple[int, int]) -> None:
    """Ranks between the two conditions, and no family of equal values in sight: neither yes nor no."""
    points = [[Fraction(c) for c in point.split()] for point in text.split(",")]
    verdict = locally_identifiable_from_samples(net, points)
    assert verdict.status is Status.UNKNOWN
    assert (verdict.evidence.jacobian_rank, verdict.evidence.activation_rank) == ranks
    check(net, points, verdict)


DEAD = Network.mlp([[[1], [2]], [[1, 0]]], [[0, 1], [0]])


def test_a_dead_neuron_gives_a_family() -> None:
    points = [[Fraction(x)] for x in (1, 2, -1, -2)]
    verdict = locally_identifiable_from_samples(DEAD, points)
    assert verdict.status is Status.FAILS
    assert verdict.condition("admissible").neurons == ((1, 1),)
    check(DEAD, points, verdict)


def test_a_dead_neuron_that_can_only_be_rescaled() -> None:
    """One input, no biases: every small change of its weight is a rescaling, and D1 does not apply."""
    net = Network.mlp([[[1], [-2]], [[1, 0]]], [None, [0]])
    verdict = locally_identifiable_from_samples(net, [[1], [2], [-1]])
    assert verdict.status is Status.INAPPLICABLE and verdict.family is None
    assert verdict.condition("admissible").neurons == ((1, 1),)


@pytest.mark.parametrize(
    "net",
    [
        Network.mlp([[[1]], [[1]]], [[1], [1]], activation="identity"),
        Network.mlp([[[1]], [[1]]], [[1], [1]], output_activation="relu"),
        Network(
            1, [Layer({0: [[1], [1]]}, activation=["relu", "identity"]), Layer({1: [[1, 1]]}, activation="identity")]
        ),
    ],
)
def test_other_activations_are_inapplicable(net: Network) -> None:
    verdict = locally_identifiable_from_samples(net, [[1], [2]])
    assert verdict.status is Status.INAPPLICABLE
    assert "the theory of ReLU networks does not apply" in verdict.explain()


def test_a_prime_that_divides_every_minor() -> None:
    """Weights divisible by 2^61 - 1: the rank is the same, and the minor is nonzero modulo another prime."""
    m = 2**61 - 1
    net = Network.mlp([[[1, 2], [1, 3]], [[m, 5 * m]]], [[m, 1], [m]])
    r = Random(0)
    points = smooth_points(r, net, 12)
    far = [[-m * x + Fraction(1, 3) for x in point] for point in points[:6]]
    verdict = locally_identifiable_from_samples(net, points + far)
    check(net, points + far, verdict)
    assert verdict.evidence.prime != m and verdict.evidence.jacobian_rank > 0


def test_a_direction_that_does_not_keep_the_values() -> None:
    """Twins: some kernel directions are families, in others a square remains."""
    twins = Network.mlp([[[1], [1]], [[1, 1]]], [[0, 0], [0]])
    points = [[1], [2], [-1]]
    assert linear_family_on_samples(twins, points, [1, -1, 0, 0, 1, -1, 0]) is None  # (1 + t)^2 + (1 - t)^2
    assert linear_family_on_samples(twins, points, [1, 0, 0, 0, 0, -1, 0]) is not None  # (1 + t) + (1 - t)
    assert linear_family_on_samples(twins, points, [1, -1, 0, 0, 0, 0, 0]) is not None
    assert linear_family_on_samples(twins, points, [0, 0, 0, 0, "1/2", "-1/2", 0]) is not None
    assert linear_family_on_samples(twins, points, [1, 0, 0, 0, 0, 0, 0]) is None  # the values change
    assert linear_family_on_samples(twins, points, [1, 0, 0, 0, -1, 0, 0]) is None  # a rescaling to first order
    assert linear_family_on_samples(twins, points, [0] * 7) is None
    with pytest.raises(WrongDimension, match="direction: must have 7 entries; got 1"):
        linear_family_on_samples(twins, points, [1])


@pytest.mark.parametrize("seeds", batches(60, 1_000, 300))
def test_rescalings_are_recognised(seeds: range) -> None:
    for seed in seeds:
        r = Random(seed)
        net = random_dag(r, linear_neurons=False)
        tangents = rescalings(net)
        mixed = [
            sum((c * row[k] for c, row in zip(range(-2, 9), tangents, strict=False)), Fraction(0))
            for k in range(len(net.parameters))
        ]
        assert is_rescaling(net, mixed)
        k = r.randrange(len(mixed))
        moved = [entry + (i == k) for i, entry in enumerate(mixed)]
        assert is_rescaling(net, moved) == (rank([*tangents, moved]) == rank(tangents))


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([], InvalidInput, "points: must contain at least one sample"),
        ([[1], [1, 2]], WrongDimension, r"points\[1\]: must have 1 entries; got 2"),
        ([[1], ["2/2"]], InvalidInput, r"points\[1\]: must differ from points\[0\]"),
        ([[0.5]], InexactNumber, r"points\[0\]\[0\]: must be exact"),
        (
            [[1], [0]],
            OnKink,
            r"points\[1\]: must lie off the kinks, and the pre-activation of neuron \(1,0\) is 0 there",
        ),
    ],
)
def test_refusals(points: Any, error: type[Exception], message: str) -> None:
    for ask in (locally_identifiable_from_samples, sample_rank):
        with pytest.raises(error, match=message):
            ask(BEND, points)


@pytest.mark.parametrize("seeds", batches(60, 600, 300))
def test_large_jacobians_are_ranked_modulo_a_prime(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """What bounds alone decide agrees with the exact ranks, and every family keeps its values."""
    monkeypatch.setattr("exactrelu.identifiability.jacobians.local_from_samples.LARGE", 0)
    statuses = set()
    for seed in seeds:
        net, points = drawn(seed)
        read: list[int] = []
        verdict = locally_identifiable_from_samples(net, points, progress=lambda *news, read=read: read.extend(news))
        found, exact = verdict.evidence, sample_rank(net, points)
        assert found.lower_bound <= exact <= found.upper_bound
        assert read[-1] == found.lower_bound
        statuses.add(verdict.status)
        full = exact == len(net.parameters) - len(net.hidden_neurons)
        if verdict.status is Status.HOLDS:
            assert full
            assert er.admissible(net).status is Status.HOLDS
        if verdict.family is not None:
            assert not full
            check_family(net, points, verdict)
    assert {Status.HOLDS, Status.FAILS} <= statuses


def test_the_supply_of_primes() -> None:
    assert list(islice(local_from_samples._primes(), 4)) == [2**61 - 1, 1_000_000_007, 1_000_000_009, 1_000_000_021]
