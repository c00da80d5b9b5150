"""The checks of notebook 7."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import exactrelu as er
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, network, number

check = Exercises()

FAILS = er.Status.FAILS
ONE = shallow_network([(-1, "-1/2", 2)], constant=2)
QUADRANTS = shallow_network([((1, 0), 0, 1), ((0, -1), 0, -3)])
FIBRES = {
    "a": shallow_network([(1, 1, 1), (1, 0, 1), (1, -1, -1)]),
    "b": shallow_network([(1, 1, 1), (1, 0, -1), (1, -1, 2), (1, -2, -2)]),
    "c": shallow_network([((1, 0), 0, 1), ((0, 1), 0, 1), ((1, 1), -1, 1)]),
}


def expect_function(net: er.Network, wanted: er.Network) -> None:
    """Go on if the functions are the same, else show a point where they differ."""
    same = er.same_function(wanted, net)
    if same.status is FAILS:
        x = same.evidence.point
        where = ", ".join(map(str, x))
        raise Wrong(f"at ({where}) the value is {net(x)[0]}, not {wanted(x)[0]}")


@check.exercise(
    "7.1",
    hints=(
        "On which side is f constant? On which side is the neuron on?",
        "Two values give the line, and where it meets the constant is the kink.",
    ),
    mistakes=(
        shallow_network([(1, "1/2", -2)], constant=2),
        shallow_network([(-1, "1/2", 2)], constant=2),
        shallow_network([(-1, "-1/2", 2)]),
        shallow_network([(-1, -1, 2)], constant=2),
        shallow_network([(-1, "-1/2", 1), (-1, "-1/2", 1)], constant=2),
        (-1, "-1/2", 2),
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 1, 1))
    for x, wanted in ((-4, 9), (-3, 7), (0, 2), (5, 2)):
        expect(net([x])[0] == wanted, f"at {x} the value is {net([x])[0]}, not {wanted}")
    expect_function(net, ONE)
    return None


@check.exercise(
    "7.2",
    hints=("Which sums of v w vanish? Do not forget the empty one.", "In (c) they are vectors."),
    mistakes=(
        {"a": 2, "b": 3, "c": 0},
        {"a": 2, "b": 4, "c": 1},
        {"a": 3, "b": 3, "c": 1},
        {"a": 3, "b": 4, "c": 2},
        {"a": 3, "b": 4},
        4,
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping), 'give a dictionary {"a": 1, ...}')
    expect(set(answer) == set(FIBRES), "answer a, b and c")
    wrong = [name for name, net in FIBRES.items() if number(answer[name]) != len(list(er.fibre(net)))]
    expect(not wrong, f"look again at {', '.join(wrong)}")
    return None


@check.exercise(
    "7.3",
    hints=("Take a hat function, and make it narrow.", "Where must it not be? Its height does not matter."),
    mistakes=(
        er.zoo.HAT,
        shallow_network([(1, 0, 0), (1, 0, 0), (1, 0, 0)]),
        shallow_network([(100, 1, 1), (100, 0, -2), (100, -1, 1)]),
        shallow_network([(100, -33, 1), (100, -34, -2), (100, -35, 2)]),
        shallow_network([(100, -33, 1), (100, -34, -1)]),
        shallow_network([(100, -3333, 1), (100, -3334, -2), (100, -3335, 1)]),
        0,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 3, 1))
    zero = shallow_network([(1, 0, 0), (1, 1, 0), (1, 2, 0)])
    expect(er.same_function(net, zero).status is FAILS, "it is the function 0")
    (_, rows), biases = net.layers[0].blocks[0], net.layers[0].bias
    inside = all(w and abs(b) <= 8 * abs(w) for (w,), b in zip(rows, biases or (), strict=True))
    expect(inside, "a neuron has no kink in [-8,8]")
    for k in range(-34, 35):  # beyond the kinks an affine function with two zeros is 0
        x = Fraction(k, 4)
        expect(net([x])[0] == 0, f"at {x} its value is {net([x])[0]}")
    try:
        found = er.recover_shallow(net, 1, max_width=3, max_denominator=1000)
    except er.BrokenPromise as complaint:
        raise Wrong(f"it was noticed: {complaint}") from None
    seen = er.same_function(found.networks[0], shallow_network([(1, 0, 0)])).status is FAILS
    expect(not seen, f"it was found, with {found.queries} questions")
    return f"{found.queries} questions, and all answers were 0"


@check.exercise(
    "7.4",
    hints=("By what does the gradient jump across x = 0, and across y = 0?", "In which quadrant are both neurons off?"),
    mistakes=(
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, 3)]),
        shallow_network([((1, 0), 0, 1), ((0, 1), 0, -3)]),
        shallow_network([((1, 0), 0, 1), ((0, -1), 0, 3)]),
        shallow_network([((-1, 0), 0, 1), ((0, -1), 0, -3)]),
        shallow_network([((1, 0), 0, 1), ((0, -1), 0, -3), ((1, 1), 0, 0)]),
        [0, 1],
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (2, 2, 1))
    expect_function(net, QUADRANTS)
    return None
