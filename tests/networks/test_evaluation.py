"""Values, pre-activations, patterns and affine maps against a plain forward pass over fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from oracles import activation_name, forward
from strategies import on_a_kink, random_dag, random_mlp, random_point

import exactrelu as er
from exactrelu import InexactNumber, InvalidInput, InvalidNumber, Layer, Network, Pattern, WrongDimension

HAT = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[0, -1, -2], [0]])


def expected_pattern(data, sums) -> str:
    """The pattern text: one group per layer with a bending neuron, those neurons only."""
    groups = []
    for layer, row in zip(data["layers"], sums, strict=True):
        signs = [
            "0" if z == 0 else "+" if z > 0 else "-" for i, z in enumerate(row) if activation_name(layer, i) == "relu"
        ]
        groups += ["".join(signs)] if signs else []
    return "|".join(groups)


def instances(count: int):
    """Seeded networks, each with a few points, one of them on a kink whenever there is a bias."""
    r = random.Random(0)
    for k in range(count):
        net = random_dag(r) if k % 4 else random_mlp(r)
        if k % 10 == 0:  # outputs may bend as well
            net = Network(net.input_dim, [*net.layers[:-1], Layer(net.layers[-1].weights, bias=net.layers[-1].bias)])
        points = [random_point(r, net.input_dim) for _ in range(3)]
        net = on_a_kink(r, net, points[0])
        yield net, [*points, [Fraction(0)] * net.input_dim]


def test_values_preactivations_and_patterns():
    kinks = 0
    for net, points in instances(2500):
        data = net.to_json()
        batch, patterns = net.values(points), net.patterns(points)
        for k, point in enumerate(points):
            sums, values = forward(data, point)
            assert net(point) == batch[k] == tuple(values[-1])
            assert net.preactivations(point) == tuple(map(tuple, sums))
            assert str(net.pattern(point)) == str(patterns[k]) == expected_pattern(data, sums)
            kinks += "0" in str(patterns[k])
    assert kinks > 3000


def test_the_affine_map_of_the_pattern_gives_the_value_also_on_kinks():
    for net, points in instances(1500):
        for point in points:
            pattern = net.pattern(point)
            matrix, offset = net.affine_on(pattern)
            value = tuple(
                sum((a * x for a, x in zip(row, point, strict=True)), c) for row, c in zip(matrix, offset, strict=True)
            )
            assert value == tuple(forward(net.to_json(), point)[1][-1])
            assert (matrix, offset) == net.affine_on(str(pattern))


def test_the_affine_map_is_the_derivative_where_nothing_vanishes():
    r, checked = random.Random(1), 0
    for net, points in instances(600):
        for point in points:
            pattern = net.pattern(point)
            if "0" in str(pattern):
                continue
            step = [Fraction(r.randint(-3, 3)) for _ in point]
            size = Fraction(1)
            while net.pattern([x + size * s for x, s in zip(point, step, strict=True)]) != pattern:
                size /= 2
            moved = [x + size * s for x, s in zip(point, step, strict=True)]
            change = [b - a for a, b in zip(net(point), net(moved), strict=True)]
            assert change == [
                size * sum(a * s for a, s in zip(row, step, strict=True)) for row in net.affine_on(pattern)[0]
            ]
            checked += any(step)
    assert checked > 500


@pytest.mark.parametrize(
    ("point", "value", "pattern", "slope", "offset"),
    [
        ("-1", 0, "---", 0, 0), ("0", 0, "0--", 0, 0), ("1/2", "1/2", "+--", 1, 0), ("1", 1, "+0-", 1, 0),
        ("3/2", "1/2", "++-", -1, 2), ("2", 0, "++0", -1, 2), ("3", 0, "+++", 0, 0),
    ],
)  # fmt: skip
def test_the_hat_by_hand(point, value, pattern, slope, offset):
    assert HAT([point]) == (Fraction(value),)
    assert str(HAT.pattern([point])) == pattern
    assert HAT.affine_on(pattern) == (((slope,),), (offset,))


def test_several_outputs_skips_and_mixed_activations_by_hand():
    net = Network(
        2,
        [
            Layer({0: [[1, None], [None, 1], [1, 1]]}, bias=[0, -1, 0], activation=["relu", "relu", "identity"]),
            Layer({0: [[None, 1], [0, 0]], 1: [[1, 1, -1], [None, 2, None]]}, activation="identity"),
        ],
    )
    assert net([-2, 3]) == (3 + 0 + 2 - 1, 4)
    assert net.preactivations([-2, 3]) == ((-2, 2, 1), (4, 4))
    assert str(net.pattern([-2, 3])) == "-+"
    assert net.affine_on("-+") == (((-1, 1), (0, 2)), (-1, -2))


def test_a_network_that_never_bends_has_the_empty_pattern():
    net = Network.mlp([[[2]], [[3]]], [[1], [1]], activation="identity")
    assert str(net.pattern([5])) == "" and net.affine_on("") == (((6,),), (4,))


def test_points_in_every_spelling_and_empty_batches():
    assert HAT(["1/2"]) == HAT((Fraction(1, 2),)) == HAT(iter(["0.5"])) == (Fraction(1, 2),)
    assert all(type(value) is Fraction for value in HAT([0]))
    assert HAT.values([]) == [] and HAT.patterns([]) == []
    assert HAT.values(iter([[0], ["1/2"]])) == [HAT([0]), HAT(["1/2"])]


def test_values_of_thousands_of_digits():
    net = Network.mlp([[[10**3000]], [[10**3000]]], [[1], [Fraction(1, 3)]])
    assert net([10**3000]) == ((10**6000 + 1) * 10**3000 + Fraction(1, 3),)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: HAT([1, 2]), WrongDimension, "point: must have 1 entries; got 2"),
        (lambda: HAT([]), WrongDimension, "point: must have 1 entries; got 0"),
        (lambda: HAT([0.5]), InexactNumber, "point[0]: must be exact"),
        (lambda: HAT(1), InvalidNumber, "point: must be a list of numbers; got 1"),
        (lambda: HAT("1"), InvalidNumber, "point: must be a list of numbers; got '1'"),
        (lambda: HAT.pattern([None]), InvalidNumber, "point[0]: must be a rational number"),
        (lambda: HAT.preactivations([True]), InvalidNumber, "point[0]: must be a number, not a truth value"),
        (lambda: HAT.values([[0], [1, 2]]), WrongDimension, "points[1]: must have 1 entries; got 2"),
        (lambda: HAT.values([0]), InvalidNumber, "points[0]: must be a list of numbers; got 0"),
        (lambda: HAT.patterns([[0], ["1/0"]]), InvalidNumber, "points[1][0]: must have a nonzero denominator"),
        (lambda: HAT.values(0), InvalidInput, "points: must"),
        (lambda: HAT.affine_on("++"), WrongDimension, "pattern: must have the shape \"???\" of the network; got '++'"),
        (lambda: HAT.affine_on("+++|+"), WrongDimension, 'pattern: must have the shape "???"'),
        (lambda: HAT.affine_on("+1-"), InvalidInput, "pattern: must consist of the characters"),
        (lambda: HAT.affine_on(None), InvalidInput, "pattern: must"),
        (lambda: Pattern.parse(3), InvalidInput, "pattern: must consist of the characters"),
    ],
)
def test_refused(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["", "+", "-0+", "+-|0", "--|+|00"])
def test_pattern_text_round_trip(text):
    assert str(Pattern.parse(text)) == text
    assert Pattern.parse(text) == Pattern.parse(text) and hash(Pattern.parse(text)) == hash(Pattern.parse(text))


def test_patterns_are_ordered_neuron_by_neuron():
    texts = ["--|-", "--|0", "--|+", "-0|-", "-+|+", "0-|-", "+-|-", "++|+"]
    patterns = [Pattern.parse(text) for text in texts]
    assert sorted(random.Random(0).sample(patterns, len(patterns))) == patterns
    assert er.Pattern is Pattern
