r"""Facts about networks with one hidden layer, as predicates: outputs, kinks, hyperplanes, flips.

The first line of each text is the meaning of a hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Final

from ...equality import NeuronType, neuron_types, shallow, why_not_shallow
from ...errors import HypothesisNotMet
from ...networks import Network
from ...polyhedra import Domain, as_domain
from ...rationals import Vector

MOST_NEURONS: Final = 12
"""The most neurons of which all sets are listed."""


def one_hidden_layer(network: Network) -> bool:
    """The network is dense with one hidden layer of ReLUs and affine outputs"""
    return why_not_shallow(network) is None


def hidden_biases(network: Network) -> bool:
    """All hidden layers have bias parameters"""
    return all(layer.bias is not None for layer in network.layers[:-1])


def output_biases(network: Network) -> bool:
    """The outputs have bias parameters"""
    return network.layers[-1].bias is not None


def scalar_output(network: Network) -> bool:
    """There is one output"""
    return network.output_dim == 1


def outputs_nonzero(network: Network) -> bool:
    """Every hidden neuron has a nonzero outgoing weight"""
    heard = {parameter.source for parameter in network.parameters if parameter.value}
    return heard.issuperset(network.hidden_neurons)


def all_kinked(network: Network, domain: Domain | None = None) -> bool:
    """Every neuron is positive somewhere and negative somewhere on the domain"""
    found = as_domain(domain, network.input_dim)
    return all(typed.type is NeuronType.KINKED for typed in neuron_types(shallow(network), found))


def neurons(network: Network) -> list[tuple[Vector, Vector]]:
    r"""The forms :math:`(w_i,b_i)` and outputs :math:`v_i` of all neurons.

    Raises :class:`~exactrelu.errors.HypothesisNotMet` for deeper networks.
    """
    reason = why_not_shallow(network)
    if reason is not None:
        raise HypothesisNotMet("network", f"must have one hidden layer, but {reason}")
    hidden, output = network.layers
    bias = hidden.bias or (Fraction(0),) * hidden.width
    matrix = output.blocks[0][1]
    zero = Fraction(0)
    return [
        ((*(entry or zero for entry in row), b), tuple(line[i] or zero for line in matrix))
        for i, (row, b) in enumerate(zip(hidden.blocks[0][1], bias, strict=True))
    ]


def hyperplanes(network: Network) -> dict[Vector, list[tuple[int, Fraction]]]:
    r"""The neurons by hyperplane: its form with first nonzero entry 1, and for each neuron :math:`i` the factor
    :math:`s_i` with :math:`(w_i,b_i)=s_i` times that form; neurons with :math:`(w_i,b_i)=0` under the zero form.
    """
    found: dict[Vector, list[tuple[int, Fraction]]] = {}
    for i, (form, _) in enumerate(neurons(network)):
        lead = next((entry for entry in form if entry), Fraction(1))
        found.setdefault(tuple(entry / lead for entry in form), []).append((i, lead))
    return found


def distinct_hyperplanes(network: Network) -> bool:
    """No two neurons have the same hyperplane"""
    return all(len(group) == 1 for group in hyperplanes(network).values())


def one_same_halfspace_pair(network: Network) -> bool:
    """Two neurons are active on the same half-space, and all other hyperplanes are distinct"""
    groups = [group for group in hyperplanes(network).values() if len(group) > 1]
    return len(groups) == 1 and len(groups[0]) == 2 and groups[0][0][1] * groups[0][1][1] > 0


def opposite_pairs(network: Network) -> list[tuple[tuple[int, Fraction], tuple[int, Fraction]]]:
    """The pairs of neurons with opposite half-spaces, if no two share one in any other way, else none."""
    groups = [group for group in hyperplanes(network).values() if len(group) > 1]
    if any(len(group) > 2 or group[0][1] * group[1][1] > 0 for group in groups):
        return []
    return [(group[0], group[1]) for group in groups]


def antiparallel_pairs(network: Network) -> bool:
    """There are pairs of neurons with opposite half-spaces, and otherwise hyperplanes are distinct"""
    return bool(opposite_pairs(network))


def one_antiparallel_pair(network: Network) -> bool:
    """Two neurons have opposite half-spaces, and otherwise hyperplanes are distinct"""
    return len(opposite_pairs(network)) == 1


def pairs_bend(network: Network) -> bool:
    """The outputs of neurons with opposite half-spaces do not cancel to an affine function"""
    outputs = [output for _, output in neurons(network)]
    return all(
        any(abs(s) * a + abs(t) * b for a, b in zip(outputs[i], outputs[j], strict=True))
        for (i, s), (j, t) in opposite_pairs(network)
    )


def zero_sum_sets(network: Network) -> Iterator[tuple[int, ...]]:
    r"""The nonempty sets :math:`S` with :math:`\sum_{i\in S}v_iw_i^T=0`, by listing all sets."""
    found = neurons(network)
    if len(found) > MOST_NEURONS:
        raise HypothesisNotMet("network", f"must have at most {MOST_NEURONS} neurons for all sets to be listed")
    products = [[a * w for a in output for w in form[:-1]] for form, output in found]
    for size in range(1, len(found) + 1):
        for subset in combinations(range(len(found)), size):
            if not any(sum((products[i][k] for i in subset), Fraction(0)) for k in range(len(products[0]))):
                yield subset


def zero_sum_flip(network: Network) -> bool:
    r"""For a nonempty set of neurons the products of outgoing and incoming weights sum to 0"""
    return next(zero_sum_sets(network), None) is not None
