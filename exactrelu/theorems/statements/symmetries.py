r"""Statements about affine symmetries: V1 to V4."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from ...errors import InvalidInput
from ...networks import Network
from ...symmetries import Modification, irreducible, is_affine_symmetry
from ...symmetries.modifications import symmetry_argument
from ...verdicts import Status, Verdict
from ..decisions import shallow_facts as facts
from ..decisions.directions import rho_of, same_shallow_function, symmetries_lead_there
from ..decisions.modified import clone_pairs, modified
from ..decisions.rigidity import agreement, deformability
from ..instances import Instance
from ..theorem import Standing, Theorem
from .dimension import flippable
from .embedding import ADMISSIBLE
from .symmetries_supply import modifiable, modifications_of, smooth_pair, with_clones

VLACIC = "Vlačić and Bölcskei, arXiv:2006.11727"


def affine_symmetry(network: Network, modification: Modification) -> Verdict:
    r"""The sum of the terms is the constant, for the activation of the neuron"""
    layer, index = modification.neuron
    rho = symmetry_argument(network.layers[layer - 1].activations[index])
    symmetry = modification.symmetry
    return is_affine_symmetry(rho, symmetry.coefficients, symmetry.atoms, symmetry.constant)


def child_in_a_later_layer(network: Network, modification: Modification) -> bool:
    """The child is a neuron or output of a later layer than the terms"""
    (layer, index), (later, hearer) = modification.neuron, modification.child
    widths = network.widths
    return 0 < layer < later <= network.depth and index < widths[layer] and hearer < widths[later]


def room_for_constants(network: Network, modification: Modification) -> bool:
    """The layers of the terms and of the child have bias parameters where there are constants"""
    symmetry, layers = modification.symmetry, network.layers
    terms = any(gamma for (_, gamma), a in zip(symmetry.atoms, symmetry.coefficients, strict=True) if a)
    below = layers[modification.neuron[0] - 1].bias is not None or not terms
    above = layers[modification.child[0] - 1].bias is not None or not modification.amount * symmetry.constant
    return below and above


def modification_keeps_the_function(network: Network, modification: Modification) -> Verdict:
    """The network with the terms of the symmetry added at the child has the same function"""
    changed = modified(network, modification)
    if network.is_analytic:
        return Verdict("equality of analytic functions is not decided", Status.UNKNOWN)
    return agreement(network, changed)


def has_clones(network: Network) -> bool:
    """Two hidden neurons have the same parents, weights and bias"""
    return bool(clone_pairs(network))


def clones_share_a_child(network: Network) -> bool:
    """If there are clones, two of them have a common child or output, and both edges are parameters"""
    children: dict[object, set[object]] = {}
    for parameter in network.parameters:
        children.setdefault(parameter.source, set()).add(parameter.target)
    pairs = clone_pairs(network)
    return not pairs or any(children[u] & children[v] for u, v in pairs)


def other_is_a_flip(network: Network, other: Network) -> bool:
    """The other network arises by turning some neurons around"""
    flipped = flipped_neurons(network, other)
    try:
        return bool(flipped) and network.flip(flipped) == other
    except InvalidInput:  # no output bias takes up the constant
        return False


def flipped_neurons(network: Network, other: Network) -> list[int]:
    """The neurons whose forms are the negatives of those of the network."""
    if network.architecture != other.architecture:
        return []
    pairs = zip(facts.neurons(network), facts.neurons(other), strict=True)
    return [i for i, ((old, _), (new, _)) in enumerate(pairs) if any(old) and new == tuple(-e for e in old)]


def direction_sums_vanish(network: Network, other: Network) -> bool:
    r"""Over the flipped neurons of every direction of weights the products of outgoing and incoming weights sum to 0"""
    found = facts.neurons(network)
    sums: dict[tuple[Fraction, ...], list[Fraction]] = {}
    for i in flipped_neurons(network, other):
        form, output = found[i]
        lead = next((entry for entry in form[:-1] if entry), Fraction(1))
        total = sums.setdefault(tuple(e / lead for e in form[:-1]), [Fraction(0)] * len(output) * (len(form) - 1))
        for k, entry in enumerate(a * w for a in output for w in form[:-1]):
            total[k] += entry
    return not any(any(total) for total in sums.values())


def both_irreducible(network: Network, other: Network) -> Verdict:
    """No neuron of either network is invisible, a clone, or part of an internal symmetry"""
    try:
        statuses = [irreducible(net).status for net in (network, other)]
    except InvalidInput as error:  # activations whose symmetries are not decided
        return Verdict(str(error), Status.INAPPLICABLE)
    return Verdict("both networks are irreducible", Status.HOLDS if set(statuses) == {Status.HOLDS} else Status.FAILS)


def no_null_nets(network: Network) -> Verdict:
    """No irreducible network with the activation of this one realizes 0"""
    found = rho_of(network)
    if found == "tanh":
        return Verdict("there are no null nets of tanh neurons", Status.HOLDS)
    name = getattr(found, "name", None)
    return Verdict("null nets", Status.FAILS if name == "relu" else Status.UNKNOWN)


def flipped(r: random.Random) -> Instance:
    """A shallow network and a flip, mostly one that keeps the function."""
    while True:
        net = flippable(r).network
        sets = list(facts.zero_sum_sets(net))
        if sets and r.random() < 0.9:
            return Instance(net, net.flip(r.choice(sets)))


def flipped_by_symmetries(r: random.Random) -> Instance:
    """The same, mostly with one input, where all flips are symmetries."""
    for _ in range(40):
        instance = flipped(r)
        if instance.other is not None and direction_sums_vanish(instance.network, instance.other):
            break
    return instance


def flips_of(net: Network, r: random.Random) -> Iterator[Instance]:
    """The network with every flip that its sets of neurons allow."""
    if facts.one_hidden_layer(net) and facts.output_biases(net) and net.widths[1] <= facts.MOST_NEURONS:
        yield from (Instance(net, net.flip(subset)) for subset in facts.zero_sum_sets(net))


FLIP_HYPOTHESES = (
    facts.one_hidden_layer,
    facts.output_biases,
    facts.outputs_nonzero,
    facts.all_kinked,
    facts.distinct_hyperplanes,
    other_is_a_flip,
)

STATEMENTS = (
    Theorem(
        id="symmetry_modification_preserves_realization",
        title="an affine symmetry added at a later neuron does not change the function",
        statement=r"Let $u$ be the pre-activation of a hidden neuron with activation $\rho$. If "
        r"$\sum_s\alpha_s\rho(\beta_st+\gamma_s)=\zeta$ for all $t$, then for every number $y$ and every neuron or "
        r"output $c$ of a later layer neurons $\rho(\beta_su+\gamma_s)$ may be added to the layer of that neuron, with "
        r"weights $y\alpha_s$ into $c$, and $-y\zeta$ to the bias of $c$: $R_\theta$ stays.",
        source=VLACIC,
        hypotheses=[
            child_in_a_later_layer,
            affine_symmetry,
            room_for_constants,
        ],
        conclusion=modification_keeps_the_function,
        standing=Standing.PROVED,
        supply=modifiable,
        arrangement=modifications_of,
    ),
    Theorem(
        id="clones_break_identifiability",
        title="clones with a common child break local identifiability",
        statement=r"If $\theta$ is admissible and two hidden neurons have the same parents, weights and bias, and a "
        r"common child or output along two parameters, then $\theta$ is not locally identifiable.",
        source=VLACIC,
        hypotheses=[ADMISSIBLE, has_clones, clones_share_a_child],
        conclusion=deformability,
        standing=Standing.PROVED,
        supply=with_clones,
    ),
    Theorem(
        id="which_flips_are_symmetries",
        title="a flip is a composition of affine symmetries if its products cancel in every direction of weights",
        statement=r"One hidden ReLU layer with (B1)-(B3). If $\sum_{i\in S\cap C}v_iw_i^T=0$ for every class $C$ of "
        r"parallel weights, then the flip of $S$ is a composition of modifications by affine symmetries.",
        hypotheses=[*FLIP_HYPOTHESES, direction_sums_vanish],
        conclusion=symmetries_lead_there,
        uses=["symmetry_modification_preserves_realization", "shallow_fibre_is_flips"],
        standing=Standing.PROVED,
        supply=flipped_by_symmetries,
        arrangement=flips_of,
    ),
    Theorem(
        id="which_flips_are_symmetries_converse",
        title="if a flip is a composition of affine symmetries, its products cancel in every direction of weights",
        statement=r"One hidden ReLU layer with (B1)-(B3). If the flip of $S$ is a composition of modifications by "
        r"affine symmetries, then $\sum_{i\in S\cap C}v_iw_i^T=0$ for every class $C$ of parallel weights.",
        hypotheses=[*FLIP_HYPOTHESES, symmetries_lead_there],
        conclusion=direction_sums_vanish,
        uses=["symmetry_modification_preserves_realization", "shallow_fibre_is_flips"],
        standing=Standing.PROVED,
        supply=flipped_by_symmetries,
        arrangement=flips_of,
    ),
    Theorem(
        id="symmetries_exhaust_fibre_without_null_nets",
        title="affine symmetries lead to all irreducible networks with the same function, unless there are null nets",
        statement=r"If no irreducible network realizes $0$, any two irreducible networks with the same function arise "
        r"from each other by modifications. Here: one hidden layer, $\rho=\tanh$.",
        source=VLACIC,
        hypotheses=[
            no_null_nets,
            both_irreducible,
            same_shallow_function,
        ],
        conclusion=symmetries_lead_there,
        uses=[
            "symmetry_modification_preserves_realization",
            "which_flips_are_symmetries",
            "which_flips_are_symmetries_converse",
        ],
        standing=Standing.CITED,
        supply=smooth_pair,
        arrangement=flips_of,
    ),
)
