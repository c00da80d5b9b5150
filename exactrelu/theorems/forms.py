r"""What the neurons of a network hear: weights by source, and the bias.

>>> net = Network.mlp([[[1], [-2]], [[1, 1]]], [[1, -2], [0]])
>>> factor(*forms(net).values())
Fraction(-2, 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, islice
from typing import Final, TypeAlias

from ..networks import Network
from ..verdicts import Neuron

ZERO: Final = Fraction(0)
MOST_GROUPS: Final = 2_000
"""The number of sets of neurons that :func:`spare_groups` lists."""

Source: TypeAlias = Neuron | None
Form: TypeAlias = dict[Source, Fraction]
"""The incoming weights of a neuron by source, and its bias under ``None``."""


def forms(net: Network) -> dict[Neuron, Form]:
    """What every hidden neuron hears."""
    found: dict[Neuron, Form] = {neuron: {} for neuron in net.hidden_neurons}
    for parameter in net.parameters:
        if parameter.target in found:
            found[parameter.target][parameter.source] = parameter.value
    return found


def with_forms(net: Network, changed: Mapping[Neuron, Mapping[Source, Fraction]]) -> Network:
    """The network in which some neurons hear something else."""
    return net.with_values(
        [changed.get(p.target, {}).get(p.source, p.value) for p in net.parameters],
    )


def layer_pairs(found: Mapping[Neuron, Form]) -> Iterator[tuple[Neuron, Neuron]]:
    """The pairs of neurons of one layer that hear the same sources."""
    for first, second in combinations(found, 2):
        if first[0] == second[0] and found[first].keys() == found[second].keys():
            yield first, second


def factor(first: Form, second: Form) -> Fraction | None:
    """The number by which ``first`` must be multiplied to give ``second``, if there is one other than 0."""
    ratio = next((second[source] / value for source, value in first.items() if value), ZERO)
    fits = ratio and all(second[source] == ratio * value for source, value in first.items())
    return ratio if fits else None


def weights(form: Form) -> Form:
    """A form without its bias."""
    return {source: value for source, value in form.items() if source is not None}


def spare_groups(net: Network, found: Mapping[Neuron, Form]) -> Iterator[tuple[Neuron, ...]]:
    """The sets of n+1 neurons with biases that hear the same n >= 2 sources, at most :data:`MOST_GROUPS` of them."""
    return islice(_all_spare_groups(net, found), MOST_GROUPS)


def _all_spare_groups(net: Network, found: Mapping[Neuron, Form]) -> Iterator[tuple[Neuron, ...]]:
    for number, width in enumerate(net.widths[1:-1], start=1):
        neurons = [(number, i) for i in range(width) if None in found[number, i]]
        for group in combinations(neurons, 1 + len(weights(found[neurons[0]])) if neurons else 1):
            if len(group) > 2 and len({frozenset(found[neuron]) for neuron in group}) == 1:
                yield group


def is_shallow(net: Network) -> bool:
    """Whether there is one hidden layer, without skips or absent edges."""
    return net.depth == 2 and net.is_layered


def ends(net: Network) -> list[tuple[list[Fraction], list[Fraction]]]:
    """Incoming and outgoing weights of the neurons of a shallow network."""
    incoming, outgoing = net.layers[0].blocks[0][1], net.layers[1].blocks[0][1]
    return [
        ([w for w in row if w is not None], [w for w in column if w is not None])
        for row, column in zip(incoming, zip(*outgoing, strict=True), strict=True)
    ]
