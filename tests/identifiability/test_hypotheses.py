"""Hypotheses on the weights alone, against brute force over all subsets, pairs and ranks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
import sympy
from oracles import eliminate, forward
from region_networks import batches
from strategies import DEGENERATE, PLAIN, random_dag, random_mlp, random_point

from exactrelu import (
    Domain,
    InvalidInput,
    Layer,
    Network,
    Status,
    activation_regions,
    permutation_scaling_equivalent,
    same_function,
    zoo,
)
from exactrelu.identifiability.hypotheses.weight_hypotheses import full_row_rank, generic, irreducible, no_clones
from exactrelu.regions import zaslavsky

Form = tuple[Fraction, ...]


def arrangement(seed: int) -> Network:
    """Hyperplanes: some twins, parallels, concurrent ones, repeated normals, zero rows."""
    r = Random(seed)
    d, n = r.randint(1, 3), r.randint(1, 5)
    rows: list[list[Fraction]] = []
    for _ in range(n):
        row = [Fraction(r.choice(PLAIN if r.random() < 0.7 else DEGENERATE)) for _ in range(d + 1)]
        if rows and r.random() < 0.3:
            row = [r.choice((1, -2)) * entry for entry in r.choice(rows)[:-1]] + [row[-1]]
        if len(rows) > 1 and r.random() < 0.3:
            row = [a + b for a, b in zip(*r.sample(rows, 2), strict=True)]
        rows.append(row)
    return Network.mlp([[row[:-1] for row in rows], [[1] * n]], [[row[-1] for row in rows], [0]])


def forms(net: Network) -> list[Form]:
    hidden = net.layers[0]
    return [(*row, b) for row, b in zip(hidden.blocks[0][1], hidden.bias, strict=True)]


def in_special_position(rows: list[Form], d: int) -> bool:
    """By SymPy: k at most d hyperplanes do not meet in codimension k, or d + 1 have a common point."""
    normals = sympy.Matrix([[sympy.Rational(str(c)) for c in row[:-1]] for row in rows])
    whole = sympy.Matrix([[sympy.Rational(str(c)) for c in row] for row in rows])
    if len(rows) <= d:
        return normals.rank() < len(rows) or whole.rank() > normals.rank()
    return len(rows) == d + 1 and normals.rank() == whole.rank()


@pytest.mark.parametrize("seeds", batches(60, 660, 300))
def test_general_position_against_all_subsets(seeds: range) -> None:
    seen: Counter[Status] = Counter()
    sizes: set[int] = set()
    for seed in seeds:
        net = arrangement(seed)
        rows, d = forms(net), net.input_dim
        verdict = generic(net)
        bad = [s for k in range(1, d + 2) for s in combinations(range(len(rows)), k)
               if in_special_position([rows[i] for i in s], d)]  # fmt: skip
        assert verdict.status is (Status.FAILS if bad else Status.HOLDS)
        # Zaslavsky's number is reached in general position only.
        assert (len(activation_regions(net)) == zaslavsky(len(rows), d)) == (not bad)
        seen[verdict.status] += 1
        if bad:
            found = verdict.evidence
            chosen = [rows[i] for _, i in found.neurons]
            sums = [
                sum(c * v for c, v in zip(found.coefficients, column, strict=True))
                for column in zip(*chosen, strict=True)
            ]
            assert not any(sums[:-1]) and sums[-1] == found.constant and all(found.coefficients)
            assert tuple(i for _, i in found.neurons) in bad and len(chosen) == min(map(len, bad))
            assert verdict.condition("general_position").neurons == found.neurons
            sizes.add(len(chosen))
    assert seen[Status.HOLDS] > 10 and seen[Status.FAILS] > 10 and sizes >= {1, 2, 3}


def test_many_hyperplanes() -> None:
    """Moment curves are in general position; one more through a common point of three is not."""
    rows = [[1, t, t * t] for t in range(60)]
    net = Network.mlp([[row[:2] for row in rows], [[1] * 60]], [[row[2] for row in rows], [0]])
    assert generic(net).status is Status.HOLDS
    x = [Fraction(15), Fraction(-8)]  # t^2 - 8 t + 15 = 0 at t = 3, 5
    assert [net.preactivations(x)[0][t] for t in (3, 5)] == [0, 0]
    rows.append([1, 10**6, -15 + 8 * 10**6])
    net = Network.mlp([[row[:2] for row in rows], [[1] * 61]], [[row[2] for row in rows], [0]])
    assert generic(net).condition("general_position").neurons == ((1, 3), (1, 5), (1, 60))


def test_budget_of_general_position() -> None:
    net = Network.random((4, 9, 1), 0)
    assert generic(net).status is Status.HOLDS
    verdict = generic(net, budget=5)
    assert verdict.status is Status.UNKNOWN
    assert verdict.condition("general_position").detail == "budget: at most 5 subsets are allowed"
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    flat = Network.mlp([rows, [[1] * 4]], [[0, 1, 2, 3], [0]])
    verdict = generic(flat, budget=0)  # a relation found without a search
    assert verdict.status is Status.FAILS and verdict.evidence.neurons == ((1, 0), (1, 1), (1, 3))
    assert "there may be fewer" in verdict.condition("general_position").detail
    with pytest.raises(InvalidInput, match="budget: must be an integer"):
        generic(net, budget="5")  # type: ignore[arg-type]  # the wrong type is the point


def test_only_bending_neurons_have_hyperplanes() -> None:
    hidden = Layer({0: [[1], [1]]}, bias=[0, 0], activation=["relu", "identity"])
    net = Network(1, [hidden, Layer({1: [[1, 1]]}, activation="identity")])
    assert generic(net).status is generic(Network.mlp([[[0]]])).status is Status.HOLDS


def clones_by_hand(net: Network) -> set[frozenset[tuple[int, int]]]:
    """Pairs of hidden neurons of equal activation, weights, bias, with a common child; from the JSON data."""
    layers = net.to_json()["layers"]
    fed, heard = {}, {}
    for k, layer in enumerate(layers, 1):
        rows = len(layer["bias"] or next(iter(layer["weights"].values())))
        for i in range(rows):
            rho = layer["activation"] if isinstance(layer["activation"], str) else layer["activation"][i]
            entries = {(int(s), j): Fraction(w) for s, block in layer["weights"].items()
                       for j, w in enumerate(block[i]) if w is not None}  # fmt: skip
            for parent in entries:
                heard.setdefault(parent, set()).add((k, i))
            fed[k, i] = rho, {p: w for p, w in entries.items() if w}, Fraction((layer["bias"] or [0] * rows)[i])
    return {
        frozenset((u, v)) for u, v in combinations(net.hidden_neurons, 2) if fed[u] == fed[v] and heard[u] & heard[v]
    }


@pytest.mark.parametrize("seeds", batches(250, 3000, 1000))
def test_clones_against_all_pairs(seeds: range) -> None:
    found = 0
    for seed in seeds:
        r = Random(seed)
        net = random_dag(r, max_layers=3) if seed % 2 else random_mlp(r)
        if seed % 4 == 2 and net.depth > 1 and net.widths[1] > 1:
            layer = net.layers[0]
            rows = [layer.blocks[0][1][0]] * layer.width
            bias = layer.bias and [layer.bias[0]] * layer.width
            net = Network(net.input_dim, [Layer({0: rows}, bias=bias), *net.layers[1:]])
        verdict, known = no_clones(net), clones_by_hand(net)
        assert verdict.status is (Status.FAILS if known else Status.HOLDS)
        if not known:
            continue
        found += 1
        assert frozenset(verdict.evidence.neurons) in known
        assert set(verdict.condition("no_clones").neurons) == {neuron for pair in known for neuron in pair}
        for t in (Fraction(1, 3), 1):
            member = verdict.family.member(t)
            for point in (random_point(r, net.input_dim) for _ in range(4)):
                assert forward(member.to_json(), point)[1][-1] == forward(net.to_json(), point)[1][-1]
        if net.is_standard:
            assert permutation_scaling_equivalent(net, verdict.witness).status is Status.FAILS
            assert verdict.witness.architecture == net.architecture
    assert found > len(seeds) // 10


def test_clones_without_a_common_child() -> None:
    """V2: o_1 = v_1 relu(x), o_2 = v_2 relu(x) with absent edges is no case; with edges of weight 0 it is."""
    for absent, status in ((None, Status.HOLDS), (0, Status.FAILS)):
        out = Layer({1: [[1, absent], [absent, 2]]}, activation="identity")
        assert no_clones(Network(1, [Layer({0: [[1], [1]]}), out])).status is status
    across = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[0]]}), Layer({1: [[1]], 2: [[1]]})])
    assert no_clones(across).evidence.neurons == ((1, 0), (2, 0))


def test_clones_with_zeros_outside() -> None:
    for old, new in (((2, 3), (5, 0)), ((2, 0), (1, 1)), ((0, 0), (1, -1)), ((1, -1), (0, 0)), ((0, -4), (-2, -2))):
        witness = no_clones(Network.mlp([[[1], [1]], [old]], [[0, 0], [0]])).witness
        assert witness.layers[1].blocks[0][1] == (new,)


@pytest.mark.parametrize("seed", range(150))
def test_row_ranks(seed: int) -> None:
    net = random_mlp(Random(seed), max_layers=4)
    verdict = full_row_rank(net)
    ranks = [len(eliminate(layer.blocks[0][1])[1]) for layer in net.layers[:-1]]
    full = [rank == layer.width for rank, layer in zip(ranks, net.layers, strict=False)]
    assert [condition.status is Status.HOLDS for condition in verdict.conditions] == full
    assert verdict.status is (Status.HOLDS if all(full) else Status.FAILS)
    if verdict.evidence:
        layer = net.layers[verdict.evidence.neurons[0][0] - 1]
        for column in zip(*layer.blocks[0][1], strict=True):
            chosen = [column[i] for _, i in verdict.evidence.neurons]
            assert sum(c * w for c, w in zip(verdict.evidence.coefficients, chosen, strict=True)) == 0
        assert all(verdict.evidence.coefficients)


def test_perceptrons_only() -> None:
    skip = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[1]]}, activation="identity")])
    linear = Network.mlp([[[1]], [[1]]], activation="identity")
    for net, reason in ((skip, "skip connections"), (linear, "not all ReLUs")):
        verdict = full_row_rank(net)
        assert verdict.status is Status.INAPPLICABLE and reason in verdict.conditions[0].detail


@pytest.mark.parametrize("name", [n for n, item in zoo.SPECIMENS.items() if item.fact("minimal_width") is not None])
def test_irreducible_specimens(name: str) -> None:
    item = zoo.specimen(name)
    verdict, width = irreducible(item.network, item.domain), item.network.widths[1]
    assert verdict.status is (Status.HOLDS if item.fact("minimal_width") == width else Status.FAILS)


def test_irreducible() -> None:
    hat = zoo.specimen("hat").network
    verdict = irreducible(hat, "[0,2]")
    assert verdict.status is Status.FAILS and verdict.witness.widths == (1, 1, 1)
    assert same_function(hat, verdict.witness, "[0,2]").status is Status.HOLDS
    assert irreducible(Network.mlp([[[1]], [[1]], [[1]]])).status is Status.INAPPLICABLE
    assert irreducible(hat, Domain.box([(1, 1)])).status is Status.INAPPLICABLE
    assert irreducible(hat, "[0,1]").status is Status.FAILS
    assert irreducible(Network.mlp([[[1]], [[1]]])).status is Status.INAPPLICABLE  # no biases
    half_line = Domain.polytope(halfspaces=[((1,), 0)])
    assert irreducible(hat, half_line).status is Status.UNKNOWN
