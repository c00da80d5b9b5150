"""The checks of notebook 5."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import exactrelu as er
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, network, number

check = Exercises()

HOLDS, FAILS = er.Status.HOLDS, er.Status.FAILS
INTERVAL, SQUARE = "[-1,1]", "[-1,1]^2"


def three(last: object) -> er.Network:
    """The network of exercises 5.1 and 5.2."""
    return shallow_network([(1, "1/2", 1), (1, 0, 2), (1, "-1/2", last)])


CASES: dict[str, list[tuple[object, object, object]]] = {
    "a": [(1, -1, 1)],
    "b": [(1, 0, 1), (-3, 0, 1)],
    "c": [(1, "1/2", 1), (1, "-1/2", -1)],
    "d": [(1, 0, 1), (2, -1, 0)],
    "e": [(1, "1/2", 1), (1, "-1/2", 1)],
}
CONDITIONS = {
    "nonzero_output": "C1",
    "nonzero_input": "C2",
    "kinked": "C2",
    "no_positive_twins": "C3",
    "distinct_hyperplanes": "C3",
    "no_zero_sum_flip": "C4",
}


def failing(net: er.Network) -> str:
    """The condition that fails on the interval, or "none"."""
    verdict = er.globally_identifiable(net, INTERVAL)
    return next((CONDITIONS[one.id] for one in verdict.conditions if one.status is FAILS), "none")


@check.exercise(
    "5.1",
    hints=("1 + 2 - 3 = 0.", "Turn all three neurons around. Which constant has to be made up for?"),
    mistakes=(
        three(-3),
        three(-3).rescale([[2, 3, 4]]),
        shallow_network([(-1, "-1/2", 1), (-1, 0, 2), (-1, "1/2", -3)]),
        shallow_network([(-1, "-1/2", 1), (-1, 0, 2)]),
        "flip",
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 3, 1))
    same = er.same_function(three(-3), net, INTERVAL)
    if same.status is FAILS:
        x = same.evidence.point
        raise Wrong(f"the functions differ at x = {x[0]}: yours is {net(x)[0]}, the other one {three(-3)(x)[0]}")
    equivalent = er.permutation_scaling_equivalent(three(-3), net).status
    expect(equivalent is FAILS, "it is the same network up to permutation and scaling")
    return None


@check.exercise(
    "5.2",
    hints=("Go through C1 to C4 with v as an unknown.", "Which subsets of {1, 2, v} can have the sum 0?"),
    mistakes=({-1, -2, -3}, {-3}, {0, 1, 2, 3}, {0, -1, -2, -3, -4}, set(), 5),
)
def _(answer: Any) -> str | None:
    given = {number(entry) for entry in answer}
    for v in sorted(given):
        expect(er.globally_identifiable(three(v), INTERVAL).status is FAILS, f"for v = {v} it is globally identifiable")
    missing = [v for v in range(-9, 10) if v not in given and failing(three(v)) != "none"]
    expect(
        not missing, f"{len(missing)} integer(s) are missing; think of {failing(three(missing[0])) if missing else ''}"
    )
    return None


@check.exercise(
    "5.3",
    hints=(
        "First the ranges of the forms on [-1,1], then the kinks, then the sums of v w.",
        "All five answers differ.",
    ),
    mistakes=(
        {"a": "none", "b": "C3", "c": "C4", "d": "C1", "e": "none"},
        {"a": "C2", "b": "C4", "c": "C4", "d": "C1", "e": "none"},
        {"a": "C2", "b": "C3"},
        "C1",
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping), 'give a dictionary {"a": "C1", ...}')
    wrong = [name for name, neurons in CASES.items() if answer.get(name) != failing(shallow_network(neurons))]
    expect(not wrong, f"look again at {', '.join(wrong)}")
    return None


@check.exercise(
    "5.4",
    hints=(
        "Make a sum of three vectors v w vanish, and keep C1 to C3.",
        "Choose two vectors; what must the third one be?",
    ),
    mistakes=(
        shallow_network([((1, 0), "1/4", 1), ((0, 1), "-1/4", 1), ((1, 1), "1/8", -1)]),
        shallow_network([((1, 1), 0, 1), ((1, 2), "1/4", 1), ((2, 3), 0, 1)]),
        shallow_network([((1, 1), 0, 1), ((1, 2), "1/4", 1), ((2, 3), 9, -1)]),
        shallow_network([((1, 1), 0, 1), ((2, 2), "1/4", 1), ((3, 3), "1/5", -1)]),
        shallow_network([((1, 1), 0, 1), ((1, 2), "1/4", 1)]),
        4,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (2, 3, 1))
    rows: Any = net.layers[0].blocks[0][1]
    expect(all(entry for row in rows for entry in row), "a weight is 0")
    parallel = any(a[0] * b[1] == a[1] * b[0] for a, b in combinations(rows, 2))
    expect(not parallel, "two weight vectors are parallel")
    local, everywhere = er.locally_identifiable(net, SQUARE), er.globally_identifiable(net, SQUARE)
    reasons = "; ".join(one.detail for one in local.conditions if one.status is FAILS)
    expect(local.status is HOLDS, f"it is not locally identifiable: {reasons}")
    expect(everywhere.status is FAILS, "it is globally identifiable")
    return None
