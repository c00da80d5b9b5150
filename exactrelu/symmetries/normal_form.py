r"""A scaling of the hidden neurons that does not depend on their order or scale.

A neuron is *fed* if it can be reached along nonzero edges from an input or a
nonzero bias. In topological order every fed neuron gets the factor that makes
the largest absolute value among its bias and its weights from inputs and fed
neurons equal to 1. The maximum is invariant under permutations and positively
homogeneous, so scaling-equivalent networks get the same normalised weights;
and each factor is a product of weights along one path, so numbers stay short.

The others are reached from there in rounds: a neuron joined by nonzero edges to
neurons that have a factor is normalised by the largest of these edges. What is
never reached consists of free components, in which a neuron has to be chosen
before anything can be normalised (``anchors``).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..networks import Network
from ..verdicts import Neuron

ONE = Fraction(1)
Factors = dict[Neuron, Fraction]


def normalising_factors(net: Network, anchors: Iterable[Neuron] = ()) -> Factors:
    r"""The factor :math:`\lambda_v` of every neuron that can be normalised, 1 on inputs and outputs.

    >>> normalising_factors(Network.mlp([[[4]], [[3]]], [[-2], None]))[1, 0]
    Fraction(1, 4)
    """
    factors: Factors = {(0, j): ONE for j in range(net.input_dim)}
    largest: dict[Neuron, Fraction] = {}
    for parameter in net.parameters:
        source, target = parameter.source, parameter.target
        if parameter.value and (source is None or source in largest or source[0] == 0):
            size = abs(parameter.value) * (ONE if source is None else largest.get(source, ONE))
            largest[target] = max(size, largest.get(target, size))
    # ``largest`` is 1/factor: parameters come layer by layer, so sources are complete.
    factors.update({neuron: 1 / size for neuron, size in largest.items()})
    factors.update({(net.depth, i): ONE for i in range(net.output_dim)})
    _extend(net, factors)
    for neuron in anchors:
        if neuron not in factors:
            factors[neuron] = ONE
            _extend(net, factors)
    return factors


def _extend(net: Network, factors: Factors) -> None:
    """Round by round, give a factor to each neuron joined to some that have one."""
    edges = [p for p in net.parameters if p.value and p.source is not None]
    while True:
        incoming: Factors = {}
        outgoing: Factors = {}
        for edge in edges:
            source, target, size = edge.source, edge.target, abs(edge.value)
            assert source is not None
            if source in factors and target not in factors:
                incoming[target] = max(size / factors[source], incoming.get(target, size / factors[source]))
            elif target in factors and source not in factors:
                outgoing[source] = max(size * factors[target], outgoing.get(source, size * factors[target]))
        if not incoming and not outgoing:
            return
        factors.update(outgoing)
        factors.update({neuron: 1 / size for neuron, size in incoming.items()})
