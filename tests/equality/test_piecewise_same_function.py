"""Equality of networks with any piecewise-linear activations: rewritings that keep the function, and z3."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from activation_networks import Box, Data, box_text, network, random_box, random_data
from activation_oracle import Piece, differ, forward, layer_pieces, pieces
from region_networks import batches

from exactrelu import Layer, Network, Point, Status, Verdict, same_function

TINY = Fraction(1, 2**40)
Change = Callable[[list[Piece]], list[Piece]]


def as_json(rho: list[Piece]) -> Any:
    """The activation with these pieces."""
    t = next((low for low, *_ in rho[1:]), Fraction(0))
    value = rho[0][2] * t + rho[0][3]
    fields = {"breakpoints": [low for low, *_ in rho[1:]], "slopes": [s for _, _, s, _ in rho], "anchor": [t, value]}
    return {key: [str(entry) for entry in values] for key, values in fields.items()}


def scaled(rho: list[Piece], factor: Fraction) -> list[Piece]:
    """The function t -> rho(t / factor)."""
    found = [
        (None if low is None else low * factor, None if high is None else high * factor, slope / factor, constant)
        for low, high, slope, constant in rho
    ]
    return found if factor > 0 else [(high, low, slope, constant) for low, high, slope, constant in reversed(found)]


def moved(rho: list[Piece], by: Fraction) -> list[Piece]:
    """The function t -> rho(t - by)."""
    return [
        (None if low is None else low + by, None if high is None else high + by, slope, constant - slope * by)
        for low, high, slope, constant in rho
    ]


def hidden_bending(r: Random, data: Data) -> tuple[int, int] | None:
    found = [
        (k, i)
        for k, layer in enumerate(data["layers"][:-1])
        for i, rho in enumerate(layer_pieces(layer))
        if len(rho) > 1
    ]
    return r.choice(found) if found else None


def edited(data: Data, k: int, i: int, rho: Any) -> dict[str, Any]:
    """A layer of ``data``, changed in place, whose neuron ``i`` has activation ``rho``."""
    layer = data["layers"][k]
    width = len(layer_pieces(layer))
    rhos = layer["activation"] if isinstance(layer["activation"], list) else [layer["activation"]] * width
    layer["activation"] = [*rhos[:i], rho, *rhos[i + 1 :]]
    return layer


def times(row: list[Any], factor: Fraction) -> list[Any]:
    return [None if entry is None else str(Fraction(entry) * factor) for entry in row]


def rescaled_activation(r: Random, data: Data) -> Data:
    """rho(t) is rho(t / c) at c t, c of either sign."""
    data = copy.deepcopy(data)
    place = hidden_bending(r, data)
    if place is None:
        return data
    k, i = place
    factor = Fraction(r.choice((-1, 2, -3)), r.choice((1, 2)))
    layer = edited(data, k, i, as_json(scaled(layer_pieces(data["layers"][k])[i], factor)))
    for block in layer["weights"].values():
        block[i] = times(block[i], factor)
    if layer["bias"] is not None:
        layer["bias"][i] = str(Fraction(layer["bias"][i]) * factor)
    return data


def shifted_activation(r: Random, data: Data) -> Data:
    """rho(t) is rho(t - c) at t + c."""
    data = copy.deepcopy(data)
    place = hidden_bending(r, data)
    if place is None or data["layers"][place[0]]["bias"] is None:
        return data
    k, i = place
    by = Fraction(r.choice((-2, -1, 1, 3)), 2)
    layer = edited(data, k, i, as_json(moved(layer_pieces(data["layers"][k])[i], by)))
    layer["bias"][i] = str(Fraction(layer["bias"][i]) + by)
    return data


def unfolded_neuron(r: Random, data: Data) -> Data:
    """One neuron as one ReLU per breakpoint and an identity neuron; its constant goes into the biases behind it."""
    data = copy.deepcopy(data)
    place = hidden_bending(r, data)
    if place is None or any(layer["bias"] is None for layer in data["layers"]):
        return data
    k, i = place
    rho = layer_pieces(data["layers"][k])[i]
    bends = [(after[0], after[2] - before[2]) for before, after in pairwise(rho)]
    parts = [("relu", kink, bend) for kink, bend in bends] + [("identity", Fraction(0), rho[0][2])]
    layer = edited(data, k, i, None)
    layer["activation"] = [*layer["activation"][:i], *(name for name, _, _ in parts), *layer["activation"][i + 1 :]]
    for block in layer["weights"].values():
        block[i : i + 1] = [list(block[i]) for _ in parts]
    layer["bias"][i : i + 1] = [str(Fraction(layer["bias"][i]) - kink) for _, kink, _ in parts]
    for later in data["layers"][k + 1 :]:
        for row_number, row in enumerate(later["weights"].get(str(k + 1), [])):
            weight = row[i]
            row[i : i + 1] = [None if weight is None else str(Fraction(weight) * factor) for _, _, factor in parts]
            later["bias"][row_number] = str(Fraction(later["bias"][row_number]) + Fraction(weight or 0) * rho[0][3])
    return data


def reordered(r: Random, data: Data) -> Data:
    net = network(data)
    return net.permute([r.sample(range(n), n) for n in net.widths[1:-1]]).to_json()


def disturbed(r: Random, data: Data) -> Data:
    """One slope far out, or one bias, changed a little."""
    data = copy.deepcopy(data)
    place = hidden_bending(r, data)
    biased = [layer for layer in data["layers"] if layer["bias"] is not None]
    if place is not None and r.random() < 0.6:
        k, i = place
        *rest, (low, _, slope, constant) = layer_pieces(data["layers"][k])[i]
        far = low + r.choice((0, 1, 5, 20))
        tail = (far, None, slope + TINY, constant - TINY * far)
        middle = [] if far == low else [(low, far, slope, constant)]
        edited(data, k, i, as_json([*rest, *middle, tail]))
    elif biased:
        bias = r.choice(biased)["bias"]
        bias[0] = str(Fraction(bias[0]) + r.choice((TINY, 1)))
    return data


def check(left: Data, right: Data, box: Box) -> Status:
    """The verdict agrees with z3, and a point that it names tells the networks apart."""
    verdict = same_function(network(left), network(right), box_text(box))
    assert verdict.status is (Status.FAILS if differ(left, right, box) else Status.HOLDS)
    if verdict.status is Status.FAILS:
        tells(verdict, left, right, box)
    return verdict.status


def tells(verdict: Verdict, left: Data, right: Data, box: Box) -> None:
    assert isinstance(verdict.evidence, Point)
    point = verdict.evidence.point
    assert forward(left, point)[1] != forward(right, point)[1]
    assert box is None or all(low <= c <= high for c, (low, high) in zip(point, box, strict=True))


@pytest.mark.parametrize("seeds", batches(25, 1525, 100))
def test_rewritings_keep_the_function_and_disturbances_are_decided_as_z3_does(seeds: range) -> None:
    seen = []
    for seed in seeds:
        r = Random(seed)
        data = random_data(r)
        box = random_box(r, data["input_dim"])
        other = data
        for change in r.sample((rescaled_activation, shifted_activation, unfolded_neuron, reordered), 2):
            other = change(r, other)
        assert check(data, other, box) is Status.HOLDS
        seen.append(check(data, disturbed(r, other), box))
    assert Status.HOLDS in seen
    assert seen.count(Status.FAILS) > len(seen) // 3


@pytest.mark.parametrize("seeds", batches(40, 540, 100))
def test_two_random_networks(seeds: range) -> None:
    for seed in seeds:
        r = Random(10_000 + seed)
        left = random_data(r, max_inputs=1)
        right = random_data(r, max_inputs=1)
        if network(left).output_dim == network(right).output_dim:
            check(left, right, random_box(r, 1))


def shallow(weights: list[int], outputs: list[int], biases: list[Any], rho: Any, constant: object = 0) -> Network:
    return Network.mlp([[[w] for w in weights], [outputs]], [biases, [constant]], activation=rho)


LEAKY = {"name": "leaky_relu", "slope": "1/10"}
IDENTITIES = {
    "|x| = relu(x) + relu(-x)": (shallow([1], [1], [0], "abs"), shallow([1, -1], [1, 1], [0, 0], "relu")),
    "clip is two ReLUs": (shallow([1], [1], [0], "hard_tanh"), shallow([1, 1], [1, -1], [1, -1], "relu", -1)),
    "hat is three ReLUs": (shallow([1], [1], [0], "hat"), shallow([1] * 3, [1, -2, 1], [1, 0, -1], "relu")),
    "hat is two absolute values and a constant": (
        shallow([1] * 3, [1, -2, 1], [1, 0, -1], "abs"),
        shallow([1], [2], [0], "hat"),
    ),
    "leaky(x) - leaky(-x) is a line": (shallow([1, -1], [10, -10], [0, 0], LEAKY), Network.mlp([[[11]]])),
    "leaky(leaky(x))": (
        Network.mlp([[[1]], [[1]], [[1]]], activation=LEAKY),
        shallow([1], [1], [0], {"name": "leaky_relu", "slope": "1/100"}),
    ),
    "hard tanh after ReLU6 is a clip": (
        Network(
            1,
            [
                Layer({0: [[1]]}, activation="relu6"),
                Layer({1: [[1]]}, activation="hard_tanh"),
                Layer({2: [[1]]}, activation="identity"),
            ],
        ),
        shallow([1], [1], [0], {"name": "clip", "lower": "0", "upper": "1"}),
    ),
    "hard tanh is odd": (shallow([1], [1], [0], "hard_tanh"), shallow([-1], [-1], [0], "hard_tanh")),
    "the partition of unity": (
        shallow([1] * 3, [1, 1, 1], [1, 0, -1], "hat"),
        shallow([1, 1], [1, -1], [2, -1], {"name": "clip", "lower": "0", "upper": "1"}),
    ),
}


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities(name: str) -> None:
    left, right = IDENTITIES[name]
    assert same_function(left, right).status.value == "holds"
    output = f"w[{left.depth}<-{left.depth - 1}][0,0]"
    changed = left.replace({output: left.layers[-1].blocks[0][1][0][0] + TINY})
    verdict = same_function(changed, right)
    tells(verdict, changed.to_json(), right.to_json(), None)


def test_a_bump_that_no_simple_point_meets() -> None:
    """10^-9 wide, at 1/3 + 10^-8."""
    bump = {"breakpoints": ["0", "1", "2"], "slopes": ["0", "1", "-1", "0"], "anchor": ["0", "0"]}
    thin = shallow([2 * 10**9], [1], [Fraction(-2 * 10**9, 3) - 20], bump)
    flat = thin.replace({"w[2<-1][0,0]": 0})
    verdict = same_function(thin, flat)
    tells(verdict, thin.to_json(), flat.to_json(), None)
    assert same_function(thin, flat, "[0,1/3]").status is Status.HOLDS
    assert same_function(thin, flat, "[1/3,1]").status is Status.FAILS


def test_equal_only_on_a_part() -> None:
    clip, line = shallow([1], [1], [0], "hard_tanh"), Network.mlp([[[1]]])
    assert [same_function(clip, line, where).status.value for where in ("[-1,1]", "[0,1]", "[0,2]", None)] == [
        "holds",
        "holds",
        "fails",
        "fails",
    ]


def test_the_budget_is_kept() -> None:
    wave = Network.mlp([[[1]], [[2]], [[2]], [[1]]], [[0], [-1], [-1], [0]], activation="hat")
    again = Network.mlp([[[-1]], [[-2]], [[2]], [[1]]], [[0], [1], [-1], [0]], activation="hat")
    assert same_function(wave, again).status is Status.HOLDS
    assert same_function(wave, again, budget=3).status is Status.UNKNOWN


def test_pieces_of_the_rewritings() -> None:
    """The oracle's own changes of activations are what they say."""
    hat = pieces("hat")
    assert pieces(as_json(scaled(hat, Fraction(-1)))) == hat
    assert [low for low, *_ in scaled(hat, Fraction(2))[1:]] == [-2, 0, 2]
    assert [low for low, *_ in moved(hat, Fraction(1))[1:]] == [0, 1, 2]
