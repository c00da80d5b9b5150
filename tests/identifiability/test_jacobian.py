"""Sample Jacobians and ranks of path activations, against explicit paths."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from random import Random

import numpy as np
import oracles
import pytest
from region_networks import batches
from strategies import on_a_kink, random_dag, random_mlp, random_point, random_scalings

import exactrelu as er
from exactrelu import InexactNumber, InvalidInput, Network, OnKink, WrongDimension
from exactrelu.identifiability.jacobians.activation_rank import activation_grams, activation_rank
from exactrelu.identifiability.jacobians.jacobian import (
    integer_sample_jacobian,
    jacobian_rows,
    region_rows,
    sample_jacobian,
    smooth_samples,
)
from exactrelu.identifiability.jacobians.tape import WORD, Tape, point_columns, sign_array

Points = list[list[Fraction]]


def smooth_points(r: Random, net: Network, count: int) -> Points:
    """Up to ``count`` different points off the kinks, judged by the oracle; some far away, some huge denominators."""
    found: Points = []
    data = net.to_json()
    for _ in range(4 * count):
        scale = r.choice((1, 1, 1, 7, Fraction(1, 1000), Fraction(1, 3**50)))
        point = [scale * c for c in random_point(r, net.input_dim)]
        sums, _ = oracles.forward(data, point)
        kinked = any(
            z == 0 and oracles.activation_name(layer, i) == "relu"
            for layer, row in zip(data["layers"], sums, strict=True)
            for i, z in enumerate(row)
        )
        if not kinked and point not in found:
            found.append(point)
    return found[:count]


def some_network(seed: int) -> tuple[Random, Network]:
    r = Random(seed)
    net = random_dag(r) if r.random() < 0.6 else random_mlp(r)
    if r.random() < 0.15:  # numbers that no machine word holds
        net = net.rescale(
            [[c * Fraction(10) ** r.randint(-30, 30) for c in group] for group in random_scalings(r, net)]
        )
    return r, net


def path_jacobian(net: Network, points: Points) -> list[list[Fraction]]:
    """The product of path activations with the derivative of the embedding, output by output."""
    data = net.to_json()
    derivative, ends = oracles.embedding_jacobian(data), [path[0][-1][1] for path in oracles.all_paths(data)]
    size = len(net.parameters)
    rows = []
    for point in points:
        active = oracles.path_activations(data, point)
        for o in range(net.output_dim):
            row = [Fraction(0)] * size
            for a, end, partials in zip(active, ends, derivative, strict=True):
                if a and end == o:
                    row = [entry + a * partial for entry, partial in zip(row, partials, strict=True)]
            rows.append(row)
    return rows


@pytest.mark.parametrize("seeds", batches(60, 1_500, 400))
def test_against_explicit_paths(seeds: range) -> None:
    compared = 0
    for seed in seeds:
        r, net = some_network(seed)
        points = smooth_points(r, net, 4)
        if not points:
            continue
        compared += 1
        wanted = path_jacobian(net, points)
        found = sample_jacobian(net, points)
        assert [list(row) for row in found] == wanted
        one_by_one = [row for point in points for row in jacobian_rows(net, net.pattern(point), point)]
        assert tuple(one_by_one) == found
        for row, exact in zip(integer_sample_jacobian(net, points), wanted, strict=True):
            assert all(type(entry) is int for entry in row)
            assert gcd(*row) == any(exact)
            lead = next((k for k, entry in enumerate(exact) if entry), 0)
            assert not any(exact) or row[lead] / exact[lead] > 0
            assert [entry * exact[lead] for entry in row] == [entry * row[lead] for entry in exact]
    assert compared > len(seeds) // 2


@pytest.mark.parametrize("seeds", batches(40, 800, 400))
def test_rows_of_a_region_span_those_of_its_points(seeds: range) -> None:
    for seed in seeds:
        r, net = some_network(seed)
        points = smooth_points(r, net, 1)
        for point in points:
            pattern = net.pattern(point)
            rows = [[Fraction(entry) for entry in row] for row in region_rows(net, pattern)]
            steps = [[c + (i == j) for i, c in enumerate(point)] for j in range(net.input_dim)]
            there = [row for x in (point, *steps) for row in jacobian_rows(net, pattern, x)]
            assert oracles.eliminate(rows) == oracles.eliminate(there)


def test_products_of_path_activations_and_embedding() -> None:
    net = Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
    phi = er.path_embedding(net)
    points = [[0, 0], [1, 3], ["1/2", -3]]
    alpha, derivative = er.path_activations(net, phi.paths, points), phi.jacobian()
    product = [
        tuple(sum(a * row[k] for a, row in zip(line, derivative, strict=True)) for k in range(13)) for line in alpha
    ]
    assert sample_jacobian(net, points) == tuple(product)


@pytest.mark.parametrize("shift", [0, 1])
def test_both_kinds_of_integers_at_the_edge(shift: int) -> None:
    """Just below 2^63 in machine words, just above in Python's integers, and the same numbers."""
    net = Network.mlp([[[1]], [[1]]], [[0], [0]])
    assert Tape(net).bound == 1  # relu(x) + 0 at |x| <= 1
    size = WORD - 1 + shift
    rows = Tape(net).rows(sign_array([net.pattern([size])]), point_columns([(Fraction(size),)])[0])
    assert rows.dtype == (object if shift else np.int64)
    assert rows.tolist() == [[size, 1, size, 1]]


def test_huge_numbers_that_are_multiplied_by_zero() -> None:
    """Weights and denominators beyond machine words behind neurons that nothing reaches, or that reach nothing."""
    huge = Fraction(10**30, 3**50)
    silent = Network.mlp([[[0], [1]], [[huge, 1]]], [None, [1]])
    unheard = er.Network(
        1,
        [
            er.Layer({0: [[huge]]}, bias=[1]),
            er.Layer({1: [[1]]}),
            er.Layer({2: [[0]], 0: [[2]]}, activation="identity"),
        ],
    )
    for net, point in ((silent, [Fraction(1)]), (unheard, [Fraction(1)])):
        rows = jacobian_rows(net, net.pattern(point), point)
        assert [list(row) for row in rows] == path_jacobian(net, [point])
        assert region_rows(net, net.pattern(point))
    enclosed = Network.mlp([[[0]], [[huge]], [[0]]])  # the weight meets zeros on both sides
    assert region_rows(enclosed, er.Pattern.parse("+|+")) == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("seeds", batches(40, 800, 400))
def test_rank_of_path_activations(seeds: range) -> None:
    """Gram matrices by a forward pass: equal to products of listed activations, and of the same rank."""
    for seed in seeds:
        r, net = some_network(seed)
        points = smooth_points(r, net, 6)
        if not points:
            continue
        data = net.to_json()
        ends = [path[0][-1][1] for path in oracles.all_paths(data)]
        rows = [oracles.path_activations(data, point) for point in points]
        total = 0
        heights = point_columns(points)[1]
        grams = activation_grams(net, smooth_samples(net, points))
        for o in range(net.output_dim):
            alpha = [[a for a, end in zip(row, ends, strict=True) if end == o] for row in rows]
            total += len(oracles.eliminate(alpha)[1])
            for k, row in enumerate(alpha):
                for j, other in enumerate(alpha):
                    inner = sum((a * b for a, b in zip(row, other, strict=True)), Fraction(0))
                    assert grams[o][k][j] == inner * heights[k] * heights[j]
        assert activation_rank(net, points) == total


def test_activation_rank_does_not_list_paths() -> None:
    net = Network.mlp([[[1]] * 9, *([[[1] * 9] * 9] * 30), [[1] * 9]])
    assert er.count_paths(net) == 9**31
    assert activation_rank(net, [[1], [2], ["1/3"]]) == 1  # no bias: multiples of one line
    assert activation_rank(Network.mlp([[[1]], [[1]]], [[0], [0]]), [[1], [2], [3], [4]]) == 2


KINKED = Network.mlp([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [0], [0]])


def test_kinks_name_sample_and_neuron() -> None:
    for points, sample, neuron in [
        ([[1, 2], [3, 0]], "points\\[1\\]", r"\(1,1\)"),
        ([[2, 2]], "points\\[0\\]", r"\(2,0\)"),
        ([[-1, -2]], "points\\[0\\]", r"\(2,0\)"),
    ]:
        for ask in (sample_jacobian, integer_sample_jacobian, activation_rank):
            with pytest.raises(OnKink, match=f"{sample}: must lie off the kinks, .* neuron {neuron} is 0 there"):
                ask(KINKED, points)


def test_an_output_may_vanish_and_an_identity_neuron_too() -> None:
    net = er.Network(1, [er.Layer({0: [[1]]}, activation="identity"), er.Layer({1: [[2]]}, activation="identity")])
    assert sample_jacobian(net, [[0]]) == ((0, 0),)


@pytest.mark.parametrize("seeds", batches(20, 200, 200))
def test_kinks_are_found(seeds: range) -> None:
    for seed in seeds:
        r = Random(seed)
        net = random_dag(r, linear_neurons=False)
        point = random_point(r, net.input_dim)
        net = on_a_kink(r, net, point)
        sums, _ = oracles.forward(net.to_json(), point)
        if any(z == 0 for row in sums[:-1] for z in row):
            with pytest.raises(OnKink):
                sample_jacobian(net, [point])
        else:
            assert len(sample_jacobian(net, [point])) == net.output_dim


@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([], InvalidInput, "points: must contain at least one sample"),
        ([[1, 2], [1]], WrongDimension, r"points\[1\]: must have 2 entries; got 1"),
        (
            [[1, 2], ["1/2", 3], ["1", "4/2"]],
            InvalidInput,
            r"points\[2\]: must differ from points\[0\]; got '\(1, 2\)'",
        ),
        ([[1, 2], [0.5, 1]], InexactNumber, r"points\[1\]\[0\]: must be exact, and a float is not"),
        ("ab", InvalidInput, "points: must be a list of points; got 'ab'"),
        ([1, 2], er.InvalidNumber, r"points\[0\]: must be a list of numbers; got 1"),
    ],
)
def test_refusals(points: object, error: type[Exception], message: str) -> None:
    for ask in (sample_jacobian, integer_sample_jacobian, activation_rank):
        with pytest.raises(error, match=message):
            ask(KINKED, points)


@pytest.mark.parametrize("seed", range(30))
def test_some_columns_of_the_rows_over_regions(seed: int) -> None:
    r, net = some_network(seed)
    signs = er.activation_regions(net).signs
    places = sorted(r.sample(range(len(net.parameters)), r.randint(0, len(net.parameters))))
    tape = Tape(net)
    whole = tape.rows(signs, np.eye(net.input_dim + 1, dtype=np.int64)[None])
    assert np.array_equal(tape.entries_over_regions(signs, places), whole[:, places])
