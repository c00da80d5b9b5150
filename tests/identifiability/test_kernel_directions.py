"""Explained kernels: known reasons, theorems F2 and F3, and Jacobians by paths that share no code with the package."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from oracles import all_paths, eliminate, embedding_jacobian, path_activations
from region_networks import batches
from strategies import random_admissible_dag, random_mlp, random_point

import exactrelu as er
from exactrelu import BudgetExceeded, Domain, InexactNumber, InvalidDomain, InvalidInput, Layer, Network, OnKink
from exactrelu.identifiability.deep.kernel_directions import (
    ExplainedDirection,
    KernelExplanation,
    explain_kernel,
    explain_sample_kernel,
)
from exactrelu.zoo import shallow_network, specimen

Row = list[Fraction]
X6 = Network.mlp([[[1]], [[1]], [[1]]], [[0], [-1], [0]])  # relu(relu(x) - 1)
TWO_ON = Network.mlp([[[1, 1], [2, 1]], [[1, 2], [2, 1]], [[1, 1]]], [[5, 5], [-9, -12], [0]])
PARALLEL_SKIP = Network(1, [Layer({0: [[1]]}, bias=[3]), Layer({1: [[2]], 0: [[1]]}, bias=[0], activation="identity")])


def gamma(net: Network, point: list[Fraction]) -> list[Row]:
    """The sample Jacobian at one point: path activations times the derivatives of path products."""
    data = net.to_json()
    activations, jacobian = path_activations(data, point), embedding_jacobian(data)
    ends = [vertices[-1][1] for vertices, _, _ in all_paths(data)]
    rows = []
    for output in range(net.output_dim):
        mine = [k for k, end in enumerate(ends) if end == output and activations[k]]
        rows.append(
            [sum((activations[k] * jacobian[k][j] for k in mine), Fraction(0)) for j in range(len(jacobian[0]))]
        )
    return rows


def smooth_points(r: Random, net: Network, sides: tuple[int, int] | None, count: int) -> list[list[Fraction]]:
    """Random points off the kinks, in the open box where there is one."""
    found = []
    for _ in range(4 * count):
        if sides is None:
            point = [4 * c for c in random_point(r, net.input_dim)]
        else:
            low, high = sides
            point = [low + (high - low) * Fraction(r.randint(1, 96), 97) for _ in range(net.input_dim)]
        if not any(0 in group for group in net.pattern(point).signs):
            found.append(point)
    return found[:count]


def dense(net: Network, direction: ExplainedDirection) -> Row:
    entries = dict(direction.entries)
    assert entries.keys() <= {parameter.name for parameter in net.parameters}
    return [entries.get(parameter.name, Fraction(0)) for parameter in net.parameters]


def assert_sound(net: Network, found: KernelExplanation, points: list[list[Fraction]]) -> None:
    vectors = [dense(net, direction) for direction in found.directions]
    assert found.parameters == len(net.parameters) == found.rank + len(vectors)
    assert len(eliminate(vectors)[1]) == len(vectors)
    for point in points:
        for row in gamma(net, point):
            for vector in vectors:
                assert sum(a * b for a, b in zip(row, vector, strict=True)) == 0


CASES = [
    (specimen("S06").network, "[-1,1]", {"scaling": 2, "clones": 2}),
    (specimen("absolute_value").network, None, {"scaling": 2, "opposite_pairs": 1}),
    (X6, None, {"scaling": 2, "absorbed_bias": 1}),
    (specimen("S20").network, "[-1,1]", {"scaling": 2, "dead_neuron": 1}),
    (specimen("S02").network, "[-1,1]", {"scaling": 1, "dead_neuron": 2}),
    (specimen("S03").network, "[-1,1]", {"scaling": 1, "absorbed_bias": 1}),
    (specimen("S09").network, None, {"scaling": 4, "opposite_pairs": 3}),
    (specimen("S13").network, "[-1,1]", {"scaling": 2}),
    (Network.mlp([[[1, 0], [-1, 0], [0, 1]], [[2, 1, 1]]]), None, {"scaling": 3}),
    (PARALLEL_SKIP, "[-1,1]", {"scaling": 1, "absorbed_bias": 2}),
    (TWO_ON, "[-1,1]^2", {"scaling": 4, "absorbed_bias": 4}),
    (Network.random((2, 4, 4, 1), 0), None, {"scaling": 8, "invisible_weight": 1}),
    (Network.mlp([[[0]], [[1]]], [[0], [0]]), None, {"scaling": 1, "unexplained": 3}),
    (Network.mlp([[[1, 2]]], [[3]]), None, {}),
]


@pytest.mark.parametrize(("net", "domain", "counts"), CASES, ids=range(len(CASES)))
def test_known_reasons(net: Network, domain: str | None, counts: dict[str, int]) -> None:
    found = explain_kernel(net, domain)
    assert found.counts == counts
    sides = None if domain is None else (-1, 1)
    assert_sound(net, found, smooth_points(Random(0), net, sides, 12))


def test_reasons_name_neurons_and_components() -> None:
    def reason(net: Network, kind: str, domain: str | None = None) -> ExplainedDirection:
        return explain_kernel(net, domain).of_kind(kind)[0]

    taken = reason(X6, "absorbed_bias")
    assert (taken.neurons, dict(taken.entries)) == (((1, 0),), {"b[1][0]": 1, "b[2][0]": -1})
    shift = reason(specimen("S06").network, "clones", "[-1,1]")  # relu(x) + relu(2 x)
    assert (shift.neurons, dict(shift.entries)) == (((1, 0), (1, 1)), {"w[2<-1][0,0]": 2, "w[2<-1][0,1]": -1})
    pair = reason(specimen("absolute_value").network, "opposite_pairs")
    assert dict(pair.entries) == {"b[1][0]": -1, "b[1][1]": -1, "b[2][0]": 1}
    assert pair.neurons == ((1, 0), (1, 1)) and "neurons (1, 0) and (1, 1) are opposite" in pair.explain()
    hidden = reason(Network.random((2, 4, 4, 1), 0), "invisible_weight")
    assert (hidden.neurons, [name for name, _ in hidden.entries]) == (((1, 0), (2, 2)), ["w[2<-1][2,0]"])
    assert "neuron (2, 2) is not active while (1, 0) is" in hidden.explain()
    skip = [dict(direction.entries) for direction in explain_kernel(PARALLEL_SKIP, "[-1,1]").of_kind("absorbed_bias")]
    assert skip == [{"w[1<-0][0,0]": 1, "w[2<-0][0,0]": -2}, {"b[1][0]": 1, "b[2][0]": -2}]
    zero = explain_kernel(Network.mlp([[[0]], [[1]]], [[0], [0]]))
    assert "no smooth point" in zero.directions[-1].text and zero.rank == 0


def test_a_bias_is_handed_on_by_neurons_without_one() -> None:
    net = Network.mlp([[[1]], [[2]], [[3]]], [[2], None, [0]])  # 3 relu(2 relu(x + 2)), on [-1, 1]
    found = explain_kernel(net, "[-1,1]")
    assert found.counts == {"scaling": 2, "absorbed_bias": 1}
    assert dict(found.of_kind("absorbed_bias")[0].entries) == {"b[1][0]": 1, "b[3][0]": -6}


@pytest.mark.parametrize("seed", range(4))
def test_same_halfspace_pair_loses_dimension(seed: int) -> None:
    """F2: rescalings and d + 1 directions of clones, nothing else."""
    r, d = Random(seed), 1 + seed % 3
    neurons = [(tuple(r.randint(-5, 5) + (j == 0) * 20 for j in range(d)), 7 * k + 1, k + 1) for k in range(3)]
    w, b, _ = neurons[0]
    net = shallow_network([*neurons, (tuple(3 * c for c in w), 3 * b, -2)])
    assert explain_kernel(net).counts == {"scaling": 4, "clones": d + 1}


@pytest.mark.parametrize(("d", "k"), [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_antiparallel_pairs_lose_dimension(d: int, k: int) -> None:
    """F3: rescalings and k + (k - 1) d directions of opposite pairs, nothing else."""
    r, neurons = Random(10 * d + k), []
    for number in range(k):
        w, b = tuple(r.randint(-5, 5) + 20 * (j == number % d) for j in range(d)), 7 * number + 1
        neurons += [(w, b, number + 2), (tuple(-2 * c for c in w), -2 * b, r.choice((-1, 1, 3)))]
    net = shallow_network([*neurons, ((50, *range(1, d)), -3, 1)])
    assert explain_kernel(net).counts == {"scaling": 2 * k + 1, "opposite_pairs": k + (k - 1) * d}


@pytest.mark.parametrize("seeds", batches(60, 1_500, 240))
def test_every_direction_changes_no_value(seeds: range) -> None:
    """Against path Jacobians; the rescalings of admissible parameters come first and are h in number."""
    kinds: Counter[str] = Counter()
    for seed in seeds:
        r = Random(seed)
        net = random_mlp(r, max_layers=3) if seed % 2 else random_admissible_dag(r, max_layers=4)
        sides = r.choice((None, (-1, 1), (0, 1)))
        domain = Domain.space(net.input_dim) if sides is None else Domain.box([sides] * net.input_dim)
        found = explain_kernel(net, domain)
        assert found.rank == er.functional_dimension(net, domain)
        assert_sound(net, found, smooth_points(r, net, sides, 5))
        scalings = found.of_kind("scaling")
        assert found.directions[: len(scalings)] == scalings
        if er.admissible(net).status is er.Status.HOLDS:
            assert [direction.neurons for direction in scalings] == [(neuron,) for neuron in net.hidden_neurons]
        if found.rank:
            kinds.update(found.counts)
    assert len(kinds) >= 6
    assert 20 * kinds["unexplained"] < kinds.total()


@pytest.mark.parametrize("seeds", batches(40, 1_000, 240))
def test_kernels_of_samples(seeds: range) -> None:
    """As many directions as the rank of the path Jacobian of the sample leaves; more points leave fewer."""
    short = 0
    for seed in seeds:
        r = Random(seed + 5_000)
        net = random_mlp(r, max_layers=3) if seed % 2 else random_admissible_dag(r, max_layers=3)
        points = [list(p) for p in dict.fromkeys(map(tuple, smooth_points(r, net, None, 6)))]
        if not points:
            continue
        found = explain_sample_kernel(net, points)
        rows = [row for point in points for row in gamma(net, point)]
        assert found.rank == len(eliminate(rows)[1])
        assert_sound(net, found, points)
        assert explain_sample_kernel(net, points[:1]).rank <= found.rank <= explain_kernel(net).rank
        short += found.rank < explain_kernel(net).rank
    assert short


def test_refusals() -> None:
    with pytest.raises(OnKink, match=r"points\[1\]: must lie off the kinks"):
        explain_sample_kernel(X6, [[2], [1]])
    with pytest.raises(InvalidInput, match="points: must contain at least one"):
        explain_sample_kernel(X6, [])
    with pytest.raises(InexactNumber):
        explain_sample_kernel(X6, [[0.5]])
    with pytest.raises(InvalidInput, match="kind: must be one of scaling, dead_neuron"):
        explain_kernel(X6).of_kind("clone")
    with pytest.raises(BudgetExceeded, match="at most 2 regions are allowed"):
        explain_kernel(X6, budget=2)
    with pytest.raises(InvalidDomain, match="must have interior points"):
        explain_kernel(X6, Domain.box([(1, 1)]))


def test_text_and_json() -> None:
    found = explain_kernel(X6)
    assert found.explain().splitlines()[0] == "rank 3 = 6 parameters - 3 direction(s) that change no value"
    assert len(found.explain().splitlines()) == 4
    data = er.verdicts.plain(found)
    assert data["directions"][2]["kind"] == "absorbed_bias"
    assert data["directions"][2]["entries"] == [["b[1][0]", "1"], ["b[2][0]", "-1"]]


def test_dependent_effects() -> None:
    """Three neurons that are on where (1, 0) is, off at different places elsewhere, and only two outputs."""
    hidden = [[[1, -1], [1, -2], [1, -3]], [1, 1, 1]]
    outgoing = [[1, 2, 3], [3, 1, 1]]
    net = Network.mlp([[[1], [-1]], hidden[0], outgoing], [[0, 0], hidden[1], [0, 0]])
    (found,) = explain_kernel(net).of_kind("dependent_effects")
    assert found.neurons == ((2, 0), (2, 1), (2, 2))
    assert [name for name, _ in found.entries] == ["w[2<-1][0,0]", "w[2<-1][1,0]", "w[2<-1][2,0]"]
    shares = [value for _, value in found.entries]
    assert all(sum(s * w for s, w in zip(shares, row, strict=True)) == 0 for row in outgoing)
    assert found.text.endswith("are linearly dependent where (1, 0) is active")


def test_affine_neurons_that_vanish() -> None:
    """An identity is active where it is 0; it is then proportional to nothing, not even to itself."""
    first = Layer({0: [[0, 0], [1, "1/2"], [0, 0]]}, bias=[0, 0, 1], activation=["identity", "identity", "relu"])
    net = Network(2, [first, Layer({0: [[0, 0]], 1: [[-1, 0, 0]]}, bias=[0], activation="identity")])
    explained = explain_kernel(net)
    assert explained.rank + len(explained.directions) == len(net.parameters)
    rng = Random(3)
    for _ in range(60):
        widths, kinds = (2, rng.randint(1, 4), rng.randint(1, 3), 1), ("identity", "identity", "relu")
        layers = [
            Layer(
                {k: [[rng.choice((0, 0, 1, -1)) for _ in range(before)] for _ in range(width)]},
                bias=[rng.choice((0, 0, 1)) for _ in range(width)],
                activation=[rng.choice(kinds) if k < 2 else "identity" for _ in range(width)],
            )
            for k, (before, width) in enumerate(pairwise(widths))
        ]
        net = Network(2, layers)
        explained = explain_kernel(net)
        assert explained.rank + len(explained.directions) == len(net.parameters)
