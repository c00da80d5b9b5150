"""The checks of notebook 2."""

from itertools import pairwise
from typing import Any

import networkx as nx

import exactrelu as er

from .exercises import Exercises, expect, number

check = Exercises()

NET = er.Network.mlp([[[1, 2], [2, -1], [-1, 1]], [[1, 2, -3]]], [[1, -1, 2], ["1/2"]])
ABSOLUTE = er.Network.mlp([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])


@check.exercise(
    "2.1",
    hints=("Every facet flips one neuron. Which region differs from --- in all three signs?", "Every step is an edge."),
    mistakes=(["---", "+--", "++-", "+++"], ["---", "--+", "-++"], ["+++", "-++", "--+", "---"], ["---"], 3,
              ["---", "--+", "---", "--+", "-++", "+++"]),
)  # fmt: skip
def _(answer: Any) -> str | None:
    walk = list(map(str, answer))
    graph = er.activation_regions(NET).graph()
    expect(walk[0] == "---", 'the walk begins at "---"')
    for before, after in pairwise(walk):
        expect(graph.has_edge(before, after), f"{before} and {after} are not adjacent regions")
    distances = nx.shortest_path_length(graph, "---")
    expect(distances[walk[-1]] == max(distances.values()), f"there is a region farther away than {walk[-1]}")
    expect(len(walk) - 1 == distances[walk[-1]], "there is a shorter walk")
    return None


@check.exercise(
    "2.2",
    hints=("What are the neurons at x = 0 itself?", "R2 to R6 see only the two half-lines."),
    mistakes=((2, 2, 2, 2, 2, 2), (3, 3, 3, 3, 3, 2), (3, 2, 2, 2), 2),
)
def _(answer: Any) -> str | None:
    given = tuple(map(number, answer))
    expect(len(given) == 6, "give six numbers")
    counts = er.region_counts(er.activation_regions(ABSOLUTE))
    names = ("R1", "R2", "R3", "R4", "R5", "R6")
    wrong = [name for name, value in zip(names, given, strict=True) if value != getattr(counts, name)]
    expect(not wrong, f"look again at {', '.join(wrong)}")
    return "At 0 both neurons are off: a third on/off pattern, on a set without interior points."


@check.exercise(
    "2.3",
    hints=(
        "Three regions means two kinks of neurons, at different places.",
        "s(t) - s(-t) = t has no kink. Use it twice.",
    ),
    mistakes=(
        ABSOLUTE,
        er.zoo.HAT,
        er.Network.mlp([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]),
        er.Network.mlp([[[1], [1]], [[0, 1]]], [[0, 1], [0]]),
        NET,
        "x",
    ),
)
def _(answer: Any) -> str | None:
    expect(isinstance(answer, er.Network), "give a network")
    expect(answer.input_dim == answer.output_dim == 1, "it must have one input and one output")
    expect(answer.depth == 2, "it must have one hidden layer")
    counts = er.region_counts(er.activation_regions(answer))
    expect((counts.R2, counts.R6) == (3, 1), f"your network has R2 = {counts.R2} and R6 = {counts.R6}")
    return None


@check.exercise(
    "2.4",
    hints=(
        "A point of exactly one line: is its on/off pattern that of a region beside it?",
        "And the common point of all lines? Is its pattern always that of a region?",
    ),
    mistakes=(20, 22, 41, 56),
)
def _(answer: Any) -> str | None:
    value = number(answer)
    expect(value != 41, "20 regions, 20 half-lines and the point have 41 sign patterns, but 0 and - are both off")
    rows = [[(-1) ** k, (-1) ** k * k] for k in range(10)]
    net = er.Network.mlp([rows, [[1] * 10]], [[0] * 10, [0]])
    expect(
        value == er.region_counts(er.activation_regions(net)).R1, "count the patterns on regions, lines, and the point"
    )
    return None
