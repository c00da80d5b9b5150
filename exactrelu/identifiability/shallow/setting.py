"""A shallow network on a domain, and what every verdict about it has in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ...equality import (
    NeuronType,
    ShallowNetwork,
    TypedNeuron,
    form_text,
    neuron_types,
    shallow,
    shallow_equal,
    why_not_shallow,
)
from ...networks import Family, Network
from ...polyhedra import Domain, as_domain
from ...rationals import Vector, rank
from ...symmetries import permutation_scaling_equivalent
from ...verdicts import Condition, Status, Verdict, inapplicable, number_list
from .deformations import Edit, change_silent
from .walls import Wall, hidden


@dataclass(frozen=True, slots=True)
class Setting:
    """A shallow network on a domain with interior points, with the types of its neurons."""

    network: Network
    view: ShallowNetwork
    domain: Domain
    types: tuple[TypedNeuron, ...]

    def of_type(self, *kinds: NeuronType) -> tuple[int, ...]:
        """The neurons of the given types."""
        return tuple(i for i, typed in enumerate(self.types) if typed.type in kinds)

    def explain_type(self, i: int) -> str:
        """The type of a neuron and the range of its pre-activation."""
        return self.types[i].explain(self.view.scales[i])

    @property
    def dead_outputs(self) -> tuple[int, ...]:
        """The neurons with outgoing weights all 0."""
        return tuple(i for i, output in enumerate(self.view.outputs) if not any(output))


@dataclass(frozen=True, slots=True)
class Extent:
    """Evidence: the range of every hidden form on the domain, and the neurons on each hyperplane."""

    ranges: tuple[str, ...]
    walls: tuple[Wall, ...]
    proof: object = None

    def explain(self) -> str:
        """Ranges, hyperplanes and the proof of the last condition."""
        lines = [f"neuron {i}: {shown}" for i, shown in enumerate(self.ranges)]
        lines += [
            f"on {wall.explain()}: neuron(s) {', '.join(map(str, wall.neurons))}; "
            f"the gradient jumps by {number_list(wall.jump)} times the normal"
            for wall in self.walls
        ]
        explain = getattr(self.proof, "explain", None)
        return "\n  ".join(["", *lines, *([explain()] if explain else [])])


def claim_on(what: str, domain: Domain) -> str:
    """The claim of a verdict, with its domain."""
    where = f"R^{domain.ambient_dimension}" if domain.is_space else str(domain)
    return f"the parameters are {what} from the function on {where}"


def prepared(net: Network, domain: Domain | str | None, what: str) -> Setting | Verdict:
    """The setting of a question, or its answer where the question is out of the ordinary.

    Networks that are not shallow are ``inapplicable``. On a domain without
    interior points nothing with hidden biases is identifiable.
    """
    domain = as_domain(domain, net.input_dim)
    claim = claim_on(what, domain)
    reason = why_not_shallow(net)
    if reason is not None:
        return inapplicable(claim, "one_hidden_layer", f"the theory of one hidden layer does not apply: {reason}")
    view = shallow(net)
    if not domain.is_full_dimensional:
        return _without_interior(net, view, domain, claim)
    return Setting(net, view, domain, neuron_types(view, domain))


def refuted(
    claim: str, conditions: Iterable[Condition], net: Network, end: Network, domain: Domain, *, segment: bool
) -> Verdict:
    """The verdict ``fails`` with a verified witness, and with the family that leads to it.

    With ``segment`` the witness is the end of a segment of equal functions that
    begins at the network itself.
    """
    verify_witness(net, end, domain)
    family = None
    if segment:
        family = Family.segment(net, end)
        verify_witness(net, family.member(Fraction(1, 3)), domain)
    return Verdict(claim, Status.FAILS, tuple(conditions), witness=end, family=family)


def verify_witness(net: Network, witness: Network, domain: Domain) -> None:
    """Insist that a witness has the same architecture and function, and other parameters.

    Both decisions are independent of the conditions that led to the witness.
    """
    fresh = permutation_scaling_equivalent(net, witness).status is Status.FAILS
    same = net.architecture == witness.architecture and shallow_equal(shallow(net), shallow(witness), domain)
    if not (fresh and same):
        raise RuntimeError("internal error: a witness against identifiability does not stand up to verification")


def _without_interior(net: Network, view: ShallowNetwork, domain: Domain, claim: str) -> Verdict:
    equation = domain.affine_hull[0]
    hull = [(*item.normal, -item.bound) for item in domain.affine_hull]
    if not view.hidden_biases:
        hull = _through_origin(hull)
    if not hull:
        detail = f"the domain lies in {equation}, which does not contain the origin, and there are no hidden biases"
        return Verdict(claim, Status.UNKNOWN, (Condition("interior", Status.UNKNOWN, (), detail),))
    detail = f"the domain lies in {equation}, and the form of a neuron may change by it"
    condition = Condition("interior", Status.FAILS, (), detail)
    end = _slide_along(view, hull)
    return refuted(claim, (condition,), net, end, domain, segment=True)


def _through_origin(hull: list[Vector]) -> list[Vector]:
    """The combinations of the equations of the affine hull that have no constant term."""
    anchored = next((row for row in hull if row[-1]), None)
    if anchored is None:
        return hull
    return [
        tuple(entry - row[-1] / anchored[-1] * other for entry, other in zip(row, anchored, strict=True))
        for row in hull
        if row is not anchored
    ]


def _slide_along(view: ShallowNetwork, hull: list[Vector]) -> Network:
    """Change neuron 0 by an equation of the domain; if it vanishes on the domain, change its output."""
    form = [Fraction(entry) for entry in view.forms[0]]
    if any(form) and rank([*hull, form]) == rank(hull):
        return change_silent(view, 0)
    return Edit(view).add_form(0, hull[0]).network()


AFFIRMED: Final = {
    "nonzero_output": "every neuron has a nonzero outgoing weight",
    "nonzero_input": "every neuron has a nonzero incoming weight or bias",
    "kinked": "no neuron is on or off over the whole domain",
    "no_positive_twins": "no two neurons are active on the same half-space",
    "distinct_hyperplanes": "no two neurons share a hyperplane",
    "opposite_twins_jump": "on no hyperplane do the outputs of two opposite neurons cancel",
    "opposite_pairs_outputs_independent": "the outputs of every opposite pair are linearly independent",
}
"""What a condition says when it holds."""


def affirmed(identifier: str) -> Condition:
    """A condition that holds, in words."""
    return Condition(identifier, Status.HOLDS, (), AFFIRMED.get(identifier, ""))


def twins_condition(identifier: str, pairs: list[tuple[int, int]], view: ShallowNetwork) -> Condition:
    """The condition that no two neurons of a certain kind share a hyperplane."""
    if not pairs:
        return affirmed(identifier)
    named = "; ".join(f"{i} and {j} on {form_text(view.forms[i])} = 0" for i, j in pairs[:5])
    neurons = hidden(sorted({i for pair in pairs for i in pair}))
    return Condition(identifier, Status.FAILS, neurons, f"neurons {named}")


def listed(identifier: str, indices: Iterable[int], detail: str) -> Condition:
    """A condition that holds unless some neurons are listed against it."""
    found = tuple(indices)
    if not found:
        return affirmed(identifier)
    names = ", ".join(map(str, found[:10])) + (", ..." if len(found) > 10 else "")
    return Condition(identifier, Status.FAILS, hidden(found), f"neuron(s) {names}: {detail}")
