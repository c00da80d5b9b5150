"""Construction: what makes a network, every refusal with its place, and what equality means."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from oracles import parameters
from strategies import random_dag, random_mlp

import exactrelu as er
from exactrelu import InexactNumber, InvalidNetwork, InvalidNumber, Layer, Network, WrongDimension
from exactrelu.networks.json import network_from_json
from exactrelu.rationals.strict_json import parse

OUT = Layer({1: [[1]]}, activation="identity")
NEURON = Layer({0: [[1]]})
ONE = [[[1]], [[1]]]
NAMES = {"Network": Network, "Layer": Layer}

# name: (construction, error, the message begins with)
REFUSED = {
    "ragged": (lambda: Network.mlp([[[1, 2], [1]], [[1, 1]]]), WrongDimension,
               'weights[0][1]: must have 2 entries like row 0; got 1'),
    "wrong width": (lambda: Network.mlp([[[1], [2]], [[1]]]), WrongDimension,
                    ("weights[1]: must have 2 columns", 'layers[1].weights["1"]: must have 2 columns')),
    "skip of wrong width": (lambda: Network(1, [NEURON, Layer({1: [[1]], 0: [[1, 1]]})]), WrongDimension,
                            'layers[1].weights["0"]: must have 1 columns, the width of layer 0; got 2'),
    "short bias": (lambda: Network.mlp([[[1], [2]], [[1, 1]]], [[1], None]), WrongDimension,
                   'biases[0]: must have 2 entries like weights[0]; got 1'),
    "blocks of two heights": (lambda: Layer({0: [[1]], 1: [[1], [2]]}), WrongDimension,
                              'weights["1"]: must have 1 rows like weights["0"]; got 2'),
    "a bias list too few": (lambda: Network.mlp(ONE, [[1]]), WrongDimension, "biases: must have 2 entries"),
    "from itself": (lambda: Network(1, [Layer({0: [[1]], 1: [[1]]}), OUT]), InvalidNetwork,
                    'layers[0].weights["1"]: must come from an earlier layer, 0 to 0; got 1'),
    "from a later layer": (lambda: Network(1, [NEURON, Layer({1: [[1]], 3: [[1]]}), OUT]), InvalidNetwork,
                           'layers[1].weights["3"]: must come from an earlier layer, 0 to 1; got 3'),
    "unknown activation": (lambda: Layer({0: [[1]]}, activation="sigmoid"), InvalidNetwork,
                           """activation: must be one of "relu", "identity", "abs","""),
    "unknown activation of a neuron": (lambda: Layer({0: [[1], [1]]}, activation=["relu", 3]), InvalidNetwork,
                                       'activation[1]: must be one of "relu", "identity", "abs",'),
    "activations for too few": (lambda: Layer({0: [[1], [1]]}, activation=["relu"]), WrongDimension,
                                "activation: must have 2 entries, one per neuron; got 1"),
    "no output activation": (lambda: Network.mlp(ONE, output_activation=1), InvalidNetwork, "output_activation: must"),
    "no activation": (lambda: Network.mlp(ONE, activation=None), InvalidNetwork, "activation: must be one of"),
    "float weight": (lambda: Network.mlp([[[1, 0.5]]]), InexactNumber, 'weights[0][0][1]: must be exact'),
    "float bias": (lambda: Network.mlp([[[1]]], [[0.5]]), InexactNumber, "biases[0][0]: must be exact"),
    "float array": (lambda: Network.mlp([np.ones((1, 1))]), InexactNumber, 'weights[0][0][0]: must be exact'),
    "truth value": (lambda: Layer({0: [[True]]}), InvalidNumber, 'weights["0"][0][0]: must be a number, not a truth'),
    "absent bias": (lambda: Layer({0: [[1]]}, bias=[None]), InvalidNumber, "bias[0]: must be a rational number"),
    "nothing in": (lambda: Network(1, [Layer({0: [[1], [None]]}), Layer({1: [[1, 1]]})]), InvalidNetwork,
                   "layers[0]: hidden neuron 1 must have an incoming edge or a bias parameter"),
    "nothing out": (lambda: Network(1, [Layer({0: [[1], [1]]}), Layer({1: [[1, None]]})]), InvalidNetwork,
                    "layers[0]: hidden neuron 1 must have an outgoing edge"),
    "skipped layer": (lambda: Network(1, [NEURON, Layer({0: [[1]]})]), InvalidNetwork,
                      "layers[0]: hidden neuron 0 must have an outgoing edge"),
    "no layers": (lambda: Network(1, []), InvalidNetwork, "layers: must contain at least the output layer"),
    "no matrices": (lambda: Network.mlp([]), InvalidNetwork, "weights: must contain at least one matrix"),
    "no layer": (lambda: Network(1, [3]), InvalidNetwork, "layers[0]: must be a Layer; got 3"),
    "no rows": (lambda: Layer({0: []}), WrongDimension, 'weights["0"]: must have at least one row and one column'),
    "no columns": (lambda: Layer({0: [[]]}), WrongDimension, 'weights["0"]: must have at least one row'),
    "empty matrix": (lambda: Network.mlp([[]]), WrongDimension, 'weights[0]: must have at least one row'),
    "nothing at all": (lambda: Layer({}), InvalidNetwork, "weights: must contain at least one neuron"),
    "no neurons": (lambda: Layer({}, bias=[]), InvalidNetwork, "weights: must contain at least one neuron"),
    "no edges, no biases": (lambda: Layer({0: [[None]]}), InvalidNetwork, "weights: must contain an edge, since"),
    "text as a key": (lambda: Layer({"0": [[1]]}), InvalidNetwork, "weights: must have layer numbers 0, 1"),
    "truth value as a key": (lambda: Layer({False: [[1]]}), InvalidNetwork, "weights: must have layer numbers"),
    "negative key": (lambda: Layer({-1: [[1]]}), InvalidNetwork, "weights: must have layer numbers 0, 1"),
    "list of matrices": (lambda: Layer([[1]]), InvalidNetwork, "weights: must map source layers to matrices; got"),
    "input_dim 0": (lambda: Network(0, [NEURON]), InvalidNetwork, "input_dim: must be an integer between 1 and"),
    "input_dim True": (lambda: Network(True, [NEURON]), InvalidNetwork, "input_dim: must be an integer between 1"),
    "input_dim 1.0": (lambda: Network(1.0, [NEURON]), InvalidNetwork, "input_dim: must be an integer between 1"),
    "weights text": (lambda: Network.mlp("ab"), InvalidNetwork, "weights: must be a list of matrices"),
    "weights None": (lambda: Network.mlp(None), InvalidNetwork, "weights: must be a list of matrices"),
    "matrix of numbers": (lambda: Network.mlp([[1, 2]]), er.InvalidInput, "weights[0]"),
    "row of text": (lambda: Network.mlp([["12"], [[1]]]), er.InvalidInput, "weights[0]"),
    "row as mapping": (lambda: Network.mlp([[{0: 1}]]), er.InvalidInput, "weights[0]"),
    "matrix of text": (lambda: Network.mlp(["12"]), er.InvalidInput, "weights[0]"),
    "bias a number": (lambda: Network.mlp(ONE, [1, None]), er.InvalidInput, "biases[0]"),
    "bias a text": (lambda: Network.mlp([[[1], [1]], [[1, 1]]], ["11", None]), er.InvalidInput,
                    "biases[0]"),
    "layers None": (lambda: Network(1, None), er.InvalidInput, "layers: must"),
    "one layer, no list": (lambda: Network(1, NEURON), er.InvalidInput, "layers: must"),
    "floats, nan": (lambda: Network.from_floats([[[float("nan")]]], reading="dyadic"), InvalidNumber,
                    "weights[0][0][0]: must be a finite number; got nan"),
    "floats, no such reading": (lambda: Network.from_floats([[[0.5]]], reading="exact"), er.InvalidInput,
                                'reading: must be "dyadic" or "decimal"'),
    "random, one width": (lambda: Network.random((2,), 0), InvalidNetwork, "widths: must be at least two positive"),
    "random, width 0": (lambda: Network.random((2, 0, 1), 0), InvalidNetwork, "widths: must be at least two positive"),
    "random, too many": (lambda: Network.random((10**9, 10**9), 0), InvalidNetwork, "widths: must need at most"),
    "random, width True": (lambda: Network.random((2, True), 0), InvalidNetwork, "widths: must be at least two"),
    "random, denominator 0": (lambda: Network.random((1, 1), 0, denominator=0), InvalidNetwork, "bound, denominator: "),
    "random, a number": (lambda: Network.random(3, 0), InvalidNetwork, "widths: must be at least two"),
}  # fmt: skip


@pytest.mark.parametrize(("build", "kind", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_with_its_place(build, kind, message):
    with pytest.raises(kind) as caught:
        build()
    assert str(caught.value).startswith(message)


def test_from_floats_needs_a_reading():
    with pytest.raises(TypeError, match="reading"):
        Network.from_floats([[[0.5]]])


def test_from_floats_readings_are_different_networks():
    weights, biases = [[[0.1, 0.5]]], [[np.float32(0.1)]]
    decimal = Network.from_floats(weights, biases, reading="decimal")
    dyadic = Network.from_floats(weights, biases, reading="dyadic")
    assert [p.value for p in decimal.parameters] == [Fraction(1, 10), Fraction(1, 2), Fraction(1, 10)]
    assert [p.value for p in dyadic.parameters] == [Fraction(0.1), Fraction(1, 2), Fraction(13421773, 2**27)]


def test_all_spellings_of_numbers_and_containers_build_the_same_network():
    expected = Network.mlp([[[1, 2]], [["1/2"]]], [[3], None])
    assert Network.mlp((np.array([[1, 2]]), [("0.5",)]), (np.array([3]), None)) == expected
    assert Network.mlp([[iter([1, "2"])], [[Fraction(1, 2)]]], [iter(["3"]), None]) == expected
    assert Network(2, [Layer({0: [[1, 2]]}, bias=[3]), Layer({1: [["1/2"]]}, activation="identity")]) == expected


def test_layers_are_canonical():
    plain = Layer({0: [[1]], 2: [[3]]}, bias=[1])
    dropped = Layer({2: [["3"]], 1: [[None, None]], 0: [[Fraction(1)]]}, bias=["1"], activation=["relu"])
    assert plain == dropped and hash(plain) == hash(dropped) and repr(plain) == repr(dropped)
    assert [source for source, _ in dropped.blocks] == [0, 2]
    assert plain != Layer({0: [[1]], 2: [[0]]}, bias=[1])


@pytest.mark.parametrize(
    "other",
    [
        Network.mlp([[[1, 0]], [[1]]]),
        Network.mlp([[[1, 0]], [[1]]], [[0], [0]]),
        Network.mlp([[[1, 0]], [[1]]], [[0], None], output_activation="relu"),
        Network.mlp([[[1, 0]], [[1]]], [[0], None], activation="identity"),
        Network(2, [Layer({0: [[1, None]]}, bias=[0]), Layer({1: [[1]]}, activation="identity")]),
        Network(2, [Layer({0: [[1, 0]]}, bias=[0]), Layer({0: [[0, 0]], 1: [[1]]}, activation="identity")]),
        Network.mlp([[[1, 0]], [[2]]], [[0], None]),
    ],
    ids=range(7),
)
def test_a_zero_an_absent_edge_and_no_bias_are_three_different_things(other):
    net = Network.mlp([[[1, 0]], [[1]]], [[0], None])
    assert net != other and len({net, other}) == 2
    assert (net.architecture == other.architecture) == (other == net.with_values([1, 0, 0, 2]))


def test_frozen():
    net = Network.mlp(ONE)
    for thing, name in ((net, "input_dim"), (net, "layers"), (net.layers[0], "bias"), (net.parameters[0], "value")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(thing, name)
    net.layers[0].weights[5] = "a dictionary of its own"
    rows = [[1]]
    layer = Layer({0: rows})
    rows[0][0] = 2
    assert layer == NEURON and 5 not in net.layers[0].weights


def test_equal_copies_round_trips_and_parameters_on_random_networks():
    r = random.Random(0)
    for k in range(600):
        net = random_dag(r) if k % 3 else random_mlp(r)
        pasted = eval(repr(net), dict(NAMES))
        for again in (
            pasted,
            pickle.loads(pickle.dumps(net)),
            copy.deepcopy(net),
            net.with_values([p.value for p in net.parameters]),
        ):
            assert again == net and hash(again) == hash(net) and again.architecture == net.architecture
        assert [(p.name, p.value) for p in net.parameters] == list(parameters(net.to_json()).items())
        assert len({p.name for p in net.parameters}) == len(net.parameters)


def test_repr_of_numbers_that_python_cannot_write():
    net = Network.mlp([[[10**5000 + 1]], [[Fraction(1, 10**4400)]]], [[-(10**4299)], None])
    assert eval(repr(net), dict(NAMES)) == net


def test_repr_is_short_for_perceptrons_and_complete_for_the_rest():
    assert repr(Network.mlp([[[1, "-1/2"]], [[3]]], [[0], None])) == 'Network.mlp([[[1, "-1/2"]], [[3]]], [[0], None])'
    assert repr(Network(1, [Layer({}, bias=[2]), OUT])) == (
        'Network(1, [Layer({}, bias=[2], activation="relu"), Layer({1: [[1]]}, bias=None, activation="identity")])'
    )


def test_names_widths_and_neurons_of_a_network_with_a_skip():
    net = Network(
        2,
        [
            Layer({0: [[1, None], [2, 3]]}, bias=[4, 5]),
            Layer({1: [[6, 7]], 0: [[None, 8]]}),
            Layer({2: [[9]], 0: [[10, 11]]}, bias=[12], activation="identity"),
        ],
    )
    assert [p.name for p in net.parameters] == [
        "w[1<-0][0,0]", "w[1<-0][1,0]", "w[1<-0][1,1]", "b[1][0]", "b[1][1]",
        "w[2<-0][0,1]", "w[2<-1][0,0]", "w[2<-1][0,1]",
        "w[3<-0][0,0]", "w[3<-0][0,1]", "w[3<-2][0,0]", "b[3][0]",
    ]  # fmt: skip
    assert [int(p.value) for p in net.parameters] == [1, 2, 3, 4, 5, 8, 6, 7, 10, 11, 9, 12]
    assert (net.widths, net.output_dim, net.depth) == ((2, 2, 1, 1), 1, 3)
    assert net.hidden_neurons == ((1, 0), (1, 1), (2, 0))
    assert (net.is_layered, net.is_standard) == (False, True)
    assert net.parameters[5].target == (2, 0) and net.parameters[5].source == (0, 1)
    assert net.parameters[3].source is None and net.parameters[5].latex == r"w^{(2\leftarrow 0)}_{0,1}"


@pytest.mark.parametrize(
    ("net", "layered", "standard"),
    [
        (Network.mlp(ONE), True, True),
        (Network.mlp(ONE, activation="identity"), True, False),
        (Network.mlp(ONE, output_activation="relu"), True, False),
        (Network(2, [Layer({0: [[1, None]]}), OUT]), False, True),
        (Network.mlp([[[1]]]), True, True),
    ],
)
def test_layered_and_standard(net, layered, standard):
    assert (net.is_layered, net.is_standard) == (layered, standard)


@pytest.mark.parametrize("widths", [(2, 10, 1), (2, 10, 10, 1), (2, 16, 16, 1), (2, 32, 32, 1), (3, 8, 8, 1),
                                    (3, 16, 16, 1), (4, 10, 10, 1), (2, 50, 1), (3, 30, 1), (5, 12, 1)])  # fmt: skip
def test_random_networks_are_the_ones_with_known_region_counts(data, widths):
    draw = random.Random(0)
    weights, biases = [], []
    for before, width in pairwise(widths):
        weights.append([[Fraction(draw.randint(-9, 9), 10) for _ in range(before)] for _ in range(width)])
        biases.append([Fraction(draw.randint(-9, 9), 10) for _ in range(width)])
    net = Network.random(widths, 0)
    assert net == Network.mlp(weights, biases)
    file = data / f"n{'_'.join(map(str, widths))}_s0.json"
    assert net == network_from_json(parse(file.read_bytes(), file.name), file.name)


def test_random_options():
    net = Network.random((2, 3, 1), 7, bound=1, denominator=3, biases=False)
    assert net.widths == (2, 3, 1) and all(layer.bias is None for layer in net.layers)
    assert {p.value for p in net.parameters} <= {Fraction(-1, 3), 0, Fraction(1, 3)}
    assert net == Network.random((2, 3, 1), 7, bound=1, denominator=3, biases=False)
    assert net != Network.random((2, 3, 1), 8, bound=1, denominator=3, biases=False)


def test_an_activation_must_bend_or_be_the_identity():
    """Any other affine function is what weights and biases are for."""
    with pytest.raises(InvalidNetwork, match="activation: must bend, or be the identity; got '7\\*t'"):
        Network.mlp(ONE, activation=er.PiecewiseLinear([], [7], (0, 0)))
