r"""Modifications: affine symmetries of :math:`\rho` as operations on networks that preserve the function.

Let :math:`\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta` and let :math:`u` be an
affine form of the sources of some layer. With neurons of pre-activations
:math:`\beta_su+\gamma_s` in that layer (new ones come with outgoing weights 0,
those that are there are used), a neuron :math:`c` of a later layer may add
:math:`y\alpha_s` to its weight from each of them and :math:`-y\zeta` to its bias:
the sum of what is added is 0.

>>> from .affine import affine_symmetries
>>> net = Network.mlp([[[1]], [[2]]], [[3], [0]])  # 2 relu(x + 3)
>>> four = affine_symmetries("relu", [(1, 0), (-1, 0), (1, -1), (-1, 1)]).basis[0]
>>> print(modify(net, (1, 0), four, (2, 0), -1).explain())
<BLANKLINE>
  h1_0 = relu(x0 + 3)
  h1_1 = relu(-x0 - 3)
  h1_2 = relu(x0 + 2)
  h1_3 = relu(-x0 - 2)
  y0 = h1_0 + h1_1 + h1_2 - h1_3 + 1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, TypeAlias

from ..equality import function_claim, same_function
from ..errors import InvalidInput, WrongDimension, check_budget
from ..networks import Analytic, Network
from ..networks.activations import Activation
from ..networks.activations import activation as as_activation
from ..networks.formulas import activation_name
from ..polyhedra import Domain, as_domain
from ..rationals import rational, text
from ..verdicts import Neuron, Status, Verdict, plain
from .affine import AffineSymmetry, is_affine_symmetry
from .drafts import Draft, DraftNeuron, checked_neuron, hidden_neuron

ZERO: Final = Fraction(0)
AffineForm: TypeAlias = Mapping[Neuron | None, object]
"""An affine form of inputs ``(0, j)`` and hidden neurons ``(layer, index)``; ``None`` has the constant."""


@dataclass(frozen=True, slots=True)
class Modification:
    """``amount`` times ``symmetry``, along the pre-activation of ``neuron``, added at ``child``."""

    neuron: Neuron
    symmetry: AffineSymmetry
    child: Neuron
    amount: Fraction

    def apply(self, net: Network, *, new_biases: bool = False) -> Network:
        """The modified network, as :func:`modify` gives it."""
        return modify(net, self.neuron, self.symmetry, self.child, self.amount, new_biases=new_biases)

    def to_json(self) -> dict[str, Any]:
        """The modification as JSON data, with the atoms of the symmetry."""
        symmetry = {"atoms": plain(self.symmetry.atoms), **self.symmetry.to_json()}
        neurons = {"neuron": list(self.neuron), "child": list(self.child)}
        return {**neurons, "symmetry": symmetry, "amount": text(self.amount)}

    def explain(self) -> str:
        """The modification in one line."""
        return (
            f"along t = pre-activation of {self.neuron}, add {text(self.amount)} times "
            f"the terms of {self.symmetry.explain()} to neuron {self.child}"
        )


def modify(
    net: Network,
    form: Neuron | AffineForm,
    symmetry: AffineSymmetry,
    child: Neuron,
    amount: object,
    *,
    layer: int | None = None,
    activation: object = None,
    new_biases: bool = False,
) -> Network:
    r"""The network with ``amount`` :math:`y` of a symmetry added at ``child`` :math:`c`; the function stays.

    ``form`` is :math:`u`: a hidden neuron stands for its pre-activation, and then
    the atoms are neurons of its layer with its activation. Otherwise it maps
    inputs, hidden neurons and ``None`` (the constant) to numbers; the atoms stand
    in ``layer`` (by default the first one after all sources) and apply
    ``activation`` (by default that of the layer, if all its neurons agree).
    With ``new_biases`` layers that need bias parameters and have none are given
    them. Nothing is dropped. Theory: ``symmetry_modification_preserves_realization`` (V1).

    Raises :class:`~exactrelu.errors.InvalidInput` for a symmetry of another
    activation, a child that is not above the atoms, or a missing bias.

    >>> from .affine import affine_symmetries
    >>> odd = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]
    >>> net = Network.mlp([[["1/2"]], [[3]]], activation="tanh")
    >>> modify(net, (1, 0), odd, (2, 0), -3).layers[1]
    Layer({1: [[0, -3]]}, bias=None, activation="identity")
    """
    draft = Draft.of(net)
    if isinstance(form, Mapping):
        weights, constant, place = _affine_form(net, draft, form, layer)
        rho = _common_activation(net, place, activation)
    else:
        if layer is not None or activation is not None:
            raise InvalidInput("layer, activation", "must be left out where form is a neuron", (layer, activation))
        place, index = hidden_neuron(net, form, "form")
        model = draft.neuron((place, index))
        weights, constant, rho = dict(model.weights), model.bias, model.rho
    _check_symmetry(symmetry, rho)
    target = checked_neuron(net, child, "child")
    if target[0] <= place:
        raise InvalidInput("child", f"must lie in a layer after {place}, where the atoms are", child)
    y, hearer = rational(amount, "amount"), draft.neuron(target)
    for (beta, gamma), alpha in zip(symmetry.atoms, symmetry.coefficients, strict=True):
        if alpha:
            scaled = {source: beta * weight for source, weight in weights.items()}
            atom = _present(draft, place, DraftNeuron(rho, scaled, beta * constant + gamma), new_biases)
            hearer.weights[atom] = hearer.weights.get(atom, ZERO) + y * alpha
    if y * symmetry.constant:
        _require_biases(draft, target[0], new_biases)
        hearer.bias -= y * symmetry.constant
    return draft.network()


def modification_preserves(
    net: Network, modification: Modification, domain: Domain | str | None = None, *, budget: int | None = None
) -> Verdict:
    """Whether a network and its modification are the same function; they are, by the theorem on modifications.

    Piecewise-linear networks are compared region by region, without the theorem.
    For others the evidence is the proof of the relation that has been added.

    >>> from .affine import affine_symmetries
    >>> odd = affine_symmetries("tanh", [(1, 0), (-1, 0)]).basis[0]
    >>> net = Network.mlp([[["1/2"]], [[3]]], activation="tanh")
    >>> print(modification_preserves(net, Modification((1, 0), odd, (2, 0), Fraction(-3))).explain())
    holds: the two networks compute the same function
    evidence: with all atoms (beta, gamma) reflected to beta > 0 the coefficients are 0 on (1, 0)
    """
    check_budget(budget)
    changed = modification.apply(net, new_biases=True)
    if not net.is_analytic:
        return same_function(net, changed, domain, budget=budget)
    symmetry, (layer, index) = modification.symmetry, modification.neuron
    relation = _relation(symmetry, net.layers[layer - 1].activations[index])
    verdict = Verdict(function_claim(as_domain(domain, net.input_dim)), relation.status, evidence=relation.evidence)
    return verdict.about("modification_preserves", network=net, modification=modification)


def symmetry_argument(rho: Activation) -> object:
    r"""What :func:`~.affine.affine_symmetries` takes for an activation: analytic ones go by their name."""
    return rho.name if isinstance(rho, Analytic) else rho


@lru_cache(maxsize=4096)  # a search applies few symmetries many times
def _relation(symmetry: AffineSymmetry, rho: Activation) -> Verdict:
    return is_affine_symmetry(symmetry_argument(rho), symmetry.coefficients, symmetry.atoms, symmetry.constant)


def _check_symmetry(symmetry: AffineSymmetry, rho: Activation) -> None:
    """Insist that the relation holds for the activation that it is applied to."""
    if not isinstance(symmetry, AffineSymmetry):
        raise InvalidInput("symmetry", "must be an AffineSymmetry", symmetry)
    name = rho.name or "rho"
    if symmetry.activation != name:
        shown = activation_name(rho)
        raise InvalidInput("symmetry", f"must be one of {shown}, the activation of the atoms", symmetry.activation)
    verdict = _relation(symmetry, rho)
    if verdict.status is not Status.HOLDS:
        t = text(verdict.evidence.point[0])
        raise InvalidInput(
            "symmetry", f"must hold for {activation_name(rho)}, but fails at t = {t}", symmetry.explain()
        )


def _affine_form(
    net: Network, draft: Draft, form: AffineForm, layer: int | None
) -> tuple[dict[DraftNeuron, Fraction], Fraction, int]:
    """The weights and the constant of a form, and the layer of its atoms."""
    weights: dict[DraftNeuron, Fraction] = {}
    constant, place = ZERO, 1
    for key, value in form.items():
        number = rational(value, f"form[{key}]")
        if key is None:
            constant = number
            continue
        match key:
            case (0, int(j)) if 0 <= j < net.input_dim:
                pass
            case _:
                place = max(place, hidden_neuron(net, key, "form")[0] + 1)
        weights[draft.neuron(key)] = number
    if not any(weights.values()):
        raise WrongDimension("form", "must have a nonzero coefficient of an input or neuron")
    if layer is not None:
        if type(layer) is not int or not place <= layer:
            raise InvalidInput("layer", f"must be a layer number, {place} or later, after all sources", layer)
        place = layer
    if place >= net.depth:
        raise InvalidInput("layer", f"must be a hidden layer, 1 to {net.depth - 1}", place)
    return weights, constant, place


def _common_activation(net: Network, layer: int, given: object) -> Activation:
    if given is not None:
        return as_activation(given)
    kinds = set(net.layers[layer - 1].activations)
    if len(kinds) > 1:
        raise InvalidInput("activation", f"must be given, since the neurons of layer {layer} have different ones")
    return kinds.pop()


def _present(draft: Draft, layer: int, atom: DraftNeuron, new_biases: bool) -> DraftNeuron:
    """The neuron up to the layer that computes what ``atom`` does; ``atom`` joins the layer if there is none."""
    upwards = (neuron for k in range(layer, 0, -1) for neuron in draft.layers[k])
    found = next((neuron for neuron in upwards if neuron.key == atom.key), None)
    if found is not None:
        return found
    if atom.bias:
        _require_biases(draft, layer, new_biases)
    draft.layers[layer].append(atom)
    return atom


def _require_biases(draft: Draft, layer: int, new_biases: bool) -> None:
    if not (draft.biased[layer] or new_biases):
        raise InvalidInput(f"layer {layer}", "must have bias parameters, or new_biases must allow to add them")
    draft.biased[layer] = True
