"""The file format of networks: a strict round trip, and every malformed document refused with its place."""

from __future__ import annotations

import copy
import json
import random

import pytest
from strategies import random_dag, random_mlp

from exactrelu import ExactReluError, Layer, Network
from exactrelu.networks.json import network_from_json
from exactrelu.rationals.strict_json import parse

DOCUMENT = {
    "format": "exactrelu/network",
    "version": 1,
    "input_dim": 2,
    "layers": [
        {"activation": "relu", "weights": {"0": [["1", "2"], ["2", "-1"]]}, "bias": ["1", "-1"]},
        {"activation": "identity", "weights": {"1": [["1", "2"]], "0": [["0", None]]}, "bias": ["1/2"]},
    ],
}
DESIGNED = Network(
    2,
    [
        Layer({0: [[1, 2], [2, -1]]}, bias=[1, -1]),
        Layer({1: [[1, 2]], 0: [[0, None]]}, bias=["1/2"], activation="identity"),
    ],
)
ABSENT = object()

# path of keys, new value (or ABSENT), the message after "n.json: "
MALFORMED = {
    "no format": (["format"], ABSENT, 'format: must be "exactrelu/network"; got None'),
    "other format": (["format"], "exactrelu/domain", """format: must be "exactrelu/network"; got 'exactrelu/domain'"""),
    "no version": (["version"], ABSENT, "version: must be 1; got None"),
    "version 2": (["version"], 2, "version: must be 1; got 2"),
    "version as text": (["version"], "1", "version: must be 1; got '1'"),
    "version true": (["version"], True, "version: must be 1; got True"),
    "no input_dim": (["input_dim"], ABSENT, 'must have the key "input_dim"'),
    "input_dim 0": (["input_dim"], 0, "input_dim: must be an integer, at least 1; got 0"),
    "input_dim as text": (["input_dim"], "2", "input_dim: must be an integer, at least 1; got '2'"),
    "input_dim true": (["input_dim"], True, "input_dim: must be an integer, at least 1; got True"),
    "input_dim too large": (["input_dim"], 3, 'layers[0].weights["0"]: must have 3 columns, the width of layer 0'),
    "unknown key": (["comment"], "hello", 'must have no other keys than "format", "version", "input_dim", "layers"'),
    "no layers": (["layers"], ABSENT, 'must have the key "layers"'),
    "layers an object": (["layers"], {}, "layers: must be a list; got {}"),
    "layers empty": (["layers"], [], "layers: must contain at least the output layer"),
    "layer a number": (["layers", 1], 3, "layers[1]: must be an object; got 3"),
    "no bias key": (["layers", 1, "bias"], ABSENT, 'layers[1]: must have the key "bias"'),
    "no weights key": (["layers", 1, "weights"], ABSENT, 'layers[1]: must have the key "weights"'),
    "no activation key": (["layers", 0, "activation"], ABSENT, 'layers[0]: must have the key "activation"'),
    "unknown key of a layer": (["layers", 0, "biases"], [], 'layers[0]: must have no other keys than "activation"'),
    "weights text": (["layers", 0, "weights"], "ab", "layers[0].weights: must be an object"),
    "weights null": (["layers", 0, "weights"], None, "layers[0].weights: must be"),
    "weights a number": (["layers", 0, "weights"], 3, "layers[0].weights: must be"),
    "weights true": (["layers", 0, "weights"], True, "layers[0].weights: must be"),
    "source 00": (["layers", 0, "weights"], {"00": [["1", "2"]]}, "layers[0].weights: must have source layers"),
    "source -1": (["layers", 0, "weights"], {"-1": [["1", "2"]]}, "layers[0].weights: must have source layers"),
    "source ²": (["layers", 0, "weights"], {"²": [["1", "2"]]}, "layers[0].weights: must have source layers"),
    "source 1_0": (["layers", 0, "weights"], {"1_0": [["1", "2"]]}, "layers[0].weights: must have source layers"),
    "source of many digits": (["layers", 0, "weights"], {"9" * 5000: [["1", "2"]]}, "layers[0].weights: must have"),
    "from itself": (["layers", 0, "weights", "1"], [["1"], ["1"]],
                    'layers[0].weights["1"]: must come from an earlier layer, 0 to 0; got 1'),
    "from a later layer": (["layers", 1, "weights", "7"], [["1"]],
                           'layers[1].weights["7"]: must come from an earlier layer, 0 to 1; got 7'),
    "matrix text": (["layers", 0, "weights", "0"], "ab", "layers[0].weights[\"0\"]: must be a list; got 'ab'"),
    "row text": (["layers", 0, "weights", "0", 1], "12", "layers[0].weights[\"0\"][1]: must be a list; got '12'"),
    "ragged": (["layers", 0, "weights", "0", 1], ["1"], 'layers[0].weights["0"][1]: must have 2 entries like row 0'),
    "wrong width": (["layers", 1, "weights", "1"], [["1", "2", "3"]],
                    'layers[1].weights["1"]: must have 2 columns, the width of layer 1; got 3'),
    "wrong height": (["layers", 1, "weights", "0"], [["1", "2"], ["1", "2"]], "layers[1].weights"),
    "no rows": (["layers", 0, "weights", "0"], [], 'layers[0].weights["0"]: must have at least one row and one column'),
    "no columns": (["layers", 0, "weights", "0"], [[], []], 'layers[0].weights["0"]: must have at least one row'),
    "weight a number": (["layers", 0, "weights", "0", 0, 1], 1,
                        'layers[0].weights["0"][0][1]: must be a number written as a string such as "-3/7"; got 1'),
    "weight true": (["layers", 0, "weights", "0", 0, 1], True, 'layers[0].weights["0"][0][1]: must be a number'),
    "weight nan": (["layers", 0, "weights", "0", 0, 1], "nan", 'layers[0].weights["0"][0][1]: must be a rational'),
    "weight 1/0": (["layers", 0, "weights", "0", 0, 1], "1/0", 'layers[0].weights["0"][0][1]: must have a nonzero'),
    "digit bomb": (["layers", 0, "weights", "0", 0, 1], "1e999999999", 'layers[0].weights["0"][0][1]: must have at'),
    "a million digits": (["layers", 0, "bias", 0], "1" * 10**6, "layers[0].bias[0]: must have at most 20000 digits"),
    "bias text": (["layers", 0, "bias"], "11", "layers[0].bias: must be a list; got '11'"),
    "bias entry null": (["layers", 0, "bias", 1], None, "layers[0].bias[1]: must be a number written as a string"),
    "bias too long": (["layers", 0, "bias"], ["1", "2", "3"], "layers[0].bias: must have 2 entries like "),
    "unknown activation": (["layers", 0, "activation"], "sigmoid", "layers[0].activation: must be one of"),
    "activation null": (["layers", 0, "activation"], None, 'layers[0].activation: must be one of "relu", "identity"'),
    "activation of a neuron": (["layers", 0, "activation"], ["relu", "sigmoid"], "layers[0].activation[1]: must be"),
    "activations too few": (["layers", 0, "activation"], ["relu"], "layers[0].activation: must have 2 entries"),
    "hidden neuron without input": (["layers", 0], {"activation": "relu", "weights": {"0": [["1", "2"], [None, None]]},
                                    "bias": None}, "layers[0]: hidden neuron 1 must have an incoming edge or a bias"),
    "hidden neuron without output": (["layers", 1, "weights", "1"], [["1", None]],
                                     "layers[0]: hidden neuron 1 must have an outgoing edge"),
    "no edges, no biases": (["layers", 0], {"activation": "relu", "weights": {}, "bias": None},
                            "layers[0].weights: must contain at least one neuron"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_documents_are_refused_with_their_place(path, value, message):
    document = copy.deepcopy(DOCUMENT)
    *parents, last = path
    target = document
    for key in parents:
        target = target[key]
    if value is ABSENT:
        del target[last]
    else:
        target[last] = value
    with pytest.raises(ExactReluError) as caught:
        network_from_json(parse(json.dumps(document), "n.json"), "n.json")
    assert str(caught.value).startswith(f"n.json: {message}")
    assert len(str(caught.value)) < 250 and str(caught.value).isprintable()


@pytest.mark.parametrize("data", [None, [], "text", 3, True], ids=repr)
def test_a_network_is_an_object(data):
    with pytest.raises(ExactReluError, match=r'^n.json: must be an object with "format": "exactrelu/network"; got '):
        network_from_json(data, "n.json")


def test_the_document_of_the_design():
    assert network_from_json(DOCUMENT, "n.json") == DESIGNED
    assert network_from_json(DESIGNED.to_json(), "n.json") == DESIGNED
    assert DESIGNED.to_json()["layers"][1] == {
        "activation": "identity",
        "weights": {"0": [["0", None]], "1": [["1", "2"]]},
        "bias": ["1/2"],
    }


def test_a_plain_matrix_is_shorthand_for_the_previous_layer():
    document = copy.deepcopy(DOCUMENT)
    document["layers"][0]["weights"] = document["layers"][0]["weights"]["0"]
    assert network_from_json(document, "n.json") == DESIGNED
    document["layers"][1]["weights"] = [["1", "2"]]
    assert network_from_json(document, "n.json") == Network.mlp([[[1, 2], [2, -1]], [[1, 2]]], [[1, -1], ["1/2"]])


def test_every_spelling_of_a_number_and_activations_one_by_one():
    document = copy.deepcopy(DOCUMENT)
    document["layers"][0]["weights"]["0"] = [["1.0", "4/2"], ["+2", "-1e0"]]
    document["layers"][0]["activation"] = ["relu", "relu"]
    document["layers"][1]["activation"] = ["identity"]
    assert network_from_json(document, "n.json") == DESIGNED


def test_round_trip_through_text_on_random_networks():
    r = random.Random(0)
    for k in range(800):
        net = random_dag(r) if k % 3 else random_mlp(r)
        written = json.dumps(net.to_json(), allow_nan=False)
        again = network_from_json(parse(written, "n.json"), "n.json")
        assert again == net and json.dumps(again.to_json()) == written


def test_round_trip_beyond_the_digit_limit_of_python():
    net = Network.mlp([[[10**6000 + 1]], [["1/7"]]], [[-(10**4301)], None])
    written = json.dumps(net.to_json())
    assert network_from_json(parse(written, "n.json"), "n.json") == net
    assert "1" + "0" * 5999 + "1" in written


def test_the_networks_of_the_test_data_are_written_back_as_they_are(data):
    files = [file for file in sorted(data.glob("*.json")) if file.name != "answers.json"]
    assert len(files) > 40
    for file in files:
        document = parse(file.read_bytes(), file.name)
        net = network_from_json(document, file.name)
        assert network_from_json(net.to_json(), file.name) == net
        assert net.input_dim == document["input_dim"] and len(net.layers) == len(document["layers"])
