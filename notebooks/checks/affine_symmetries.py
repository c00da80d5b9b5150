"""The checks of notebook 8."""

from collections.abc import Mapping
from typing import Any

import exactrelu as er
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, network, number

check = Exercises()

HOLDS, FAILS = er.Status.HOLDS, er.Status.FAILS
ATOMS = [(1, 0), (-1, 0), (1, -2), (-1, 2)]
STEP = shallow_network([(1, 1, 1), (1, 0, -1)])
RELATIONS: dict[str, tuple[str, list[int], list[tuple[int, int]], int]] = {
    "a": ("relu", [1, -3], [(3, 0), (1, 0)], 0),
    "b": ("abs", [1, -1], [(1, 0), (-1, 0)], 0),
    "c": ("relu", [1, 1], [(1, 0), (-1, 0)], 0),
    "d": ("logistic", [1, 1], [(2, 0), (-2, 0)], 1),
    "e": ("hard_tanh", [1, -2], [(2, 0), (1, 0)], 0),
    "f": ("tanh", [1, 1], [(1, 1), (-1, 1)], 0),
}


@check.exercise(
    "8.1",
    hints=("What is s(t) - s(-t), and what is s(t - 2) - s(2 - t)?", "Subtract them, and multiply by 3."),
    mistakes=(
        {"alpha": [3, -3, -3, 3], "zeta": 3},
        {"alpha": [3, 3, -3, -3], "zeta": 6},
        {"alpha": [1, -1, -1, 1], "zeta": 2},
        {"alpha": [3, -3, -3], "zeta": 6},
        {"alpha": [3, -3, -3, 3]},
        6,
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping) and set(answer) == {"alpha", "zeta"}, 'give {"alpha": [...], "zeta": ...}')
    alpha = [number(entry) for entry in answer["alpha"]]
    expect(len(alpha) == 4 and alpha[0] == 3, "give four coefficients, the first one being 3")
    verdict = er.is_affine_symmetry("relu", alpha, ATOMS, number(answer["zeta"]))
    if verdict.status is FAILS:
        raise Wrong(f"it fails at t = {verdict.evidence.point[0]}")
    return None


@check.exercise(
    "8.2",
    hints=("Put in t = 1 where you doubt.", "Three of them hold."),
    mistakes=({"a", "b", "d", "f"}, {"a", "d"}, {"a", "b", "c", "d"}, {"a", "b", "d", "e"}, {"a", "b", "d", "z"}, 3),
)
def _(answer: Any) -> str | None:
    letters = {str(entry) for entry in answer}
    expect(letters <= set(RELATIONS), "the letters are a to f")
    for letter, (rho, alpha, atoms, constant) in RELATIONS.items():
        verdict = er.is_affine_symmetry(rho, alpha, atoms, constant)
        if letter in letters and verdict.status is FAILS:
            raise Wrong(f"({letter}) fails at t = {verdict.evidence.point[0]}")
    missing = sum(er.is_affine_symmetry(*relation).status is HOLDS for relation in RELATIONS.values()) - len(letters)
    expect(missing == 0, f"{missing} more hold(s)")
    return None


@check.exercise(
    "8.3",
    hints=("Flip both neurons.", "The four-term symmetry at t = x + 1 also says what the output bias must be."),
    mistakes=(
        STEP,
        shallow_network([(-1, -1, 1), (-1, 0, -1)]),
        shallow_network([(-1, -1, -1), (-1, 0, 1)], constant=1),
        shallow_network([(-1, 1, 1), (-1, 0, -1)], constant=1),
        shallow_network([(-1, -1, 1), (1, 0, -1)], constant=1),
        "flip",
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 2, 1))
    rows: Any = net.layers[0].blocks[0][1]
    expect(all(row[0] < 0 for row in rows), "both weights from the input must be negative")
    same = er.same_function(STEP, net)
    if same.status is FAILS:
        x = same.evidence.point
        raise Wrong(f"at x = {x[0]} the value is {net(x)[0]}, not {STEP(x)[0]}")
    return None


@check.exercise(
    "8.4",
    hints=(
        "Exactly one nonempty set of neurons may have the sum 0, and no two of its neurons may be parallel.",
        "Start from the network of section 5 and add a neuron.",
    ),
    mistakes=(
        shallow_network([((1, 0), 0, 1), ((1, 0), -1, -1), ((0, 1), 0, 1), ((1, 1), 0, 1)]),
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 1, 1), ((1, 2), 3, 1)]),
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 1, -1), ((0, 1), 1, 1)]),
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 1, -1), ((1, 1), 1, 1)]),
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), 1, -1)]),
        shallow_network([((1, 0), 0, 1), ((1, 0), -1, 1), ((0, 1), 0, 1), ((2, 1), 1, -1)]),
        4,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (2, 4, 1))
    local = er.globally_identifiable(net)
    for name in ("nonzero_output", "kinked", "distinct_hyperplanes"):
        found = [one for one in local.conditions if one.id == name]
        expect(all(one.status is HOLDS for one in found), f"{found[0].detail}" if found else name)
    classes = len(list(er.fibre(net)))
    expect(classes == 2, f"it has {classes} parameterization(s)")
    expect(len(er.orbit(net).smallest) == 1, "symmetries lead from one to the other")
    expect(len(er.orbit(net).classes) == 1, "two neurons are parallel, and symmetries relate them")
    return None
