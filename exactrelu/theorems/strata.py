r"""Degenerate strata: the named ways in which a network may fail to be generic.

A stratum recognises its networks, and makes one of any network whose
architecture has room for it. Where a network lies in several strata the first one
of :data:`STRATA` counts.

==============  ================================================================
``dead``        a hidden neuron is 0 everywhere, by the signs of its parameters
``unheard``     all outgoing weights of a hidden neuron are 0
``clones``      two neurons of a layer have the same incoming weights and bias
``twins``       two neurons of a layer have proportional weights and bias, the factor positive
``opposite``    the same with a negative factor
``zero_sum``    one hidden layer, :math:`\sum_{i\in S}v_iw_i^T=0` for a nonempty set :math:`S` of neurons
``parallel``    two neurons of a layer have parallel weights and different hyperplanes
``concurrent``  :math:`n+1` distinct hyperplanes of a layer with :math:`n` sources meet in a point
``on_kink``     a hidden pre-activation vanishes at the origin
``one_wide``    three consecutive hidden layers have width 1
``zeros``       some parameter is 0
==============  ================================================================

>>> stratum_of(Network.mlp([[[1], [-2]], [[1, 1]]], [[1, -2], [0]]))
'opposite'
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ..errors import BudgetExceeded, InvalidInput
from ..networks import Network
from ..rationals import common_denominator, rank, scaled_integers
from ..rationals.subset_sums import subsets_with_sum
from ..verdicts import Neuron
from . import degenerations as change
from .forms import Form, ends, factor, forms, is_shallow, layer_pairs, spare_groups, weights

GENERIC: Final = "generic"
"""The name of what lies in no stratum."""
MOST_SUBSETS: Final = 1 << 16
"""The number of sets of neurons, in each of two halves, among which zero sums are recognised."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A named set of networks: whether a network lies in it, and a change that moves most networks into it."""

    name: str
    recognises: Callable[[Network], bool]
    degeneration: Callable[[Network, random.Random], Network | None]

    def degenerate(self, net: Network, generator: random.Random) -> Network | None:
        """The network with a few parameters changed so that it lies in the stratum; ``None`` without room for that."""
        found = self.degeneration(net, generator)
        return found if found is not None and self.recognises(found) else None


def stratum_of(net: Network) -> str:
    """The first stratum that a network lies in, or ``"generic"``."""
    return next((stratum.name for stratum in STRATA.values() if stratum.recognises(net)), GENERIC)


def named_strata(names: Iterable[str]) -> tuple[Stratum, ...]:
    """The strata of these names; :class:`~exactrelu.errors.InvalidInput` for a name that there is not."""
    if isinstance(names, str):
        names = (names,)
    found = []
    for name in names:
        if name not in STRATA:
            raise InvalidInput("strata", f"must be among {', '.join(STRATA)}", name)
        found.append(STRATA[name])
    return tuple(found)


def _is_dead(net: Network) -> bool:
    return any(
        all(value <= 0 if source is None or source[0] > 0 else not value for source, value in form.items())
        for form in forms(net).values()
    )


def _is_unheard(net: Network) -> bool:
    heard = {parameter.source for parameter in net.parameters if parameter.value}
    return any(neuron not in heard for neuron in net.hidden_neurons)


def _has_pair(test: Callable[[Form, Form], bool]) -> Callable[[Network], bool]:
    def recognises(net: Network) -> bool:
        found = forms(net)
        return any(test(found[first], found[second]) for first, second in layer_pairs(found))

    return recognises


def _twins(first: Form, second: Form) -> bool:
    ratio = factor(first, second)
    return ratio is not None and ratio > 0


def _opposite(first: Form, second: Form) -> bool:
    ratio = factor(first, second)
    return ratio is not None and ratio < 0


def _parallel(first: Form, second: Form) -> bool:
    return factor(weights(first), weights(second)) is not None and factor(first, second) is None


def _has_zero_sum(net: Network) -> bool:
    if not is_shallow(net):
        return False
    rows = [[v * w for v in outgoing for w in incoming] for incoming, outgoing in ends(net)]
    scale = common_denominator([entry for row in rows for entry in row])
    vectors = [scaled_integers(row, scale) for row in rows]
    try:
        return any(subsets_with_sum(vectors, [0] * len(rows[0]), budget=MOST_SUBSETS))
    except BudgetExceeded:
        return False


def _is_concurrent(net: Network) -> bool:
    return any(True for _ in _meeting(net))


def _meeting(net: Network) -> Iterator[tuple[Neuron, ...]]:
    """The sets of n+1 neurons of a layer with n sources whose hyperplanes are distinct and meet."""
    found = forms(net)
    for group in spare_groups(net, found):
        vectors = [list(weights(found[neuron]).values()) for neuron in group]
        full = [[*vector, found[neuron][None]] for vector, neuron in zip(vectors, group, strict=True)]
        meet = all(map(any, vectors)) and rank(vectors) == rank(full)
        if meet and all(rank([first, second]) == 2 for first, second in combinations(full, 2)):
            yield group


def _is_on_kink(net: Network) -> bool:
    if net.is_analytic:
        return False
    values = net.preactivations([0] * net.input_dim)[:-1]
    return any(not value for layer in values for value in layer)


def _has_zeros(net: Network) -> bool:
    return any(not parameter.value for parameter in net.parameters)


def _is_one_wide(net: Network) -> bool:
    hidden = net.widths[1:-1]
    return any(hidden[k : k + 3] == (1, 1, 1) for k in range(len(hidden)))


def _keep_one_wide(net: Network, generator: random.Random) -> Network | None:
    return net if _is_one_wide(net) else None


STRATA: Final[Mapping[str, Stratum]] = {
    stratum.name: stratum
    for stratum in (
        Stratum("dead", _is_dead, change.silence),
        Stratum("unheard", _is_unheard, change.mute),
        Stratum("clones", _has_pair(lambda first, second: first == second), change.pair_of(change.copied)),
        Stratum("twins", _has_pair(_twins), change.pair_of(change.multiplied)),
        Stratum("opposite", _has_pair(_opposite), change.pair_of(change.turned)),
        Stratum("zero_sum", _has_zero_sum, change.balance),
        Stratum("parallel", _has_pair(_parallel), change.pair_of(change.shifted)),
        Stratum("concurrent", _is_concurrent, change.concur),
        Stratum("on_kink", _is_on_kink, change.move_to_kink),
        Stratum("one_wide", _is_one_wide, _keep_one_wide),
        Stratum("zeros", _has_zeros, change.erase),
    )
}
"""All strata by name, the most special ones first."""
