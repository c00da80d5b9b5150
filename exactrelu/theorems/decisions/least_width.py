r"""The formula for the least width of a shallow function, taken literally, against an enumeration of networks.

With the normal form :math:`(K,a,L)` and :math:`\Lambda` the linear part of :math:`L`, put
:math:`M_\varepsilon=\Lambda-\tfrac12\sum_H\varepsilon_Ha_Hw_H^T`. All signs and all sets of hyperplanes are tried here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ...equality import NormalForm, normal_form, shallow
from ...errors import BudgetExceeded
from ...networks import Network
from ...polyhedra import Domain
from ...rationals import rank
from ...verdicts import Status, Verdict
from .competitors import least_realization
from .equal_functions import with_interior
from .realizations import add_outer, negative

HALF = Fraction(1, 2)
MOST_CHOICES = 20_000
"""The number of choices of signs and sets that are tried."""


def width_by_formula(form: NormalForm, *, bounded: bool) -> int:
    r"""The least of :math:`|K|+|T|+2\operatorname{rank}(M_\varepsilon\bmod\{w_H\}_{H\in T})` over all signs and sets.

    On a bounded domain :math:`T` is empty and the rank counts once.

    >>> from ...networks import Network
    >>> identity = Network.mlp([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> width_by_formula(normal_form(shallow(identity), Domain.space(1)), bounded=False)
    2
    """
    choices = (1, -1) if bounded else (1, -1, 0)  # 0: the hyperplane is in T, and its sign is immaterial
    if len(choices) ** len(form.jumps) > MOST_CHOICES:
        raise BudgetExceeded("choices of signs", MOST_CHOICES, len(choices) ** len(form.jumps))
    best = None
    for signs in product(choices, repeat=len(form.jumps)):
        rows = [list(row) for row in form.slopes]
        for sign, (wall, jump) in zip(signs, form.jumps, strict=True):
            add_outer(rows, negative(tuple(HALF * sign * entry for entry in jump)), wall[:-1])
        span = [
            [Fraction(entry) for entry in wall[:-1]] for s, (wall, _) in zip(signs, form.jumps, strict=True) if not s
        ]
        remainder = rank([*rows, *span]) - rank(span)
        width = len(signs) + signs.count(0) + (1 if bounded else 2) * remainder
        best = width if best is None else min(best, width)
    assert best is not None  # the empty product is one choice
    return best


def least_width_is_formula(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The least width is that of the formula: :math:`|K|+\min_\varepsilon\operatorname{rank}M_\varepsilon`.

    On :math:`\mathbb R^d`: :math:`|K|+\min(|T|+2\operatorname{rank}(M_\varepsilon\bmod\{w_H\}_{H\in T}))`.
    """
    where = with_interior(network, domain)
    expected = width_by_formula(normal_form(shallow(network), where), bounded=where.is_bounded)
    found, least = least_realization(network, where)
    status = Status.HOLDS if found == expected else Status.FAILS
    return Verdict(f"the least width is {found}, the formula says {expected}", status, witness=least)


def least_width_is_near_the_number_of_bends(network: Network, domain: Domain | None = None) -> Verdict:
    r"""The least width is :math:`|K|`, :math:`|K|+1` or :math:`|K|+2`."""
    where = with_interior(network, domain)
    bends = len(normal_form(shallow(network), where).jumps)
    found, least = least_realization(network, where)
    status = Status.HOLDS if bends <= found <= bends + 2 else Status.FAILS
    return Verdict(f"the least width is {found}, with bends along {bends} hyperplane(s)", status, witness=least)
