"""The checks of notebook 3."""

from typing import Any

import exactrelu as er

from .exercises import Exercises, expect, number

check = Exercises()

NET = er.Network.mlp([[[2, -1], [1, 0]], [[3, -1]]], [[1, 5], [4]])


@check.exercise(
    "3.1",
    hints=(
        "A path from an input has two factors: a weight into the neuron and its outgoing weight.",
        "The weight 0 counts.",
    ),
    mistakes=([6, -1, -3, 0, 3, 5, 4], [6, -3, -1, 0, 3, -5, 4], [6, -1, -3, 3, -5, 4], 5),
)
def _(answer: Any) -> str | None:
    given = tuple(map(number, answer))
    vector = er.path_embedding(NET).vector
    expect(len(given) == len(vector), f"there are {len(vector)} paths")
    wrong = [k + 1 for k, (a, b) in enumerate(zip(given, vector, strict=True)) if a != b]
    expect(not wrong, f"look again at the entries number {', '.join(map(str, wrong))}")
    return None


@check.exercise(
    "3.2",
    hints=(
        "Count three kinds of paths: from inputs, from hidden biases, from output biases.",
        "In how many ways does a path go on?",
    ),
    mistakes=(24, 32, 30, 9),
)
def _(answer: Any) -> str | None:
    value = number(answer)
    expect(value != 24, "paths start at biases, too")
    expect(value == er.count_paths(er.Network.random((3, 4, 2), seed=0)), "count the paths by where they start")
    return None


@check.exercise(
    "3.3",
    hints=(
        "Rescaling a neuron leaves all products along paths unchanged. What is its direction?",
        "Multiply what goes into neuron 0 by 1 + t, divide what goes out by 1 + t, and differentiate at t = 0.",
    ),
    mistakes=([0] * 9, [2, -1, 0, 0, 1, 0, 3, 0, 0], [2, -1, 0, 0, 0, 0, -3, 0, 0], [1, 0, 0], "kernel"),
)
def _(answer: Any) -> str | None:
    delta = tuple(map(number, answer))
    expect(len(delta) == len(NET.parameters), f"the network has {len(NET.parameters)} parameters")
    expect(any(delta), "the vector must not be 0")
    phi = er.path_embedding(NET)
    for path, row in zip(phi.paths, phi.jacobian(), strict=True):
        slope = sum(a * b for a, b in zip(row, delta, strict=True))
        expect(slope == 0, f"in this direction the product along the path {path} has the derivative {slope}")
    return None


@check.exercise(
    "3.4",
    hints=("Look at the three rows of the matrix in section 4.", "Which row cannot vanish?"),
    mistakes=(((2, 3, 0), 2), ((0, 0, 1), 3), ((0, 0, 0), 0), ((0, 0, 0), 2), 1),
)
def _(answer: Any) -> str | None:
    (w, b, v), rank = answer
    net = er.Network.mlp([[[w]], [[v]]], [[b], [0]])
    least = er.embedding_rank(er.Network.mlp([[[0]], [[0]]], [[0], [0]]))
    expect(er.embedding_rank(net) == number(rank), "this is not the rank at these parameters")
    expect(number(rank) == least, "there are parameters with a smaller rank")
    return None
