r"""Internal symmetries of a network, and networks without any.

The hidden neurons with one activation :math:`\rho` and parallel incoming weights
have pre-activations :math:`\beta_iu+\gamma_i` for one linear form :math:`u` of
their sources. An *internal symmetry* is an affine symmetry of :math:`\rho` that is
supported on such atoms; any of its neurons can be eliminated, by a modification
at each of its children.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..errors import InvalidInput
from ..networks import Network
from ..networks.activations import Activation
from ..verdicts import Condition, Neuron, Status, Verdict, conjunction, plain, text
from .affine import AffineSymmetries, AffineSymmetry, affine_symmetries
from .atoms import Atom
from .clones import clones, without_idle_neurons
from .drafts import Draft
from .modifications import Modification, symmetry_argument


@dataclass(frozen=True, slots=True)
class ParallelNeurons:
    r"""Hidden neurons with activation ``rho`` and pre-activations :math:`\beta_iu+\gamma_i`, and these atoms."""

    rho: Activation
    neurons: tuple[Neuron, ...]
    atoms: tuple[Atom, ...]

    @property
    def symmetries(self) -> AffineSymmetries:
        """The internal symmetries, clones left out."""
        return affine_symmetries(symmetry_argument(self.rho), dict.fromkeys(self.atoms))


@dataclass(frozen=True, slots=True)
class InternalSymmetry:
    """Evidence: an affine symmetry on the atoms of some neurons of a network."""

    neurons: tuple[Neuron, ...]
    symmetry: AffineSymmetry

    def to_json(self) -> dict[str, Any]:
        """The neurons, their atoms and the relation as JSON data."""
        return {
            "neurons": [list(neuron) for neuron in self.neurons],
            "atoms": plain(self.symmetry.support),
            "coefficients": plain([a for a in self.symmetry.coefficients if a]),
            "constant": text(self.symmetry.constant),
        }

    def explain(self) -> str:
        """The relation, and the neurons of its terms."""
        return f"neurons {', '.join(map(str, self.neurons))} satisfy {self.symmetry.explain()}"


def parallel_neurons(net: Network) -> tuple[ParallelNeurons, ...]:
    r"""The hidden neurons by activation and direction of their weights, where these are not all 0.

    :math:`\beta_i` is the first nonzero weight.

    >>> [group.atoms for group in parallel_neurons(Network.mlp([[[2], [-1]], [[1, 1]]]))][0]
    ((Fraction(2, 1), Fraction(0, 1)), (Fraction(-1, 1), Fraction(0, 1)))
    """
    draft = Draft.of(net)
    names = draft.names
    groups: dict[tuple[Activation, object], list[tuple[Neuron, Atom]]] = {}
    for neuron in draft.hidden:
        form = sorted((names[source], weight) for source, weight in neuron.form.items())
        if form:
            beta = form[0][1]
            direction = tuple((source, weight / beta) for source, weight in form)
            groups.setdefault((neuron.rho, direction), []).append((names[neuron], (beta, neuron.bias)))
    return tuple(
        ParallelNeurons(rho, tuple(name for name, _ in members), tuple(atom for _, atom in members))
        for (rho, _), members in groups.items()
    )


def internal_symmetries(net: Network) -> Iterator[InternalSymmetry]:
    """A basis of the internal symmetries of every group of parallel neurons; clones count once."""
    for group in parallel_neurons(net):
        if len(group.atoms) == 1:  # no activation is constant
            continue
        first = dict(reversed(list(zip(group.atoms, group.neurons, strict=True))))
        for symmetry in group.symmetries.basis:
            yield InternalSymmetry(tuple(first[atom] for atom in symmetry.support), symmetry)


def irreducible(net: Network) -> Verdict:
    """Whether no hidden neuron is invisible, a clone, or part of an internal symmetry.

    >>> four = Network.mlp([[[1], [-1], [1], [-1]], [[1, 2, 3, 4]]], [[0, 0, -1, 1], [0]])
    >>> print(irreducible(four).explain().splitlines()[-1])
    evidence: neurons (1, 0), (1, 1), (1, 2), (1, 3) satisfy relu(t) - relu(-t) - relu(t - 1) + relu(-t + 1) = 1
    """
    heard = {parameter.source for parameter in net.parameters if parameter.value}
    invisible = tuple(neuron for neuron in net.hidden_neurons if neuron not in heard)
    copies = tuple(neuron for group in clones(net) for neuron in group)
    symmetry = next(internal_symmetries(net), None)
    conditions = (
        _none("visible", invisible, "outgoing weights all vanish"),
        _none("no_clones", copies, "another neuron computes the same"),
        _none("no_internal_symmetry", symmetry.neurons if symmetry else (), "an affine symmetry relates them"),
    )
    claim = "no affine symmetry removes a neuron of the network"
    return Verdict(claim, conjunction(conditions), conditions, evidence=symmetry).about("irreducible", network=net)


def elimination(net: Network, neuron: Neuron, symmetry: AffineSymmetry, atom: Atom) -> tuple[Modification, ...]:
    r"""The modifications, one per child, after which the outgoing weights of a neuron vanish.

    ``atom`` :math:`=(\beta,\gamma)` is the term of the symmetry that ``neuron`` is.
    """
    places = dict(zip(symmetry.atoms, symmetry.coefficients, strict=True))
    if not places.get(atom):
        raise InvalidInput("atom", "must be a term of the symmetry", atom)
    along = _along(symmetry, atom)
    return tuple(
        Modification(neuron, along, parameter.target, -parameter.value / places[atom])
        for parameter in net.parameters
        if parameter.source == neuron and parameter.value
    )


def applied(net: Network, modifications: tuple[Modification, ...], *, new_biases: bool = False) -> Network:
    """The network after some modifications, which keep the numbers of all neurons."""
    for modification in modifications:
        net = modification.apply(net, new_biases=new_biases)
    return net


def reduce_by_symmetries(net: Network, *, new_biases: bool = False) -> Network:
    """The same function with neurons eliminated until the network is irreducible.

    A symmetry with a constant needs a bias at every child of the neuron that it
    eliminates; where there is none and ``new_biases`` is not set, it is left.

    >>> reduce_by_symmetries(Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]]))  # relu(x) + relu(2 x)
    Network.mlp([[[1]], [[3]]], [[0], [0]])
    """
    while True:
        net = without_idle_neurons(net)
        steps = next(_eliminations(net, new_biases), None)
        if steps is None:
            return net
        net = applied(net, steps, new_biases=new_biases)


def _eliminations(net: Network, new_biases: bool) -> Iterator[tuple[Modification, ...]]:
    for found in internal_symmetries(net):
        # The last neuron: its children come after all the others.
        last, atom = max(zip(found.neurons, found.symmetry.support, strict=True))
        steps = elimination(net, last, found.symmetry, atom)
        biased = all(net.layers[step.child[0] - 1].bias is not None for step in steps)
        if biased or new_biases or not found.symmetry.constant:
            yield steps


def _along(symmetry: AffineSymmetry, atom: Atom) -> AffineSymmetry:
    r"""The symmetry in the variable :math:`\beta t+\gamma` of one of its atoms, which becomes :math:`(1,0)`."""
    beta, gamma = atom
    atoms = tuple((b / beta, c - b * gamma / beta) for b, c in symmetry.support)
    return replace(symmetry, atoms=atoms, coefficients=tuple(a for a in symmetry.coefficients if a))


def _none(identifier: str, neurons: tuple[Neuron, ...], detail: str) -> Condition:
    """The condition that there are no such neurons."""
    if not neurons:
        return Condition(identifier, Status.HOLDS)
    return Condition(identifier, Status.FAILS, neurons, f"neuron(s) {', '.join(map(str, neurons[:10]))}: {detail}")
