r"""All parameters of a shallow network with the same function, up to permutation and scaling.

Theory: ``shallow_fibre_is_flips`` (5.2 B). If all :math:`v_i\ne0`, all neurons
are kinked and their hyperplanes are distinct, the classes correspond to the
sets :math:`S` with :math:`\sum_{i\in S}v_iw_i^T=0`; :math:`S` turns its neurons
around. Without an output bias the products are with :math:`(w_i,b_i)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...equality import NeuronType
from ...errors import HypothesisNotMet
from ...networks import Network
from ...polyhedra import Domain
from ...rationals.subset_sums import subsets_with_sum
from ...verdicts import Verdict
from .setting import Setting, prepared
from .shallow_global import flip_vectors
from .walls import walls


@dataclass(frozen=True, slots=True)
class Fibre:
    """The flip sets of a network, found lazily, with the networks that they give."""

    network: Network
    vectors: tuple[tuple[int, ...], ...]
    budget: int | None

    def flip_sets(self) -> Iterator[tuple[int, ...]]:
        """The index sets whose neurons can be flipped together, the empty set among them."""
        width = len(self.vectors[0])
        return subsets_with_sum(self.vectors, (0,) * width, budget=self.budget)

    def __iter__(self) -> Iterator[Network]:
        return (self.network.flip(subset) for subset in self.flip_sets())


def fibre(net: Network, domain: Domain | str | None = None, *, budget: int | None = None) -> Fibre:
    r"""The fibre of a shallow network on ``domain``: one network per class, the network itself among them.

    Raises :class:`~exactrelu.errors.HypothesisNotMet`, naming the condition,
    unless all outputs are nonzero, all neurons kinked and all hyperplanes
    distinct; iteration raises :class:`~exactrelu.errors.BudgetExceeded` when a
    search would list more than ``budget`` subsets.

    >>> hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    >>> list(fibre(hat).flip_sets())
    [(), (0, 1, 2)]
    """
    setting = prepared(net, domain, "the only ones")
    if isinstance(setting, Verdict):
        raise HypothesisNotMet("network", f"must have flips as its fibre, but {setting.conditions[0].detail}")
    reason = _obstacle(setting)
    if reason is not None:
        raise HypothesisNotMet("network", f"must have flips as its fibre, but {reason}")
    return Fibre(net, tuple(map(tuple, flip_vectors(setting.view))), budget)


def _obstacle(setting: Setting) -> str | None:
    if setting.dead_outputs:
        return f"the outgoing weights of neuron {setting.dead_outputs[0]} are all 0"
    bent = set(setting.of_type(NeuronType.KINKED))
    for i in range(setting.view.size):
        if i not in bent:
            return f"neuron {i} is {setting.explain_type(i)}"
    for wall in walls(setting.view, range(setting.view.size)):
        if len(wall.neurons) > 1:
            return f"neurons {', '.join(map(str, wall.neurons))} share the hyperplane {wall.explain()}"
    return None
