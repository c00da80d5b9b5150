r"""Permutation-scaling equivalence :math:`\theta\sim_{PS}\theta'`.

Normalised networks are matched by colour refinement; where twins leave a
choice, one neuron is set apart and each possible partner is tried. The result
is verified by :func:`~exactrelu.symmetries.scaling.scalings_between` before it
is reported. Neurons that can be exchanged at will cost no choice at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..errors import BudgetExceeded, check_budget
from ..networks import Network
from ..verdicts import Condition, Neuron, Rescaling, Status, Verdict, brief
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
from .scaling import Obstruction, not_comparable, scalings_between

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
    check_budget(budget)
    return _verdict(left, right, budget).about("permutation_scaling_equivalent", left=left, right=right)


def _verdict(left: Network, right: Network, budget: int) -> Verdict:
    if _outline(left) != _outline(right) or not left.is_homogeneous:
        return not_comparable(CLAIM, left, right)
    fixed = _first_difference(left, right)
    if fixed is not None:
        return Verdict(CLAIM, Status.FAILS, (fixed.condition(),))
    search = _Matching((left, right), budget)
    try:
        found = search.run()
    except BudgetExceeded as error:
        condition = Condition("matching_neurons", Status.UNKNOWN, (), str(error))
        return Verdict(CLAIM, Status.UNKNOWN, (condition,))
    if found is not None:
        return Verdict(CLAIM, Status.HOLDS, evidence=found)
    return Verdict(CLAIM, Status.FAILS, (search.obstruction.condition(),))


def _outline(net: Network) -> tuple[object, ...]:
    """What no permutation within layers can change."""
    layers = [(layer.bias is None, Counter(layer.activations), [s for s, _ in layer.blocks]) for layer in net.layers]
    return net.widths, layers, net.layers[-1].activations


def _first_difference(left: Network, right: Network) -> Obstruction | None:
    """A parameter between inputs and outputs, which no permutation or scaling moves, with two values."""
    ours, theirs = (
        {p.name: p for p in net.parameters if p.target[0] == net.depth and (p.source is None or p.source[0] == 0)}
        for net in (left, right)
    )
    for name in sorted(ours.keys() | theirs.keys()):
        values = [found[name].value if name in found else None for found in (ours, theirs)]
        if values[0] != values[1]:
            shown = ["absent" if value is None else brief(value) for value in values]
            target = (ours.get(name) or theirs[name]).target
            detail = f"{name} is {shown[0]} in the first network and {shown[1]} in the second"
            return Obstruction("same_fixed_parameters", (target,), detail)
    return None


State = tuple[NeuronGraph, Colours, tuple[Vertex, ...]]


class _Matching:
    """The search for an isomorphism of two networks, with its first obstruction.

    Depth first over the choices between twins, with a stack of its own, since
    there may be more of them than Python nests calls.
    """

    def __init__(self, networks: tuple[Network, Network], budget: int) -> None:
        self.networks = networks
        self.budget = budget
        self.tries = 0
        self.obstruction = Obstruction("matching_neurons", (), "no way of matching neurons that look alike fits")
        self.explained = False

    def run(self) -> Rescaling | None:
        """The permutation and scalings, or ``None`` with an obstruction."""
        graph = neuron_graph(self.networks)
        stack: list[Iterator[State]] = [iter([(graph, graph.colours, ())])]
        while stack:
            state = next(stack[-1], None)
            if state is None:
                stack.pop()
                continue
            outcome = self._step(*state)
            if isinstance(outcome, Rescaling):
                return outcome
            if outcome is not None:
                stack.append(outcome)
        return None

    def _step(
        self, graph: NeuronGraph, colours: Colours, anchors: tuple[Vertex, ...]
    ) -> Rescaling | Iterator[State] | None:
        """Refine once: a verified result, the choices that are left, or a dead end."""
        colours = refine(graph, colours)
        groups = classes(colours)
        for group in groups:
            ours = [neuron for k, neuron in group if k == 0]
            if 2 * len(ours) != len(group):
                self._explain(group, ours)
                return None
        open_groups = [group for group in groups if len(group) > 2 and not _all_clones(graph, group)]
        if not open_groups:
            pairs: dict[Neuron, Neuron] = {}
            for group in groups:
                half = len(group) // 2
                pairs.update((a[1], b[1]) for a, b in zip(sorted(group)[:half], sorted(group)[half:], strict=True))
            return self._verified(pairs)
        return self._choices(graph, colours, anchors, min(open_groups, key=len))

    def _choices(
        self, graph: NeuronGraph, colours: Colours, anchors: tuple[Vertex, ...], group: list[Vertex]
    ) -> Iterator[State]:
        chosen = min(group)
        for partner in without_clones(graph, [vertex for vertex in group if vertex[0] == 1]):
            self.tries += 1
            if self.tries > self.budget:
                raise BudgetExceeded("choices between twins", self.budget)
            apart = individualise(colours, (chosen, partner))
            if chosen in graph.free:
                more = (*anchors, chosen, partner)
                yield neuron_graph(self.networks, more), apart, more
            else:
                yield graph, apart, anchors

    def _verified(self, partner: dict[Neuron, Neuron]) -> Rescaling | None:
        left, right = self.networks
        permutation = tuple(
            tuple(partner[layer, i][1] for i in range(width)) for layer, width in enumerate(left.widths[1:-1], start=1)
        )
        moved = left.permute(permutation)
        if moved.architecture != right.architecture:
            self._obstruct((), "after the only possible matching, the absent edges do not correspond")
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
        """Keep the first obstruction, unless a choice was made: then it only speaks of that choice."""
        if not self.explained and not self.tries:
            self.obstruction = Obstruction("matching_neurons", neurons, detail)
            self.explained = True


def _all_clones(graph: NeuronGraph, group: list[Vertex]) -> bool:
    """Whether, on either side, the neurons of a group can be exchanged at will: then any matching will do."""
    return all(len(without_clones(graph, [vertex for vertex in group if vertex[0] == k])) == 1 for k in (0, 1))
