r"""One representative of every permutation-scaling class of admissible networks."""

from __future__ import annotations

import sys
from fractions import Fraction

from ..errors import Budget, BudgetExceeded, HypothesisNotMet, NotAdmissible, check_budget
from ..networks import Network
from ..paths import admissible
from ..verdicts import Status
from .normal_form import normalising_factors
from .permutation_scaling import DEFAULT_BUDGET
from .refinement import Colours, Vertex, classes, individualise, neuron_graph, refine, without_clones


def canonical_form(net: Network, *, budget: int = DEFAULT_BUDGET) -> Network:
    r"""The representative of the class of :math:`\theta` under :math:`\sim_{PS}`.

    Every hidden neuron is scaled so that the largest absolute value among its
    incoming weights and bias is 1, and the neurons of a layer are put in an
    order that does not depend on the given one. For admissible networks,
    :math:`\theta\sim_{PS}\theta'` exactly when the canonical forms are equal.

    Raises :class:`~exactrelu.errors.NotAdmissible` for other networks, and
    :class:`~exactrelu.errors.BudgetExceeded` when twins would need more than
    ``budget`` choices.

    >>> canonical_form(Network.mlp([[[4], [-2]], [[1, 3]]], [[2, 1], [0]]))
    Network.mlp([[[-1], [1]], [[6, 4]]], [["1/2", "1/2"], [0]])
    """
    check_budget(budget)
    if not net.is_homogeneous:
        raise HypothesisNotMet("network", "must have positively homogeneous activations to be rescaled")
    verdict = admissible(net)
    if verdict.status is not Status.HOLDS:
        faults = "; ".join(condition.detail for condition in verdict.conditions if condition.detail)
        raise NotAdmissible("network", f"must be admissible to have a canonical form: {faults}")
    search = _Labelling(net, budget)
    try:
        return search.arranged(search.run(refine(search.graph, search.graph.colours)))
    except RecursionError:
        raise BudgetExceeded("nested choices between twins", sys.getrecursionlimit()) from None


class _Labelling:
    """The search for the canonical order: among all orders that refinement leaves, the least network."""

    def __init__(self, net: Network, budget: int) -> None:
        factors = normalising_factors(net)
        self.net = net.rescale({neuron: factors[neuron] for neuron in net.hidden_neurons})
        self.tries = Budget("choices between twins", budget)
        self.graph = neuron_graph([self.net])

    def run(self, colours: Colours) -> Colours:
        """The colouring without ties that gives the least network."""
        group = next((group for group in classes(colours) if self._open(group)), None)
        if group is None:
            return colours
        orbits: list[Colours] = []
        for vertex in without_clones(self.graph, group):
            child = refine(self.graph, individualise(colours, (vertex,)))
            # Two choices exchanged by an automorphism lead to the same networks: follow one.
            if not any(self.isomorphic(child, other) for other in orbits):
                orbits.append(child)
        leaves = [self.run(child) for child in orbits]
        return leaves[0] if len(leaves) == 1 else min(leaves, key=self.key)

    def isomorphic(self, first: Colours, second: Colours) -> bool:
        """Whether an automorphism of the network carries one colouring to the other."""
        self.tries.spend()
        ours, theirs = classes(first), classes(second)
        if [len(group) for group in ours] != [len(group) for group in theirs]:
            return False
        open_pair = next(((a, b) for a, b in zip(ours, theirs, strict=True) if self._open(a) or self._open(b)), None)
        if open_pair is None:
            return self.key(first) == self.key(second)
        chosen = refine(self.graph, individualise(first, (min(open_pair[0]),)))
        return any(
            self.isomorphic(chosen, refine(self.graph, individualise(second, (vertex,))))
            for vertex in without_clones(self.graph, open_pair[1])
        )

    def _open(self, group: list[Vertex]) -> bool:
        """Whether the order within a group matters: exact clones can be exchanged at will."""
        return len(group) > 1 and len(without_clones(self.graph, group)) > 1

    def arranged(self, colours: Colours) -> Network:
        """The normalised network with its neurons in the order of their colours."""
        permutation = []
        for layer, width in enumerate(self.net.widths[1:-1], start=1):
            order = sorted(range(width), key=lambda i: colours[0, (layer, i)])
            permutation.append([order.index(i) for i in range(width)])
        return self.net.permute(permutation)

    def key(self, colours: Colours) -> tuple[object, ...]:
        """A total order on arranged networks."""
        net = self.arranged(colours)
        values: list[tuple[int, Fraction]] = []
        for layer in net.layers:
            for _, block in layer.blocks:
                values += [(0, Fraction(0)) if entry is None else (1, entry) for row in block for entry in row]
            values += [(1, entry) for entry in layer.bias or ()]
        return tuple(values)
