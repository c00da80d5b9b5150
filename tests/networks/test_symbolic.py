"""Values of networks with analytic activations, against expressions and 60-digit numbers built otherwise."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp
from activation_networks import Data, network, random_activation, random_data
from activation_oracle import pieces
from mpmath import mp, mpf

from exactrelu import HypothesisNotMet, InexactNumber, InvalidNumber, Layer, Network, WrongDimension
from exactrelu.networks.symbolic import symbolic_values

SQUARE = {"name": "polynomial", "coefficients": ["0", "0", "1"]}
CUBIC = {"name": "polynomial", "coefficients": ["1", "-1/2", "0", "1/3"]}
DIGITS = 60


def analytic_data(r: Random) -> Data:
    """A random network some of whose neurons are analytic, the others piecewise linear."""
    while True:
        data = random_data(r, max_width=2)
        for layer in data["layers"]:
            width = network(data).layers[data["layers"].index(layer)].width
            layer["activation"] = [
                r.choice(("tanh", "logistic", "softplus", SQUARE, CUBIC)) if r.random() < 0.6 else random_activation(r)
                for _ in range(width)
            ]
        if network(data).is_analytic:
            return data


def mp_activation(rho: Any, t: Any) -> Any:
    """An activation in arithmetic of many digits, from its textbook formula."""
    if rho == "tanh":
        return mp.tanh(t)
    if rho == "logistic":
        return 1 / (1 + mp.exp(-t))
    if rho == "softplus":
        return mp.log(1 + mp.exp(t))
    if isinstance(rho, dict) and rho.get("name") == "polynomial":
        return sum(number(c) * t**k for k, c in enumerate(rho["coefficients"]))
    _, _, slope, constant = next(p for p in pieces(rho) if p[1] is None or t <= number(p[1]))
    return number(slope) * t + number(constant)


def number(value: Any) -> Any:
    value = Fraction(value)
    return mpf(value.numerator) / value.denominator


def mp_forward(data: Data, point: list[Fraction]) -> list[Any]:
    values: list[list[Any]] = [[number(c) for c in point]]
    for layer in data["layers"]:
        row = []
        for i, rho in enumerate(layer["activation"]):
            total = number(0 if layer["bias"] is None else layer["bias"][i])
            for source, block in layer["weights"].items():
                total += sum(number(w) * v for w, v in zip(block[i], values[int(source)], strict=True) if w is not None)
            row.append(mp_activation(rho, total))
        values.append(row)
    return values[-1]


def check(seed: int) -> None:
    r = Random(seed)
    data = analytic_data(r)
    net = network(data)
    points = [[Fraction(r.randint(-4, 4), r.choice((1, 2, 3))) for _ in range(net.input_dim)] for _ in range(2)]
    for point, found in zip(points, net.values(points), strict=True):
        assert net(point) == found
        with mp.workdps(DIGITS):
            for value, expected in zip(found, mp_forward(data, point), strict=True):
                assert not value.has(sp.Float)
                near = sp.lambdify([], value, [{"Max": max}, "mpmath"])()  # evalf gives up at a hidden zero
                assert abs(near - expected) <= mpf(10) ** (15 - DIGITS) * (1 + abs(expected))


def test_values_of_random_mixed_networks() -> None:
    for seed in range(15):
        check(seed)


@pytest.mark.sweep
@pytest.mark.parametrize("start", range(1000, 1400, 100))
def test_values_of_many_mixed_networks(start: int) -> None:
    for seed in range(start, start + 100):
        check(seed)


X, Y = sp.symbols("x y")
H = sp.Rational(1, 2)

WRITTEN: dict[str, tuple[Network, Callable[..., sp.Expr]]] = {
    "tanh": (
        Network.mlp([[[1, 2], ["1/2", -1]], [[3, -1]]], [[1, 0], ["1/2"]], activation="tanh"),
        lambda x, y: 3 * sp.tanh(x + 2 * y + 1) - sp.tanh(x / 2 - y) + H,
    ),
    "logistic, two layers": (
        Network.mlp([[[1, -1]], [[2]], [[1]]], [[0], [-1], None], activation="logistic"),
        lambda x, y: 1 / (1 + sp.exp(1 - 2 / (1 + sp.exp(y - x)))),
    ),
    "softplus at the output": (
        Network.mlp([[[1, 1]]], output_activation="softplus"),
        lambda x, y: sp.log(1 + sp.exp(x + y)),
    ),
    "a square of a square": (
        Network.mlp([[[1, 1]], [[1]], [[1]]], [[0], [-1], [0]], activation=SQUARE),
        lambda x, y: ((x + y) ** 2 - 1) ** 2,
    ),
    "mixed, with a skip": (
        Network(
            2,
            [
                Layer({0: [[1, 0], [0, 1]]}, bias=[0, 1], activation=["relu", "tanh"]),
                Layer({1: [[1, 1]], 0: [[None, 2]]}, activation="abs"),
                Layer({2: [[-1]]}, activation="identity"),
            ],
        ),
        lambda x, y: -sp.Abs(sp.Max(x, 0) + sp.tanh(y + 1) + 2 * y),
    ),
}
PLACES = [("0", "0"), ("1/3", "-1/2"), ("-2", "3/7"), ("5", "1")]


@pytest.mark.parametrize("name", WRITTEN)
def test_values_are_the_expressions_written_by_hand(name: str) -> None:
    net, formula = WRITTEN[name]
    for place in PLACES:
        expected = formula(*map(sp.Rational, place))
        (found,) = net(place)
        assert found == expected or abs(sp.N(found - expected, 50, maxn=500)) < sp.Float("1e-45", 50)


@pytest.mark.parametrize("name", WRITTEN)
def test_symbols_go_through(name: str) -> None:
    net, formula = WRITTEN[name]
    ((found,),) = symbolic_values(net, [[X, Y]])
    for place in PLACES:
        numbers = dict(zip((X, Y), map(sp.Rational, place), strict=True))
        gap = found.subs(numbers) - formula(*numbers.values())
        assert abs(sp.N(gap, 50, maxn=500)) < sp.Float("1e-45", 50)


def test_a_polynomial_network_is_a_polynomial() -> None:
    net = WRITTEN["a square of a square"][0]
    ((found,),) = symbolic_values(net, [[X, Y]])
    assert sp.Poly(found, X, Y) == sp.Poly(((X + Y) ** 2 - 1) ** 2, X, Y)
    assert net(["1/2", "1/2"]) == (0,)


def test_rational_inner_values_are_bent_exactly() -> None:
    """A piecewise-linear neuron fed by numbers stays a number; fed by tanh it is a maximum that is not rounded."""
    net = Network.mlp([[[1]], [[1]], [[1]]], activation=["relu"])
    mixed = Network(1, [*net.layers[:2], Layer({2: [[1]]}, activation="tanh")])
    assert mixed(["-5"]) == (0,)
    assert mixed(["1/2"]) == (sp.tanh(H),)
    bent = Network(1, [Layer({0: [[1]]}, activation="tanh"), Layer({1: [[1]]}, bias=[-2], activation="relu")])
    (value,) = bent([10**6])
    assert value.has(sp.Max)
    assert sp.N(value, 5) == 0


@pytest.mark.parametrize(
    ("point", "kind", "words"),
    [
        ([0.5, 1], InexactNumber, "point[0]"),
        (["x", 1], InvalidNumber, "point[0]"),
        ([1], WrongDimension, "must have 2 entries"),
        ([1, 2, 3], WrongDimension, "must have 2 entries"),
    ],
)
def test_bad_points_are_refused(point: list[object], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        WRITTEN["tanh"][0](point)
    assert words in str(caught.value)


def test_floats_in_expressions_are_refused() -> None:
    with pytest.raises(InexactNumber, match="must be exact"):
        symbolic_values(WRITTEN["tanh"][0], [[sp.Float("0.1"), X]])


def test_copies_texts_and_edits() -> None:
    for seed in range(40):
        net = network(analytic_data(Random(seed)))
        for again in (
            network(json.loads(json.dumps(net.to_json()))),
            eval(repr(net), {"Network": Network, "Layer": Layer}),
            pickle.loads(pickle.dumps(net)),
            copy.deepcopy(net),
            net.with_values([p.value for p in net.parameters]),
        ):
            assert again == net
            assert hash(again) == hash(net)
        assert net.is_analytic
        assert not net.is_standard
        assert net.explain()


def test_permuting_and_subtracting_keep_the_values() -> None:
    net = Network.mlp([[[1], [2]], [[3, -1]]], [[1, 0], [0]], activation=["tanh", "softplus"])
    turned = net.permute([[1, 0]])
    assert turned.layers[0].activations == net.layers[0].activations[::-1]
    assert turned(["1/2"]) == net(["1/2"])
    assert (net - turned)(["1/2"]) == (0,)


@pytest.mark.parametrize("name", ["pattern", "preactivations", "affine_on", "unfolding"])
def test_there_are_no_pieces(name: str) -> None:
    net = WRITTEN["mixed, with a skip"][0]
    with pytest.raises(HypothesisNotMet, match=r"must be piecewise linear, but neuron \(1, 1\) is tanh"):
        member = getattr(net, name)
        member("0|0" if name == "affine_on" else [1, 1])
