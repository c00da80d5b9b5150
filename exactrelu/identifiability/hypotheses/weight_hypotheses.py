r"""Hypotheses of identifiability theorems that are read off the weights.

=========================  ====================================================
:func:`generic`            the hyperplanes of the first layer are in general position
:func:`no_clones`          no two neurons with a common child are copies of each other
:func:`full_row_rank`      every hidden weight matrix has full row rank
:func:`irreducible`        one hidden layer of least width
=========================  ====================================================

Theory: sections 5.4 G, 8 V2 and 10. Sources: Grigsby, Lindsey, Meyerhoff and Wu
(arXiv 2209.04036); Vlačić and Bölcskei (arXiv 2006.11727); Bona-Pellissier,
Bachoc and Malgouyres (arXiv 2112.12982). Definitions are given in our reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ...equality import minimal_width, reduce
from ...errors import Budget, BudgetExceeded, HypothesisNotMet, InvalidDomain, Undecided, check_budget
from ...networks import Family, Network
from ...polyhedra import Domain, as_domain
from ...rationals import Vector, dot, kernel, primitive_integers, rank
from ...verdicts import Condition, Neuron, Status, Verdict, inapplicable, neuron_list, number_list, text
from .asking import noted
from .dependent_sets import DEFAULT_SUBSETS, circuit, fundamental_circuits
from .perceptrons import why_not_perceptron

ZERO: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Dependence:
    r"""Evidence: :math:`\sum_ic_iw_i=0` for some neurons of one layer, with :math:`\sum_ic_ib_i` = ``constant``."""

    neurons: tuple[Neuron, ...]
    coefficients: Vector
    constant: Fraction

    def explain(self) -> str:
        """The linear relation in words."""
        named = neuron_list(self.neurons)
        return (
            f"the weights of {named} times {number_list(self.coefficients)} sum to 0, "
            f"and so weighted their biases sum to {text(self.constant)}"
        )


@dataclass(frozen=True, slots=True)
class Clones:
    """Evidence: two neurons of equal weights and biases, and a child of both."""

    neurons: tuple[Neuron, Neuron]
    child: Neuron

    def explain(self) -> str:
        """The two neurons and their child."""
        return f"{neuron_list(self.neurons)} are equal, and both feed {neuron_list([self.child])}"


@noted
def generic(net: Network, *, budget: int | None = None) -> Verdict:
    r"""Whether the hyperplanes :math:`H_i=\{w_ix+b_i=0\}` of the first hidden layer are in general position.

    Any :math:`k\le d` of them meet in codimension :math:`k`, and no :math:`d+1`
    have a common point. Where this fails, the evidence is a linear relation
    between as few neurons as possible. ``unknown`` beyond ``budget`` subsets.
    In our reading of Grigsby et al.; Zaslavsky's count of regions assumes it.

    >>> parallel = Network.mlp([[[1, 0], [0, 1], [2, 0]], [[1, 1, 1]]], [[0, 0, 1], [0]])
    >>> generic(parallel).condition("general_position").neurons
    ((1, 0), (1, 2))
    """
    check_budget(budget)
    forms = _first_forms(net)
    claim = f"the {len(forms)} hyperplanes of the first layer are in general position in R^{net.input_dim}"
    try:
        most = Budget("subsets", DEFAULT_SUBSETS if budget is None else budget)
        offending, minimal = _offending(forms, net.input_dim, most), True
    except BudgetExceeded as error:
        offending, minimal = _quick_offending(forms, net.input_dim), False
        if offending is None:
            return Verdict(claim, Status.UNKNOWN, (Condition("general_position", Status.UNKNOWN, (), str(error)),))
    if offending is None:
        return Verdict(claim, Status.HOLDS, (Condition("general_position", Status.HOLDS),))
    found = _dependence(forms, offending, net.input_dim)
    smallest = "" if minimal else "; there may be fewer neurons than these"
    detail = f"{_fault(found, net.input_dim)}: {neuron_list(offending)}{smallest}"
    condition = Condition("general_position", Status.FAILS, tuple(offending), detail)
    return Verdict(claim, Status.FAILS, (condition,), evidence=found)


def _first_forms(net: Network) -> dict[Neuron, Vector]:
    """The weights and the bias of every bending neuron of the first hidden layer."""
    if net.depth == 1:
        return {}
    layer = net.layers[0]
    block = layer.weights.get(0, ((None,) * net.input_dim,) * layer.width)
    bias = layer.bias or (ZERO,) * layer.width
    return {
        (1, i): (*(entry or ZERO for entry in block[i]), bias[i])
        for i, rho in enumerate(layer.activations)
        if not rho.is_affine
    }


def _offending(forms: dict[Neuron, Vector], d: int, budget: Budget) -> list[Neuron] | None:
    """The fewest hyperplanes in special position: dependent normals, or else d + 1 with a common point."""
    neurons = list(forms)
    rows = [primitive_integers(form) for form in forms.values()]
    normals = [row[:-1] for row in rows]
    if rank([form[:-1] for form in forms.values()]) < len(rows):
        for size in range(1, min(d, len(rows)) + 1):
            found = circuit(normals, size, budget)
            if found is not None:
                return [neurons[i] for i in found]
        found = circuit(rows, d + 1, budget)
        return None if found is None else [neurons[i] for i in found]
    return None


def _quick_offending(forms: dict[Neuron, Vector], d: int) -> list[Neuron] | None:
    """Some hyperplanes in special position, found without a search."""
    neurons = list(forms)
    for vectors, most in (([form[:-1] for form in forms.values()], d), (list(forms.values()), d + 1)):
        for found in fundamental_circuits(vectors):
            if len(found) <= most:
                return [neurons[i] for i in found]
    return None


def _dependence(forms: dict[Neuron, Vector], neurons: Sequence[Neuron], d: int) -> Dependence:
    """The linear relation between dependent normals; between dependent forms where there are d + 1 of them."""
    size = d if len(neurons) <= d else d + 1
    columns = list(zip(*(forms[neuron][:size] for neuron in neurons), strict=True))
    coefficients = kernel(columns, len(neurons))[0]
    return Dependence(tuple(neurons), coefficients, dot(coefficients, [forms[neuron][-1] for neuron in neurons]))


def _fault(found: Dependence, d: int) -> str:
    if len(found.neurons) == 1:
        return "all weights are 0, so that there is no hyperplane"
    if len(found.neurons) == d + 1:
        return "more hyperplanes than inputs have a common point"
    if found.constant:
        return "the hyperplanes have no common point"
    return "the hyperplanes meet in too large a set"


@noted
def no_clones(net: Network) -> Verdict:
    r"""Whether no two neurons with a common child have equal incoming weights, biases and activations.

    An absent edge counts as weight 0, and a layer without biases as bias 0. Two
    clones compute the same value, so that outgoing weight can move from one to
    the other; where the verdict is ``fails``, ``witness`` is such a network: it
    has another number of zero weights, hence is not equivalent. Theory:
    ``clones_break_identifiability`` (V2).

    >>> twins = Network.mlp([[[1], [1]], [[2, 3]]], [[0, 0], [0]])
    >>> verdict = no_clones(twins)
    >>> verdict.evidence.neurons, verdict.witness
    (((1, 0), (1, 1)), Network.mlp([[[1], [1]], [[5, 0]]], [[0, 0], [0]]))
    """
    claim = "no two neurons with a common child have the same weights and bias"
    pairs = _clones(net)
    if not pairs:
        return Verdict(claim, Status.HOLDS, (Condition("no_clones", Status.HOLDS),))
    neurons = tuple(sorted({neuron for pair in pairs for neuron in pair.neurons}))
    condition = Condition("no_clones", Status.FAILS, neurons, pairs[0].explain())
    end = _moved(net, pairs[0])
    return Verdict(claim, Status.FAILS, (condition,), evidence=pairs[0], witness=end, family=Family.segment(net, end))


def _clones(net: Network) -> list[Clones]:
    """Neighbouring clones with a common child, in the order of the neurons."""
    feeds: dict[Neuron, dict[Neuron | None, Fraction]] = {neuron: {} for neuron in net.hidden_neurons}
    children: dict[Neuron, set[Neuron]] = {neuron: set() for neuron in net.hidden_neurons}
    for parameter in net.parameters:
        if parameter.value and parameter.target in feeds:
            feeds[parameter.target][parameter.source] = parameter.value
        if parameter.source in children:
            children[parameter.source].add(parameter.target)
    groups: dict[object, list[Neuron]] = {}
    for (layer, index), fed in feeds.items():
        groups.setdefault((net.layers[layer - 1].activations[index], frozenset(fed.items())), []).append((layer, index))
    found = []
    for group in groups.values():
        last: dict[Neuron, Neuron] = {}
        for neuron in group:
            shared = sorted(children[neuron] & set(last))
            if shared:
                found.append(Clones((last[shared[0]], neuron), shared[0]))
            last |= dict.fromkeys(children[neuron], neuron)
    return sorted(found, key=lambda pair: pair.neurons)


def _moved(net: Network, pair: Clones) -> Network:
    """The network with outgoing weight moved between clones, so that the number of zero weights changes."""
    (k, c), values = pair.child, {parameter.name: parameter.value for parameter in net.parameters}
    first, second = (f"w[{k}<-{layer}][{c},{index}]" for layer, index in pair.neurons)
    total = values[first] + values[second]
    if values[first] and values[second]:
        return net.replace({first: total, second: 0})
    return net.replace({first: total / 2, second: total / 2} if total else {first: 1, second: -1})


@noted
def full_row_rank(net: Network) -> Verdict:
    r"""Whether every hidden weight matrix :math:`M^k` has linearly independent rows.

    So no hidden layer is wider than the layer before it. For perceptrons; in our
    reading of Bona-Pellissier et al., where it concerns the hidden layers only.
    Evidence against it is a linear relation between rows.

    >>> full_row_rank(Network.mlp([[[1, 1], [2, 2]], [[1, 1]]])).evidence.coefficients
    (Fraction(-2, 1), Fraction(1, 1))
    """
    claim = "every hidden weight matrix has full row rank"
    reason = why_not_perceptron(net)
    if reason is not None:
        return inapplicable(claim, "perceptron", reason)
    conditions, evidence = [], None
    for number, layer in enumerate(net.layers[:-1], start=1):
        rows = [[entry or ZERO for entry in row] for row in layer.blocks[0][1]]
        relations = kernel(list(zip(*rows, strict=True)), layer.width)
        neurons: tuple[Neuron, ...] = ()
        if relations:
            support = [i for i, entry in enumerate(relations[0]) if entry]
            neurons = tuple((number, i) for i in support)
            coefficients = tuple(relations[0][i] for i in support)
            constant = dot(coefficients, [layer.bias[i] if layer.bias else ZERO for i in support])
            evidence = evidence or Dependence(neurons, coefficients, constant)
        size = layer.width - len(relations)
        detail = f"layer {number} has {layer.width} rows of rank {size}"
        status = Status.FAILS if relations else Status.HOLDS
        conditions.append(Condition("full_row_rank", status, neurons, detail))
    return Verdict(claim, Status.HOLDS if evidence is None else Status.FAILS, tuple(conditions), evidence=evidence)


@noted
def irreducible(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Verdict:
    r"""Whether no network with fewer neurons in its one hidden layer is the same function on ``domain``.

    Where this fails, ``witness`` is a network of least width. Theory:
    ``shallow_minimal_width`` (5.4 G).

    >>> irreducible(Network.mlp([[[1], [2]], [[1, 1]]], [[0, 0], [0]])).witness
    Network.mlp([[[1]], [[3]]], [[0], [0]])
    """
    domain = as_domain(domain, net.input_dim)
    claim = f"no narrower shallow network is the same function on {domain}"
    try:
        least = minimal_width(net, domain, budget=budget)
        width = net.widths[1]
        status = Status.HOLDS if least == width else Status.FAILS
        witness = None if least == width else reduce(net, domain, budget=budget)
    except (HypothesisNotMet, InvalidDomain) as error:
        return inapplicable(claim, "one_hidden_layer", str(error))
    except (Undecided, BudgetExceeded) as error:
        return Verdict(claim, Status.UNKNOWN, (Condition("minimal_width", Status.UNKNOWN, (), str(error)),))
    detail = f"{width} hidden neuron(s), of which {least} are needed"
    return Verdict(claim, status, (Condition("minimal_width", status, (), detail),), witness=witness)
