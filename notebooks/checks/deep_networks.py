"""The checks of notebook 6."""

from collections.abc import Mapping
from typing import Any

import exactrelu as er
from exactrelu.zoo import shallow_network

from .exercises import Exercises, Wrong, expect, network, number

check = Exercises()

HOLDS, FAILS = er.Status.HOLDS, er.Status.FAILS
RAMP = shallow_network([(1, -1, 1)])
ABSOLUTE = shallow_network([(1, 0, 1), (-1, 0, 1)])
POINTS: tuple[object, ...] = (-3, "-1/10", "1/20", 2)


def chain(w: object, b: object, v: object, a: object, c: object, e: object) -> er.Network:
    """The network c s(v s(w x + b) + a) + e."""
    return er.Network.mlp([[[w]], [[v]], [[c]]], [[b], [a], [e]])


CHAINS = {
    "a": chain(1, -1, 3, 5, 2, 0),
    "b": chain(2, 0, -1, 4, 1, -1),
    "c": chain(1, 0, -1, -3, 1, 2),
    "d": chain(-1, 1, 1, -7, 5, 0),
}


@check.exercise(
    "6.1",
    hints=("Where is the kink, and what can be seen on either side?", "Left of the kink one sample says everything."),
    mistakes=([0, "1/2", 2], ["5/4", "3/2", 2], ["1/2", 1, 2], [-1, "3/2", 2], ["1/2", "3/2"], ["1/2", 2, 2], 3),
)
def _(answer: Any) -> str | None:
    points = [number(entry) for entry in answer]
    expect(len(points) == 3, "give three samples")
    expect(all(0 <= x <= 2 for x in points), "a sample lies outside [0,2]")
    expect(len(set(points)) == 3, "the samples must be different")
    expect(1 not in points, "1 is the kink: there is no derivative")
    rank = er.sample_rank(RAMP, [[x] for x in points])
    expect(rank == 3, f"the rank of the sample Jacobian is {rank}, and D - h = 3")
    return None


@check.exercise(
    "6.2",
    hints=(
        "Draw the four functions. How many kinks do they have?",
        "All four are constant somewhere; one is so everywhere.",
    ),
    mistakes=(
        {"a": 4, "b": 4, "c": 4, "d": 4},
        {"a": 3, "b": 4, "c": 0, "d": 3},
        {"a": 3, "b": 4, "c": 1, "d": 1},
        {"a": 3, "b": 4, "c": 1},
        3,
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, Mapping), 'give a dictionary {"a": 1, ...}')
    expect(set(answer) == set(CHAINS), "answer a, b, c and d")
    wrong = [name for name, net in CHAINS.items() if number(answer[name]) != er.functional_dimension(net)]
    expect(not wrong, f"look again at {', '.join(wrong)}")
    return None


@check.exercise(
    "6.3",
    hints=("Section 4 does it for other samples.", "Which sample is nearest to 0? The kinks may move as far as that."),
    mistakes=(
        ABSOLUTE,
        shallow_network([(2, 0, "1/2"), (-1, 0, 1)]),
        shallow_network([(1, "-1/10", 1), (-1, "-1/10", 1)], constant="1/10"),
        shallow_network([(1, "-1/20", 1), (-1, "-1/20", 1)]),
        shallow_network([(1, 0, 1), (-1, 0, 1), (1, 5, 0)]),
        "|x|",
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 2, 1))
    for x in POINTS:
        given, wanted = net([x])[0], ABSOLUTE([x])[0]
        expect(given == wanted, f"at {x} the value is {given}, not {wanted}")
    expect(er.same_function(net, ABSOLUTE).status is FAILS, "it has the function |x|")
    return None


@check.exercise(
    "6.4",
    hints=(
        "One of the four kinds of chains is constant, and one is identifiable. Take another one.",
        "Let one bias absorb the other: the first neuron is on wherever the second one is.",
    ),
    mistakes=(
        chain(1, 0, 1, -1, 1, 0),
        chain(1, 1, -1, 2, 1, 3),
        chain(1, 1, -1, -2, 1, 3),
        chain(1, 1, 0, 2, 1, 3),
        chain(1, 1, 1, -2, 0, 3),
        shallow_network([(1, 1, 1)], constant=1),
        "chain",
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, (1, 1, 1, 1))
    zeros = [parameter.name for parameter in net.parameters if not parameter.value]
    expect(not zeros, f"these parameters are 0: {', '.join(zeros)}")
    constant = chain(1, 0, 1, 0, 0, net([0])[0])
    expect(er.same_function(net, constant).status is FAILS, "its function is constant")
    verdict = er.locally_identifiable(net)
    if verdict.status is HOLDS:
        raise Wrong(f"it is locally identifiable: {verdict.evidence.explain()}")
    expect(verdict.status is FAILS, "whether it is locally identifiable is not decided; take a simpler one")
    return f"the functional dimension is {er.functional_dimension(net)}, and D - h = 4"
