r"""Permutation-scaling equivalence :math:`\theta\sim_{PS}\theta'`.

Normalised networks are matched by colour refinement; where twins leave a
choice, one neuron is set apart and each possible partner is tried. The result
is verified by :func:`~exactrelu.symmetries.scaling.scalings_between` before it
is reported. Exact clones never cost more than one try.
"""

from __future__ import annotations

from collections import Counter

from ..errors import BudgetExceeded
from ..networks import Network
from ..verdicts import Condition, Neuron, Rescaling, Status, Verdict
from .refinement import (
    Colours,
    NeuronGraph,
    Vertex,
    classes,
    individualise,
    neuron_graph,
    refine,
    without_clones,
)
from .scaling import Obstruction, inapplicable, scalings_between

CLAIM = "the second network is the first with its hidden neurons permuted within layers and rescaled"
DEFAULT_BUDGET = 10_000
"""The number of choices between twins that are tried unless another budget is given."""


def permutation_scaling_equivalent(left: Network, right: Network, *, budget: int = DEFAULT_BUDGET) -> Verdict:
    r"""Whether :math:`\theta\sim_{PS}\theta'`, with permutation and scalings or the first obstruction.

    ``inapplicable`` when the networks differ in widths, biases or activations;
    ``unknown`` when more than ``budget`` choices between twins would be needed.

    >>> net = Network.mlp([[[1], [-1]], [[2, 3]]], [[1, 0], [0]])
    >>> verdict = permutation_scaling_equivalent(net, net.permute([[1, 0]]).rescale([[2, 5]]))
    >>> print(verdict.evidence.explain())
    move each neuron to its new position, then multiply it by its scaling
      layer 1: positions (1, 0), scalings (2, 5)
    """
    if _outline(left) != _outline(right):
        return inapplicable(CLAIM, left, right)
    search = _Matching((left, right), budget)
    try:
        found = search.run(search.graph, search.graph.colours, ())
    except BudgetExceeded as error:
        condition = Condition("matching_neurons", Status.UNKNOWN, (), str(error))
        return Verdict(CLAIM, Status.UNKNOWN, (condition,))
    if found is not None:
        return Verdict(CLAIM, Status.HOLDS, evidence=found)
    condition = Condition("matching_neurons", Status.FAILS, search.unmatched, search.reason)
    return Verdict(CLAIM, Status.FAILS, (condition,))


def _outline(net: Network) -> tuple[object, ...]:
    """What no permutation within layers can change."""
    layers = [(layer.bias is None, Counter(layer.activations), [s for s, _ in layer.blocks]) for layer in net.layers]
    return net.widths, layers, net.layers[-1].activations


class _Matching:
    """The search for an isomorphism of two networks, with its first obstruction."""

    def __init__(self, networks: tuple[Network, Network], budget: int) -> None:
        self.networks = networks
        self.budget = budget
        self.tries = 0
        self.unmatched: tuple[Neuron, ...] = ()
        self.reason = ""
        self.graph = neuron_graph(networks)

    def run(self, graph: NeuronGraph, colours: Colours, anchors: tuple[Vertex, ...]) -> Rescaling | None:
        colours = refine(graph, colours)
        groups = classes(colours)
        for group in groups:
            ours = [neuron for k, neuron in group if k == 0]
            if 2 * len(ours) != len(group):
                self._explain(group, ours)
                return None
        open_groups = [group for group in groups if len(group) > 2]
        if not open_groups:
            return self._verified({a[1]: b[1] for a, b in map(sorted, groups)})
        group = min(open_groups, key=len)
        chosen = min(group)
        for partner in without_clones(graph, [vertex for vertex in group if vertex[0] == 1]):
            self.tries += 1
            if self.tries > self.budget:
                raise BudgetExceeded("choices between twins", self.budget)
            apart = individualise(colours, (chosen, partner))
            if chosen in graph.free:
                more = (*anchors, chosen, partner)
                result = self.run(neuron_graph(self.networks, more), apart, more)
            else:
                result = self.run(graph, apart, anchors)
            if result is not None:
                return result
        return None

    def _verified(self, partner: dict[Neuron, Neuron]) -> Rescaling | None:
        left, right = self.networks
        permutation = tuple(
            tuple(partner[layer, i][1] for i in range(width)) for layer, width in enumerate(left.widths[1:-1], start=1)
        )
        moved = left.permute(permutation)
        if moved.architecture != right.architecture:
            self._obstruct((), "the absent edges of the two networks do not correspond")
            return None
        scalings = scalings_between(moved, right)
        if isinstance(scalings, Obstruction):
            self._obstruct(scalings.neurons, f"after the only possible matching, {scalings.detail}")
            return None
        return Rescaling(permutation, scalings)

    def _explain(self, group: list[Vertex], ours: list[Neuron]) -> None:
        theirs = [neuron for k, neuron in group if k == 1]
        here, there = ("first", "second") if ours else ("second", "first")
        name = f"neuron {(ours or theirs)[0]} of the {here} network"
        if ours and theirs:
            detail = f"up to scaling, {len(ours)} neuron(s) are connected like {name}, but {len(theirs)} in the second"
        else:
            detail = f"up to scaling, no neuron of the {there} network is connected like {name}"
        self._obstruct(tuple(ours or theirs), detail)

    def _obstruct(self, neurons: tuple[Neuron, ...], detail: str) -> None:
        if not self.reason:
            self.unmatched, self.reason = neurons, detail
