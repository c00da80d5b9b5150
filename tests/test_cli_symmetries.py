"""The command `symmetries`: relations of activations, and what they do to a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er

FOUR = "1,0;-1,0;1,-1;-1,1"


def test_the_four_term_relation(run: Any) -> None:
    code, out, err = run("symmetries", "relu", "--atoms", FOUR, "--json")
    assert (code, err) == (0, "")
    four = {"coefficients": ["1", "-1", "-1", "1"], "constant": "1"}
    assert json.loads(out) == {"basis": [four], "minimal": [four]}


@pytest.mark.parametrize(
    ("rho", "atoms", "dimension"),
    [
        ("tanh", "1,0;-1,0;2,1", 1),
        ("logistic", "1,0;-1,0", 1),
        ("tanh", "1,0;2,0", 0),
        ('{"name":"leaky_relu","slope":"1/10"}', "1,0;1/2,0;-1,0", 1),
        ('{"breakpoints":["0","1"],"slopes":["0","1","0"],"anchor":["0","0"]}', "1,0;-1,1", 1),
    ],
)
def test_other_functions(run: Any, rho: str, atoms: str, dimension: int) -> None:
    code, out, _ = run("symmetries", rho, "--atoms", atoms, "--json")
    data = json.loads(out)
    assert code == 0 and len(data["basis"]) == dimension
    assert run("symmetries", rho, "--atoms", atoms)[1].startswith(f"dimension {dimension}\n")


def test_a_neuron_leaves_a_network(run: Any, hat: Path) -> None:
    code, out, err = run("symmetries", "relu", "--atoms", FOUR, "--network", hat, "--neuron", "1,0", "--json")
    assert (code, err) == (0, "")
    (found,) = json.loads(out)["networks"]
    copy = hat.parent / "made.json"
    copy.write_text(json.dumps(found["network"]))
    made = er.load(copy)
    assert er.same_function(made, er.zoo.HAT).status is er.Status.HOLDS
    hidden = made.layers[0]
    assert (1, 1) not in [(row[0], bias) for row, bias in zip(hidden.weights[0], hidden.bias, strict=True)]
    assert "without neuron (1, 0)" in run("symmetries", "relu", "--atoms", FOUR, "--network", hat, "--neuron", "1,0")[1]


BAD = {
    "no pair": (["relu", "--atoms", "1"], "--atoms must list pairs"),
    "no number": (["relu", "--atoms", "1,x"], "must be a rational number"),
    "a float": (["relu", "--atoms", "1,1e400000"], "digits"),
    "zero slope": (["relu", "--atoms", "0,1"], "must have beta other than 0"),
    "twice": (["relu", "--atoms", "1,0;1,0"], "must differ"),
    "unknown function": (["sigmoid", "--atoms", "1,0"], "must be one of"),
    "bad JSON": (["{", "--atoms", "1,0"], "RHO"),
    "half a network": (["relu", "--atoms", "1,0", "--neuron", "1,0"], "go together"),
    "no neuron": (["relu", "--atoms", "1,0;2,0", "--network", "HAT", "--neuron", "3,0"], "must name a hidden neuron"),
    "no such text": (["relu", "--atoms", "1,0;2,0", "--network", "HAT", "--neuron", "one"], "must be a layer and an"),
    "another function": (["tanh", "--atoms", "1,0;-1,0", "--network", "HAT", "--neuron", "1,0"], "the activation of"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(run: Any, hat: Path, name: str) -> None:
    arguments, words = BAD[name]
    code, out, err = run("symmetries", *(hat if argument == "HAT" else argument for argument in arguments))
    assert (code, out) == (2, "")
    assert words in err and err.count("\n") == 1


def test_budget(run: Any) -> None:
    atoms = ";".join(f"{b},{c}" for b in (1, -1, 2, -2) for c in range(-2, 3))
    code, _, err = run("symmetries", "relu", "--atoms", atoms, "--budget", "5")
    assert code == 3 and "at most 5" in err
