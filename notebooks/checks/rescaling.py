"""The checks of notebook 4."""

from typing import Any

import exactrelu as er

from .exercises import Exercises, expect, network, number

check = Exercises()

HOLDS = er.Status.HOLDS
NET = er.Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
TARGET = er.Network.mlp([[[2, 4], ["2/3", "-1/3"], [-5, 5]], [["1/2", 6, "-3/5"]]], [[2, "-1/3", 10], ["1/2"]])
MUTE = er.Network.mlp([[[1], [1]], [[1, 0]]], [[0, 1], [0]])


def signs(net: er.Network) -> list[int]:
    """The signs of all parameters."""
    return [(p.value > 0) - (p.value < 0) for p in net.parameters]


@check.exercise(
    "4.1",
    hints=(
        "Everything that goes into neuron i is multiplied by its number.",
        "Divide incoming weights of target by those of net.",
    ),
    mistakes=(["1/2", 3, "1/5"], [2, 3, 5], [2, "1/3"], [2, 1 / 3, 5], [-2, "1/3", 5]),
)
def _(answer: Any) -> str | None:
    scalings = tuple(map(number, answer))
    expect(len(scalings) == 3, "give three numbers")
    expect(all(scaling > 0 for scaling in scalings), "scalings are positive")
    moved = NET.rescale([scalings])
    wrong = [p.name for p, q in zip(moved.parameters, TARGET.parameters, strict=True) if p.value != q.value]
    expect(not wrong, f"with these scalings {', '.join(wrong)} would be different")
    return None


@check.exercise(
    "4.2",
    hints=("What goes out is divided by the scaling.", "What goes in is multiplied by it."),
    mistakes=(((6, -3, 1), "1/3"), (("2/3", "-1/3", 1), "1/3"), ((6, -1, 1), 3), (6, -3, 1)),
)
def _(answer: Any) -> str | None:
    (w, b, v), scaling = answer
    before = er.Network.mlp([[[2]], [[3]]], [[-1], None])
    after = er.Network.mlp([[[w]], [[v]]], [[b], None])
    expect(number(v) == 1, "the outgoing weight must be 1")
    expect(er.same_function(before, after).status is HOLDS, "this is another function")
    expect(before.rescale([[scaling]]) == after, "parameters right, but this scaling does not lead to them")
    return None


@check.exercise(
    "4.3",
    hints=(
        "How many classes have the same embedding? What distinguishes them?",
        "Change signs in pairs, at one neuron.",
    ),
    mistakes=(
        NET,
        TARGET,
        NET.permute([[1, 0, 2]]),
        NET.replace({"b[2][0]": 0}),
        NET.flip([0]),
        er.zoo.HAT,
        8,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, NET.widths)
    phi = er.path_embedding(NET)
    pairs = zip(phi.paths, phi.vector, er.path_embedding(net).vector, strict=True)
    wrong = [str(path) for path, ours, theirs in pairs if ours != theirs]
    expect(not wrong, f"the products along these paths differ: {'; '.join(wrong)}")
    verdict = er.same_function(NET, net)
    expect(verdict.status is er.Status.FAILS, "it has the same function")
    return f"The functions differ, for example here: {verdict.evidence.explain()}."


@check.exercise(
    "4.4",
    hints=("Is this network admissible?", "Nobody hears the second neuron. Which of its numbers may change, and how?"),
    mistakes=(
        MUTE,
        MUTE.rescale([[2, 3]]),
        MUTE.permute([[1, 0]]),
        MUTE.replace({"b[1][1]": -1}),
        MUTE.replace({"w[2<-1][0,1]": 1}),
        MUTE.replace({"w[1<-0][1,0]": 2, "b[1][1]": 2}),
        er.Network.mlp([[[1], [1]], [[1, 0]]], [[0, 2], None]),
        0,
    ),
)
def _(answer: Any) -> str | None:
    net = network(answer, MUTE.widths)
    expect(er.path_embedding(net).vector == er.path_embedding(MUTE).vector, "it has another embedding")
    expect(signs(net) == signs(MUTE), "the signs of some parameters are different")
    expect(er.same_function(net, MUTE).status is HOLDS, "it has another function")
    equivalent = er.permutation_scaling_equivalent(net, MUTE).status
    expect(equivalent is er.Status.FAILS, "it is the same up to permutation and scaling")
    return None
