r"""The networks that affine symmetries lead to, as a graph.

A *move* eliminates one neuron by a symmetry: every child of the neuron gets
the multiple of it that makes its weight from the neuron 0. The other terms of the
symmetry are neurons of the same layer, or new ones. Nodes are networks up to
permutation and scaling. With at most one neuron more than at the start, moves
reach every flip of a shallow ReLU network that symmetries can bring about (theory:
``which_flips_are_symmetries``, V3): within a class of parallel neurons one is
flipped after another, while a single opposite pair balances the account.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from ..equality import same_function
from ..errors import BudgetExceeded, HypothesisNotMet, InvalidInput, check_budget
from ..networks import Network, PiecewiseLinear
from ..networks.activations import Activation
from ..networks.formulas import activation_name
from ..verdicts import Condition, Status, Verdict
from .affine import AffineSymmetry, affine_symmetries
from .atoms import Atom
from .canonical import canonical_form
from .clones import clones, without_idle_neurons
from .irreducible import applied, elimination, parallel_neurons
from .modifications import Modification, symmetry_argument

DEFAULT_BUDGET: Final = 500
"""The number of classes that are visited unless another budget is given."""


@dataclass(frozen=True, slots=True)
class Move:
    """Modifications that lead from one representative to another; they keep the numbers of all neurons."""

    source: Network
    modifications: tuple[Modification, ...]
    target: Network

    def replay(self) -> Network:
        """The representative that the modifications lead to, computed afresh."""
        return representative(applied(self.source, self.modifications, new_biases=True))

    def explain(self) -> str:
        """The modifications and the network they lead to."""
        steps = "\n".join(f"  {modification.explain()}" for modification in self.modifications)
        return f"{steps}\n  which gives {self.target}"


@dataclass(frozen=True, slots=True)
class MovePath:
    """Evidence: a sequence of moves from a network to another."""

    start: Network
    moves: tuple[Move, ...]

    def explain(self) -> str:
        """The moves one after the other."""
        return "\n".join(["", f"  from {self.start}", *(move.explain() for move in self.moves)])


@dataclass(frozen=True, slots=True)
class Orbit:
    """The classes that moves reach from ``start`` without ever more than ``max_neurons`` hidden neurons."""

    start: Network
    max_neurons: int
    moves: tuple[Move, ...]

    @property
    def classes(self) -> tuple[Network, ...]:
        """All representatives, in the order in which they were found."""
        return tuple(dict.fromkeys([self.start, *(move.target for move in self.moves)]))

    @property
    def smallest(self) -> tuple[Network, ...]:
        """The representatives with the fewest hidden neurons."""
        least = min(len(net.hidden_neurons) for net in self.classes)
        return tuple(net for net in self.classes if len(net.hidden_neurons) == least)

    def graph(self) -> Any:
        """A ``networkx.DiGraph`` of the representatives; an edge has one ``move`` between them."""
        import networkx

        graph = networkx.DiGraph()
        graph.add_nodes_from(self.classes)
        graph.add_edges_from((move.source, move.target, {"move": move}) for move in self.moves)
        return graph

    def explain(self) -> str:
        """How many classes there are, and the smallest."""
        lines = [f"{len(self.classes)} class(es) with at most {self.max_neurons} hidden neurons; the smallest:"]
        return "\n".join([*lines, *(f"  {net}" for net in self.smallest)])


def orbit(
    net: Network,
    symmetries: Iterable[AffineSymmetry] | None = None,
    *,
    max_neurons: int | None = None,
    budget: int | None = None,
) -> Orbit:
    r"""The orbit of a network under affine symmetries, up to permutation and scaling.

    ``symmetries`` are tried on every hidden neuron as each of their terms; by
    default they are the minimal ones whose terms are parallel neurons of a layer
    and their reflections. Networks with more than ``max_neurons`` hidden neurons
    are not followed (by default one more than in the network without clones and
    invisible neurons). Layers are given biases where a move needs them.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ``budget`` classes
    (500 by default), and :class:`~exactrelu.errors.HypothesisNotMet` when some
    but not all activations are homogeneous.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> found = orbit(hat)
    >>> len(found.classes), len(found.smallest), canonical_form(hat.flip([0, 1, 2])) in found.smallest
    (8, 2, True)
    """
    start = representative(net)
    limit = _limit(max_neurons, start)
    moves = tuple(_explore(start, _given(symmetries), limit, budget))
    return Orbit(start, limit, moves)


def path_between(
    first: Network,
    second: Network,
    symmetries: Iterable[AffineSymmetry] | None = None,
    *,
    max_neurons: int | None = None,
    budget: int | None = None,
) -> Verdict:
    """Whether affine symmetries lead from one network to another, up to permutation and scaling.

    ``holds`` with a path of moves, ``fails`` with a point at which the two
    differ as functions, and ``unknown`` where the search within ``max_neurons``
    and ``budget`` ends without either. Arguments as for :func:`orbit`.

    >>> step = Network.mlp([[[1], [1]], [[1, -1]]], [["1/2", "-1/2"], [0]])
    >>> verdict = path_between(step, step.flip([0, 1]))
    >>> verdict.status.value, len(verdict.evidence.moves)
    ('holds', 1)
    """
    claim = "affine symmetries lead from the first network to the second"
    if not (first.is_analytic or second.is_analytic):
        equal = same_function(first, second)
        if equal.status is not Status.HOLDS:
            verdict = Verdict(claim, equal.status, equal.conditions, evidence=equal.evidence)
            return verdict.about("path_between", left=first, right=second)
    start, goal = representative(first), representative(second)
    limit = max(_limit(max_neurons, start), len(goal.hidden_neurons))
    reached: dict[Network, Move | None] = {start: None}
    try:
        for move in _explore(start, _given(symmetries), limit, budget):
            reached.setdefault(move.target, move)
            if goal in reached:
                break
        ended = f"the {len(reached)} classes that were found with at most {limit} hidden neurons are all"
    except BudgetExceeded as error:
        ended = str(error)
    if goal not in reached:
        return Verdict(claim, Status.UNKNOWN, (Condition("orbit", Status.UNKNOWN, (), ended),))
    moves: list[Move] = []
    while (last := reached[moves[-1].source if moves else goal]) is not None:
        moves.append(last)
    verdict = Verdict(claim, Status.HOLDS, evidence=MovePath(start, tuple(reversed(moves))))
    return verdict.about("path_between", left=first, right=second)


def representative(net: Network) -> Network:
    r"""One network for all permutations (and scalings, for homogeneous :math:`\rho`), without idle neurons.

    >>> representative(Network.mlp([[[2], [1]], [[1, 3]]], activation="tanh")).layers[0]
    Layer({0: [[1], [2]]}, bias=None, activation="tanh")
    """
    net = without_idle_neurons(net)
    homogeneous = {rho.is_positively_homogeneous for layer in net.layers[:-1] for rho in layer.activations}
    if homogeneous <= {True}:
        scaled = canonical_form(net)
        return representative(scaled) if clones(scaled) else scaled  # twins have become clones
    if len(homogeneous) == 2:
        raise HypothesisNotMet("network", "must have activations that are all homogeneous, or none")
    for number in range(1, net.depth):
        # Without clones all rows differ, so that their order is canonical once the sources are in order.
        layer = net.layers[number - 1]
        order = sorted(range(layer.width), key=[_row(net, number, i) for i in range(layer.width)].__getitem__)
        still = [list(range(width)) for width in net.widths[1:-1]]
        still[number - 1] = [order.index(i) for i in range(layer.width)]
        net = net.permute(still)
    return net


def _row(net: Network, number: int, i: int) -> tuple[object, ...]:
    layer = net.layers[number - 1]
    weights = [(s, [(e is not None, e or Fraction(0)) for e in block[i]]) for s, block in layer.blocks]
    return activation_name(layer.activations[i]), weights, layer.bias[i] if layer.bias else 0


def _limit(max_neurons: int | None, start: Network) -> int:
    if max_neurons is None:
        return len(start.hidden_neurons) + 1
    if type(max_neurons) is not int or max_neurons < len(start.hidden_neurons):
        rule = f"must be an integer, at least the {len(start.hidden_neurons)} of the network without idle neurons"
        raise InvalidInput("max_neurons", rule, max_neurons)
    return max_neurons


def _given(symmetries: Iterable[AffineSymmetry] | None) -> tuple[AffineSymmetry, ...] | None:
    if symmetries is None:
        return None
    found = tuple(symmetries) if isinstance(symmetries, Iterable) else (symmetries,)
    for symmetry in found:
        if not isinstance(symmetry, AffineSymmetry):
            raise InvalidInput("symmetries", "must be a list of affine symmetries", symmetries)
    return found


def _explore(
    start: Network, symmetries: Sequence[AffineSymmetry] | None, limit: int, budget: int | None
) -> Iterator[Move]:
    """The moves between classes, breadth first; one per pair of classes."""
    check_budget(budget)
    budget = DEFAULT_BUDGET if budget is None else budget
    queue, known = [start], {start}
    for source in queue:
        targets = {source}
        for steps in _moves(source, symmetries):
            target = representative(applied(source, steps, new_biases=True))
            if target in targets or len(target.hidden_neurons) > limit:
                continue
            targets.add(target)
            if target not in known:
                if len(queue) >= budget:
                    raise BudgetExceeded("classes", budget, partial=tuple(queue))
                queue.append(target)
                known.add(target)
            yield Move(source, steps, target)


def _moves(net: Network, symmetries: Sequence[AffineSymmetry] | None) -> Iterator[tuple[Modification, ...]]:
    for group in parallel_neurons(net):
        for layer in sorted({neuron[0] for neuron in group.neurons}):
            members = {a: n for n, a in zip(group.neurons, group.atoms, strict=True) if n[0] == layer}
            if symmetries is None:
                for symmetry in _natural(group.rho, list(members)):
                    yield from (
                        elimination(net, members[atom], symmetry, atom) for atom in symmetry.support if atom in members
                    )
                continue
            for symmetry in symmetries:
                if symmetry.activation == (group.rho.name or "rho"):
                    yield from (
                        elimination(net, neuron, symmetry, atom)
                        for neuron in members.values()
                        for atom in symmetry.support
                    )


def _natural(rho: Activation, atoms: Sequence[Atom]) -> Iterator[AffineSymmetry]:
    """The minimal symmetries on atoms and their reflections."""
    centre = Fraction(0)
    if isinstance(rho, PiecewiseLinear) and rho.breakpoints:
        centre = (rho.breakpoints[0] + rho.breakpoints[-1]) / 2
    present = {_up_to_scale(rho, atom): atom for atom in reversed(atoms)}
    for beta, gamma in atoms:
        mirrored = (-beta, 2 * centre - gamma)
        present.setdefault(_up_to_scale(rho, mirrored), mirrored)
    yield from affine_symmetries(symmetry_argument(rho), dict.fromkeys([*atoms, *present.values()])).minimal()


def _up_to_scale(rho: Activation, atom: Atom) -> Atom:
    beta, gamma = atom
    return (beta / abs(beta), gamma / abs(beta)) if rho.is_positively_homogeneous else atom
