"""Colour refinement of the neurons of normalised networks.

The hidden neurons of one or two networks are the vertices of a graph whose
edges carry the normalised weights. Its isomorphisms that preserve layers and
labels are exactly the permutations with scalings between the networks. Colour
refinement splits the neurons by what they hear and who hears them, until
nothing splits any more; an isomorphism must preserve the colours.

Colours are ranks in sorted lists of signatures, never hashes, so that they do
not depend on the order of the neurons.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..networks import Network
from ..verdicts import Neuron
from .normal_form import normalising_factors

Vertex = tuple[int, Neuron]
"""A hidden neuron together with the number (0 or 1) of its network."""
Colours = dict[Vertex, int]
Label = tuple[int, Fraction]

_EXACT, _SIGN = 1, 2  # kinds of labels; an absent edge has none


@dataclass(frozen=True, slots=True)
class NeuronGraph:
    """The hidden neurons of ``networks`` with labelled edges between them.

    ``edges[v]`` lists pairs (neighbour, label number), where the number also
    tells the direction; ``colours`` are the first colours, by layer, activation,
    bias, and weights from inputs and to outputs. ``free`` are the neurons that
    no normalisation reaches.
    """

    networks: tuple[Network, ...]
    edges: dict[Vertex, tuple[tuple[Vertex, int], ...]]
    colours: Colours
    free: frozenset[Vertex]


def neuron_graph(networks: Sequence[Network], anchors: Iterable[Vertex] = ()) -> NeuronGraph:
    """The graph of one or two networks; ``anchors`` fix the scale of free components."""
    anchors = tuple(anchors)
    own: dict[Vertex, list[Any]] = {}
    labelled: list[tuple[Vertex, Vertex, Label]] = []
    free = set()
    for k, net in enumerate(networks):
        factors = normalising_factors(net, [neuron for number, neuron in anchors if number == k])
        free |= {(k, neuron) for neuron in net.hidden_neurons if neuron not in factors}
        for layer, index in net.hidden_neurons:
            own[k, (layer, index)] = [layer, json.dumps(net.layers[layer - 1].activations[index].to_json())]
        for parameter in net.parameters:
            source, target = parameter.source, parameter.target
            inner = source is not None and source[0] > 0
            if target in factors and (source is None or source in factors):
                scale = factors[target] / (factors[source] if source is not None else 1)
                label: Label = (_EXACT, parameter.value * scale)
            else:
                label = (_SIGN, Fraction((parameter.value > 0) - (parameter.value < 0)))
            if inner and target[0] < net.depth:
                assert source is not None
                labelled.append(((k, source), (k, target), label))
            elif target[0] < net.depth:
                own[k, target].append((source or (-1, 0), label))
            elif inner:
                assert source is not None
                own[k, source].append((target, label))
    # The number of an edge is twice the rank of its label, plus 1 against its direction.
    ranks = {label: rank for rank, label in enumerate(sorted({label for *_, label in labelled}))}
    edges: dict[Vertex, list[tuple[Vertex, int]]] = {vertex: [] for vertex in own}
    for start, end, label in labelled:
        edges[start].append((end, 2 * ranks[label]))
        edges[end].append((start, 2 * ranks[label] + 1))
    signatures = {vertex: (*entry[:2], tuple(sorted(entry[2:]))) for vertex, entry in own.items()}
    return NeuronGraph(tuple(networks), {v: tuple(e) for v, e in edges.items()}, _ranked(signatures), frozenset(free))


def refine(graph: NeuronGraph, colours: Colours) -> Colours:
    """The coarsest stable colouring that is finer than ``colours``."""
    count = len(set(colours.values()))
    while True:
        signatures = {
            vertex: (colours[vertex], sorted((colours[other], label) for other, label in edges))
            for vertex, edges in graph.edges.items()
        }
        colours = _ranked(signatures)
        finer = len(set(colours.values()))
        if finer == count:
            return colours
        count = finer


def individualise(colours: Colours, vertices: Iterable[Vertex]) -> Colours:
    """The colours with ``vertices`` set apart, just before the rest of their class."""
    chosen = set(vertices)
    return {vertex: 2 * colour + (vertex not in chosen) for vertex, colour in colours.items()}


def classes(colours: Colours) -> list[list[Vertex]]:
    """The vertices of every colour, colours ascending."""
    found: dict[int, list[Vertex]] = {}
    for vertex, colour in colours.items():
        found.setdefault(colour, []).append(vertex)
    return [found[colour] for colour in sorted(found)]


def without_clones(graph: NeuronGraph, vertices: Iterable[Vertex]) -> list[Vertex]:
    """One vertex of each set with identical edges: exchanging two of them changes nothing."""
    kept = {tuple(sorted(graph.edges[vertex])): vertex for vertex in reversed(list(vertices))}
    return sorted(kept.values())


def _ranked(signatures: dict[Vertex, Any]) -> Colours:
    order: list[Any] = []
    for signature in sorted(signatures.values()):
        if not order or order[-1] != signature:
            order.append(signature)
    ranks = {_frozen(signature): rank for rank, signature in enumerate(order)}
    return {vertex: ranks[_frozen(signature)] for vertex, signature in signatures.items()}


def _frozen(signature: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(part) if isinstance(part, list) else part for part in signature)
