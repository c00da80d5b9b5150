r"""Path norms :math:`\|\Phi(\theta)\|_q` by one forward pass, without paths."""

from __future__ import annotations

from fractions import Fraction

from ..errors import InvalidInput
from ..networks import Network


def path_norm(net: Network, q: int = 1) -> Fraction:
    r"""The number :math:`\|\Phi(\theta)\|_q^q=\sum_p|\Phi_p(\theta)|^q` for an integer :math:`q\ge1`.

    It is the sum of the outputs of the network with parameters
    :math:`|\theta_e|^q` and no activations, at the all-ones input. For
    :math:`q=1` this is the path norm itself; for larger :math:`q` the root of
    the result is the norm (and usually irrational).

    >>> path_norm(Network.mlp([[[2], [-1]], [[3, 1]]]))
    Fraction(7, 1)
    >>> path_norm(Network.mlp([[[2], [-1]], [[3, 1]]]), q=2)
    Fraction(37, 1)
    """
    if isinstance(q, bool) or not isinstance(q, int) or q < 1:
        raise InvalidInput("q", "must be an integer, at least 1", q)
    totals = {(0, j): Fraction(1) for j in range(net.input_dim)}
    for parameter in net.parameters:
        before = Fraction(1) if parameter.source is None else totals.get(parameter.source, Fraction(0))
        totals[parameter.target] = totals.get(parameter.target, Fraction(0)) + before * abs(parameter.value) ** q
    return sum((totals.get((net.depth, i), Fraction(0)) for i in range(net.output_dim)), Fraction(0))
