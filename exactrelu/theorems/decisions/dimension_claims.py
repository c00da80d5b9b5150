r"""Properties of networks that the statements about functional dimension speak of.

The first line of each text is the meaning of a hypothesis or conclusion.
"""

from __future__ import annotations

from fractions import Fraction

from ...identifiability import globally_identifiable, locally_identifiable
from ...networks import Layer, Network
from ...paths import path_embedding
from ...polyhedra import Domain
from ...rationals import rank
from ...regions import activation_regions
from ...verdicts import Condition, Status, Verdict
from ..statuses import conjunction, status_of
from . import shallow_facts as facts
from .chains import chain_parameters
from .dimensions import bound_by_runs, dimension, dimension_is, full_dimension
from .equivalence import permuted_scaling_exists
from .rigidity import agreement


def relu_network(network: Network) -> bool:
    """Hidden neurons are ReLUs and outputs are affine"""
    return network.is_standard


def layered(network: Network) -> bool:
    """Every layer reads the previous one along a full matrix, and hidden neurons are ReLUs"""
    return network.is_layered and network.is_standard


def all_biases(network: Network) -> bool:
    """Every layer has bias parameters, the output included"""
    return all(layer.bias is not None for layer in network.layers)


def dimension_at_most_embedding_rank(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The functional dimension is at most the rank of the embedding, and that is at most D - h"""
    found, bound = dimension(network, domain), rank(path_embedding(network).jacobian())
    claim = f"the functional dimension is {found}, the rank of the embedding {bound}, D - h = {full_dimension(network)}"
    return Verdict(claim, status_of(found <= bound <= full_dimension(network)))


def full_functional_dimension(network: Network, domain: Domain | None = None) -> Verdict:
    """The functional dimension is D - h"""
    return dimension_is(network, full_dimension(network), domain)


def loses_inputs_plus_one(network: Network) -> Verdict:
    """The functional dimension is D - h - (d + 1)"""
    return dimension_is(network, full_dimension(network) - network.input_dim - 1)


def loses_by_pairs(network: Network) -> Verdict:
    """The functional dimension is D - h - k - (k - 1) d with k pairs"""
    pairs = len(facts.opposite_pairs(network))
    return dimension_is(network, full_dimension(network) - pairs - (pairs - 1) * network.input_dim)


def dimension_by_signs(network: Network) -> Verdict:
    """The functional dimension is 3 (a>0, v>0), 4 (a>0, v<0), 3 (a<0, v>0) or 1 (a<0, v<0)"""
    _, _, v, a, _, _ = chain_parameters(network)
    return dimension_is(network, {(True, True): 3, (True, False): 4, (False, True): 3, (False, False): 1}[a > 0, v > 0])


def dimension_at_most_bound_by_runs(network: Network) -> Verdict:
    r"""The functional dimension is at most D - h minus max(0, k - 2) for every run of k hidden layers of width 1"""
    found, bound = dimension(network), bound_by_runs(network)
    claim = f"the functional dimension is {found}, the bound {bound}"
    return Verdict(claim, status_of(found <= bound))


def smaller_dimension_but_rigid(network: Network) -> Verdict:
    """The functional dimension is below D - h, and nearby parameters with the same function are rescalings"""
    found, local = dimension(network), locally_identifiable(network)
    parts = (
        Condition("dimension_gap", status_of(found < full_dimension(network)), detail=f"functional dimension {found}"),
        Condition("locally_identifiable", local.status),
    )
    return conjunction("a dimension gap without a symmetry", parts)


def full_dimension_but_ambiguous(network: Network, domain: Domain | None = None) -> Verdict:
    """The functional dimension is D - h, and another network that is no permuted rescaling has the same function"""
    other = _turned(network, domain)
    found = Status.HOLDS if other is not None else Status.UNKNOWN
    if other is None and globally_identifiable(network, domain).status is Status.HOLDS:
        found = Status.FAILS
    parts = (
        Condition("full_functional_dimension", full_functional_dimension(network, domain).status),
        Condition("another_network", found),
    )
    return conjunction("full dimension without global identifiability", parts, other)


def _turned(network: Network, domain: Domain | None) -> Network | None:
    """Some flip of the network with the same function that is no permuted rescaling; all sets are tried."""
    size = network.widths[1]
    for number in range(1, 1 << size):
        subset = [i for i in range(size) if number >> i & 1]
        if not network.layers[-1].bias:
            return None
        other = network.flip(subset)
        same = agreement(network, other, domain).status is Status.HOLDS
        if same and not permuted_scaling_exists(network, other):
            return other
    return None


def widths_1_3_1_1(network: Network) -> bool:
    """The network has widths 1, 3, 1, 1 and all biases"""
    return network.widths == (1, 3, 1, 1) and layered(network) and all_biases(network)


def all_weights_nonzero(network: Network) -> bool:
    """No weight is 0"""
    return all(parameter.value for parameter in network.parameters if parameter.source is not None)


def open_gate_with_twins(network: Network) -> bool:
    """The second neuron is on everywhere; the function bends once, and two twins with another kink cancel"""
    if not widths_1_3_1_1(network):
        return False
    hidden, gate = network.layers[0], network.layers[1]
    first = Network(1, [hidden, Layer({1: gate.blocks[0][1]}, bias=gate.bias, activation="identity")])
    groups = facts.hyperplanes(first)
    twins = [group for group in groups.values() if len(group) == 2]
    if len(groups) != 2 or not twins or twins[0][0][1] * twins[0][1][1] < 0:
        return False
    outputs = [output[0] for _, output in facts.neurons(first)]
    single = next(group[0][0] for group in groups.values() if len(group) == 1)
    cancel = not sum((abs(s) * outputs[i] for i, s in twins[0]), Fraction(0))
    return cancel and outputs[single] > 0 and gate.bias is not None and gate.bias[0] > 0


def closed_gate(other: Network) -> bool:
    """In the other network the second neuron is off somewhere, and where it is on all first neurons are on"""
    return widths_1_3_1_1(other) and sorted(_gates(other)) == [(False, False), (True, True)]


def _gates(net: Network) -> set[tuple[bool, bool]]:
    """Whether the second neuron is on, and all first ones with it (False where the second is off), over all regions."""
    found = set()
    for region in activation_regions(net):
        first, second = region.pattern.signs
        found.add((second[0] > 0, second[0] > 0 and all(sign > 0 for sign in first)))
    return found


def same_functions(network: Network, other: Network) -> Verdict:
    """The two networks have the same function"""
    return agreement(network, other)


def dimensions_five_and_three(network: Network, other: Network) -> Verdict:
    """The functional dimensions of the two networks are 5 and 3"""
    found = dimension(network), dimension(other)
    return Verdict(f"the functional dimensions are {found}", status_of(found == (5, 3)))
