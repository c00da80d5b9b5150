"""Modifications against an evaluator of its own, region-wise equality, and symbolic values.

One-letter names: ``r`` a seeded random generator, ``y`` the amount of a modification.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy
from strategies import random_dag, random_point
from symmetry_oracles import ZERO, equal_on_all_regions, evaluate, with_activation

from exactrelu import InvalidInput, Layer, Network, Status, same_function
from exactrelu.symmetries.affine import AffineSymmetry, affine_symmetries
from exactrelu.symmetries.modifications import Modification, modification_preserves, modify

LEAKY = {"name": "leaky_relu", "slope": "1/10"}
CLIP = {"name": "clip", "lower": "0", "upper": "1"}
ONE = Fraction(1)
KINDS = {
    "relu": ("relu", lambda t: max(t, ZERO)),
    "abs": ("abs", abs),
    "leaky": (LEAKY, lambda t: t if t > 0 else t / 10),
    "clip": (CLIP, lambda t: min(max(t, ZERO), ONE)),
}


def random_symmetry(r: random.Random, rho: object) -> AffineSymmetry:
    """A combination of symmetries on random atoms, many of them reflections, multiples and halves of others."""
    while True:
        atoms = set()
        for _ in range(r.randint(1, 2)):
            beta, gamma = Fraction(r.choice((1, 2, -1, Fraction(1, 2)))), Fraction(r.randint(-2, 2))
            atoms |= {(beta, gamma), (-beta, -gamma), (2 * beta, 2 * gamma), (-beta, 1 - gamma)}
            atoms |= {(2 * beta, 2 * gamma - 1)}
        space = affine_symmetries(rho, sorted(atoms))
        if space.dimension:
            weights = [Fraction(r.choice((1, -1, 2, 0))) for _ in space.basis]
            weights[r.randrange(len(weights))] = ONE
            pairs = list(zip(weights, space.basis, strict=True))
            coefficients = tuple(sum((w * s.coefficients[k] for w, s in pairs), ZERO) for k in range(len(space.atoms)))
            constant = sum((w * s.constant for w, s in pairs), ZERO)
            return AffineSymmetry(space.activation, space.atoms, coefficients, constant)


def random_modification(r: random.Random, rho: object, *, biggest: int = 3):
    """A network, what :func:`modify` is to do with it, and the place of the new atoms."""
    while True:
        net = with_activation(random_dag(r, max_layers=3, max_width=biggest), rho)
        bent = [(k, i) for k, i in net.hidden_neurons if not net.layers[k - 1].activations[i].is_affine]
        if bent:
            break
    place, index = r.choice(bent)
    options = {"new_biases": True}
    form = (place, index)
    if r.random() < 0.4:
        sources = [(0, j) for j in range(net.input_dim)] + [n for n in net.hidden_neurons if n[0] < place]
        form = {
            source: r.choice((-1, 1, 2, Fraction(1, 2))) for source in r.sample(sources, r.randint(1, len(sources)))
        }
        form[None] = r.choice((0, 1, Fraction(-1, 3)))
        options |= {"layer": place, "activation": rho}
    child_layer = r.randint(place + 1, net.depth)
    child = (child_layer, r.randrange(net.widths[child_layer]))
    y = r.choice((0, 1, -1, Fraction(2, 3), Fraction(-5, 2)))
    return net, (form, random_symmetry(r, rho), child, y), options


def check(seed: int, name: str) -> bool:
    """One random modification; whether it changed the network."""
    r = random.Random(seed)
    data, rho = KINDS[name]
    net, arguments, options = random_modification(r, data, biggest=2)
    changed = modify(net, *arguments, **options)
    for _ in range(6):
        point = random_point(r, net.input_dim)
        assert evaluate(net, point, rho) == evaluate(changed, point, rho)
    assert equal_on_all_regions(net, changed)
    if seed % 5 == 0:
        assert same_function(net, changed).status is Status.HOLDS
    _, symmetry, child, y = arguments
    before, after = (n.layers[child[0] - 1].bias for n in (net, changed))
    assert (after[child[1]] if after else 0) - (before[child[1]] if before else 0) == -y * symmetry.constant
    return changed != net


@pytest.mark.parametrize("name", KINDS)
def test_random_modifications_keep_the_function(name):
    assert sum(check(seed, name) for seed in range(50)) > 40


@pytest.mark.sweep
@pytest.mark.parametrize("name", KINDS)
def test_many_random_modifications_keep_the_function(name):
    assert sum(check(seed, name) for seed in range(1000, 1250)) > 200


STAND_INS = {
    "tanh": lambda t: t / (1 + t * t),
    "logistic": lambda t: Fraction(1, 2) + t / (1 + t * t),
}
"""Rational functions that satisfy all affine symmetries of the analytic ones: odd, and odd about 1/2."""


@pytest.mark.parametrize("name", STAND_INS)
def test_analytic_modifications(name):
    """Exact values of rational functions with the same symmetries; for tanh the symbolic values, too."""
    moved = 0
    for seed in range(30):
        r = random.Random(seed)
        net = with_activation(random_dag(r, max_layers=3, max_width=2, linear_neurons=False), name)
        if not net.hidden_neurons:
            continue
        k, i = r.choice(net.hidden_neurons)
        odd = affine_symmetries(name, [(2, 1), (-2, -1)]).basis[0]
        layer = r.randint(k + 1, net.depth)
        modification = Modification((k, i), odd, (layer, r.randrange(net.widths[layer])), Fraction(r.choice((1, -2))))
        changed = modification.apply(net, new_biases=True)
        assert modification_preserves(net, modification).status is Status.HOLDS
        point = random_point(r, net.input_dim)
        assert evaluate(net, point, STAND_INS[name]) == evaluate(changed, point, STAND_INS[name])
        if name == "tanh":  # SymPy gives tanh arguments without a leading minus sign
            assert all(sympy.expand(old - new) == 0 for old, new in zip(net(point), changed(point), strict=True))
        moved += changed != net
    assert moved > 15


def test_the_relation_is_necessary():
    """The same edit with another constant is refused, with a point; done by hand it changes the function."""
    four = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
    net = Network.mlp([[[1]], [[2]]], [[3], [0]])
    wrong = replace(four, constant=four.constant + 1)
    with pytest.raises(InvalidInput, match="symmetry: must hold for relu, but fails at t = "):
        modify(net, (1, 0), wrong, (2, 0), 1)
    right = modify(net, (1, 0), four, (2, 0), 1)
    assert same_function(net, right).status is Status.HOLDS
    shifted = right.replace({"b[2][0]": right.layers[1].bias[0] + 1})
    assert same_function(net, shifted).status is Status.FAILS


def test_present_neurons_are_used_and_new_ones_start_at_zero():
    net = Network.mlp([[[1], [-1]], [[2, 5], [0, 1]]], [[3, -3], [0, 0]])
    four = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
    changed = modify(net, (1, 0), four, (2, 0), 1)
    assert changed.widths == (1, 4, 2)
    signs = [four.coefficients[k] for k in range(4)]
    assert changed.layers[1].blocks[0][1][0] == (2 + signs[0], 5 + signs[1], signs[2], signs[3])
    assert changed.layers[1].blocks[0][1][1] == (0, 1, 0, 0)


def test_perceptrons_stay_perceptrons_and_skips_stay_absent():
    odd = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]
    net = Network.mlp([[[1]], [[1], [2]], [[1, 1]]], activation="tanh")
    assert modify(net, (1, 0), odd, (2, 0), 1).is_layered
    skipping = modify(net, (1, 0), odd, (3, 0), 1)
    assert not skipping.is_layered
    assert skipping.layers[2].weights[1] == ((1, 1),)


def test_preserved_by_regions_and_not_by_faith():
    net = Network.mlp([[[1]], [[2]]], [[3], [0]])
    four = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
    modification = Modification((1, 0), four, (2, 0), Fraction(-2))
    verdict = modification_preserves(net, modification, "[-1,1]")
    assert verdict.status is Status.HOLDS
    assert verdict.evidence.to_json()["affine"] == [["2", "6"]]
    assert "pre-activation of (1, 0)" in modification.explain()


FOUR = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
PLAIN = Network.mlp([[[1], [1]], [[1, 2]]], [[0, 1], [0]])
BARE = Network.mlp([[[1], [1]], [[1, 2]]])


@pytest.mark.parametrize(
    ("net", "arguments", "options", "message"),
    [
        (PLAIN, ((2, 0), FOUR, (2, 0), 1), {}, "form: must be a hidden neuron"),
        (PLAIN, ((1, 2), FOUR, (2, 0), 1), {}, "form: must be a neuron"),
        (PLAIN, ((1, True), FOUR, (2, 0), 1), {}, "form: must be a neuron"),
        (PLAIN, ("x", FOUR, (2, 0), 1), {}, "form: must be a neuron"),
        (PLAIN, ((1, 0), FOUR, (1, 1), 1), {}, "child: must lie in a layer after 1"),
        (PLAIN, ((1, 0), FOUR, (3, 0), 1), {}, "child: must be a neuron"),
        (PLAIN, ((1, 0), FOUR, (2, 0), 0.5), {}, "amount"),
        (PLAIN, ((1, 0), "four", (2, 0), 1), {}, "symmetry: must be an AffineSymmetry"),
        (PLAIN, ((1, 0), FOUR, (2, 0), 1), {"layer": 1}, "layer, activation: must be left out"),
        (PLAIN, ({}, FOUR, (2, 0), 1), {}, "form: must have a nonzero coefficient"),
        (PLAIN, ({(0, 1): 1}, FOUR, (2, 0), 1), {}, "form: must be a neuron"),
        (PLAIN, ({(0, 0): 1}, FOUR, (2, 0), 1), {"layer": 2}, "layer: must be a hidden layer, 1 to 1"),
        (PLAIN, ({(1, 0): 1}, FOUR, (2, 0), 1), {}, "layer: must be a hidden layer, 1 to 1"),
        (PLAIN, ({(1, 0): 1}, FOUR, (2, 0), 1), {"layer": 1}, "layer: must be a layer number, 2 or later"),
        (BARE, ((1, 0), FOUR, (2, 0), 1), {}, "layer 1: must have bias parameters"),
        (
            Network.mlp([[[1], [1]], [[1, 2]]], [[0, 1], None]),
            ((1, 0), FOUR, (2, 0), 1),
            {},
            "layer 2: must have bias parameters",
        ),
        (
            Network.mlp([[[1], [1]], [[1, 2]]], [[0, 1], [0]], activation="tanh"),
            ((1, 0), FOUR, (2, 0), 1),
            {},
            "symmetry: must be one of tanh, the activation of the atoms",
        ),
        (
            Network.mlp([[[1]], [[1]]], activation=LEAKY),
            ((1, 0), affine_symmetries(CLIP, [(1, 0), (-1, 1)]).basis[0], (2, 0), 1),
            {},
            r"symmetry: must hold for leaky_relu\[1/10\], but fails at t = ",
        ),
        (
            Network(1, [Layer({0: [[1], [1]]}, activation=["relu", "abs"]), Layer({1: [[1, 1]]})]),
            ({(0, 0): 1}, FOUR, (2, 0), 1),
            {},
            "activation: must be given",
        ),
    ],
)
def test_bad_input(net, arguments, options, message):
    with pytest.raises(InvalidInput, match=message):
        modify(net, *arguments, **options)


def test_biases_may_be_given():
    changed = modify(BARE, (1, 0), FOUR, (2, 0), 1, new_biases=True)
    assert [layer.bias is not None for layer in changed.layers] == [True, True]
    assert same_function(BARE, changed).status is Status.HOLDS


def test_the_activation_of_a_layer_is_the_default() -> None:
    net = Network.mlp([[[1], [2]], [[3, 1]]], [[0, 1], [0]], activation="abs")
    even = affine_symmetries("abs", [(1, 0), (-1, 0)]).basis[0]
    form = {(0, 0): 5, None: 7}
    assert modify(net, form, even, (2, 0), 1) == modify(net, form, even, (2, 0), 1, activation="abs")
