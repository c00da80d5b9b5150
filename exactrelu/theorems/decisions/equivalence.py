r"""Scaling and permutation-scaling equivalence from the definitions, without :math:`\Phi`.

The factors :math:`\lambda_v` solve :math:`\lambda_v/\lambda_u=\theta'_{uv}/\theta_{uv}`: a
union-find whose links carry the ratio of two factors meets every equation once,
and a contradiction as soon as there is one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod
from typing import Final

from ...errors import BudgetExceeded
from ...networks import Network
from ...verdicts import Neuron, Status, Verdict

ONE: Final = Fraction(1)
MOST_PERMUTATIONS: Final = 10_000


class Ratios:
    """Vertices with the known ratios of their factors; ``None`` has factor 1."""

    def __init__(self) -> None:
        self._links: dict[Neuron | None, tuple[Neuron | None, Fraction]] = {}

    def root(self, vertex: Neuron | None) -> tuple[Neuron | None, Fraction]:
        """The representative of a vertex, and the factor of the vertex divided by that of the representative."""
        ratio = ONE
        while vertex in self._links:
            vertex, step = self._links[vertex]
            ratio *= step
        return vertex, ratio

    def equate(self, u: Neuron | None, v: Neuron | None, ratio: Fraction) -> bool:
        """Demand that the factor of ``v`` is ``ratio`` times that of ``u``; whether that is consistent."""
        (above_u, to_u), (above_v, to_v) = self.root(u), self.root(v)
        if above_u == above_v:
            return to_v == ratio * to_u
        if above_v is None:
            self._links[above_u] = above_v, to_v / (ratio * to_u)
        else:
            self._links[above_v] = above_u, ratio * to_u / to_v
        return True


def scaling_exists(left: Network, right: Network, *, signed: bool = False) -> bool:
    r"""Whether factors :math:`\lambda>0` (or of any sign, where ``signed``) carry one parameter vector to another.

    >>> net = Network.mlp([[[1]], [[1]]], [[1], None])
    >>> turned = Network.mlp([[[-1]], [[-1]]], [[-1], None])
    >>> scaling_exists(net, turned), scaling_exists(net, turned, signed=True)
    (False, True)
    """
    if left.architecture != right.architecture:
        return False
    ratios = Ratios()

    def vertex(neuron: Neuron | None) -> Neuron | None:
        return neuron if neuron is not None and 0 < neuron[0] < left.depth else None

    for old, new in zip(left.parameters, right.parameters, strict=True):
        if bool(old.value) != bool(new.value) or (old.value * new.value < 0 and not signed):
            return False
        # Where all ratios are positive, so are all factors: free components may begin with 1.
        if old.value and not ratios.equate(vertex(old.source), vertex(old.target), new.value / old.value):
            return False
    return True


def permuted_scaling_exists(left: Network, right: Network) -> bool:
    """The same up to permutations within hidden layers, by trying all of them.

    Raises :class:`~exactrelu.errors.BudgetExceeded` beyond ten thousand permutations.
    """
    if left.widths != right.widths:
        return False
    sizes = left.widths[1:-1]
    count = prod(map(factorial, sizes))
    if count > MOST_PERMUTATIONS:
        raise BudgetExceeded("permutations", MOST_PERMUTATIONS, count)
    choices = product(*(list(permutations(range(size))) for size in sizes))
    return any(scaling_exists(left.permute(moves), right) for moves in choices)


def scaling_equivalence(network: Network, other: Network) -> Verdict:
    r"""Positive factors :math:`\lambda_v` of the hidden neurons carry :math:`\theta` to :math:`\theta'`."""
    status = Status.HOLDS if scaling_exists(network, other) else Status.FAILS
    return Verdict("positive factors of the hidden neurons carry one network to the other", status)


def signed_scaling_equivalence(network: Network, other: Network) -> Verdict:
    r"""Nonzero factors of the hidden neurons, of any sign, carry :math:`\theta` to :math:`\theta'`."""
    status = Status.HOLDS if scaling_exists(network, other, signed=True) else Status.FAILS
    return Verdict("nonzero factors of the hidden neurons carry one network to the other", status)


def permuted_scaling_equivalence(network: Network, other: Network) -> Verdict:
    """Permutations within layers and positive factors carry one network to the other"""
    status = Status.HOLDS if permuted_scaling_exists(network, other) else Status.FAILS
    return Verdict("permutations and positive factors carry one network to the other", status)
