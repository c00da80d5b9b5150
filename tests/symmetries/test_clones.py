"""Clones and invisible neurons against a plain reading of the JSON data, and equality of functions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from oracles import layer_width
from strategies import random_dag, random_mlp, random_point
from symmetry_oracles import equal_on_all_regions

from exactrelu import Layer, Network
from exactrelu.symmetries.clones import clones, drop_invisible, merge_clones, without_idle_neurons


def reading(data, k: int, i: int):
    """The activation, the nonzero weights and the bias of neuron ``i`` of layer ``k``."""
    layer = data["layers"][k - 1]
    rho = layer["activation"] if isinstance(layer["activation"], str) else layer["activation"][i]
    weights = {
        (int(source), j): Fraction(entry)
        for source, block in layer["weights"].items()
        for j, entry in enumerate(block[i])
        if entry is not None and Fraction(entry)
    }
    return rho, weights, Fraction(0) if layer["bias"] is None else Fraction(layer["bias"][i])


def clone_pairs(net: Network) -> set:
    """All pairs of hidden neurons that read the same."""
    data = net.to_json()
    hidden = [(k, i) for k, layer in enumerate(data["layers"][:-1], 1) for i in range(layer_width(layer))]
    return {
        (a, b)
        for a in hidden
        for b in hidden
        if a < b and reading(data, *a) == reading(data, *b) and (a[0] == b[0] or reading(data, *a)[1])
    }


def heard(net: Network) -> set:
    """The neurons with a nonzero outgoing weight."""
    return {p.source for p in net.parameters if p.value and p.source is not None}


def with_clones(r: random.Random) -> Network:
    """A random network in which some neurons are made copies of others, or mute."""
    net = random_dag(r, max_layers=3, max_width=2) if r.random() < 0.6 else random_mlp(r, max_layers=3)
    layers = list(net.to_json()["layers"])
    for layer in layers[:-1]:
        width = layer_width(layer)
        if width > 1 and r.random() < 0.7:
            a, b = r.sample(range(width), 2)
            for block in layer["weights"].values():
                block[b] = list(block[a])
            if layer["bias"]:
                layer["bias"][b] = layer["bias"][a]
            if isinstance(layer["activation"], list):
                layer["activation"][b] = layer["activation"][a]
    try:
        return Network(
            net.input_dim,
            [
                Layer({int(s): b for s, b in x["weights"].items()}, bias=x["bias"], activation=x["activation"])
                for x in layers
            ],
        )
    except ValueError:  # a copy has lost the last edge of a neuron
        return net


def test_clones_are_those_that_read_the_same():
    found = 0
    for seed in range(300):
        net = with_clones(random.Random(seed))
        groups = clones(net)
        pairs = {(a, b) for group in groups for a in group for b in group if a < b}
        assert pairs == clone_pairs(net)
        found += bool(groups)
    assert found > 80


def test_merging_and_dropping_keep_the_function():
    merged = dropped = 0
    for seed in range(120):
        net = with_clones(random.Random(seed))
        once, silent, both = merge_clones(net), drop_invisible(net), without_idle_neurons(net)
        points = [random_point(random.Random(seed), net.input_dim) for _ in range(5)]
        assert net.values(points) == once.values(points) == silent.values(points)
        assert equal_on_all_regions(net, both), seed
        assert not clone_pairs(once)
        assert set(silent.hidden_neurons) <= heard(silent)
        assert set(both.hidden_neurons) <= heard(both)
        assert not clone_pairs(both)
        merged += once != net
        dropped += len(silent.hidden_neurons) < len(net.hidden_neurons)
    assert merged > 20 and dropped > 5


def test_perceptrons_stay_perceptrons():
    for seed in range(60):
        net = random_mlp(random.Random(seed), max_layers=3)
        assert merge_clones(net).is_layered and drop_invisible(net).is_layered
        assert without_idle_neurons(net).is_layered


def test_merging_cascades():
    """Copies in the first layer make the neurons of the second layer copies."""
    net = Network.mlp([[[1], [1]], [[1, 2], [3, 0]], [[1, 1]]], [[0, 0], [1, 1], [0]])
    assert clones(net) == (((1, 0), (1, 1)),)
    assert merge_clones(net) == Network.mlp([[[1]], [[3]], [[2]]], [[0], [1], [0]])


def test_dropping_cascades_and_empties_layers():
    net = Network.mlp([[[1]], [[1]], [[0]]], [[0], [1], [5]])
    assert drop_invisible(net) == Network.mlp([[[0]]], [[5]])
    bare = Network.mlp([[[1]], [[0]]])
    assert drop_invisible(bare) == Network.mlp([[[0]]])


def test_clones_in_different_layers_and_of_other_activations():
    late = Network(1, [Layer({0: [[1]]}), Layer({0: [[1]], 1: [[0]]}), Layer({1: [[1]], 2: [[1]]})])
    assert clones(late) == (((1, 0), (2, 0)),)
    # the edge of weight 0 between the two disappears with the second
    assert merge_clones(late)([3]) == (6,) and merge_clones(late).hidden_neurons == ((1, 0),)
    mixed = Network(1, [Layer({0: [[1], [1]]}, activation=["relu", "abs"]), Layer({1: [[1, 1]]})])
    assert clones(mixed) == () and merge_clones(mixed) == mixed


def test_analytic_clones_merge():
    net = Network.mlp([[[1], [1]], [[2, 3]]], activation="tanh")
    assert merge_clones(net).layers[1].blocks[0][1] == ((5,),)
    # tanh(0) = 0, but the logistic function of 0 is 1/2 and must stay
    assert without_idle_neurons(Network.mlp([[[0]], [[2]]], activation="tanh")).hidden_neurons == ()
    assert without_idle_neurons(Network.mlp([[[0]], [[2]]], activation="logistic")).hidden_neurons == ((1, 0),)


@pytest.mark.sweep
def test_many_merges():
    for seed in range(5000, 6500):
        net = with_clones(random.Random(seed))
        assert equal_on_all_regions(net, without_idle_neurons(net)), seed


def test_outputs_without_edges_stay_so():
    """An output may have neither edges nor a bias; it is 0."""
    net = Network(1, [Layer({0: [[1], [0]]}), Layer({1: [[None, None], [1, 1]]}, activation="identity")])
    assert without_idle_neurons(net) == Network(
        1, [Layer({0: [[1]]}), Layer({1: [[None], [1]]}, activation="identity")]
    )
