"""Networks with any piecewise-linear activations: values, patterns and maps, and the ReLU network behind them."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from activation_networks import Data, network, random_data
from activation_oracle import forward, layer_pieces, pattern_at, simple_grid

from exactrelu import (
    IDENTITY,
    RELU,
    HypothesisNotMet,
    InvalidInput,
    Layer,
    Network,
    Pattern,
    PiecewiseLinear,
    WrongDimension,
)
from exactrelu.networks.patterns import slopes
from exactrelu.regions import activation_regions

LEAKY = {"name": "leaky_relu", "slope": "1/10"}
CASES = [random_data(Random(seed)) for seed in range(70)]


def maps_agree(net: Network, data: Data, point: list[Fraction]) -> bool:
    """The affine map of the pattern of a point gives the value at the point, breakpoints included."""
    matrix, offset = net.affine_on(net.pattern(point))
    value = [sum((a * x for a, x in zip(row, point, strict=True)), c) for row, c in zip(matrix, offset, strict=True)]
    return value == forward(data, point)[1]


def check(data: Data) -> None:
    net = network(data)
    points = list(simple_grid(net.input_dim))
    expected = [forward(data, point) for point in points]
    assert net.values(points) == [tuple(values) for _, values in expected]
    assert [net.preactivations(p) for p in points] == [tuple(map(tuple, sums)) for sums, _ in expected]
    assert [str(pattern) for pattern in net.patterns(points)] == [pattern_at(data, point) for point in points]
    assert all(maps_agree(net, data, point) for point in points)


def test_values_preactivations_patterns_and_maps_on_random_networks() -> None:
    for data in CASES:
        check(data)


@pytest.mark.sweep
@pytest.mark.parametrize("start", range(1000, 2000, 250))
def test_many_more_random_networks(start: int) -> None:
    for seed in range(start, start + 250):
        check(random_data(Random(seed), max_inputs=3, max_width=4, max_hidden=3))


def test_the_random_networks_hit_breakpoints_and_mix_activations() -> None:
    hit = mixed = signs = 0
    for data in CASES:
        for layer in data["layers"]:
            mixed += isinstance(layer["activation"], list) and len({str(rho) for rho in layer["activation"]}) > 1
        for point in simple_grid(data["input_dim"]):
            for layer, row in zip(data["layers"], forward(data, point)[0], strict=True):
                hit += any(t in [p[1] for p in rho] for rho, t in zip(layer_pieces(layer), row, strict=True))
        signs += "+" in pattern_at(data, [1] * data["input_dim"])
    assert hit > 200
    assert mixed > 30
    assert signs > 3


def test_copies_and_texts_of_random_networks() -> None:
    names = {"Network": Network, "Layer": Layer}
    for data in CASES:
        net = network(data)
        for again in (
            network(json.loads(json.dumps(net.to_json()))),
            eval(repr(net), names),
            pickle.loads(pickle.dumps(net)),
            copy.deepcopy(net),
            copy.copy(net),
        ):
            assert again == net
            assert hash(again) == hash(net)
            assert again.to_json() == net.to_json()
            assert again.architecture == net.architecture


def test_the_activation_is_part_of_the_architecture() -> None:
    nets = [Network.mlp([[[1]], [[1]]], activation=rho) for rho in ("relu", "abs", LEAKY, "hat", "hard_tanh", "tanh")]
    assert len(set(nets)) == len({net.architecture for net in nets}) == 6


def test_pattern_texts_come_back() -> None:
    for data in CASES:
        net = network(data)
        for point in simple_grid(net.input_dim):
            pattern = net.pattern(point)
            assert str(Pattern.parse(str(pattern))) == str(pattern)
            assert net.affine_on(str(pattern)) == net.affine_on(pattern)


def test_the_unfolded_network_has_relus_only_and_one_wall_per_breakpoint() -> None:
    for data in CASES:
        net = network(data)
        plain = net.unfolding.network
        assert {rho for layer in plain.layers for rho in layer.activations} <= {RELU, IDENTITY}
        walls = sum(rho == RELU for layer in plain.layers for rho in layer.activations)
        assert walls == sum(len(rho) - 1 for layer in data["layers"] for rho in layer_pieces(layer))
        points = list(simple_grid(net.input_dim))
        assert plain.values(points) == [tuple(forward(data, point)[1]) for point in points]
        signs = [s for pattern in plain.patterns(points) for group in pattern.signs for s in group]
        assert len(signs) == walls * len(points)


def test_relu_networks_are_their_own_unfolding() -> None:
    net = Network.random((2, 3, 1), 0)
    assert net.unfolding.network is net


@pytest.mark.parametrize("size", [1, 2, 7, 200])
def test_a_neuron_with_m_breakpoints_has_m_parallel_walls(size: int) -> None:
    """More pieces than fit into eight bits, too."""
    wave = PiecewiseLinear(range(size), [(k + 1) % 2 for k in range(size + 1)], (0, 0))
    net = Network.mlp([[["1/2"]], [[3]]], [[1], [0]], activation=wave)
    complex = activation_regions(net)
    assert [str(pattern) for pattern in complex.patterns] == [str(k) for k in range(size + 1)]
    assert [edge.point for edge in complex.adjacencies()] == [(Fraction(2 * (k - 1)),) for k in range(size)]
    normals = {row for (row,) in net.unfolding.network.layers[0].blocks[0][1]}
    assert normals == {Fraction(1, 2)}


def test_by_hand() -> None:
    """2|x - 1| + clip(3x): left of, on and right of the breakpoints."""
    net = Network.mlp([[[1], [3]], [[2, 1]]], [[-1, 0], [0]], activation=["abs", "hard_tanh"])
    shown = [(str(net.pattern([x])), net([x])[0]) for x in ("-1", "-1/3", 0, "1/3", "1/2", 1, 2)]
    assert shown == [("0,0", 3), ("0,0", Fraction(5, 3)), ("0,1", 2), ("0,1", Fraction(7, 3)), ("0,2", 2), ("0,2", 1),
                     ("1,2", 3)]  # fmt: skip
    assert net.affine_on("0,1") == (((Fraction(1),),), (Fraction(2),))
    assert net.preactivations([2]) == ((1, 6), (3,))


def test_signs_and_numbers_side_by_side() -> None:
    """Layers of ReLUs keep their signs, identity neurons have no code."""
    layers = [
        Layer({0: [[1], [-1]]}, activation="relu"),
        Layer({1: [[1, 1], [1, -1], [0, 1]]}, activation=["hat", "identity", "relu"]),
        Layer({2: [[1, 1, 1]]}, bias=[0], activation="relu"),
    ]
    net = Network(1, layers)
    assert str(net.pattern([0])) == "00|1,0|+"
    assert str(net.pattern([2])) == "+-|3,0|+"
    assert str(net.pattern([-2])) == "-+|3,1|0"


ONE = Network.mlp([[[1]], [[1]]], activation="abs")
TWO = Network.mlp([[[1], [1]], [[1, 1]]], activation="hat")


@pytest.mark.parametrize(
    ("net", "text", "shape"),
    [
        (ONE, "2", "k"),
        (ONE, "+", "k"),
        (ONE, "-", "k"),
        (ONE, "", "k"),
        (ONE, "0,0", "k"),
        (ONE, "0|0", "k"),
        (TWO, "0,4", "k,k"),
        (TWO, "1", "k,k"),
        (TWO, "++", "k,k"),
        (Network.random((1, 2, 1), 0), "0,1", "??"),
        (Network.random((1, 2, 1), 0), "1", "??"),
    ],
)
def test_patterns_of_another_shape_are_refused(net: Network, text: str, shape: str) -> None:
    with pytest.raises(WrongDimension, match="must have the shape") as caught:
        net.affine_on(text)
    assert f'"{shape}"' in str(caught.value)


@pytest.mark.parametrize(
    "text", ["1,", ",", ",1", "1,,2", "+,1", "-1", "1.5", "\u0663", "01", "00,1", "1 ,2", "1" * 5000, "1|+1"]
)
def test_texts_that_are_no_pattern_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="pattern: must consist of"):
        Pattern.parse(text)


def test_a_lone_zero_is_a_sign_and_also_a_piece() -> None:
    assert ONE.affine_on(Pattern.parse("0")) == ONE.affine_on("0") == (((-1,),), (0,))
    assert Pattern.parse("0") != ONE.pattern([-1])  # the piece 0, said to be one


@pytest.mark.parametrize(("signs", "numbered"), [(((0, -1),), (True,)), ((("a",),), (True,)), (((2,),), ()),
                                                 (((0,),), (True, False))])  # fmt: skip
def test_patterns_of_wrong_codes_are_refused(signs: Any, numbered: tuple[bool, ...]) -> None:
    with pytest.raises(InvalidInput):
        Pattern(signs, numbered)


def test_slopes_of_gates_are_for_relu_networks() -> None:
    """Asked of others, the gates 0 and 1 would be wrong without a word."""
    with pytest.raises(HypothesisNotMet, match="layer 1 does not"):
        slopes(ONE, "1")


@pytest.mark.parametrize("call", [lambda net: net.unfolding, lambda net: net.pattern([1]),
                                  lambda net: net.preactivations([1]), lambda net: net.affine_on("0")])  # fmt: skip
def test_analytic_networks_are_not_unfolded(call: Any) -> None:
    with pytest.raises(HypothesisNotMet, match=r"must be piecewise linear, but neuron \(2, 0\) is softplus"):
        call(_softplus())


def _softplus() -> Network:
    return Network(1, [Layer({0: [[1]]}), Layer({1: [[1]]}, activation="softplus")])
