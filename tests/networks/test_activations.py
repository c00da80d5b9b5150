"""Activations: closed formulas, the reading of names and JSON data, canonical forms, and refusals."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from activation_networks import random_activation
from activation_oracle import pieces, value_at

from exactrelu import (
    IDENTITY,
    RELU,
    Analytic,
    ExactReluError,
    InvalidFile,
    InvalidInput,
    InvalidNetwork,
    PiecewiseLinear,
    WrongDimension,
)
from exactrelu.networks.activations import activation

POINTS = [Fraction(k, 6) for k in range(-60, 61)]

FORMULAS: list[tuple[Any, Callable[[Fraction], Fraction]]] = [
    ("relu", lambda t: max(t, 0)),
    ("identity", lambda t: t),
    ("abs", abs),
    ("hard_tanh", lambda t: min(max(t, -1), 1)),
    ("relu6", lambda t: min(max(t, 0), 6)),
    ("hat", lambda t: max(1 - abs(t), 0)),
    ({"name": "leaky_relu", "slope": "1/10"}, lambda t: max(t, t / 10)),
    ({"name": "leaky_relu", "slope": "-3"}, lambda t: t if t > 0 else -3 * t),
    ({"name": "clip", "lower": "-1/2", "upper": "3"}, lambda t: min(max(t, Fraction(-1, 2)), 3)),
    # the triangle wave with period 2 on [-2, 2], flat outside
    (
        {"breakpoints": ["-2", "-1", "0", "1", "2"], "slopes": ["0", "1", "-1", "1", "-1", "0"], "anchor": ["0", "0"]},
        lambda t: Fraction(0) if abs(t) > 2 else 1 - abs(abs(t) - 1),
    ),
    # anchored to the right of all breakpoints
    (
        {"breakpoints": ["0", "3"], "slopes": ["2", "0", "-1"], "anchor": ["5", "0"]},
        lambda t: min(2 * t, 0) - max(t - 3, 0) + 2,
    ),
]


@pytest.mark.parametrize(("data", "formula"), FORMULAS, ids=[str(data)[:40] for data, _ in FORMULAS])
def test_the_formula_of_every_kind(data: Any, formula: Callable[[Fraction], Fraction]) -> None:
    rho = activation(data)
    assert [rho(t) for t in POINTS] == [formula(t) for t in POINTS]
    # the oracle of the other tests has its own definition, which must be the same
    assert [value_at(pieces(data), t) for t in POINTS] == [formula(t) for t in POINTS]


def test_names_denote_one_object() -> None:
    assert activation("relu") is RELU
    assert activation({"breakpoints": ["0"], "slopes": ["0", "1"], "anchor": ["0", "0"]}) is RELU
    assert activation("identity") == IDENTITY
    assert activation(PiecewiseLinear.relu()) is RELU


def test_canonical_forms_and_json_on_random_activations() -> None:
    for seed in range(300):
        data = random_activation(Random(seed))
        rho = activation(data)
        expected = pieces(data)
        assert rho.breakpoints == tuple(low for low, *_ in expected[1:])
        assert rho.slopes == tuple(slope for _, _, slope, _ in expected)
        assert [rho.affine_piece(k) for k in range(rho.pieces)] == [(slope, c) for _, _, slope, c in expected]
        again = activation(json.loads(json.dumps(rho.to_json())))
        assert again == rho
        assert hash(again) == hash(rho)
        assert again.to_json() == rho.to_json()
        assert pickle.loads(pickle.dumps(rho)) == copy.deepcopy(rho) == rho
        homogeneous = all(value_at(expected, 3 * t) == 3 * value_at(expected, t) for t in POINTS)
        assert rho.is_positively_homogeneous == homogeneous


def test_what_can_be_written_shortly_is() -> None:
    short = {
        "relu6": {"name": "clip", "lower": "0", "upper": "6"},
        "abs": {"name": "leaky_relu", "slope": "-1"},
        "hard_tanh": {"name": "clip", "lower": "-1", "upper": "1"},
        "relu": {"name": "leaky_relu", "slope": "0"},
        "identity": {"name": "leaky_relu", "slope": "1"},
    }
    assert {name: activation(data).to_json() for name, data in short.items()} == {name: name for name in short}
    slope = {"name": "leaky_relu", "slope": "1/10"}
    assert activation(slope).to_json() == slope


REFUSED: list[tuple[Any, type[ExactReluError], str]] = [
    ("sigmoid", InvalidNetwork, "must be one of"),
    (None, InvalidNetwork, "must be one of"),
    (3, InvalidNetwork, "must be one of"),
    ({}, InvalidFile, "must have the key"),
    ({"name": "leaky_relu"}, InvalidFile, "slope"),
    ({"name": "leaky_relu", "slope": 0.1}, InvalidInput, "slope"),
    ({"name": "leaky_relu", "slope": "0", "more": "1"}, InvalidFile, "no other keys"),
    ({"name": "tent"}, InvalidFile, "name"),
    ({"name": ["relu"]}, InvalidFile, "name"),
    ({"name": "clip", "lower": "1", "upper": "1"}, InvalidInput, "must exceed lower, which is 1"),
    ({"breakpoints": ["1", "0"], "slopes": ["0", "1", "2"], "anchor": ["0", "0"]}, InvalidInput, "breakpoints[1]"),
    ({"breakpoints": ["0"], "slopes": ["0"], "anchor": ["0", "0"]}, WrongDimension, "must have 2 entries"),
    ({"breakpoints": ["0"], "slopes": ["0", "1"], "anchor": ["0"]}, WrongDimension, "anchor"),
    ({"breakpoints": "0", "slopes": ["0", "1"], "anchor": ["0", "0"]}, InvalidFile, "breakpoints"),
    ({"breakpoints": ["0"], "slopes": ["0", 1.5], "anchor": ["0", "0"]}, InvalidInput, "slopes[1]"),
    # affine functions other than the identity
    ({"breakpoints": [], "slopes": ["2"], "anchor": ["0", "0"]}, InvalidNetwork, "must bend, or be the identity"),
    ({"breakpoints": ["1"], "slopes": ["1", "1"], "anchor": ["0", "1"]}, InvalidNetwork, "must bend"),
    ({"name": "polynomial", "coefficients": ["0", "1"]}, InvalidInput, "degree 2 or more"),
    ({"name": "polynomial", "coefficients": "x"}, InvalidFile, "coefficients"),
    ({"name": "polynomial", "coefficients": ["0", "0", 2.0]}, InvalidInput, "coefficients[2]"),
    ({"name": "polynomial"}, InvalidFile, "coefficients"),
]


@pytest.mark.parametrize(("data", "kind", "words"), REFUSED, ids=lambda value: str(value)[:50])
def test_refused_in_one_sentence_that_names_the_place(data: Any, kind: type[ExactReluError], words: str) -> None:
    with pytest.raises(kind) as caught:
        activation(data, "layers[3].activation")
    message = str(caught.value)
    assert message.startswith("layers[3].activation")
    assert words in message
    assert "\n" not in message


def test_analytic_names_are_read() -> None:
    assert activation("softplus") == Analytic.softplus()
    assert activation({"name": "polynomial", "coefficients": ["0", "0", "1"]}) == Analytic.polynomial([0, 0, 1])
