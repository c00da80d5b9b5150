r"""Clones and invisible neurons: what a network carries without need, whatever its activations.

Two neurons are *clones* if they apply the same :math:`\rho` to the same
combination of the same sources. A common child only sees the sum of their
weights, so that clones break identifiability (theory:
``clones_break_identifiability``, V2). A neuron is *invisible* if its outgoing
weights all vanish.
"""

from __future__ import annotations

from ..networks import Network
from ..verdicts import Neuron
from .drafts import Draft


def clones(net: Network) -> tuple[tuple[Neuron, ...], ...]:
    """The groups of two or more hidden neurons with the same activation, nonzero weights and bias.

    An absent edge counts as weight 0, and a layer without biases as bias 0. Constant
    neurons have no sources in common, so that only those of one layer are clones.

    >>> clones(Network.mlp([[[1], [2], [1]], [[2, 3, 4]]], [[0, 0, 0], [0]]))
    (((1, 0), (1, 2)),)
    """
    draft = Draft.of(net)
    names = draft.names
    return tuple(tuple(names[neuron] for neuron in group) for group in draft.clones() if len(group) > 1)


def merge_clones(net: Network) -> Network:
    """The same function without clones: the first of a group gets the outgoing weights of all.

    Later layers come after earlier ones, since merging may make new clones there.

    >>> merge_clones(Network.mlp([[[1], [1]], [[2, 3]]], [[0, 0], [0]]))
    Network.mlp([[[1]], [[5]]], [[0], [0]])
    """
    draft = Draft.of(net)
    draft.merge_clones()
    return draft.network()


def drop_invisible(net: Network) -> Network:
    """The same function without hidden neurons whose outgoing weights all vanish, nor those that feed only such.

    A hidden layer that loses all its neurons disappears.

    >>> drop_invisible(Network.mlp([[[1], [2]], [[1, 0]]], [[0, 0], [0]]))
    Network.mlp([[[1]], [[1]]], [[0], [0]])
    """
    draft = Draft.of(net)
    draft.drop_invisible()
    return draft.network()


def without_idle_neurons(net: Network) -> Network:
    r"""The same function without clones, invisible neurons, and those that are 0 since nothing reaches them.

    >>> without_idle_neurons(Network.mlp([[[1], [1]], [[2, -2]]], [[0, 0], [3]]))
    Network.mlp([[[0]]], [[3]])
    """
    draft = Draft.of(net)
    draft.drop_zero()
    draft.merge_clones()
    draft.drop_invisible()
    return draft.network()
